"""Rows to keep, and programs that keep them in a process of their own."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from scenthound.storage.cache import READ, PageCache
from storage.cache_programs import begun, ended, key

__all__ = ["CONTENT", "content", "ended", "key", "known", "started"]

CONTENT = 10_000
"""Bytes of a row; they cannot be packed."""
_IMPORTS = """
from storage.page_making import content, key
from scenthound.storage.cache import COUNTED, READ, PageCache
"""


def content(number: int) -> bytes:
    return random.Random(number).randbytes(CONTENT)


def known(cache: PageCache, numbers: range) -> list[int]:
    """Which of the pages the cache knows; they are as they were."""
    found = cache.find(READ, [key(number) for number in numbers])
    held = sorted(int.from_bytes(each, "big") for each in found)
    assert all(found[key(number)] == content(number) for number in held)
    return held


def started(folder: Path, code: str) -> subprocess.Popen[str]:
    """A program with a page cache."""
    return begun("PageCache", _IMPORTS, folder, code)
