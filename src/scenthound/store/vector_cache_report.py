"""What lies in the vector cache, and how it is emptied."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.vector_cache_file import ASIDE, FILE, open_file
from scenthound.store.vector_cache_rows import count_by_model, forget_all


@dataclass(frozen=True, slots=True)
class CachedVectors:
    """What a cache folder holds.

    Parameters
    ----------
    folder : where it is.
    bytes : what its files take on the disk; 0 where nothing was ever kept.
    entries : texts, words or passages by model; the model with the most first.
    """

    folder: Path
    bytes: int
    entries: Mapping[str, int]

    def to_json(self) -> dict[str, object]:
        """The same, as JSON knows it."""
        return {
            "folder": str(self.folder), "bytes": self.bytes, "entries": dict(self.entries),
        }  # fmt: skip


def cached_vectors(folder: Path, warn: Callable[[str], None]) -> CachedVectors:
    """What the cache in ``folder`` holds; nothing is made where there is none.

    FolderError where it cannot be read. ``warn`` hears of damage, which is moved aside.
    """
    with _opened(folder, warn) as database:
        entries = {} if database is None else count_by_model(database)
    return CachedVectors(folder, _bytes(folder), entries)


def clear_vectors(folder: Path, warn: Callable[[str], None]) -> None:
    """Empty the cache in ``folder``, also while others use it; FolderError where that fails."""
    with _opened(folder, warn) as database:
        if database is not None:
            forget_all(database)
            (folder / ASIDE).unlink(missing_ok=True)


@contextmanager
def _opened(folder: Path, warn: Callable[[str], None]) -> Iterator[sqlite3.Connection | None]:
    """The database; None where there is none."""
    path = folder / FILE
    try:
        if not path.exists():
            yield None
            return
        with closing(open_file(folder, warn)) as database:
            yield database
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FolderError(
            f"the vector cache {path} cannot be used: {reason}; end what uses it, or delete it."
        ) from None


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob(f"{FILE}*"))
