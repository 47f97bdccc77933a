"""What a report holds, before it is HTML: headings, facts, tables, plots, pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from scenthound.explanation.model import Explanation
from scenthound.tuning.figures_numbers import Rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Plot:
    """A picture, the numbers behind it, and what it shows for those who cannot see it.

    ``name`` is that of its files, unique in a report; ``wide`` ones take a whole line.
    """

    name: str
    title: str
    description: str
    columns: tuple[str, ...]
    rows: Rows
    draw: Callable[[], Figure]
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A URL that somebody else wrote, shown as ``text``; a link only where it leads to the web."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Fact:
    """A name, its value, and perhaps a remark."""

    name: str
    value: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """A few figures side by side."""

    kind: ClassVar[str] = "facts"
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; figures stand to the right. ``meaning`` is told to who asks."""

    name: str
    figures: bool = True
    meaning: str = ""


Entry = str | Link
"""What a cell holds; figures come as they are to be read."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their columns; ``strong`` are the numbers of rows to stand out."""

    kind: ClassVar[str] = "table"
    columns: tuple[Column, ...]
    rows: tuple[tuple[Entry, ...], ...]
    caption: str = ""
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; ``warns`` where it says that something is amiss."""

    kind: ClassVar[str] = "words"
    text: str
    warns: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to copy, and what they are."""

    kind: ClassVar[str] = "code"
    caption: str
    text: str


@dataclass(frozen=True, slots=True)
class Plots:
    """Pictures, two a line where there is room."""

    kind: ClassVar[str] = "plots"
    plots: tuple[Plot, ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks that are shown to who asks for them and, unless they are long, in print."""

    kind: ClassVar[str] = "folded"
    title: str
    blocks: tuple[Block, ...]
    in_print: bool = True


@dataclass(frozen=True, slots=True)
class Explained:
    """Pages with why each was fetched and what it was found to be."""

    kind: ClassVar[str] = "explained"
    pages: tuple[Explanation, ...]


Block = Facts | Table | Words | Code | Plots | Folded | Explained


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; ``name`` is its anchor."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report. ``kind`` says of what; ``state`` how that stands."""

    kind: str
    title: str
    state: str
    sections: tuple[Section, ...]

    @property
    def plots(self) -> list[Plot]:
        """All plots, in order."""
        blocks = [block for section in self.sections for block in section.blocks]
        return _plots(blocks)


def _plots(blocks: Sequence[Block]) -> list[Plot]:
    found: list[Plot] = []
    for block in blocks:
        if isinstance(block, Plots):
            found += block.plots
        elif isinstance(block, Folded):
            found += _plots(block.blocks)
    return found


def told(value: float | int | None, digits: int = 3) -> str:
    """A figure for a table; a dash where there is none.

    Examples
    --------
    >>> told(0.12345), told(12345), told(None)
    ('0.123', '12,345', '-')
    """
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
