"""Checks that the functions of the Python API share: types of arguments, files that an argument
names, commands in advice. A wrong type is one sentence, before anything is done.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.options import CrawlOptions
from scenthound.similarity.link_priority import EVIDENCE
from scenthound.similarity.topic_file import read_toml
from scenthound.storage.folder import check_required_path, wrong_type_error
from scenthound.strategies.catalogue import STRATEGIES
from scenthound.strategies.spec import LinkWeights, StrategySpec
from scenthound.strategies.text_model_builders import TEXT_MODELS
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import load_wordnet


def command(name: str, path: str | Path, *options: str) -> str:
    """Return ``scenthound NAME PATH OPTIONS``, to be pasted into a shell as it stands."""
    path = str(path)
    if path.startswith("-"):  # it would be taken for an option
        path = f"./{path}"
    return shlex.join(["scenthound", name, path, *options])


def check_path(name: str, value: object) -> None:
    """SettingsError where the argument ``name`` is no path; None is allowed."""
    if value is not None:
        check_required_path(name, value)


def check_topic(value: object) -> None:
    """SettingsError for anything but a topic; a text is perhaps the name of a topic file."""
    if isinstance(value, str | os.PathLike):
        raise SettingsError(
            f"topic takes a Topic, not {str(value)!r}; read a topic file with read_topic(...)."
        )
    if not isinstance(value, Topic):
        raise wrong_type_error("topic", "a Topic", value)


def check_options(value: object) -> None:
    """SettingsError for anything but options; None stands for the default ones."""
    if value is not None and not isinstance(value, CrawlOptions):
        raise wrong_type_error("options", "CrawlOptions(...)", value)


def check_labels(value: object) -> None:
    """SettingsError for anything but labels, the path of a labels file, or None."""
    if not isinstance(value, Labels):
        check_path("labels", value)


def load_labels(value: str | Path | Labels | None) -> Labels | None:
    """Return the labels, read from their file where a path is given."""
    check_labels(value)
    return value if value is None or isinstance(value, Labels) else read_labels(value)


def check_number(name: str, value: object, whole: bool = False) -> None:
    """SettingsError where the argument ``name`` is no number; None is allowed."""
    kinds = int if whole else (int, float)
    if value is not None and (isinstance(value, bool) or not isinstance(value, kinds)):
        raise wrong_type_error(name, "a whole number" if whole else "a number", value)


def strategy_spec(strategy: object) -> StrategySpec:
    """Return the spec of a strategy, given itself or by its name."""
    if isinstance(strategy, str):
        return STRATEGIES[strategy]
    if not isinstance(strategy, StrategySpec):
        raise wrong_type_error("strategy", "a name or a StrategySpec", strategy)
    return strategy


def check_parameters(value: object) -> None:
    """SettingsError for anything but values by name, or None."""
    if value is not None and not isinstance(value, Mapping):
        raise wrong_type_error("parameters", "a dict of values by name", value)


def load_lexicon(folder: str | Path | None) -> WordNet | None:
    """Load the WordNet in ``folder``; None, for the one that is shipped, where none is given."""
    if folder == "":
        raise SettingsError("wordnet is an empty name; give a WordNet folder, or leave it out.")
    return None if folder is None else load_wordnet(Path(folder).resolve())


def load_weights(value: str | Path | LinkWeights | None) -> LinkWeights | None:
    """Return the link weights, read from their file where a path is given."""
    if value is None or isinstance(value, LinkWeights):
        return value
    if not isinstance(value, str | os.PathLike):
        raise SettingsError(
            "weights takes a path or LinkWeights(...), not a value of type "
            f"{type(value).__name__}; write LinkWeights({{...}})."
        )
    check_path("weights", value)
    return read_weights(value)


MODEL, WEIGHTS, LEARNED = "model", "weights", "learnt"

_KEYS = (MODEL, WEIGHTS, LEARNED)

_LARGEST = 1_000_000

_EXAMPLE = "add a table [weights] with lines such as full = 0.3 and anchor = 0.5."


def read_weights(path: str | Path) -> LinkWeights:
    """Read a weights file: a small TOML file with the weights of a topic.

    SettingsError where it cannot be read or used. How they were learned is not looked at.
    """
    check_required_path("path", path)
    path = Path(path)
    with suppress(OSError):  # what cannot be read is reported below
        if path.stat().st_size > _LARGEST:
            raise SettingsError(f"{path} is too large for a weights file; give the right one.")
    table = read_toml(path, "weights file")
    try:
        for key in table:
            if key not in _KEYS:
                raise UnknownNameError("key", key, _KEYS)
        values, model = table.get(WEIGHTS), table.get(MODEL)
        if not isinstance(values, dict) or not values:
            raise SettingsError(f"there are no weights; {_EXAMPLE}")
        if not isinstance(model, str | None):
            raise SettingsError(f"model is the name of a text model, not {model!r}.")
        known = [name for name in EVIDENCE if name in values]
        ordered = [*known, *(name for name in values if name not in EVIDENCE)]
        named = None if model is None else TEXT_MODELS[model].name
        return LinkWeights({name: values[name] for name in ordered}, named, str(path))
    except InputError as error:
        raise SettingsError(f"weights file {path}: {error}") from None
