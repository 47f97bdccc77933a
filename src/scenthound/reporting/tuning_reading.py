"""Reads the figures that ``scenthound tune --out`` wrote."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from scenthound.core.errors import FolderError
from scenthound.optimise.arrays import Array
from scenthound.optimise.problem import equal_weights
from scenthound.tuning.result import Tuning

_LARGEST = 50_000_000
Stored = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class StoredTuning:
    """A tuning, and how its links were come by, as far as its file says.

    ``source`` is that in words, ``wanted`` the links that were asked for and ``model_parameters``
    what was set of the text model; links that were collected before have none of these.
    ``asked_of`` is the archive, crawl folder or file of links, ``topic_file`` where the topic was
    read from; both are "" where they are not told.
    """

    tuning: Tuning
    source: str
    wanted: int | None = None
    model_parameters: Stored = field(default_factory=dict)
    asked_of: str = ""
    topic_file: str = ""
    wordnet: str = ""
    pdf: bool = False


def read_tunings(path: Path) -> list[StoredTuning]:
    """The tunings in a ``tuning.json``, in its order; FolderError where it is none."""
    try:
        if path.stat().st_size > _LARGEST:
            raise FolderError(f"{path} is too large for the figures of a tuning.")
        stored = json.loads(path.read_text(encoding="utf-8"))
        return [_stored(each) for each in stored["topics"]]
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise FolderError(f"{path} is damaged, or not what 'scenthound tune' writes.") from None


def _tuning(stored: Stored) -> Tuning:
    weights, exact = _table(stored["weights"]), _table(stored["exact"])
    names, links = tuple(map(str, weights)), _table(stored["links"])
    train, test = _table(stored["train_error"]), _table(stored["test_error"])
    groups, best = _table(stored["groups"]), _table(exact["weights"])
    share, reason = stored["share"], stored["reason"]
    return Tuning(
        topic=str(stored["topic"]),
        model=str(stored["model"]),
        names=names,
        weights=tuple(_number(weights[name]) for name in names),
        equal=tuple(equal_weights(len(names)).tolist()),
        optimiser=str(stored["optimiser"]),
        parameters=_table(stored["parameters"]),  # type: ignore[arg-type]
        seed=int(str(stored["seed"])),
        reason=None if reason is None else str(reason),
        train_error=_number(train["learnt"]),
        train_error_equal=_number(train["equal"]),
        test_error=_number(test["learnt"]),
        test_error_equal=_number(test["equal"]),
        groups=_array(groups["learnt"]),
        groups_equal=_array(groups["equal"]),
        fitness=_number(stored["fitness"]),
        exact_fitness=_number(exact["fitness"]),
        exact_weights=tuple(_number(best[name]) for name in names),
        share=None if share is None else _number(share),
        evaluations=int(str(stored["evaluations"])),
        curve=_curve(stored["curve"]),
        report={},
        seconds=_number(stored["seconds"]),
        train=int(str(links["train"])),
        test=int(str(links["test"])),
    )


def _stored(stored: Stored) -> StoredTuning:
    collected, asked = stored.get("collected") or {}, stored.get("asked") or {}
    found, how = _table(collected), _table(asked)
    wanted = found.get("wanted")
    return StoredTuning(
        _tuning(stored),
        str(found.get("source", "")),
        None if wanted is None else int(str(wanted)),
        _table(found.get("parameters") or {}),
        str(how.get("source") or ""),
        str(how.get("topic_file") or ""),
        str(how.get("wordnet") or ""),
        how.get("pdf") is True,
    )


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError("no table")
    return value


def _number(value: object) -> float:
    """What is not finite was written as null."""
    return math.nan if value is None else float(str(value))


def _array(values: object) -> Array:
    if not isinstance(values, list):
        raise TypeError("no list")
    return np.array([_number(value) for value in values], dtype=np.float64)


def _curve(points: object) -> tuple[tuple[int, float], ...]:
    if not isinstance(points, list):
        raise TypeError("no list")
    return tuple((int(str(evaluations)), _number(fitness)) for evaluations, fitness in points)
