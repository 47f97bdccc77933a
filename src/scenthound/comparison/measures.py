"""The figures that strategies can be compared by, and which of them proves something."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from scenthound.comparison.model import Cell, Outcome
from scenthound.core.errors import UnknownNameError
from scenthound.experiments.metrics import Indicators

DIGITS = 6
"""Figures are rounded to what the files keep, so that a comparison read back says the same."""

_ATTRIBUTES = {"as": "as_"}
"""Where an indicator has another name in Python."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a run.

    Parameters
    ----------
    name : as the files have it.
    title : as tables head it.
    lower_is_better : true for errors and deviations (sdvsm AE; olmoaco section 5 on SD).
    digits : behind the point, where it is shown.
    """

    name: str
    title: str
    lower_is_better: bool = False
    digits: int = 3

    def of(self, figures: Indicators | None) -> float | None:
        """The value among these figures; None where it is not defined or not a number."""
        value = None if figures is None else getattr(figures, _ATTRIBUTES.get(self.name, self.name))
        if value is None or not math.isfinite(value):
            return None
        return round(float(value), DIGITS)


LABELLED_HARVEST = Measure("labelled_harvest", "labelled harvest")
HARVEST = Measure("hr", "HR")
MEASURES = (
    LABELLED_HARVEST,
    Measure("target_recall", "target recall"),
    Measure("labelled", "labelled pages", digits=1),
    HARVEST,
    Measure("rn", "RN", digits=1),
    Measure("as", "AS"),
    Measure("ar", "AR"),
    Measure("sd", "SD", lower_is_better=True),
    Measure("ae", "AE", lower_is_better=True),
)
"""See :mod:`scenthound.experiments.metrics` for what they are."""


def measure_named(name: str) -> Measure:
    """The measure of a name; UnknownNameError where there is none."""
    for measure in MEASURES:
        if measure.name == name:
            return measure
    raise UnknownNameError("measure", name, [measure.name for measure in MEASURES])


def best_proof(outcomes: Iterable[Outcome]) -> Measure:
    """Labelled harvest where every run has it, otherwise HR (see :func:`own_kind`).

    Failed runs have no say. Labelled harvest too where there are no runs.
    """
    finished = [outcome.final for outcome in outcomes if outcome.final is not None]
    labelled = all(final.labelled_harvest is not None for final in finished)
    return LABELLED_HARVEST if labelled else HARVEST


def own_kind(outcomes: Iterable[Outcome]) -> list[str]:
    """A sentence on what HR proves, where runs lack labels to measure by; nothing otherwise."""
    finished = [outcome.final for outcome in outcomes if outcome.final is not None]
    lacking = sum(final.labelled_harvest is None for final in finished)
    if not lacking:
        return []
    who = "the runs have no labels" if lacking == len(finished) else "not all runs have labels"
    return [
        f"{who}, so strategies are compared by HR: pages are judged by a model of the kind that "
        "steers the crawl, which proves less than labels do."
    ]


def known_figures(
    rows: Iterable[tuple[Cell, Indicators | None]], measure: Measure
) -> list[tuple[Cell, float]]:
    """Of these runs those that have the figure, with it."""
    found = ((cell, measure.of(figures)) for cell, figures in rows)
    return [(cell, value) for cell, value in found if value is not None]
