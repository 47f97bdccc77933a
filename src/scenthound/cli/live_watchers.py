"""Watching a live crawl: a view that is redrawn, or a line now and then, and the call that runs a
crawl under it.

All of it runs in the thread of the crawl, which is why the view is redrawn a few times a second at
most. :func:`run_watched` at the end is what commands call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.live import Live

from scenthound.cli import screen as ui
from scenthound.cli.live_view import Heading, ViewState, draw, line
from scenthound.core import events
from scenthound.core.errors import InputError
from scenthound.crawler.argument_checks import command
from scenthound.crawler.control import SilentWatcher, Status, Watcher
from scenthound.crawler.metrics import Run
from scenthound.storage.folder import CrawlFolder

REDRAW_SECONDS = 0.25
LINE_SECONDS = 10.0
Monotonic = Callable[[], float]


@contextmanager
def watching(
    heading: Heading,
    console: Console,
    quiet: bool,
    logging: bool = False,
    monotonic: Monotonic = time.monotonic,
) -> Iterator[Watcher]:
    """A view on a terminal, lines elsewhere, nothing when quiet.

    Lines of a log would tear a view apart: with ``logging`` a terminal gets lines too.
    """
    if quiet:
        yield SilentWatcher()
    elif logging or not ui.can_redraw(console):
        lines = LineWatcher(heading, console, monotonic)
        yield lines
        lines.end()
    else:
        # Otherwise rich redraws in a thread of its own, while the crawl changes the state.
        with Live(console=console, auto_refresh=False, transient=True) as live:
            view = ScreenWatcher(heading, live, monotonic)
            view.redraw()
            yield view


class ScreenWatcher(ViewState):
    """Redraws the view at its place on the screen a few times a second."""

    def __init__(self, heading: Heading, live: Live, monotonic: Monotonic) -> None:
        super().__init__(heading)
        self._live = live
        self._monotonic = monotonic
        self._last = 0.0

    def look(self, status: Status) -> None:
        """Take the figures of this moment."""
        super().look(status)
        if self._monotonic() - self._last >= REDRAW_SECONDS:
            self.redraw()

    def redraw(self) -> None:
        """Show the state as it is now."""
        self._last = self._monotonic()
        self._live.update(draw(self), refresh=True)


class LineWatcher(ViewState):
    """Prints a line every few seconds, and when the crawl is paused or goes on."""

    def __init__(self, heading: Heading, console: Console, monotonic: Monotonic) -> None:
        super().__init__(heading)
        self._console = console
        self._monotonic = monotonic
        self._last = monotonic()
        self._begun = False

    def saw(self, event: events.Event) -> None:
        """Count an event; the beginning and a pause get a line of their own."""
        self._begin()
        super().saw(event)
        if isinstance(event, events.ControlEvent) and event.what in ("paused", "unpaused"):
            goes_on = f"go on with: {command('resume', self.heading.folder)}"
            self._print(f"paused; {goes_on}" if event.what == "paused" else "goes on")

    def look(self, status: Status) -> None:
        """Take the figures of this moment; print them when the last line is some seconds old."""
        self._begin()
        super().look(status)
        if not status.paused and self._monotonic() - self._last >= LINE_SECONDS:
            self._print(line(self))

    def end(self) -> None:
        """Print the last line."""
        if self.status is not None:
            self._print(line(self))

    def _begin(self) -> None:
        if not self._begun:
            self._begun, head = True, self.heading
            into = f"crawls into {head.folder}, up to {head.budget:,} pages"
            self._print(f"{head.topic}: {head.strategy} {into}")

    def _print(self, text: str) -> None:
        self._last = self._monotonic()
        ui.say(text, self._console)


def run_watched(
    work: Callable[..., Run],
    heading: Heading,
    quiet: bool,
    log_level: str | None,
    resumable: bool = True,
) -> Run:
    """Run a crawl under a view; ``work`` takes its ``watcher``.

    An error before anything has happened is bad input and raised on; one in the middle of the
    crawl is printed, with how to go on unless the crawl is not ``resumable``, and ends the command
    with code 1. A bug is raised on, after a word on the folder.
    """
    begun = _StartDetector()
    holds_crawl = CrawlFolder(Path(heading.folder)).spec_path.is_file
    resume = command("resume", heading.folder)
    if quiet:
        ui.silence_warnings()
    try:
        logging = log_level is not None
        with ui.logs_shown(log_level), watching(heading, ui.notices(), quiet, logging) as watcher:
            begun.watcher = watcher
            return work(watcher=begun)
    except InputError as error:
        if not begun.yes:
            raise
        has_advice = "resume" in str(error).replace(heading.folder, "")
        advised = resumable and not has_advice and holds_crawl()
        ui.print_error(f"{error} Then go on with: {resume}" if advised else str(error))
        raise ui.CommandExit(ui.FAILED) from None
    except Exception:
        if resumable and holds_crawl():
            ui.print_error(
                f"this is a bug; the crawl in {heading.folder} is consistent. Go on with: {resume}"
            )
        raise


class _StartDetector:
    """Passes on what it sees, and knows whether it has seen anything."""

    def __init__(self) -> None:
        self.watcher: Watcher = SilentWatcher()
        self.yes = False

    def saw(self, event: events.Event) -> None:
        self.yes = True
        self.watcher.saw(event)

    def look(self, status: Status) -> None:
        self.watcher.look(status)
