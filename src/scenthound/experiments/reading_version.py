"""Which program reads: what an older one kept may not be what this one would read."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGES = ("archive", "core", "engines", "lexicon", "text")
"""Ours, that turn a response into a page and a text into terms."""
_LIBRARIES = ("selectolax", "pypdf", "PyStemmer", "rjieba", "Brotli", "numpy")


@cache
def reading_version() -> str:
    """A hash of the program and the libraries by which pages and texts are read.

    By the source itself and not by a number that somebody must remember to raise.
    """
    digest = hashlib.blake2b(digest_size=16)
    for line in (*map(_installed, _LIBRARIES), unicodedata.unidata_version):
        digest.update(f"{line}\n".encode())
    for source in _sources():
        digest.update(source)
    return digest.hexdigest()


def _installed(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def _sources() -> Iterator[bytes]:
    root = Path(__file__).parent.parent
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            yield path.read_bytes()
