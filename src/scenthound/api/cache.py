"""The cache folder from Python: what lies in it, and how to empty it."""

from __future__ import annotations

from pathlib import Path

from scenthound.api.shared import chosen_cache, warn_caller
from scenthound.core.errors import SettingsError
from scenthound.experiments import cache_folder
from scenthound.experiments.cache_folder import CacheReport
from scenthound.experiments.equipping import refuse_file
from scenthound.experiments.topic_reading import Warn

_ADVICE = "give the folder of a cache, or leave it out"


def cache_report(cache: str | Path | None = None, *, warn: Warn | None = None) -> CacheReport:
    """What the cache holds: vectors, pages, counted texts, indexes; nothing where there is none.

    Parameters
    ----------
    cache : its folder, by default ``~/.cache/scenthound``.
    warn : hears of a damaged file; by default a :class:`ScenthoundWarning`.

    Raises
    ------
    FolderError
        It cannot be read.
    SettingsError
        It is a file, or "none".
    """
    return cache_folder.cache_report(_folder(cache), warn or warn_caller)


def clear_cache(cache: str | Path | None = None, *, warn: Warn | None = None) -> None:
    """Empty the cache, also while crawls use it; see :func:`cache_report`."""
    cache_folder.clear_cache(_folder(cache), warn or warn_caller)


def _folder(cache: str | Path | None) -> Path:
    path = refuse_file(chosen_cache(cache, None).path, _ADVICE)
    if path is None:
        raise SettingsError(f'cache "none" is no folder; {_ADVICE}.')
    return path
