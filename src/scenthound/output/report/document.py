"""What a report holds, before and after it is HTML: headings, facts, tables, plots, pages. Text
that others wrote is made safe to read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from scenthound.output.explain.explanation import Explanation
from scenthound.output.plots.figure import Rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MAX_LINE = 160
_MAX_URL = 2_000
_HIDING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_ALLOWED = frozenset("\n\t\u200c\u200d")
"""Line ends and tabs, and the joiners that some scripts are not written without."""
_WEB = re.compile(r"https?://[^\s\x00-\x20\x7f-\xa0\"'<>\\^`{|}/?#@]+(?:[/?#]\S*)?", re.IGNORECASE)
_MAX_ACCENTS = 4
"""Accents on one letter; more of them run over the lines above."""


def escape_invisible(text: str) -> str:
    """The text with control characters, direction marks and the like spelled out.

    Examples
    --------
    >>> escape_invisible("a\\u202eb"), escape_invisible("")
    ('a[U+202E]b', '')
    """
    if text.isascii() and text.isprintable():
        return text
    visible, marks = [], 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category in _HIDING and character not in _ALLOWED:
            visible.append(f"[U+{ord(character):04X}]")
        elif marks <= _MAX_ACCENTS:
            visible.append(character)
    return "".join(visible)


def shorten(text: str, longest: int = MAX_LINE) -> str:
    """In one line and not too long; an ellipsis stands for what was cut off.

    Examples
    --------
    >>> shorten("one   two"), shorten("typhoon", 5)
    ('one two', 'typh…')
    """
    # Cut before it is split: what others wrote may be megabytes long.
    line = " ".join(text[: 4 * longest].split())
    shortened = len(line) > longest or len(text) > 4 * longest
    return f"{line[: longest - 1]}\u2026" if shortened else line


def web_url(url: str) -> str | None:
    """The URL where a link may lead there: http or https, a host, no tricks; else None.

    Examples
    --------
    >>> web_url("https://example.org/a?b"), web_url("javascript:alert(1)")
    ('https://example.org/a?b', None)
    """
    if len(url) > _MAX_URL or not _WEB.fullmatch(url) or escape_invisible(url) != url:
        return None
    return url


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

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; figures stand to the right. ``meaning`` is its tooltip."""

    name: str
    figures: bool = True
    meaning: str = ""


TableCell = str | Link
"""What a cell holds; figures come as they are to be read."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their columns; ``strong`` are the numbers of rows to stand out."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    caption: str = ""
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; ``warns`` where it says that something is amiss."""

    text: str
    warns: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to copy, and what they are."""

    caption: str
    text: str


@dataclass(frozen=True, slots=True)
class Plots:
    """Pictures, two a line where there is room."""

    plots: tuple[Plot, ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks that are shown to who asks for them, and in print."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ExplainedPages:
    """Pages with why each was fetched and what it was found to be."""

    pages: tuple[Explanation, ...]


Block = Facts | Table | Paragraph | Code | Plots | Folded | ExplainedPages


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
        """All plots, in order; what is folded has none."""
        blocks = [block for section in self.sections for block in section.blocks]
        return [plot for block in blocks if isinstance(block, Plots) for plot in block.plots]


def make_table(
    caption: str,
    columns: Sequence[str | Column],
    rows: Iterable[Sequence[TableCell | float | None]],
    strong: frozenset[int] = frozenset(),
) -> Table:
    """A table whose numbers are formatted; a column of text has a colon behind its name.

    Examples
    --------
    >>> make_table("Sizes", ["topic:", "pages"], [("storms", 1200), ("cats", None)]).rows
    (('storms', '1,200'), ('cats', '-'))
    """
    named = tuple(
        each if isinstance(each, Column) else Column(each.rstrip(":"), not each.endswith(":"))
        for each in columns
    )
    cells = tuple(
        tuple(each if isinstance(each, str | Link) else format_number(each) for each in row)
        for row in rows
    )
    return Table(named, cells, caption, strong)


def format_number(value: float | int | None, digits: int = 3) -> str:
    """A figure for a table; a dash where there is none.

    Examples
    --------
    >>> format_number(0.12345), format_number(12345), format_number(None)
    ('0.123', '12,345', '-')
    """
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


# A report as HTML: one file that asks nobody for anything, and trusts nothing that was crawled.

GENERATOR = "Scenthound report"
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""Content security policy: no script runs and nothing is loaded, whatever a page smuggled in."""


def render(document: Document, pictures: Mapping[str, Markup]) -> str:
    """The HTML of a report.

    Parameters
    ----------
    document : what it holds.
    pictures : its plots as inline SVG, by name.
    """
    environment = Environment(
        loader=PackageLoader("scenthound.output"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_escape_text,
    )
    environment.filters["block_type"] = lambda block: type(block).__name__
    environment.filters["cut"] = shorten
    environment.filters["web_address"] = web_url
    environment.filters["figure"] = lambda value, digits=4: f"{value:.{digits}f}"
    return environment.get_template("report.html").render(
        document=document,
        pictures=pictures,
        policy=POLICY,
        generator=GENERATOR,
        version=version("scenthound"),
    )


def _escape_text(value: object) -> object:
    """Whatever is put into the page: a text has nothing invisible in it."""
    is_text = isinstance(value, str) and not isinstance(value, Markup)
    return escape_invisible(str(value)) if is_text else value
