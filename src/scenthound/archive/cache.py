"""Keeps the indexes of archives between runs; a half-built one is never found there."""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from scenthound.archive.index import FORMAT, Index, IndexWriter
from scenthound.archive.model import Source
from scenthound.core.errors import ArchiveError

Fill = Callable[[IndexWriter], None]
_ABANDONED_AFTER_S = 24 * 3600.0
_NAME = re.compile(r"archive-[0-9a-f]{32}\.sqlite")
"""Of an index; a folder that somebody chose may hold other files."""
_FORGOTTEN_AFTER_S = 90 * 24 * 3600


def default_cache() -> Path:
    """``$XDG_CACHE_HOME/scenthound``, or ``~/.cache/scenthound``."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(configured) if os.path.isabs(configured) else Path.home() / ".cache"
    return base / "scenthound"


def index_files(cache: Path) -> list[Path]:
    """The indexes that are kept in ``cache``; none where there is no such folder."""
    found = cache.glob("archive-*.sqlite")
    return sorted(path for path in found if _NAME.fullmatch(path.name))


def cache_key(source: Source) -> str:
    """Changes whenever a file of the archive is moved, resized or written to."""
    digest = hashlib.sha256(f"{FORMAT}\0".encode() + os.fsencode(source.path.resolve()))
    for file in source.files():
        try:
            facts = file.stat()
        except OSError as error:
            raise ArchiveError(f"{file} cannot be read: {error.strerror or error}.") from None
        digest.update(os.fsencode(file.resolve()))
        digest.update(f"\0{facts.st_size}\0{facts.st_mtime_ns}\0".encode())
    return digest.hexdigest()[:32]


def cached_index(source: Source, cache: Path, scratch: Path, fill: Fill) -> Index:
    """The index of ``source``: from ``cache`` if it is there, else built by ``fill``.

    Where the cache cannot be written to, the index is built in ``scratch``.
    """
    name = f"archive-{cache_key(source)}.sqlite"
    with suppress(sqlite3.Error, OSError):
        index = Index(cache / name)
        with suppress(OSError):
            os.utime(cache / name)
        return index
    with suppress(sqlite3.Error, OSError):
        cache.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(cache)
        return _build(cache / name, fill)
    try:
        return _build(scratch / name, fill)
    except (sqlite3.Error, OSError) as error:
        raise ArchiveError(f"the index of {source.path} cannot be written: {error}.") from error


def _build(path: Path, fill: Fill) -> Index:
    handle, name = tempfile.mkstemp(prefix="archive-", suffix=".part", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        _write(part, fill)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return Index(path)


def _write(path: Path, fill: Fill) -> None:
    writer = IndexWriter(path)
    try:
        fill(writer)
        writer.finish()
    finally:
        writer.close()


def _remove_abandoned(cache: Path) -> None:
    """What a killed build left behind, and indexes that nobody has opened for months."""
    for pattern, seconds in (("*.part", _ABANDONED_AFTER_S), ("*.sqlite", _FORGOTTEN_AFTER_S)):
        for file in cache.glob(f"archive-{pattern}"):
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > seconds:
                    file.unlink()
