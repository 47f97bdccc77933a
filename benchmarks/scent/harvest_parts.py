"""What the parts ``draws``, ``keywords`` and ``off-topic`` say of their runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from benchmarks.scent.comparing import harvests
from benchmarks.scent.grids import BREADTH_FIRST, LIGHT, MEAN, ORACLE, SCENT, SOFT
from benchmarks.scent.markdown import share, table
from benchmarks.scent.standings import OURS, Row, not_above_zero, rows, standings_table
from scenthound.evaluation.outcomes import IRRELEVANT, RELEVANT, Outcome, measure_named
from scenthound.evaluation.statistics import Topic, group_means, topic_of

ORACLE_BARS = {SCENT: 0.90, LIGHT: 0.82}
LOST_BAR, BREADTH_BAR = 0.5, 1.5
"""Recall from irrelevant seeds: over that from relevant ones, and over breadth-first's."""
Recalls = Mapping[str, Mapping[str, Mapping[Topic, float]]]
"""By strategy and kind of seeds, the recall on each topic."""


def of_draws(runs: Sequence[Outcome]) -> list[str]:
    """The table of all strategies, the share of the oracle, and whom ours are not ahead of."""
    made = rows(harvests(runs))
    means = {row.strategy: row.mean for row in made}
    lines = ["", *ratio_lines(means, {(ours, ORACLE): bar for ours, bar in ORACLE_BARS.items()})]
    for ours in OURS:
        lines += not_above_zero(made, ours) if _has(made, ours) else []
    return [*standings_table(made), *lines]


def of_keywords(runs: Sequence[Outcome]) -> list[str]:
    """The same table without example pages, and how much more ours find than two others."""
    made = rows(harvests(runs))
    means = {row.strategy: row.mean for row in made}
    asked = {(ours, rival): None for ours in OURS for rival in (MEAN, SOFT)}
    return [*standings_table(made), "", *ratio_lines(means, asked)]


def of_seeds(runs: Sequence[Outcome]) -> list[str]:
    """Recall from seeds on the topic and off it, and what is left of it off the topic."""
    found = recalls(runs)
    topics = list(dict.fromkeys(topic_of(run.cell.unit) for run in runs))
    cells = [
        [f"`{name}`", seeds, *(share(own.get(topic)) for topic in topics), share(_mean(own))]
        for name, by_seeds in found.items()
        for seeds, own in by_seeds.items()
    ]
    head = ["target recall", "seeds", *(topic.topic for topic in topics), "mean"]
    return [*table(head, cells), "", *seed_lines(found)]


def recalls(runs: Sequence[Outcome]) -> Recalls:
    """The recall of each strategy, draws averaged."""
    figures = harvests(runs, measure_named("target_recall"))
    return {
        name: {
            seeds: group_means(
                {unit: value for unit, value in own.items() if unit.seeds == seeds}, topic_of
            )
            for seeds in (RELEVANT, IRRELEVANT)
        }
        for name, own in figures.items()
    }


def seed_lines(found: Recalls) -> list[str]:
    """The ratios and their bars; none for strategies without figures."""
    lines = []
    base = found.get(BREADTH_FIRST, {}).get(IRRELEVANT, {})
    for ours, name in OURS.items():
        lost, kept = (found.get(ours, {}).get(seeds, {}) for seeds in (IRRELEVANT, RELEVANT))
        what = f"{name} from irrelevant seeds / "
        lines += _held(f"{what}from relevant ones", lost, kept, LOST_BAR)
        lines += _held(f"{what}breadth-first from them", lost, base, BREADTH_BAR)
    return lines


def _held(
    what: str, above: Mapping[Topic, float], below: Mapping[Topic, float], bar: float
) -> list[str]:
    """The ratio of the means in a line, with the topics that miss the bar by themselves."""
    if not above or not below or not _mean(below):
        return []
    missed = [topic.topic for topic, value in above.items() if value < bar * below.get(topic, 0.0)]
    ratio = _mean(above) / _mean(below)
    return [f"{what}: {ratio:.2f} (bar: {bar:g}); topics below it: {', '.join(missed) or 'none'}"]


def ratio_lines(
    means: Mapping[str, float], asked: Mapping[tuple[str, str], float | None]
) -> list[str]:
    """The mean of the first over that of the second, and its bar if there is one.

    Nothing about strategies that have no figures.
    """
    return [
        f"{OURS.get(first, first)} / {second}: {means[first] / means[second]:.2f}"
        + ("" if bar is None else f" (bar: {bar:.2f})")
        for (first, second), bar in asked.items()
        if first in means and means.get(second)
    ]


def _mean(by_topic: Mapping[Topic, float]) -> float:
    return fmean(by_topic.values()) if by_topic else 0.0


def _has(made: Sequence[Row], name: str) -> bool:
    return any(row.strategy == name for row in made)
