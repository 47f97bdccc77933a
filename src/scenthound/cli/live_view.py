"""The live view of a running crawl: its state, drawn as a panel on a terminal or as lines in a
file, and the call that runs a crawl under it.
"""

from __future__ import annotations

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from scenthound.cli.results import CommandExit, values_text
from scenthound.cli.screen import (
    can_redraw,
    figure,
    logs_shown,
    notices,
    plain,
    print_error,
    silence_warnings,
)
from scenthound.core.errors import InputError
from scenthound.core.events import (
    ControlEvent,
    DroppedEvent,
    Event,
    FailedEvent,
    PageEvent,
    RedirectEvent,
    RejectedEvent,
    RevisedEvent,
)
from scenthound.crawler.arguments import command
from scenthound.crawler.result import Run
from scenthound.crawler.status import SilentWatcher, Status, Watcher
from scenthound.storage.folder import CrawlFolder

FINDS_KEPT = 6

RECENT_PAGES = 100

_SPEED_SECONDS = 10.0

_FOLLOWED = "followed"


@dataclass(frozen=True, slots=True)
class Heading:
    """What does not change while the view is shown; ``max_time`` is in seconds."""

    topic: str
    strategy: str
    folder: str
    budget: int
    max_time: float | None = None


@dataclass(frozen=True, slots=True)
class Find:
    """A relevant page."""

    title: str
    url: str
    similarity: float


class ViewState:
    """A running crawl as its view shows it.

    Errors, retries, drops and finds are those of this run; the figures of ``status`` say what they
    count. An error is a page with less to show for it, or a URL that was given up; before that,
    each of its failures is a retry. ``revised`` is the last word on weights, None before there is
    one in this run.
    """

    def __init__(self, heading: Heading) -> None:
        self.heading = heading
        self.status: Status | None = None
        self.errors: Counter[str] = Counter()
        self.retries: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.revised: RevisedEvent | None = None
        self.finds: deque[Find] = deque(maxlen=FINDS_KEPT)
        self._recent: deque[bool] = deque(maxlen=RECENT_PAGES)
        self._samples: deque[tuple[float, int]] = deque()

    def saw(self, event: Event) -> None:
        """Count an event."""
        if isinstance(event, PageEvent):
            self._page(event)
        elif isinstance(event, FailedEvent):
            counts = self.errors if event.retry_at is None else self.retries
            counts[event.reason] += 1
        elif isinstance(event, RejectedEvent):
            self.dropped[event.reason] += 1
        elif isinstance(event, DroppedEvent):
            self.dropped[event.reason] += event.count
        elif isinstance(event, RevisedEvent):
            self.revised = event
        elif isinstance(event, RedirectEvent) and event.reason != _FOLLOWED:
            self.dropped[f"redirect: {event.reason}"] += 1

    def look(self, status: Status) -> None:
        """Take the figures of this moment; the speed is that of the last seconds."""
        self.status = status
        self._samples.append((status.run_seconds, status.run_pages))
        while self._samples[0][0] < status.run_seconds - _SPEED_SECONDS:
            self._samples.popleft()

    @property
    def speed(self) -> float | None:
        """Pages a second, lately; None before it can be told."""
        if not self._samples:
            return None
        (begun, before), (now, pages) = self._samples[0], self._samples[-1]
        return (pages - before) / (now - begun) if now > begun else None

    @property
    def harvest(self) -> float | None:
        """Share of relevant pages over the whole crawl; None before the first page."""
        if self.status is None or not self.status.summary.fetched:
            return None
        return self.status.summary.relevant / self.status.summary.fetched

    @property
    def recent_harvest(self) -> float | None:
        """Share of relevant pages among the last ones of this run; None before the first."""
        return sum(self._recent) / len(self._recent) if self._recent else None

    @property
    def seconds_left(self) -> float | None:
        """Until the pages or the time are spent, whichever is first; None where unknown."""
        if self.status is None:
            return None
        ends = []
        if self.heading.max_time is not None:
            ends.append(self.heading.max_time - self.status.seconds)
        if self.speed:
            ends.append((self.status.budget - self.status.summary.fetched) / self.speed)
        return max(0.0, min(ends)) if ends else None

    def _page(self, event: PageEvent) -> None:
        self._recent.append(event.relevant)
        for reason, (count, _) in event.drops.counts.items():
            self.dropped[reason] += count
        if event.problem and event.copy_of is None:
            self.errors[event.problem] += 1
        if event.relevant and event.copy_of is None:
            self.finds.appendleft(Find(event.title, event.url, event.similarity))


