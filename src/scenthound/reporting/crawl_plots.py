"""The curves of one crawl: the papers' indicators over the pages fetched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from scenthound.experiments.metrics import Indicators
from scenthound.reporting.bar_drawing import Bar, bars_figure
from scenthound.reporting.document import Plot
from scenthound.reporting.indicator_names import BY_KEY
from scenthound.reporting.line_drawing import Curve, curves_figure
from scenthound.tuning.figures_numbers import Cell

_PLOTS = (
    ("harvest", "Harvest", "share of the pages fetched", ("labelled_harvest", "hr")),
    ("relevant-pages", "Relevant pages", "pages", ("rn",)),
    ("similarity", "Similarity to the topic", "similarity", ("as", "ar", "sd")),
    ("error", "Error of the priorities", "mean absolute error", ("ae",)),
    ("recall", "Target recall", "share of the labelled pages", ("target_recall",)),
)
_DIGITS = 6
_FEWEST = 2
"""Points that make a curve."""


def crawl_plots(rows: Sequence[Indicators]) -> tuple[Plot, ...]:
    """The plots that there are figures for; none of a crawl of fewer than two pages."""
    found = (_plot(name, title, up, keys, rows) for name, title, up, keys in _PLOTS)
    return tuple(plot for plot in found if plot is not None)


def _plot(
    name: str, title: str, up: str, keys: Sequence[str], rows: Sequence[Indicators]
) -> Plot | None:
    curves = [
        Curve(BY_KEY[key].short, points, place)
        for place, key in enumerate(keys)
        if len(points := _points(key, rows)) >= _FEWEST
    ]
    if not curves:
        return None
    numbers = [(row.fetched, *(_number(key, row) for key in keys)) for row in rows]
    told = "; ".join(f"{curve.name} ends at {curve.points[-1][1]:,.3g}" for curve in curves)
    described = f"{title} over {rows[-1].fetched:,} pages fetched: {told}."
    draw = partial(curves_figure, curves, up)
    return Plot(name, title, described, ("fetched", *keys), numbers, draw)


def _points(key: str, rows: Sequence[Indicators]) -> tuple[tuple[float, float], ...]:
    pairs = ((row.fetched, BY_KEY[key].of(row)) for row in rows)
    return tuple((float(fetched), float(value)) for fetched, value in pairs if value is not None)


def _number(key: str, row: Indicators) -> Cell:
    value = BY_KEY[key].of(row)
    return "" if value is None else round(value, _DIGITS)


def bars_plot(name: str, title: str, what: str, bars: Sequence[Bar]) -> Plot:
    """Relevant and off-topic pages by ``what``."""
    rows = [(bar.name, bar.relevant, bar.off_topic) for bar in bars]
    most = max(bars, key=lambda bar: bar.off_topic)
    told = f"most off-topic pages: {most.name}, {most.off_topic:,} of {most.pages:,}."
    columns = (what, "relevant", "off_topic")
    return Plot(name, title, f"{title}; {told}", columns, list(rows), partial(bars_figure, bars))
