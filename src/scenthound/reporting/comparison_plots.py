"""The plots of a comparison: curves, means with intervals, differences, topics one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from scenthound.comparison.measures import MEASURES, Measure
from scenthound.comparison.model import Outcome
from scenthound.comparison.pairing import Topic, topic_of
from scenthound.comparison.standings import Table
from scenthound.reporting.comparison_curves import Run, axis_of, mean_points, runs_of
from scenthound.reporting.document import Plot
from scenthound.reporting.interval_drawing import Estimate, intervals_figure
from scenthound.reporting.line_drawing import Curve, curves_figure
from scenthound.reporting.plot_style import MOST_HIGHLIGHTED
from scenthound.reporting.topic_drawing import topics_figure
from scenthound.tuning.figures_numbers import Cell

_BASELINE_PLACE = 6
"""Its colour is the grey one."""
_MOST_TOPICS = 24
_LEFT_OUT = frozenset({"labelled"})
"""Recall says the same."""
_DIGITS = 6


def highlighted(table: Table, baseline: str) -> dict[str, int]:
    """The strategies with a colour of their own: the best ones, and the baseline."""
    ranked = [each.strategy for each in table.standings if each.mean is not None]
    best = [name for name in ranked if name != baseline][: MOST_HIGHLIGHTED - 1]
    places = [place for place in range(MOST_HIGHLIGHTED) if place != _BASELINE_PLACE]
    found = dict(zip(best, places, strict=False))
    return {**found, baseline: _BASELINE_PLACE} if baseline in ranked else found


def curve_plots(
    outcomes: Sequence[Outcome], places: Mapping[str, int], first: Measure, prefix: str
) -> list[Plot]:
    """One plot for each indicator that there are curves of, that of the comparison first."""
    ordered = [first, *(each for each in MEASURES if each.name != first.name)]
    plots = (_curves(outcomes, places, each, prefix) for each in ordered
             if each.name not in _LEFT_OUT)  # fmt: skip
    return [plot for plot in plots if plot is not None]


def _curves(
    outcomes: Sequence[Outcome], places: Mapping[str, int], measure: Measure, prefix: str
) -> Plot | None:
    axis = axis_of(outcomes)
    runs = runs_of(outcomes, measure, axis)
    curves = _by_strategy(runs, places)
    if not curves:
        return None
    rows = [
        (curve.name, round(at, _DIGITS), round(value, _DIGITS))
        for curve in curves
        for at, value in curve.points
    ]
    ends = sorted(((each.points[-1][1], each.name) for each in curves if each.place is not None),
                  reverse=not measure.lower_is_better)  # fmt: skip
    told = ", ".join(f"{name} {value:.3g}" for value, name in ends)
    return Plot(
        f"{prefix}curve-{measure.name.replace('_', '-')}",
        f"{capital(measure.title)}, mean over topics",
        f"{measure.title} by {axis}, mean over topics. At the end: {told}.",
        ("strategy", axis.replace(" ", "_"), measure.name),
        list[tuple[Cell, ...]](rows),
        partial(curves_figure, curves, measure.title, axis),
    )


def _by_strategy(runs: Sequence[Run], places: Mapping[str, int]) -> list[Curve]:
    gathered: dict[str, list[Run]] = {}
    for run in runs:
        gathered.setdefault(run.outcome.cell.strategy, []).append(run)
    curves = [Curve(name, mean_points(own), places.get(name)) for name, own in gathered.items()]
    return [curve for curve in curves if curve.points]


def topics_plot(
    outcomes: Sequence[Outcome], places: Mapping[str, int], measure: Measure, prefix: str
) -> Plot | None:
    """The curves of each topic by itself; None where there are none."""
    topics: dict[Topic, list[Outcome]] = {}
    for outcome in outcomes:
        topics.setdefault(topic_of(outcome.cell.unit), []).append(outcome)
    axis = axis_of(outcomes)
    found = {
        told_topic(topic, topics): curves
        for topic, own in list(topics.items())[:_MOST_TOPICS]
        if (curves := _by_strategy(runs_of(own, measure, axis), places))
    }
    if not found:
        return None
    rows = [
        (name, curve.name, round(at, _DIGITS), round(value, _DIGITS))
        for name, curves in found.items() for curve in curves for at, value in curve.points
    ]  # fmt: skip
    return Plot(
        f"{prefix}topics",
        f"{capital(measure.title)}, topic by topic",
        f"{measure.title} by {axis} for each of {len(found)} topics; the table has the numbers.",
        ("topic", "strategy", axis.replace(" ", "_"), measure.name),
        list[tuple[Cell, ...]](rows),
        partial(topics_figure, found, measure.title, axis),
        wide=True,
    )


def told_topic(topic: Topic, topics: Mapping[Topic, object]) -> str:
    """Its name, with the web's where there are several."""
    several = len({each.web for each in topics}) > 1
    return f"{topic.web}: {topic.topic}" if several else topic.topic


def capital(words: str) -> str:
    """With a capital letter at its beginning."""
    return words[:1].upper() + words[1:]


def means_plot(table: Table, baseline: str, measure: Measure, prefix: str) -> Plot | None:
    """The mean of every strategy with its interval; None where there are none."""
    known = [(each.strategy, each.mean) for each in table.standings if each.mean is not None]
    estimates = [Estimate(name, mean.value, mean.interval) for name, mean in known]
    base = next((each.value for each in estimates if each.name == baseline), None)
    if not estimates:
        return None
    title = f"Mean {measure.title} with 95 % intervals"
    described = f"{title}; the best is {estimates[0].name} with {estimates[0].value:.3f}."
    draw = partial(intervals_figure, estimates, measure.title, base)
    return Plot(f"{prefix}means", title, described, _COLUMNS, _rows(estimates), draw)


def differences_plot(table: Table, baseline: str, measure: Measure, prefix: str) -> Plot | None:
    """Every strategy less the baseline; None where nothing can be compared."""
    known = [(each.strategy, each.difference) for each in table.standings if each.difference]
    estimates = [
        Estimate(name, each.mean.value, each.mean.interval, each.verdict) for name, each in known
    ]
    if not estimates:
        return None
    title = f"Difference to {baseline} in {measure.title}"
    verdicts = "; ".join(f"{each.name}: {each.verdict}" for each in estimates)
    draw = partial(intervals_figure, estimates, f"{measure.title} less that of the baseline", 0.0)
    return Plot(f"{prefix}differences", title, f"{title}. {verdicts}.", (*_COLUMNS, "verdict"),
                _rows(estimates, verdict=True), draw)  # fmt: skip


_COLUMNS = ("strategy", "mean", "low", "high")


def _rows(estimates: Sequence[Estimate], verdict: bool = False) -> list[tuple[Cell, ...]]:
    return [
        (each.name, round(each.value, _DIGITS), *_limits(each),
         *((each.verdict,) if verdict else ()))
        for each in estimates
    ]  # fmt: skip


def _limits(estimate: Estimate) -> tuple[Cell, Cell]:
    if estimate.interval is None:
        return "", ""
    return round(estimate.interval.low, _DIGITS), round(estimate.interval.high, _DIGITS)
