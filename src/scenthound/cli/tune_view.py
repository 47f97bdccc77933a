"""How tunings are shown: weights, errors, and where the links came from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from rich.console import Console
from rich.text import Text

from scenthound.cli.figure_table import print_figures
from scenthound.cli.screen import figure, plain
from scenthound.tuning.collecting import Collected
from scenthound.tuning.result import Tuning, rounded_share

_LEGEND = (
    "Errors: how far the priority of a link lies from the relevance of its page, on average; "
    "equal: with equal weights. of exact: fitness as a part of the best there is."
)


def print_tunings(tunings: Sequence[Tuning], screen: Console) -> None:
    """The weights and the errors, a row a topic, and their means where there are several."""
    _print_weights(tunings, screen)
    screen.print()
    _print_errors(tunings, screen)
    screen.print(_LEGEND, style="dim")


def named(tuning: Tuning) -> str:
    """The topic; links that somebody made may not say theirs."""
    return tuning.topic or "links"


def _print_weights(tunings: Sequence[Tuning], screen: Console) -> None:
    names = list(dict.fromkeys(name for tuning in tunings for name in tuning.names))
    rows = [
        (named(tuning), [figure(tuning.by_name.get(name)) for name in names]) for tuning in tunings
    ]
    print_figures("weights", "topic", names, rows, screen)


def _print_errors(tunings: Sequence[Tuning], screen: Console) -> None:
    columns = ("training", "equal", "better", "test", "equal", "better", "of exact")
    rows = [(named(tuning), _cells(_figures(tuning))) for tuning in tunings]
    if len(tunings) > 1:
        rows.append(("", []))
        rows.append(("mean", _cells(_means([_figures(tuning) for tuning in tunings]))))
    print_figures("mean absolute errors", "topic", columns, rows, screen)


Figures = tuple[float | None, ...]
"""Errors of the training links, learnt and equal, those of the test links, share of the optimum."""


def _figures(tuning: Tuning) -> Figures:
    train = (tuning.train_error, tuning.train_error_equal) if tuning.train else (None, None)
    test = (tuning.test_error, tuning.test_error_equal) if tuning.test else (None, None)
    return (*map(_known, (*train, *test)), tuning.share)


def _known(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _means(rows: Sequence[Figures]) -> Figures:
    """Column by column, over the topics that have the figure."""
    columns = (
        [value for value in column if value is not None] for column in zip(*rows, strict=True)
    )
    return tuple(fmean(column) if column else None for column in columns)


def _cells(figures: Figures) -> list[str]:
    train, train_equal, test, test_equal, share = figures
    return [
        figure(train, 4), figure(train_equal, 4), _better(train, train_equal),
        figure(test, 4), figure(test_equal, 4), _better(test, test_equal),
        figure(None if share is None else rounded_share(share, 4), 4),
    ]  # fmt: skip


def _better(learnt: float | None, equal: float | None) -> str:
    """By how many per cent the error is smaller than with equal weights."""
    if learnt is None or equal is None or equal <= 0.0:
        return "-"
    return f"{100.0 * (1.0 - learnt / equal):.1f} %"


def links_text(tuning: Tuning, collected: Collected | None) -> Text:
    """How many links there were, where they came from, and what was left out."""
    told = f"{named(tuning)}: {tuning.train:,} training and {tuning.test:,} test links"
    if collected is None:
        return plain(f"{told}.")
    if tuning.train + tuning.test < collected.wanted:
        told += f" of the {collected.wanted:,} wanted"
    told += f" from {collected.fetched:,} pages"
    reasons = ", ".join(f"{reason} {n:,}" for reason, n in collected.left_out.items() if n)
    return plain(f"{told}; targets left out: {reasons}." if reasons else f"{told}.")
