"""What the file of one cache holds, and how it is emptied."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.cache_file import open_file
from scenthound.store.cache_layout import Layout
from scenthound.store.cache_rows import count_by_group, forget_all


@dataclass(frozen=True, slots=True)
class Kept:
    """What a cache holds.

    Parameters
    ----------
    entries : how many, by group; the group with the most first.
    bytes : what its files take on the disk; 0 where nothing was ever kept.
    """

    entries: Mapping[str, int]
    bytes: int


def kept_in(layout: Layout, folder: Path, warn: Callable[[str], None]) -> Kept:
    """What the cache in ``folder`` holds; nothing is made where there is none.

    FolderError where it cannot be read. ``warn`` hears of damage, which is moved aside.
    """
    with _opened(layout, folder, warn) as database:
        entries = {} if database is None else count_by_group(layout, database)
    return Kept(entries, bytes_of(folder.glob(f"{layout.file}*")))


def forget_kept(layout: Layout, folder: Path, warn: Callable[[str], None]) -> None:
    """Empty the cache in ``folder``, also while others use it; FolderError where that fails."""
    with _opened(layout, folder, warn) as database:
        if database is not None:
            forget_all(layout, database)
            (folder / layout.aside).unlink(missing_ok=True)


def bytes_of(files: Iterable[Path]) -> int:
    """What files take on the disk; those that are gone meanwhile, such as logs, take nothing."""
    total = 0
    for path in files:
        with suppress(OSError):
            total += path.stat().st_size
    return total


@contextmanager
def _opened(
    layout: Layout, folder: Path, warn: Callable[[str], None]
) -> Iterator[sqlite3.Connection | None]:
    """The database; None where there is none."""
    path = folder / layout.file
    try:
        if not path.exists():
            yield None
            return
        with closing(open_file(layout, folder, warn)) as database:
            yield database
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FolderError(
            f"the {layout.title} {path} cannot be used: {reason}; end what uses it, or delete it."
        ) from None