# How a live crawl looks: a panel for a terminal, a line for a file.


_REASONS_SHOWN = 4

_REASON_LENGTH = 40

_BAR_WIDTH = 30

_LABEL_WIDTH = 10

_TITLE_SHARE, _URL_SHARE = 2, 3

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def draw(state: ViewState) -> RenderableType:
    """The whole view; before the first figures it says that the crawl is beginning."""
    parts: list[RenderableType] = [_head(state)]
    if state.status is None:
        return Group(*parts, Text("reading the topic and its example pages ...", style="dim"))
    parts += [_bar(state, state.status), _figures(state, state.status)]
    if state.finds:
        parts += [Text("latest finds", style="bold"), _finds(state)]
    return Group(*parts)


def _head(state: ViewState) -> RenderableType:
    heading, row = state.heading, Table.grid(expand=True)
    row.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    row.add_column(no_wrap=True, justify="right")
    name = plain(f"{heading.topic}, {heading.strategy}, into {heading.folder}")
    name.stylize("bold", 0, len(heading.topic))
    row.add_row(name, _phase(state))
    return row


def _phase(state: ViewState) -> Text:
    if state.status is None:
        return Text("beginning", style="dim")
    if state.status.paused:
        return Text(" PAUSED: scenthound resume goes on ", style="black on yellow")
    return Text(f"{state.status.phase}, Ctrl-C stops", style="dim")


def _bar(state: ViewState, status: Status) -> RenderableType:
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(no_wrap=True, width=_BAR_WIDTH)
    row.add_column(no_wrap=True)
    row.add_column(no_wrap=True, style="dim")
    done = status.summary.fetched
    bar = ProgressBar(total=max(1, status.budget), completed=done, width=_BAR_WIDTH)
    row.add_row(bar, f"{done:,} of {status.budget:,} pages", _times(state, status))
    return row


def _times(state: ViewState, status: Status) -> str:
    text = clock_time(status.seconds)
    left = state.seconds_left
    if left is None or status.paused:
        return text
    return f"{text}, {rough_time(left)} left"


def _figures(state: ViewState, status: Status) -> RenderableType:
    rows = Table.grid(padding=(0, 1, 0, 0))
    rows.add_column(no_wrap=True, style="dim", width=_LABEL_WIDTH)
    rows.add_column(overflow="ellipsis", no_wrap=True)
    for label, text in (
        ("relevant", _relevant(state, status)),
        ("speed", _speed(state, status)),
        ("frontier", _frontier(status)),
        ("weights", _weights(state)),
        ("errors", _reasons(state.errors) or "none"),
        ("retries", _reasons(state.retries) or "none"),
        ("left out", _reasons(state.dropped) or "nothing"),
    ):
        if text:
            rows.add_row(label, plain(text))
    return rows


def _weights(state: ViewState) -> str:
    """Those learned last; empty for a strategy that has learned none."""
    if state.revised is None:
        return ""
    return f"{values_text(state.revised.weights)}, revised after page {state.revised.n:,}"


def _relevant(state: ViewState, status: Status) -> str:
    text = f"{status.summary.relevant:,} pages, harvest {_harvest(state)}"
    return text + (f", {status.summary.copies:,} copies" if status.summary.copies else "")


def _harvest(state: ViewState) -> str:
    """Now, that is over the last pages, and overall."""
    return f"now {figure(state.recent_harvest)}, overall {figure(state.harvest)}"


def _speed(state: ViewState, status: Status) -> str:
    return f"{figure(state.speed, 1)} pages/s, {status.under_way} under way"


def _frontier(status: Status) -> str:
    return f"{status.summary.waiting:,} waiting, {status.hosts:,} hosts seen"


def _reasons(counts: Counter[str]) -> str:
    """The most frequent reasons; the rest in one figure."""
    shown = counts.most_common(_REASONS_SHOWN)
    texts = [f"{_short(reason)} {count:,}" for reason, count in shown]
    rest = counts.total() - sum(count for _, count in shown)
    return ", ".join([*texts, f"others {rest:,}"] if rest else texts)


def _short(reason: str) -> str:
    return reason if len(reason) <= _REASON_LENGTH else f"{reason[: _REASON_LENGTH - 3]}..."


