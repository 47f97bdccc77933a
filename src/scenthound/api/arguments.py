"""Is what a caller gave of the right type? Told in one sentence, before anything is done."""

from __future__ import annotations

import os
from collections.abc import Mapping

from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.experiments.labels import Labels
from scenthound.live.options import CrawlOptions
from scenthound.relevance.judge_names import check_judge
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.installed import STRATEGIES
from scenthound.strategies.weights import LinkWeights


def check_path(name: str, value: object) -> None:
    """SettingsError where the argument ``name`` is no path; None is one that is not given."""
    if value is not None:
        check_given_path(name, value)


def check_given_path(name: str, value: object) -> None:
    """SettingsError where the argument ``name`` is no path; an empty one would be this folder."""
    if not isinstance(value, str | os.PathLike):
        raise _wrong(name, "a path", value)
    if not os.fspath(value):
        raise SettingsError(f"{name} is an empty path; give its name.")


def check_topic(value: object) -> None:
    """SettingsError for anything but a topic; a text is perhaps the name of a topic file."""
    if isinstance(value, str | os.PathLike):
        raise SettingsError(
            f"topic takes a Topic, not {str(value)!r}; read a topic file with read_topic(...)."
        )
    if not isinstance(value, Topic):
        raise _wrong("topic", "a Topic", value)


def check_options(value: object) -> None:
    """SettingsError for anything but options; None is the default ones."""
    if value is not None and not isinstance(value, CrawlOptions):
        raise _wrong("options", "CrawlOptions(...)", value)


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


def check_inlinks(value: object) -> None:
    """SettingsError for anything but the name of a way to combine inlinks; None is none."""
    if value is not None and not isinstance(value, str):
        raise _wrong("inlinks", '"max", "mean" or "last"', value)


def check_judge_name(value: object) -> None:
    """SettingsError for anything but a text, UnknownNameError for a judge that there is not."""
    if not isinstance(value, str):
        raise _wrong("judge", '"similarity" or "ontology"', value)
    check_judge(value)


def check_number(name: str, value: object, whole: bool = False) -> None:
    """SettingsError where the argument ``name`` is no number; None is one that is not given."""
    kinds = int if whole else (int, float)
    if value is not None and (isinstance(value, bool) or not isinstance(value, kinds)):
        raise _wrong(name, "a whole number" if whole else "a number", value)


def known_recipe(strategy: object) -> Recipe:
    """The recipe of a strategy, given itself or by its name.

    UnknownNameError for a name that there is not, SettingsError for anything else.
    """
    if isinstance(strategy, str):
        return STRATEGIES[strategy]
    if not isinstance(strategy, Recipe):
        raise _wrong("strategy", "a name or a Recipe", strategy)
    return strategy


def check_parameters(value: object) -> None:
    """SettingsError for anything but values by name; None is none."""
    if value is not None and not isinstance(value, Mapping):
        raise _wrong("parameters", "a dict of values by name", value)


def _wrong(name: str, wanted: str, value: object) -> SettingsError:
    return SettingsError(f"{name} takes {wanted}, not {_told(value)}.")


def _told(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
