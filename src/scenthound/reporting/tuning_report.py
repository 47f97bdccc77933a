"""The report of a tuning: the weights of each topic, and their errors against equal ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.reporting.document import (
    Block,
    Column,
    Document,
    Entry,
    Fact,
    Facts,
    Plot,
    Plots,
    Section,
    Table,
    Words,
    told,
)
from scenthound.reporting.tuning_reading import read_tunings
from scenthound.reporting.tuning_repeating import repeating
from scenthound.reporting.visible_text import cut
from scenthound.tuning.figures_drawing import convergence, heat_map, mean_errors
from scenthound.tuning.figures_numbers import (
    Rows,
    convergence_rows,
    heat_map_rows,
    mean_error_rows,
)
from scenthound.tuning.result import Tuning, rounded_share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_Tunings = Sequence[Tuning]
_PLOTS: tuple[
    tuple[str, str, tuple[str, ...], Callable[[_Tunings], Rows], Callable[[_Tunings], Figure]], ...
] = (
    ("heat-map", "By how much learnt weights are better, by group of test links",
     ("topic", "group", "error_equal", "error_learnt", "difference"), heat_map_rows, heat_map),
    ("mean-errors", "Mean error on the test links, by group",
     ("group", "topics", "error_equal", "error_learnt"), mean_error_rows, mean_errors),
    ("convergence", "How near the optimiser came to the exact optimum",
     ("topic", "optimiser", "evaluations", "best_fitness", "exact_fitness", "share"),
     convergence_rows, convergence),
)  # fmt: skip
_EMPTY = "No topic was tuned."
_AVERAGES = (
    "Errors in the table are means over links. The plot by groups has the mean of each group of "
    "consecutive test links, and its legend the mean over groups, each of which counts once: where "
    "groups are of different sizes these differ a little."
)


def tuning_document(folder: Path) -> Document:
    """The report of the tuning in a folder; FolderError where there is none."""
    stored = read_tunings(folder / "tuning.json")
    tunings = [each.tuning for each in stored]
    title = ", ".join(cut(each.topic, 40) for each in tunings[:4])
    more = f" and {len(tunings) - 4} more" if len(tunings) > 4 else ""
    sections = [
        Section("summary", "Summary", tuple(_summary(tunings))),
        Section("weights", "Weights", tuple(_weights(tunings))),
        Section("errors", "Errors against equal weights", tuple(_errors(tunings))),
        Section("repeat", "To use and repeat it", tuple(repeating(folder, stored))),
    ]
    state = f"{len(tunings)} topic{'' if len(tunings) == 1 else 's'}"
    return Document("Tuning", f"Link weights for {title or 'nothing'}{more}", state,
                    tuple(sections))  # fmt: skip


def _summary(tunings: _Tunings) -> list[Block]:
    if not tunings:
        return [Words(_EMPTY, warns=True)]
    better = sum(each.gain > 0.0 for each in tunings)
    facts = [
        Fact("topics", told(len(tunings))),
        Fact("better than equal weights", f"{better} of {len(tunings)}", "by the test error"),
        Fact("model", cut(_all({each.model or "-" for each in tunings}))),
        Fact("optimiser", cut(_all({each.optimiser for each in tunings}))),
        Fact("links", told(sum(each.train + each.test for each in tunings)), "train and test"),
        Fact("seconds", told(sum(each.seconds for each in tunings), 1)),
    ]
    doubts = [Words(f"{each.topic}: {doubt}", warns=True)
              for each in tunings for doubt in each.doubts]  # fmt: skip
    return [Facts(tuple(facts)), *doubts]


def _all(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _weights(tunings: _Tunings) -> list[Block]:
    if not tunings:
        return [Words(_EMPTY)]
    names = list(dict.fromkeys(name for each in tunings for name in each.names))
    columns = (Column("topic", figures=False), *(Column(name) for name in names),
               Column("share of the exact optimum"), Column("evaluations"))  # fmt: skip
    rows: list[tuple[Entry, ...]] = []
    for each in tunings:
        share = "-" if each.share is None else f"{rounded_share(each.share, 4):.4f}"
        rows.append((cut(each.topic), *(told(each.by_name.get(name)) for name in names), share,
                     told(each.evaluations)))  # fmt: skip
    exact = [
        (cut(each.topic), *(told(_exact(each).get(name)) for name in names)) for each in tunings
    ]
    return [
        Table(columns, tuple(rows), "Learnt"),
        Table(columns[: len(names) + 1], tuple(exact), "Those of the exact optimum"),
    ]


def _exact(tuning: Tuning) -> dict[str, float]:
    return dict(zip(tuning.names, tuning.exact_weights, strict=True))


def _errors(tunings: _Tunings) -> list[Block]:
    columns = (
        Column("topic", figures=False), Column("train links"), Column("error, learnt"),
        Column("error, equal"), Column("test links"), Column("error, learnt"),
        Column("error, equal"), Column("gain", meaning="by which part the test error is smaller"),
    )  # fmt: skip
    rows = tuple(
        (cut(each.topic), told(each.train), told(each.train_error, 4),
         told(each.train_error_equal, 4), told(each.test), told(each.test_error, 4),
         told(each.test_error_equal, 4), f"{each.gain:+.1%}")
        for each in tunings
    )  # fmt: skip
    plots = _plots(tunings)
    drawn: list[Block] = [Words("There is nothing to draw.")]
    if plots:
        drawn = [Words(_AVERAGES), Plots(plots)]
    return [Table(columns, rows, "Mean absolute errors of the priorities, over links"), *drawn]


def _plots(tunings: _Tunings) -> tuple[Plot, ...]:
    """Those that would not be empty."""
    return tuple(
        Plot(name, title, f"{title}, for {len(tunings)} topics; the CSV file has the numbers.",
             columns, rows(tunings), partial(draw, tunings), wide=True)
        for name, title, columns, rows, draw in _PLOTS
        if rows(tunings)
    )  # fmt: skip
