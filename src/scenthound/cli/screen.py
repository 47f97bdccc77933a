"""Printing for every command: results go to stdout, progress, warnings, questions and logs to
stderr. Crawled text is hostile, so nothing that comes from a page is ever read as markup.
Also exit codes, which every command shares.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from scenthound.core.errors import InputError, ScenthoundWarning, UnknownNameError
from scenthound.core.events import PageEvent

STDIN = Path("-")
FAILED, INTERRUPTED_CODE = 1, 130
# Control characters steer the terminal. Zero-width and bidirectional ones, at the end of the class,
# make a URL look like another one.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
_UNWATCHED_WIDTH = 160
HELP_WIDTH = 100
"""Columns that help takes where the screen has them."""


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


def say(text: str, console: Console | None = None, style: str | None = None) -> None:
    """Print a line on stderr, or on ``console``: without markup, and not broken."""
    (console or notices()).print(plain(text), style=style, soft_wrap=True)


def print_error(message: str) -> None:
    """One sentence on stderr."""
    _print_marked(("error: ", "bold red"), message, notices())


def print_warning(message: str, console: Console | None = None) -> None:
    """Something was left out; the work goes on. To ``console`` where one is drawn on."""
    _print_marked(("warning: ", "yellow"), message, console or notices())


def _print_marked(mark: tuple[str, str], message: str, console: Console) -> None:
    console.print(Text.assemble(mark, plain(message)), soft_wrap=True)


def print_json(content: object, **how: Any) -> None:
    """Print JSON on stdout; ``how`` it is written, as ``json.dumps`` takes it."""
    typer.echo(json.dumps(content, **how))


@contextmanager
def warnings_printed() -> Iterator[None]:
    """Print every :class:`ScenthoundWarning` on stderr, each time that it is raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", ScenthoundWarning)
        show = warnings.showwarning

        def printed(
            message: Warning | str, category: type[Warning], *where: Any, **more: Any
        ) -> None:
            if issubclass(category, ScenthoundWarning):
                print_warning(str(message))
            else:
                show(message, category, *where, **more)

        warnings.showwarning = printed
        yield


def silence_warnings() -> None:
    """Print no warning until the command ends: it was given ``--quiet``."""
    warnings.simplefilter("ignore", ScenthoundWarning)


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


def interval(low: float, high: float) -> str:
    """``0.120 to 0.340``."""
    return f"{figure(low)} to {figure(high)}"


def counted(number: int, name: str) -> str:
    """``1 page``, ``1,200 pages``."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def cut(text: str, longest: int) -> str:
    """The text, with an ellipsis where it is longer than ``longest`` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


# How a command ends.


class CommandExit(SystemExit):
    """The command ends with this exit code and has printed why."""


@contextmanager
def report_interruption(message: str) -> Iterator[None]:
    """On Ctrl-C print what has become of the work, and end with exit code 130."""
    try:
        yield
    except KeyboardInterrupt:
        print_error(f"interrupted; {message}")
        raise CommandExit(INTERRUPTED_CODE) from None


# Tables of figures, none of which is ever cut: on a narrow screen each stands in its own line.

Named = tuple[str, Sequence[str]]
"""The name of a row, and its figures."""
_LEAST_NAME = 12
"""Names may break, but not into narrower pieces."""


def print_figures(
    title: str, left: str, columns: Sequence[str], rows: Sequence[Named], screen: Console
) -> None:
    """A table if the screen is wide enough, otherwise a line for each figure.

    Parameters
    ----------
    title : of the table.
    left : the column of the names, which are not ours: they cannot steer the terminal.
    columns : those of the figures.
    rows : a name and its figures; an empty one parts what is above from what is below.
    screen : where to.
    """
    longest = max((len(name) for name, _ in rows), default=0)
    cells = [columns, *(figures for _, figures in rows if figures)]
    width = sum(1 + max(map(len, column)) for column in zip(*cells, strict=True))
    if width + min(longest, _LEAST_NAME) > screen.width:
        _print_lines(title, columns, rows, screen)
        return
    made = table(title, (left,), (), wrapped=(left,))
    made.columns[0].overflow = "fold"
    for name in columns:
        made.add_column(plain(name), justify="right", no_wrap=True)
    for name, figures in rows:
        made.add_row(plain(name), *figures)
    screen.print(made)


def _print_lines(
    title: str, columns: Sequence[str], rows: Sequence[Named], screen: Console
) -> None:
    screen.print(title, style="bold")
    left = max(map(len, columns), default=0)
    right = max((len(cell) for _, figures in rows for cell in figures), default=0)
    for name, figures in rows:
        if figures:
            say(name, screen)
            for column, cell in zip(columns, figures, strict=True):
                say(f"  {column:{left}} {cell:>{right}}", screen)


# Progress: bars on a terminal, nothing elsewhere.

Unit = tuple[float, str]
"""Of the figures of a stage: a factor, and what is written after them."""
MEGABYTES: Unit = (2.0**-20, "MB")


