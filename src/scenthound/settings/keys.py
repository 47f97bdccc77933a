"""What the tables ``[replay]`` and ``[crawl]`` take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import get_args, get_origin, get_type_hints

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Budget
from scenthound.core.parameters import Value
from scenthound.core.sizes import SIZES
from scenthound.experiments.equipping import CACHE, CACHE_LIMIT, CacheChoice, bytes_of
from scenthound.live.option_checks import shown
from scenthound.live.options import FILES, CrawlOptions
from scenthound.relevance.judge_names import check_judge
from scenthound.settings.durations import FORMS, seconds
from scenthound.strategies.given_inlinks import inlinks_named

REPLAY_KEYS: Mapping[str, type | tuple[type, ...]] = {
    "budget": (int, str),
    "random_seed": int,
    "count_missing": bool,
    "judge": str,
    "threshold": (int, float),
    "wordnet": str,
    "pdf": bool,
    "weights": str,
    "inlinks": str,
    "cache": str,
    "cache_limit": (int, str),
}
_TAKES = {
    "budget": 'a number of pages or a multiple of the labelled pages such as "2x"',
    "random_seed": "a whole number",
    "count_missing": "true or false",
    "judge": '"similarity" or "ontology"',
    "threshold": "a number within 0 and 1",
    "wordnet": "the path of a WordNet folder",
    "pdf": "true or false",
    "weights": "the path of a weights file",
    "inlinks": '"max", "mean" or "last"',
    "cache": 'the path of a folder, or "none"',
    "cache_limit": f"a size such as {SIZES}",
}
WORDNET, WEIGHTS, INLINKS = "wordnet", "weights", "inlinks"
BESIDE_OPTIONS = (WORDNET, WEIGHTS, INLINKS, CACHE, CACHE_LIMIT)
"""Keys of ``[crawl]`` that are no fields of CrawlOptions."""
CrawlValue = Value | tuple[str, ...]
"""A value of ``[crawl]``: some keys take a list of texts."""
PATHS = (WORDNET, WEIGHTS, CACHE, *FILES)
"""Keys that name a file or a folder."""
TIMES = frozenset({"max_time", "delay", "timeout", "retry_wait"})
_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text",
          tuple: 'a text or a list of texts such as ["*news*", "*storm*"]'}  # fmt: skip


def check_replay(values: Mapping[str, Value]) -> None:
    """SettingsError or UnknownNameError for what ``[replay]`` cannot take."""
    for key, value in values.items():
        if key not in REPLAY_KEYS:
            raise UnknownNameError("key of [replay]:", key, REPLAY_KEYS)
        if not _fits_replay(key, value):
            raise SettingsError(f"replay.{key} takes {_TAKES[key]}, not {value!r}.")


def _fits_replay(key: str, value: Value) -> bool:
    wanted = REPLAY_KEYS[key]
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        return False
    if key == "budget":
        Budget.parse(str(value), labelled=1)
    if key == "judge":
        check_judge(str(value))
    if key in BESIDE_OPTIONS:
        _check_beside(key, str(value))
        return bool(str(value).strip())
    return key != "threshold" or 0.0 <= float(value) <= 1.0


def _check_beside(key: str, value: str) -> None:
    """SettingsError for what such a key cannot mean; what a path leads to is seen later."""
    if key == INLINKS:
        inlinks_named(value)
    elif key == CACHE_LIMIT:
        CacheChoice(limit=bytes_of(value))


def _crawl_kinds() -> dict[str, type]:
    hints = get_type_hints(CrawlOptions)
    return {
        **{key: _kind(hint) for key, hint in hints.items()},
        **dict.fromkeys(BESIDE_OPTIONS, str),
    }


def _kind(hint: object) -> type:
    """The type of a field's values, None left out."""
    if get_origin(hint) is tuple:
        return tuple
    kind = (get_args(hint) or (hint,))[0]
    assert isinstance(kind, type)
    return kind


CRAWL_KEYS: Mapping[str, type] = _crawl_kinds()
"""The keys of ``[crawl]``, each with the type of its values: the fields of CrawlOptions, and
:data:`BESIDE_OPTIONS`."""


def check_crawl(values: Mapping[str, object]) -> dict[str, CrawlValue]:
    """The values as CrawlOptions takes them: times in seconds, whole numbers as they are.

    Raises SettingsError or UnknownNameError for what ``[crawl]`` cannot take.
    """
    return {key: crawl_value(key, value, f"crawl.{key}") for key, value in values.items()}


def crawl_value(key: str, value: object, called: str) -> CrawlValue:
    """One value as CrawlOptions takes it; ``called`` is what messages call the key."""
    if key not in CRAWL_KEYS:
        raise UnknownNameError("key of [crawl]:", key, CRAWL_KEYS)
    fitted = _fitted(key, value, CRAWL_KEYS[key])
    if fitted is None:
        taken = _taken(key, CRAWL_KEYS[key])
        raise SettingsError(f"{called} takes {taken}, not {shown(key, value)}.")
    if key == "max_pages" and isinstance(fitted, int) and fitted < 1:
        raise SettingsError(f"{called} is 1 or more, not {fitted}.")
    if key in BESIDE_OPTIONS:
        _check_beside(key, str(fitted))
    else:
        CrawlOptions(**{key: fitted})  # type: ignore[arg-type]
    return fitted


def _fitted(key: str, value: object, kind: type) -> CrawlValue | None:
    """The value as this type; None where it is none."""
    if kind is tuple:
        return _texts(value)
    if key in TIMES and isinstance(value, str):
        return seconds(value)
    if key == CACHE_LIMIT and type(value) is int:
        return str(value)
    if kind is str:
        return value if isinstance(value, str) and value.strip() else None
    if kind is float and type(value) in (int, float):
        return float(value) if math.isfinite(value) else None  # type: ignore[arg-type]
    return value if type(value) is kind else None  # type: ignore[return-value]


def _texts(value: object) -> tuple[str, ...] | None:
    """A list of texts, or a text as a list of one."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
        return None
    return tuple(texts)


def _taken(key: str, kind: type) -> str:
    if key in BESIDE_OPTIONS:
        return _TAKES[key]
    return f"a time such as {FORMS}" if key in TIMES else _KINDS[kind]
