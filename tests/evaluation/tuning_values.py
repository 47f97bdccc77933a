"""Tunings written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scenthound.evaluation.tuning_result import Tuning

QUARTERS = (0.25, 0.25, 0.25, 0.25)
PLAIN = Tuning(
    topic="storms",
    model="vsm",
    names=("full", "title", "anchor", "context"),
    weights=(0.1, 0.2, 0.3, 0.0),
    optimiser="exact",
    parameters={},
    seed=0,
    reason=None,
    train_error=0.1,
    train_error_equal=0.2,
    test_error=0.15,
    test_error_equal=0.2,
    groups=(0.1, 0.2),
    groups_equal=(0.3, 0.1),
    fitness=0.4,
    exact_fitness=0.4,
    exact_weights=(0.1, 0.2, 0.3, 0.0),
    share=1.0,
    evaluations=0,
    curve=(),
    report={},
    seconds=0.01,
    train=10,
    test=10,
)


def tuning(
    topic: str = "storms", equal: Sequence[float] = (0.3, 0.1),
    learned: Sequence[float] = (0.1, 0.2), **others: Any,
) -> Tuning:  # fmt: skip
    """A tuning with these errors by group."""
    return replace(
        PLAIN, topic=topic, groups=tuple(learned), groups_equal=tuple(equal), **others
    )  # fmt: skip


def searched(topic: str = "storms", **others: Any) -> Tuning:
    """One of the optimiser ``ga``, whose curve reaches 0.2 and then 0.38 of 0.4."""
    curve = ((10, 0.2), (100, 0.38), (1000, 0.38))
    found = {"optimiser": "ga", "fitness": 0.38, "share": 0.95, "evaluations": 1000}
    return tuning(topic, **{**found, "curve": curve, **others})
