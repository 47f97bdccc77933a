"""Does the runs of a grid, or goes on with them, and gives their figures."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.neural.schools import ARCHIVE, topics_of
from scenthound.evaluation.compare import compare_grid
from scenthound.evaluation.grid import Grid, Web, read_web
from scenthound.evaluation.outcomes import (
    LABELLED_HARVEST,
    Cell,
    Measure,
    Outcome,
    Unit,
    known_figures,
)
from scenthound.evaluation.statistics import unit_figures
from scenthound.evaluation.worker_pool import ComparisonProgress

Harvests = Mapping[str, Mapping[Unit, float]]
"""By strategy, the figure of each unit: a topic, a kind of seeds and a draw."""


def schools(webs: Path) -> Web:
    """The schools web in the folder of the webs; InputError of some kind where it is not there."""
    folder = webs / "schools"
    return read_web(folder / ARCHIVE, topics_of(folder), folder / "labels.tsv")


def outcomes(grid: Grid, out: Path, workers: int | None) -> list[Outcome]:
    """The figures of every run, in the order of the grid; those finished in ``out`` stay."""
    return list(compare_grid(grid, out, workers, OnStderr()).outcomes)


def harvests(runs: Sequence[Outcome], measure: Measure = LABELLED_HARVEST) -> Harvests:
    """The figure of every strategy in each unit; failed runs have none."""
    return unit_figures(known_figures([(run.cell, run.final) for run in runs], measure))


def failures(runs: Sequence[Outcome]) -> list[str]:
    """A sentence on the runs that failed; nothing where none has."""
    failed = [run for run in runs if run.final is None]
    if not failed:
        return []
    first = failed[0]
    return [
        f"{len(failed)} of {len(runs)} runs failed and are left out, the first of them "
        f"{first.cell.strategy} on {first.cell.topic}: {first.error}"
    ]


class OnStderr(ComparisonProgress):
    """A line for each run that is over; standard output has the tables alone."""

    def __init__(self) -> None:
        self._left = 0

    def planned(self, total: int, finished: int, workers: int) -> None:
        """How many there are to do."""
        self._left = total - finished
        log(f"{total} runs, {finished} of them finished before; {workers} at once")

    def ended(self, outcome: Outcome) -> None:
        """One run is over."""
        self._left -= 1
        log(f"{_run(outcome.cell)}: {_describe_outcome(outcome)}; {self._left} left")


def log(message: str) -> None:
    """On standard error, at once."""
    print(message, file=sys.stderr, flush=True)


def _run(cell: Cell) -> str:
    return f"{cell.strategy}, {cell.topic}, {cell.seeds} seeds, draw {cell.draw}"


def _describe_outcome(outcome: Outcome) -> str:
    harvest = LABELLED_HARVEST.of(outcome.final)
    if harvest is None:
        return outcome.error or "no figures"
    return f"{harvest:.3f} in {outcome.seconds:.1f} s"
