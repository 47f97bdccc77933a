"""Checks and defaults that the functions of the Python API share: types of arguments, cache and
weights, warnings, commands in advice.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.crawler.link_weights import read_weights
from scenthound.crawler.metrics import Labels
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.topic_reading import Warn
from scenthound.strategies.catalogue import STRATEGIES
from scenthound.strategies.spec import LinkWeights, StrategySpec
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import load_wordnet

Folders = str | Path | Sequence[str | Path]
"""Of one crawl: its folder, the folder that holds those of its workers, or several of those."""


def folder_paths(name: str, value: object) -> tuple[Path, ...]:
    """One path or several; SettingsError where the argument ``name`` is something else."""
    if isinstance(value, str | os.PathLike):
        check_required_path(name, value)
        return (Path(value),)
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise SettingsError(f"{name} takes a path, or a list of them.")
    for each in value:
        check_required_path(name, each)
    return tuple(map(Path, value))


# Commands that a message tells the user to type.


def command(name: str, path: str | Path, *options: str) -> str:
    """``scenthound NAME PATH OPTIONS``, to be pasted into a shell as it stands.

    Parameters
    ----------
    name : of the command: ``resume``, ``stop``, ``replay``.
    path : of the crawl folder or archive, whatever signs are in it.
    options : what follows; none by default.
    """
    path = str(path)
    if path.startswith("-"):  # it would be taken for an option
        path = f"./{path}"
    return shlex.join(["scenthound", name, path, *options])


# Is what a caller gave of the right type? Told in one sentence, before anything is done.


def check_path(name: str, value: object) -> None:
    """SettingsError where the argument ``name`` is no path; None is one that is not given."""
    if value is not None:
        check_required_path(name, value)


def check_required_path(name: str, value: object) -> None:
    """SettingsError where the argument ``name`` is no path; an empty one would be this folder."""
    if not isinstance(value, str | os.PathLike):
        raise _wrong_type(name, "a path", value)
    if not os.fspath(value):
        raise SettingsError(f"{name} is an empty path; give its name.")


def check_topic(value: object) -> None:
    """SettingsError for anything but a topic; a text is perhaps the name of a topic file."""
    if isinstance(value, str | os.PathLike):
        raise SettingsError(
            f"topic takes a Topic, not {str(value)!r}; read a topic file with read_topic(...)."
        )
    if not isinstance(value, Topic):
        raise _wrong_type("topic", "a Topic", value)


def check_options(value: object) -> None:
    """SettingsError for anything but options; None is the default ones."""
    if value is not None and not isinstance(value, CrawlOptions):
        raise _wrong_type("options", "CrawlOptions(...)", value)


def check_labels(value: object) -> None:
    """SettingsError for anything but labels, or the path of a file of them; None is none."""
    if not isinstance(value, Labels):
        check_path("labels", value)


def check_weights(value: object) -> None:
    """SettingsError for anything but weights, or the path of a file of them; None is none."""
    if not isinstance(value, LinkWeights | str | os.PathLike | None):
        raise SettingsError(
            "weights takes a path or LinkWeights(...), not a value of type "
            f"{type(value).__name__}; write LinkWeights({{...}})."
        )
    if not isinstance(value, LinkWeights):
        check_path("weights", value)


def check_number(name: str, value: object, whole: bool = False) -> None:
    """SettingsError where the argument ``name`` is no number; None is one that is not given."""
    kinds = int if whole else (int, float)
    if value is not None and (isinstance(value, bool) or not isinstance(value, kinds)):
        raise _wrong_type(name, "a whole number" if whole else "a number", value)


def strategy_spec(strategy: object) -> StrategySpec:
    """The spec of a strategy, given itself or by its name.

    UnknownNameError for a name that there is not, SettingsError for anything else.
    """
    if isinstance(strategy, str):
        return STRATEGIES[strategy]
    if not isinstance(strategy, StrategySpec):
        raise _wrong_type("strategy", "a name or a Recipe", strategy)
    return strategy


def check_parameters(value: object) -> None:
    """SettingsError for anything but values by name; None is none."""
    if value is not None and not isinstance(value, Mapping):
        raise _wrong_type("parameters", "a dict of values by name", value)


def _wrong_type(name: str, wanted: str, value: object) -> SettingsError:
    return SettingsError(f"{name} takes {wanted}, not {_describe(value)}.")


def _describe(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


# What every function of the Python interface shares: the default strategy, how it warns.


def load_lexicon(folder: str | Path | None, warn: Warn) -> WordNet | None:
    """The WordNet in ``folder``; None, for the one that is shipped, where none is given."""
    if folder == "":
        raise SettingsError("wordnet is an empty name; give a WordNet folder, or leave it out.")
    return None if folder is None else load_wordnet(Path(folder).resolve(), warn)


def load_weights(given: str | Path | LinkWeights | None) -> LinkWeights | None:
    """The weights in a file, or those that are given; None, for the strategy's own, for none."""
    return read_weights(Path(given)) if isinstance(given, str | Path) else given