@contextmanager
def bars(console: Console, quiet: bool) -> Iterator[Progress]:
    """A place for the bars; nothing is drawn when quiet or when nobody watches."""
    with Progress(
        TextColumn("{task.description}", markup=False),  # names of topics are not ours
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[found]}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=quiet or not can_redraw(console),
    ) as progress:
        yield progress


@contextmanager
def crawl_bar(progress: Progress, name: str, budget: int) -> Iterator[Callable[[PageEvent], None]]:
    """The bar of one crawl, as something to call with every page."""
    task = progress.add_task(name, total=budget, found="")

    def on_page(event: PageEvent) -> None:
        found = f"{event.summary.relevant} relevant"
        progress.update(task, completed=event.n, found=found)

    yield on_page
    progress.remove_task(task)


@contextmanager
def stage_bar(
    progress: Progress, units: Mapping[str, Unit] | None = None, name: str = "", first: str = ""
) -> Iterator[Callable[[str, float, float], None]]:
    """One bar for the stages of a piece of work, as something to call with (stage, done, total).

    The bar starts again when the next stage comes.

    Parameters
    ----------
    progress : where it is drawn.
    units : those of stages that are not simply counted.
    name : of the work, shown before each stage; it is not ours.
    first : stage that is shown before the first call; "" for none.
    """
    prefix = f"{plain(name).plain}: " if name else ""
    task = progress.add_task(prefix + first, total=None, found="", visible=bool(first))
    drawn = ""

    def on_progress(stage: str, done: float, total: float) -> None:
        nonlocal drawn
        factor, unit = (units or {}).get(stage, (1.0, ""))
        whole = max(1, int(total * factor))
        if stage != drawn:
            description = prefix + stage
            progress.reset(task, total=whole, description=description, found=unit, visible=True)
            drawn = stage
        progress.update(task, completed=int(done * factor), total=whole)

    yield on_progress
    progress.remove_task(task)


@contextmanager
def reading_bar(progress: Progress, name: str) -> Iterator[Callable[[int, int], None]]:
    """The bar of an archive being indexed, as something to call with (done, total) bytes."""
    stage = f"reading {name}"
    with stage_bar(progress, {stage: MEGABYTES}, first=stage) as on_progress:
        yield partial(on_progress, stage)


# What Scrapy, Twisted and this program log, shown on request.

LEVELS = ("debug", "info", "warning", "error", "critical")
_LOGGERS = ("scenthound", "scrapy", "twisted")


@contextmanager
def logs_shown(level: str | None) -> Iterator[None]:
    """Print what is logged from this level on; None prints nothing."""
    if level is None:
        yield
        return
    if level.lower() not in LEVELS:
        raise UnknownNameError("--log-level", level, LEVELS)
    handler = _Handler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    loggers = [(logger := logging.getLogger(name), logger.level) for name in _LOGGERS]
    for logger, _ in loggers:
        logger.setLevel(level.upper())
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger, before in loggers:
            logger.setLevel(before)
            logger.removeHandler(handler)


class _Handler(logging.Handler):
    """Prints as everything else is printed, above a view that is being redrawn."""

    def emit(self, record: logging.LogRecord) -> None:
        say(self.format(record), style="dim")


# Questions on a terminal: asked on stderr, asked again until the answer can be used.

Parsed = TypeVar("Parsed")
Prompt = Callable[[str], str]
"""Shows a prompt and returns what was typed; EOFError at the end of the input."""


def is_interactive() -> bool:
    """Is there somebody to answer?"""
    return sys.stdin.isatty() and sys.stderr.isatty()


def prompt(question: str, read: Callable[[str], Parsed], end: str = ": ") -> Parsed:
    """The answer as ``read`` parses it; its InputError is printed and the question repeated."""
    while True:
        text: str = typer.prompt(
            question, default="", show_default=False, prompt_suffix=end, err=True
        )
        try:
            return read(text.strip())
        except InputError as error:
            print_error(str(error))


def prompt_choice(
    ask: Prompt, prompt: str, answers: Mapping[str, str], at_end: str, hint: str = ""
) -> str:
    """One of the answers, asked until one is given; ``at_end`` stands for the end of the input.

    ``answers`` are what may be typed, in lower case, and what it stands for; ``hint`` is printed
    where something else was typed.
    """
    while True:
        try:
            typed = ask(prompt).strip().lower()
        except EOFError:
            return at_end
        if typed in answers:
            return answers[typed]
        if hint:
            say(hint)


def prompt_many(question: str, read: Callable[[str], str], needed: str = "") -> tuple[str, ...]:
    """Answers, one a line, until an empty line; ``needed`` says why there must be at least one."""
    notices().print(f"{question} (one a line, an empty line ends)", markup=False)
    found: dict[str, None] = {}
    while True:
        answer = prompt("-", lambda text: read(text) if text else "", end=" ")
        if answer:
            found[answer] = None
        elif needed and not found:
            print_error(needed)
        else:
            return tuple(found)
