"""The cache folder from Python: what lies in it, and how to empty it."""

from __future__ import annotations

from pathlib import Path

from scenthound.api.shared import chosen_cache, warn_caller
from scenthound.core.errors import SettingsError
from scenthound.experiments.topic_reading import Warn
from scenthound.store import vector_cache_report
from scenthound.store.vector_cache_report import CachedVectors


def cached_vectors(cache: str | Path | None = None, *, warn: Warn | None = None) -> CachedVectors:
    """What the cache holds of vectors, pages and counted texts; nothing where there is none yet.

    Parameters
    ----------
    cache : its folder, by default ``~/.cache/scenthound``.
    warn : hears of a damaged file; by default a :class:`ScenthoundWarning`.

    Raises
    ------
    FolderError
        It cannot be read.
    """
    return vector_cache_report.cached_vectors(_folder(cache), warn or warn_caller)


def clear_cache(cache: str | Path | None = None, *, warn: Warn | None = None) -> None:
    """Empty the cache, also while crawls use it; see :func:`cached_vectors`."""
    vector_cache_report.clear_vectors(_folder(cache), warn or warn_caller)


def _folder(cache: str | Path | None) -> Path:
    path = chosen_cache(cache, None).path
    if path is None:
        raise SettingsError('cache "none" is no folder; give one, or leave it out.')
    return path
