"""Every strategy by topic, in the mean, and against each of ours; with two intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.scent.comparing import Harvests
from benchmarks.scent.grids import LIGHT, ORACLE, SCENT
from benchmarks.scent.markdown import limits, named, share, signed, table
from scenthound.evaluation.statistics import (
    Figures,
    Interval,
    Topic,
    group_means,
    grouping,
    mean_interval,
    paired_differences,
    topic_of,
)

OURS = {SCENT: "scent", LIGHT: "light"}
"""Those that the others are held against, and what columns call them."""
NOTE = (
    "Intervals: 95 %, bootstrap over topics (draws averaged, as `compare` has it), and over pairs "
    "of a topic and a draw. Draws of a topic are not independent of each other, so the second one "
    "is too narrow."
)
_ROUNDING = 9


@dataclass(frozen=True)
class Lead:
    """One strategy less another; positive where the first is better.

    Parameters
    ----------
    mean : over topics, each with the mean of its draws.
    over_topics : the interval that ``compare`` has; None where there is one value only.
    over_pairs : with each pair of a topic and a draw counted as one.
    """

    mean: float
    over_topics: Interval | None
    over_pairs: Interval | None


@dataclass(frozen=True)
class Row:
    """A strategy.

    ``of_oracle`` is None without an oracle; ``leads`` has those of :data:`OURS` that share a unit.
    """

    strategy: str
    by_topic: Mapping[Topic, float]
    mean: float
    of_oracle: float | None
    leads: Mapping[str, Lead]


def lead(ours: Figures, theirs: Figures) -> Lead | None:
    """The first less the second, over the units that both have; None where there are none."""
    shared = [unit for unit in ours if unit in theirs]
    if not shared:
        return None
    topics = list(paired_differences(ours, theirs, grouping(shared)).values())
    pairs = [round(ours[unit] - theirs[unit], _ROUNDING) for unit in shared]
    return Lead(fmean(topics), mean_interval(topics), mean_interval(pairs))


def rows(found: Harvests) -> list[Row]:
    """The strategies, the best first."""
    oracle = _mean(found[ORACLE]) if ORACLE in found else 0.0
    made = [
        Row(
            name,
            group_means(figures, topic_of),
            _mean(figures),
            _mean(figures) / oracle if oracle else None,
            {
                ours: held
                for ours in OURS
                if ours in found and ours != name
                if (held := lead(found[ours], figures)) is not None
            },
        )
        for name, figures in found.items()
    ]
    return sorted(made, key=lambda row: -row.mean)


def _mean(figures: Figures) -> float:
    return fmean(group_means(figures, topic_of).values())


def standings_table(made: Sequence[Row]) -> list[str]:
    """As Markdown, and below it what the intervals are."""
    topics = list(dict.fromkeys(topic for row in made for topic in row.by_topic))
    leads = [f"{ours} less it | over topics | over pairs" for ours in OURS.values()]
    head = ["strategy", *(each.topic for each in topics), "mean", "of the oracle", *leads]
    lines = table(head, (_cells(row, topics) for row in made))
    lines[1] = table([""] * (len(head) + 2 * len(leads)), [])[1]
    return [*lines, "", NOTE]


def _cells(row: Row, topics: Iterable[Topic]) -> list[str]:
    cells = [f"`{row.strategy}`", *(share(row.by_topic.get(topic)) for topic in topics)]
    cells += [share(row.mean), share(row.of_oracle, 2)]
    for ours in OURS:
        held = row.leads.get(ours)
        cells += ["", "", ""] if held is None else _lead_cells(held)
    return cells


def _lead_cells(held: Lead) -> list[str]:
    return [signed(held.mean), limits(held.over_topics), limits(held.over_pairs)]


def not_above_zero(made: Sequence[Row], ours: str) -> list[str]:
    """Two lines, one for each interval: the strategies that one of ours is not surely ahead of.

    Neither the oracle, which knows the labels, nor the other of ours is among them.
    """
    held = {
        row.strategy: row.leads[ours]
        for row in made
        if ours in row.leads and row.strategy not in (*OURS, ORACLE)
    }
    topics = [name for name, each in held.items() if not _above_zero(each.over_topics)]
    pairs = [name for name, each in held.items() if not _above_zero(each.over_pairs)]
    what = f"strategies whose interval is not above zero, {OURS[ours]} less it, over"
    return [f"{what} topics: {named(topics)}", f"{what} pairs: {named(pairs)}"]


def _above_zero(interval: Interval | None) -> bool:
    return interval is not None and interval.low > 0.0
