"""The folder of a comparison: whose it is, who works there, and what a kill has left in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from scenthound.comparison.results_file import NAME, read_comparison
from scenthound.core.errors import FolderError
from scenthound.experiments.steering import let_go
from scenthound.store.lock import LOCK_NAME, FolderLock, holder

GRID, RUNS, CRAWLS, TOPICS = "grid.toml", "runs", "crawls", "topics"
_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{16}\.(json|toml|csv|parquet)")
"""What a file of ours is called until it is whole; see :mod:`scenthound.store.atomic`."""


def refuse_other_folder(folder: Path) -> None:
    """FolderError for a folder that holds anything but a comparison, or is no folder."""
    held = held_in(folder)
    if GRID in held or held <= {LOCK_NAME}:
        return
    if NAME in held:  # written first: a comparison that was killed before it had a grid file
        with suppress(FolderError):
            read_comparison(folder)
            return
    raise FolderError(f"{folder} holds other files; choose a new --out folder.")


def held_in(folder: Path) -> set[str]:
    """The names in a folder but those of files that were never finished; none where there is none.

    FolderError where it cannot be read, or is no folder.
    """
    try:
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    except OSError as error:
        raise FolderError(f"{folder} cannot be used: {error.strerror or error}.") from None
    return {name for name in names if not _UNFINISHED.fullmatch(name)}


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Nobody else works in the folder until this ends; the lock goes where it ends well.

    What an earlier process left unfinished is removed. FolderError where another one is there.
    """
    lock = _locked(folder)
    try:
        _sweep(folder)
        yield
        let_go(folder, lock)
    finally:
        lock.release()


def _locked(folder: Path) -> FolderLock:
    try:
        return FolderLock(folder)
    except FolderError:
        who = holder(folder)
        if who is None:
            raise
        raise FolderError(
            f"another comparison works in {folder} (process {who}); wait for it, or choose "
            "another --out folder."
        ) from None


def _sweep(folder: Path) -> None:
    for place in (folder, folder / RUNS, *_subfolders(folder / TOPICS)):
        for path in place.glob(".*"):
            if _UNFINISHED.fullmatch(path.name):
                path.unlink(missing_ok=True)


def _subfolders(folder: Path) -> Iterable[Path]:
    return (path for path in folder.glob("*") if path.is_dir())
