"""Watches a live crawl for a person: a view that is redrawn, or a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live

from scenthound.api.advice import command
from scenthound.cli.live_drawing import draw, line
from scenthound.cli.live_state import Heading, ViewState
from scenthound.cli.screen import can_redraw, plain
from scenthound.core.events import ControlEvent, Event
from scenthound.live.status import Nobody, Status, Watcher

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
    """Somebody to watch the crawl: a view on a terminal, lines elsewhere, nobody when quiet.

    Lines of a log would tear a view apart: with ``logging`` a terminal gets lines too.
    """
    if quiet:
        yield Nobody()
    elif logging or not can_redraw(console):
        lines = LineWatcher(heading, console, monotonic)
        yield lines
        lines.end()
    else:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            view = ScreenWatcher(heading, live, monotonic)
            view.redraw()
            yield view


class ScreenWatcher:
    """Redraws the view a few times a second.

    Parameters
    ----------
    heading : what does not change.
    live : the place on the screen.
    monotonic : the time, for measuring.
    """

    def __init__(self, heading: Heading, live: Live, monotonic: Monotonic) -> None:
        self._state = ViewState(heading)
        self._live = live
        self._monotonic = monotonic
        self._last = 0.0

    def saw(self, event: Event) -> None:
        """Something happened."""
        self._state.saw(event)

    def look(self, status: Status) -> None:
        """The figures of this moment."""
        self._state.look(status)
        if self._monotonic() - self._last >= REDRAW_SECONDS:
            self.redraw()

    def redraw(self) -> None:
        """Show the state as it is now."""
        self._last = self._monotonic()
        self._live.update(draw(self._state), refresh=True)


class LineWatcher:
    """Prints a line every few seconds, and when the crawl is paused or goes on.

    Parameters
    ----------
    heading : what does not change.
    console : where to print.
    monotonic : the time, for measuring.
    """

    def __init__(self, heading: Heading, console: Console, monotonic: Monotonic) -> None:
        self._state = ViewState(heading)
        self._console = console
        self._monotonic = monotonic
        self._last = monotonic()
        self._begun = False

    def saw(self, event: Event) -> None:
        """Something happened; only the beginning and a pause are worth a line of their own."""
        self._begin()
        self._state.saw(event)
        if isinstance(event, ControlEvent) and event.what in ("paused", "unpaused"):
            goes_on = f"go on with: {command('resume', self._state.heading.folder)}"
            self._print(f"paused; {goes_on}" if event.what == "paused" else "goes on")

    def look(self, status: Status) -> None:
        """The figures of this moment; told when the last line is some seconds old."""
        self._begin()
        self._state.look(status)
        if not status.paused and self._monotonic() - self._last >= LINE_SECONDS:
            self._print(line(self._state))

    def end(self) -> None:
        """The last line."""
        if self._state.status is not None:
            self._print(line(self._state))

    def _begin(self) -> None:
        if not self._begun:
            self._begun, heading = True, self._state.heading
            self._print(
                f"{heading.topic}: {heading.strategy} crawls into {heading.folder}, "
                f"up to {heading.budget:,} pages"
            )

    def _print(self, text: str) -> None:
        self._last = self._monotonic()
        self._console.print(plain(text), soft_wrap=True)