def _finds(state: ViewState) -> RenderableType:
    rows = Table.grid(padding=(0, 1, 0, 0), expand=True)
    rows.add_column(no_wrap=True, width=5)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=_TITLE_SHARE)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=_URL_SHARE, style="dim")
    for find in state.finds:
        rows.add_row(figure(find.similarity), plain(_title(find)), plain(find.url))
    return rows


def _title(find: Find) -> str:
    return find.title.strip() or "(no title)"


def line(state: ViewState) -> str:
    """The crawl in one line; empty before the first figures."""
    status = state.status
    if status is None:
        return ""
    parts = [
        f"{status.summary.fetched:,} of {status.budget:,} pages",
        f"{status.summary.relevant:,} relevant (harvest {_harvest(state)})",
        f"{figure(state.speed, 1)} pages/s",
        f"{status.summary.waiting:,} waiting",
        f"{status.hosts:,} hosts",
        _errors(state),
    ]
    if status.paused:
        parts.append("paused")
    elif state.seconds_left is not None:
        parts.append(f"{rough_time(state.seconds_left)} left")
    return f"{clock_time(status.seconds)}  {', '.join(parts)}"


def _errors(state: ViewState) -> str:
    """Errors, and apart from them what is tried again: it may still go well."""
    errors, retries = state.errors.total(), state.retries.total()
    text = f"{errors:,} error{'' if errors == 1 else 's'}"
    return f"{text} ({retries:,} {'retry' if retries == 1 else 'retries'})" if retries else text


def clock_time(seconds: float) -> str:
    """``0:02:10``, and ``27:46:40`` after a day."""
    whole = int(seconds)
    return f"{whole // _HOUR}:{whole % _HOUR // _MINUTE:02}:{whole % _MINUTE:02}"


def rough_time(seconds: float) -> str:
    """``40 s``, ``12 min``, ``3.5 h`` or ``2.1 days``: as near as a guess can be."""
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    if seconds < 2 * _DAY:
        return f"{seconds / _HOUR:.1f} h"
    return f"{seconds / _DAY:.1f} days"


# Watches a live crawl for a person: a view that is redrawn, or a line now and then.


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
        yield SilentWatcher()
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


# Runs a live crawl with somebody watching, and tells an error in the middle of it.


class CrawlCall(Protocol):
    """A crawl that is yet to be run."""

    def __call__(self, *, watcher: Watcher) -> Run:
        """Run it."""


def run_watched(
    work: CrawlCall, heading: Heading, quiet: bool, log_level: str | None, resumable: bool = True
) -> Run:
    """The run that ``work`` comes to.

    An error before anything has happened is bad input and raised on; one in the middle of the
    crawl is told, with how to go on, and ends the command with code 1. What nobody expected is
    raised on, after a word on the folder. Nothing is said of going on with a crawl that is not
    ``resumable``.
    """
    begun = _StartDetector()
    if quiet:
        silence_warnings()
    try:
        logging = log_level is not None
        with logs_shown(log_level), watching(heading, notices(), quiet, logging) as watcher:
            begun.watcher = watcher
            return work(watcher=begun)
    except InputError as error:
        if not begun.yes:
            raise
        print_error(_with_advice(str(error), heading.folder, resumable))
        raise CommandExit(1) from None
    except Exception:
        if resumable and _holds_crawl(heading.folder):
            print_error(
                f"nobody expected this; the crawl in {heading.folder} is consistent. Go on with: "
                f"{command('resume', heading.folder)}"
            )
        raise


def _with_advice(message: str, folder: str, resumable: bool) -> str:
    """The message, and how to go on unless it says so or there is nothing to go on with."""
    described = "resume" in message.replace(folder, "")
    if described or not resumable or not _holds_crawl(folder):
        return message
    return f"{message} Then go on with: {command('resume', folder)}"


def _holds_crawl(folder: str) -> bool:
    """A crawl that failed before it began has left nothing."""
    return os.path.isfile(CrawlFolder(Path(folder)).order_path)


class _StartDetector:
    """Passes on what it sees, and knows whether it has seen anything."""

    def __init__(self) -> None:
        self.watcher: Watcher | None = None
        self.yes = False

    def saw(self, event: Event) -> None:
        self.yes = True
        if self.watcher is not None:
            self.watcher.saw(event)

    def look(self, status: Status) -> None:
        if self.watcher is not None:
            self.watcher.look(status)
