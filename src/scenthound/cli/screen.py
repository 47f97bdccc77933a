"""What every command prints with: results to stdout, everything else to stderr.

Crawled text is hostile, so nothing that comes from a page is ever read as markup.
"""

from __future__ import annotations

import re

from rich.console import Console
from rich.table import Table
from rich.text import Text

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


_UNWATCHED_WIDTH = 160


def output() -> Console:
    """For results."""
    return _wide(Console(highlight=False))


def notices() -> Console:
    """For progress, warnings and errors."""
    return _wide(Console(stderr=True, highlight=False))


def _wide(console: Console) -> Console:
    """A file or a pipe has no width: nothing written to one is cut at a screen's."""
    if not console.is_terminal:
        console.width = _UNWATCHED_WIDTH
    return console


def can_redraw(console: Console) -> bool:
    """Is this a terminal on which what was drawn can be drawn again? ``TERM=dumb`` is not."""
    return console.is_terminal and not console.is_dumb_terminal


def plain(text: str) -> Text:
    """Text of a page, safe to print: no markup, no control characters."""
    return Text(_CONTROL.sub(" ", text))


def say_error(message: str) -> None:
    """One sentence on stderr."""
    console = notices()
    console.print(Text.assemble(("error: ", "bold red"), plain(message)), soft_wrap=True)


def say_warning(message: str, console: Console | None = None) -> None:
    """Something was left out; the work goes on. To ``console`` where one is drawn on."""
    console = console or notices()
    console.print(Text.assemble(("warning: ", "yellow"), plain(message)), soft_wrap=True)


def table(
    title: str, left: tuple[str, ...], right: tuple[str, ...], wrapped: tuple[str, ...] = ()
) -> Table:
    """A plain table: words to the left, figures to the right; ``wrapped`` columns may break."""
    made = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False,
                 padding=(0, 1, 0, 0))  # fmt: skip
    for name in left:
        made.add_column(name, justify="left", no_wrap=name not in wrapped)
    for name in right:
        made.add_column(name, justify="right", no_wrap=True)
    return made


def figure(value: float | None, digits: int = 3) -> str:
    """A figure for a table; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"
