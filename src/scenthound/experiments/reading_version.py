"""Which program reads: what an older one kept may not be what this one would read."""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version

_PACKAGES = ("archive", "core", "engines", "lexicon", "text")
"""Ours, that turn a response into a page and a text into terms."""
_LIBRARIES = (
    "scenthound", "Brotli", "PyStemmer", "google-re2", "numpy", "py3langid", "pypdf", "rjieba",
    "selectolax", "stopwordsiso", "w3lib",
)  # fmt: skip
"""All that these packages import."""


@cache
def reading_version() -> str:
    """A hash of the program and the libraries by which pages and texts are read.

    By the source itself and not by a number that somebody must remember to raise.
    """
    libraries = (f"{library} {_installed(library)}" for library in _LIBRARIES)
    facts = (_SOURCE, python_version(), unicodedata.unidata_version, *libraries)
    return hashlib.blake2b("\n".join(facts).encode(), digest_size=16).hexdigest()


def source_digest(root: Path) -> str:
    """A hash of the source of all packages that read, which lie in ``root``."""
    digest = hashlib.blake2b(digest_size=16)
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            content = path.read_bytes()
            name = path.relative_to(root).as_posix()
            digest.update(f"{name} {len(content)}\n".encode("utf-8", "surrogateescape"))
            digest.update(content)
    return digest.hexdigest()


def _installed(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


_SOURCE = source_digest(Path(__file__).parent.parent)
"""Taken together with the modules themselves: a file that is edited later is not what reads."""
