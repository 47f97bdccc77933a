"""From the values of a grid file, of options or of arguments to a grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scenthound.comparison.contenders import Contender, contender
from scenthound.comparison.every_strategy import contenders
from scenthound.comparison.grid import Grid
from scenthound.comparison.grid_keys import (
    GRID_KEYS,
    KEEP_CRAWLS,
    RULES,
    WEB,
    WEB_KEYS,
    check_values,
)
from scenthound.comparison.rules import Rules
from scenthound.comparison.webs import Web, read_web
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.experiments.equipping import CacheChoice

Values = Mapping[str, object]
"""By the keys of a grid file; the paths in them are those of this process."""


def make_grid(values: Values, warn: Callable[[str], None]) -> Grid:
    """The grid that the values describe, with its files read.

    Parameters
    ----------
    values : by key; what is not given is as by default.
    warn : gets what is left out, in words.

    Raises
    ------
    InputError
        Of the kind that fits: a key or a name that there is not, a value of the wrong type, a
        file that cannot be read, an empty grid.
    """
    check_values("the grid", values, GRID_KEYS)
    webs = tuple(_web(table) for table in _list(values, WEB))
    labelled = all(web.labels is not None for web in webs)
    found, left_out = contenders([str(each) for each in _list(values, "strategies")], labelled)
    for sentence in left_out:
        warn(sentence)
    found, baseline = _with_baseline(found, values.get("baseline"))
    return Grid(
        webs=webs,
        contenders=tuple(found),
        baseline=baseline,
        seeds=tuple(str(each) for each in _list(values, "seeds", ["given"])),
        draws=_whole(values, "draws"),
        random_seeds=_whole(values, "random_seeds"),
        rules=_rules(values),
        cache=CacheChoice().changed(
            _text(values.get("cache")), _text(values.get("cache_limit"))
        ),
        measure=_text(values.get("measure")) or "",
        keep_crawls=values.get(KEEP_CRAWLS) is True,
    )  # fmt: skip


def _with_baseline(found: list[Contender], given: object) -> tuple[list[Contender], str]:
    """The contenders and the label of the baseline; one that is not among them joins in."""
    if given is None:
        return found, ""
    baseline = contender(str(given))
    if baseline.label in [each.label for each in found]:
        return found, baseline.label
    return [baseline, *found], baseline.label


def _web(table: object) -> Web:
    if not isinstance(table, Mapping):
        raise SettingsError("web must be a list of tables; write [[web]] above its keys.")
    check_values("[[web]]", table, WEB_KEYS)
    if "archive" not in table:
        raise SettingsError('a web has no archive; add a line such as archive = "a.warc.gz".')
    topics: Sequence[Topic | str] = _list(table, "topics")  # type: ignore[assignment]
    labels = table.get("labels")
    name = str(table.get("name", ""))
    return read_web(
        Path(str(table["archive"])), topics, None if labels is None else Path(str(labels)), name
    )


def _rules(values: Values) -> Rules:
    given = {key: values[key] for key in RULES if values.get(key) is not None}
    if "budget" in given:
        given["budget"] = str(given["budget"])
    if "threshold" in given:
        given["threshold"] = float(str(given["threshold"]))
    return Rules(**given)  # type: ignore[arg-type]


def _list(values: Values, key: str, default: Sequence[object] = ()) -> list[object]:
    """A list, or one value as a list of one."""
    found = values.get(key, default)
    return list(found) if isinstance(found, list | tuple) else [found]


def _whole(values: Values, key: str) -> int:
    found = values.get(key, 1)
    assert isinstance(found, int)
    return found


def _text(value: object) -> str | None:
    return None if value is None else str(value)
