"""What every function of the Python interface shares: the default strategy, how it warns."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path

from scenthound.api.arguments import check_path
from scenthound.core.errors import SettingsError
from scenthound.experiments.equipping import CacheChoice
from scenthound.experiments.topic_reading import Warn
from scenthound.lexicon.wordnet import WordNet, load_wordnet
from scenthound.strategies.catalogue import DEFAULT_STRATEGY as DEFAULT_STRATEGY
from scenthound.strategies.weights import LinkWeights
from scenthound.tuning.weights_file import read_weights


class ScenthoundWarning(UserWarning):
    """Something was left out; the crawl goes on."""


def load_lexicon(folder: str | Path | None, warn: Warn) -> WordNet | None:
    """The WordNet in ``folder``; None, for the one that is shipped, where none is given."""
    if folder == "":
        raise SettingsError("wordnet is an empty name; give a WordNet folder, or leave it out.")
    return None if folder is None else load_wordnet(Path(folder).resolve(), warn)


def load_weights(given: str | Path | LinkWeights | None) -> LinkWeights | None:
    """The weights in a file, or those that are given; None, for the strategy's own, for none."""
    return read_weights(Path(given)) if isinstance(given, str | Path) else given


def chosen_cache(
    folder: str | Path | None, limit: int | str | None, before: CacheChoice | None = None
) -> CacheChoice:
    """Where vectors are kept; what is not given is as it was ``before``, or as by default."""
    check_path("cache", folder)
    if isinstance(limit, bool) or not isinstance(limit, int | str | None):
        kind = type(limit).__name__
        raise SettingsError(f'cache_limit takes a size such as "2GB", not a value of type {kind}.')
    return (before or CacheChoice()).changed(folder, limit)


def warn_caller(message: str) -> None:
    """A :class:`ScenthoundWarning` at the line that called this package."""
    warnings.warn(message, ScenthoundWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """How far up from :func:`warn_caller` the first line outside this package is."""
    level, frame, package = 0, inspect.currentframe(), __name__.partition(".")[0]
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    return level
