"""The figures of a comparison topic by topic, in as many tables as the screen has room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console

from scenthound.cli.figure_table import print_figures
from scenthound.cli.screen import figure
from scenthound.comparison.measures import Measure
from scenthound.comparison.pairing import Topic
from scenthound.comparison.standings import Table

_BEST = "*"
_LONGEST = 12
"""Characters of a topic's name at the head of a column, if that tells it from the others."""
_NAMES = 20
"""Characters that are left to the names of strategies; longer ones break."""


def print_topics(table: Table, measure: Measure, screen: Console) -> None:
    """A row a strategy, a column a topic; the best of each topic has a star.

    Nothing is printed where there are not two topics: the table above has said it all.
    """
    if len(table.topics) < 2:
        return
    cells = [_column(table, topic, measure) for topic in table.topics]
    heads = _heads(table.topics)
    widths = [max(map(len, (head, *c))) for head, c in zip(heads, cells, strict=True)]
    room = screen.width - min(_NAMES, max(len(each.strategy) for each in table.standings))
    for start, end in _chunks(widths, room):
        rows = [
            (each.strategy, [column[place] for column in cells[start:end]])
            for place, each in enumerate(table.standings)
        ]
        title = f"by topic ({_BEST} best)"
        print_figures(title, "strategy", heads[start:end], rows, screen)
        screen.print()


def _column(table: Table, topic: Topic, measure: Measure) -> list[str]:
    return [
        figure(each.by_topic.get(topic), measure.digits)
        + (_BEST if topic in each.best_topics else " ")
        for each in table.standings
    ]


def _heads(topics: Sequence[Topic]) -> list[str]:
    """The topics' names, with their webs where there are several; cut where they stay apart."""
    several = len({topic.web for topic in topics}) > 1
    names = [f"{topic.web}: {topic.topic}" if several else topic.topic for topic in topics]
    cut = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in names]
    return cut if len(set(cut)) == len(set(names)) else names


def _chunks(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """Which columns stand beside each other, each with a space before it; at least one does."""
    start, used = 0, 0
    for place, width in enumerate(widths):
        if place > start and used + width + 1 > room:
            yield start, place
            start, used = place, 0
        used += width + 1
    if widths:
        yield start, len(widths)
