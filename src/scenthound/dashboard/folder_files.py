"""The files of a crawl folder, looked at before they are opened: a pipe would be waited for."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.folder import CrawlFolder
from scenthound.store.lock import LOCK_NAME

Stamp = tuple[int, int, int]
_LARGEST_ORDER = 16 * 1024 * 1024
_OTHERS = ("topic.json", "concepts.json", "pages-")


def stamp(path: Path) -> Stamp | None:
    """What changes when a file does; None where there is none."""
    found = _stat(path)
    return None if found is None else (found.st_ino, found.st_size, found.st_mtime_ns)


def check_order(path: Path) -> None:
    """FolderError where ``crawl.json`` is no file, or so large that nobody wrote it for us."""
    found = _stat(path)
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise FolderError(f"{path} cannot be read: it is no file.")
    if found is not None and found.st_size > _LARGEST_ORDER:
        raise FolderError(f"{path} is not what Scenthound writes: it is too large.")


def has_run(folder: Path) -> bool:
    """Is there what only a crawl leaves that has begun, and so has written to its journal?"""
    paths = CrawlFolder(folder)
    return any(stamp(path) is not None for path in (paths.state_path, paths.results_path))


def can_be_locked(folder: Path) -> bool:
    """Is the lock a file, so that asking for its holder does not wait?"""
    found = _stat(folder / LOCK_NAME)
    return found is not None and stat.S_ISREG(found.st_mode)


def check_files(folder: Path) -> None:
    """FolderError where something that an explanation reads is no file; nothing where it lacks."""
    paths = CrawlFolder(folder)
    check_order(paths.order_path)
    read = (paths.journal_path.name, paths.database_path.name, paths.state_path.name, *_OTHERS)
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if not each.is_file()]
    except OSError as error:
        raise FolderError(f"{folder} cannot be read: {error.strerror}.") from None
    for name in names:
        if name.startswith(read):  # SQLite's own files have longer names
            raise FolderError(f"{folder / name} cannot be read: it is no file.")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None
