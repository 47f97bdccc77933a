"""The keys of a grid file: what each takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from os import PathLike

from scenthound.comparison.rules import Rules
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.core.sizes import SIZES

Fits = Callable[[object], bool]
WEB = "web"
KEEP_CRAWLS = "keep_crawls"
RULES = tuple(each.name for each in fields(Rules))


def is_text(value: object) -> bool:
    """Is it a text, or a path, that says something?"""
    return isinstance(value, str | PathLike) and bool(str(value).strip())


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_list(value: object) -> bool:
    return is_text(value) or (isinstance(value, list | tuple) and all(map(is_text, value)))


def _is_amount(value: object) -> bool:
    return _is_whole(value) or is_text(value)


def _are_topics(value: object) -> bool:
    listed = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(each, Topic) or is_text(each) for each in listed)


Keys = Mapping[str, tuple[Fits, str]]
"""By key: what fits, and what it takes in words."""
GRID_KEYS: Keys = {
    WEB: (lambda value: isinstance(value, list | tuple | Mapping), "tables; write [[web]]"),
    "strategies": (_is_list, 'a list such as ["vsm", "shark decay=0.3"]'),
    "baseline": (is_text, 'a strategy such as "breadth-first"'),
    "seeds": (_is_list, 'a list such as ["given", "irrelevant"]'),
    "draws": (_is_whole, "a whole number"),
    "random_seeds": (_is_whole, "a whole number"),
    "measure": (is_text, 'a figure such as "target_recall"'),
    "budget": (_is_amount, 'a number of pages or a multiple of the labelled ones such as "2x"'),
    "judge": (is_text, '"similarity" or "ontology"'),
    "threshold": (_is_number, "a number within 0 and 1"),
    "count_missing": (_is_bool, "true or false"),
    "pdf": (_is_bool, "true or false"),
    "inlinks": (is_text, '"max", "mean" or "last"'),
    "wordnet": (is_text, "the path of a WordNet folder"),
    "keywords_only": (_is_bool, "true or false"),
    KEEP_CRAWLS: (_is_bool, "true or false"),
    "cache": (is_text, 'the path of a folder, or "none"'),
    "cache_limit": (_is_amount, f"a size such as {SIZES}"),
}
WEB_KEYS: Keys = {
    "name": (is_text, "a text"),
    "archive": (is_text, "the path of an archive"),
    "topics": (_are_topics, 'a list of topic files such as ["topics/*.toml"]'),
    "labels": (is_text, "the path of a labels file"),
}


def check_values(where: str, values: Mapping[str, object], keys: Keys) -> None:
    """UnknownNameError for a key that there is not, SettingsError for a value that does not fit.

    Parameters
    ----------
    where : whose keys they are, for the message.
    values, keys : what is given, and what there is.
    """
    for key, value in values.items():
        if key not in keys:
            raise UnknownNameError(f"key of {where}:", key, keys)
        fits, wanted = keys[key]
        if isinstance(value, list | tuple) and "" in value:
            raise SettingsError(f"{key} has an empty text in it; give {wanted}.")
        if not fits(value):
            raise SettingsError(f"{key} takes {wanted}, not {value!r}.")
