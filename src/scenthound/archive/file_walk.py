"""The files below a folder, always in the same order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from scenthound.core.errors import ArchiveError


def files_below(folder: Path) -> Iterator[Path]:
    """Regular files, and symlinks to them, sorted by name in every folder.

    Symlinks to folders are not followed: they may lead outside, or in circles.
    """
    waiting = _entries(folder)
    while waiting:
        path = waiting.pop()
        if path.is_dir() and not path.is_symlink():
            waiting.extend(_entries(path))
        elif path.is_file():
            yield path


def leads_outside(file: Path, folder: Path) -> bool:
    """Is ``file`` a symlink to something that is not below ``folder``?"""
    return file.is_symlink() and not file.resolve().is_relative_to(folder.resolve())


def _entries(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in sorted(os.listdir(folder), reverse=True)]
    except OSError as error:
        raise ArchiveError(f"{folder} cannot be read: {error.strerror or error}.") from None
