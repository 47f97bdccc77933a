"""Rows to keep, and programs that keep them in a process of their own."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from scenthound.store.page_cache import READ, PageCache

CONTENT = 10_000
"""Bytes of a row; they cannot be packed."""
_TESTS = Path(__file__).parent.parent
_BEGIN = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from store.page_making import content, key
from scenthound.store.page_cache import COUNTED, READ, PageCache
told = []
cache = PageCache(Path({folder!r}), warn=told.append)
"""


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def content(number: int) -> bytes:
    return random.Random(number).randbytes(CONTENT)


def known(cache: PageCache, numbers: range) -> list[int]:
    """Which of the pages the cache knows; they are as they were."""
    found = cache.find(READ, [key(number) for number in numbers])
    held = sorted(int.from_bytes(each, "big") for each in found)
    assert all(found[key(number)] == content(number) for number in held)
    return held


def started(folder: Path, code: str) -> subprocess.Popen[str]:
    """A program with a ``cache`` in the folder and what it has ``told``; its warnings end it."""
    program = _BEGIN.format(tests=str(_TESTS), folder=str(folder)) + code
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    """Its exit code, and what it printed or complained of."""
    out, err = program.communicate(timeout=120)
    return program.returncode, out + err
