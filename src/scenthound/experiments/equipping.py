"""Which vector cache a run uses, and the equipment that carries it into the strategies."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.archive.cache import default_cache
from scenthound.core.errors import SettingsError
from scenthound.core.sizes import SIZES, size_in
from scenthound.experiments.topic_reading import Warn
from scenthound.store.vector_cache import DEFAULT_LIMIT, LEAST_LIMIT, VectorCache
from scenthound.vectors.protocols import Equipment

NO_CACHE = "none"
"""What to give in place of a folder where nothing is to be kept."""
CACHE, CACHE_LIMIT = "cache", "cache_limit"


@dataclass(frozen=True, slots=True)
class CacheChoice:
    """Where vectors of words and texts are kept between runs, and how many.

    Parameters
    ----------
    folder : None for the user's own cache folder, "none" for no cache at all.
    limit : bytes that the cache may take.

    SettingsError for what cannot be.
    """

    folder: str | None = None
    limit: int = DEFAULT_LIMIT

    def __post_init__(self) -> None:
        if self.folder is not None and not self.folder.strip():
            raise SettingsError('the cache has an empty name; give a folder, or "none" for none.')
        if self.limit < LEAST_LIMIT:
            raise SettingsError(
                f"a cache of {self.limit} bytes is too small; give 1MB or more, or the folder "
                '"none" for no cache.'
            )

    @property
    def path(self) -> Path | None:
        """The folder; None for no cache."""
        if self.folder is None:
            return default_cache()
        return None if self.folder.strip().lower() == NO_CACHE else Path(self.folder).resolve()

    def changed(
        self, folder: str | os.PathLike[str] | None, limit: int | str | None
    ) -> CacheChoice:
        """The choice with what is given; None leaves it as it is."""
        return CacheChoice(
            self.folder if folder is None else os.fspath(folder),
            self.limit if limit is None else bytes_of(limit),
        )

    def to_json(self) -> dict[str, object]:
        """As settings of a crawl folder have it: the folder as it is found from everywhere."""
        kept = None if self.folder is None else str(self.path or NO_CACHE)
        return {CACHE: kept, CACHE_LIMIT: self.limit}

    @classmethod
    def from_json(cls, settings: Mapping[str, object]) -> CacheChoice:
        """Out of the settings of a crawl folder; those of older ones say nothing of it."""
        folder, limit = settings.get(CACHE), settings.get(CACHE_LIMIT)
        return cls().changed(
            None if folder is None else str(folder), None if limit is None else str(limit)
        )


def bytes_of(limit: int | str) -> int:
    """A limit in bytes, given so or as ``"2GB"``; SettingsError for what is no size."""
    found = size_in(str(limit))
    if found is None:
        raise SettingsError(f"{limit!r} is no size for a cache; give one such as {SIZES}.")
    return found


@contextmanager
def equipped(choice: CacheChoice, warn: Warn) -> Iterator[Equipment]:
    """What models of words and texts work with, until this ends.

    The folder is made when the first vector is kept; SettingsError where a file has its name.
    """
    path = refuse_file(choice.path)
    told = told_once(warn)
    if path is None:
        yield Equipment(warn=told)
        return
    with VectorCache(path, choice.limit, warn) as cache:
        yield Equipment(cache=cache, warn=told)


def refuse_file(path: Path | None, advice: str = 'give another, or "none" for none') -> Path | None:
    """The folder of a cache; SettingsError, which ends in the advice, where it is a file."""
    if path is not None and os.path.exists(path) and not os.path.isdir(path):
        raise SettingsError(f"the cache {path} is no folder; {advice}.")
    return path


def told_once(warn: Warn) -> Warn:
    """A listener that hears nothing twice: a strategy may be made several times in one run."""
    said: set[str] = set()

    def tell(message: str) -> None:
        if message not in said:
            said.add(message)
            warn(message)

    return tell
