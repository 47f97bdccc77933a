"""The live view of a running crawl: its state, how it is drawn (as a panel on a terminal, as lines
in a file), and the call that runs a crawl under it.

:class:`ViewState` counts events, ``draw`` and ``line`` show it, watchers decide when. They run in
the thread of the crawl, which is why the view is redrawn a few times a second at most.
:func:`run_watched` at the end is what commands call.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from scenthound.cli import screen as ui
from scenthound.core import events
from scenthound.core.errors import InputError
from scenthound.crawler.argument_checks import command
from scenthound.crawler.control import Status
from scenthound.crawler.metrics import Result
from scenthound.storage.folder import CrawlFolder

REDRAW_SECONDS = 0.25
LINE_SECONDS = 10.0
Monotonic = Callable[[], float]
FINDS_KEPT = 6
RECENT_PAGES = 100
_SPEED_SECONDS = 10.0
_FOLLOWED = "followed"
_REASONS_SHOWN, _REASON_LENGTH = 4, 40
_BAR_WIDTH, _LABEL_WIDTH = 30, 10


@dataclass(frozen=True, slots=True)
class Heading:
    """The part of the view that does not change; ``max_time`` is in seconds."""

    topic: str
    strategy: str
    folder: str
    budget: int
    max_time: float | None = None


class ViewState:
    """A running crawl as its view shows it.

    Errors, retries, drops and finds are those of this run. An error is a page with a problem, or a
    URL that was given up; before that, each of its failures is a retry. ``begun``: has there
    been an event?
    """

    def __init__(self, heading: Heading) -> None:
        self.heading = heading
        self.begun = False
        self.status: Status | None = None
        self.errors: Counter[str] = Counter()
        self.retries: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.finds: deque[events.PageEvent] = deque(maxlen=FINDS_KEPT)
        self._recent: deque[bool] = deque(maxlen=RECENT_PAGES)
        self._samples: deque[tuple[float, int]] = deque()

    def saw(self, event: events.Event) -> None:
        """Count an event."""
        self.begun = True
        if isinstance(event, events.PageEvent):
            self._page(event)
        elif isinstance(event, events.FailedEvent):
            counts = self.errors if event.retry_at is None else self.retries
            counts[event.reason] += 1
        elif isinstance(event, events.RejectedEvent):
            self.dropped[event.reason] += 1
        elif isinstance(event, events.DroppedEvent):
            self.dropped[event.reason] += event.count
        elif isinstance(event, events.RedirectEvent) and event.reason != _FOLLOWED:
            self.dropped[f"redirect: {event.reason}"] += 1

    def look(self, status: Status) -> None:
        """Take the figures of this moment; the speed is that of the last seconds."""
        self.status = status
        self._samples.append((status.run_seconds, status.run_pages))
        while self._samples[0][0] < status.run_seconds - _SPEED_SECONDS:
            self._samples.popleft()

    @property
    def speed(self) -> float | None:
        """Recent pages per second; None before it is known."""
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

    def _page(self, event: events.PageEvent) -> None:
        self._recent.append(event.relevant)
        for reason, (count, _) in event.drops.counts.items():
            self.dropped[reason] += count
        if event.problem and event.copy_of is None:
            self.errors[event.problem] += 1
        if event.relevant and event.copy_of is None:
            self.finds.appendleft(event)


# How it is drawn: a panel for a terminal, a line for a file.


def draw(state: ViewState) -> RenderableType:
    """The whole view; before the first figures it says that the crawl is beginning."""
    heading, head = state.heading, Table.grid(expand=True)
    head.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    head.add_column(no_wrap=True, justify="right")
    name = ui.plain(f"{heading.topic}, {heading.strategy}, into {heading.folder}")
    name.stylize("bold", 0, len(heading.topic))
    status = state.status
    if status is None:
        head.add_row(name, Text("beginning", style="dim"))
        return Group(head, Text("reading the topic and its example pages ...", style="dim"))
    phase = Text(f"{status.phase}, Ctrl-C stops", style="dim")
    if status.paused:
        phase = Text(" PAUSED: scenthound resume goes on ", style="black on yellow")
    head.add_row(name, phase)
    parts: list[RenderableType] = [head, _bar(state, status), _figures(state, status)]
    if state.finds:
        parts += [Text("latest finds", style="bold"), _finds(state)]
    return Group(*parts)


def _bar(state: ViewState, status: Status) -> RenderableType:
    row = Table.grid(padding=(0, 2, 0, 0))
    row.add_column(no_wrap=True, width=_BAR_WIDTH)
    row.add_column(no_wrap=True)
    row.add_column(no_wrap=True, style="dim")
    done, times = status.summary.fetched, clock_time(status.seconds)
    if state.seconds_left is not None and not status.paused:
        times += f", {clock_time(state.seconds_left)} left"
    bar = ProgressBar(total=max(1, status.budget), completed=done, width=_BAR_WIDTH)
    row.add_row(bar, f"{done:,} of {status.budget:,} pages", times)
    return row


def _figures(state: ViewState, status: Status) -> RenderableType:
    rows = Table.grid(padding=(0, 1, 0, 0))
    rows.add_column(no_wrap=True, style="dim", width=_LABEL_WIDTH)
    rows.add_column(overflow="ellipsis", no_wrap=True)
    summary = status.summary
    copies = f", {summary.copies:,} copies" if summary.copies else ""
    for label, text in (
        ("relevant", f"{summary.relevant:,} pages, harvest {_harvest(state)}{copies}"),
        ("speed", f"{ui.figure(state.speed, 1)} pages/s, {status.in_flight} under way"),
        ("frontier", f"{summary.waiting:,} waiting, {status.hosts:,} hosts seen"),
        ("errors", _reasons(state.errors) or "none"),
        ("retries", _reasons(state.retries) or "none"),
        ("left out", _reasons(state.dropped) or "nothing"),
    ):
        rows.add_row(label, ui.plain(text))
    return rows


def _harvest(state: ViewState) -> str:
    """Now, that is over the last pages, and overall."""
    return f"now {ui.figure(state.recent_harvest)}, overall {ui.figure(state.harvest)}"


def _reasons(counts: Counter[str]) -> str:
    """The most frequent reasons; the rest in one figure."""
    shown = counts.most_common(_REASONS_SHOWN)
    texts = [f"{ui.cut(reason, _REASON_LENGTH)} {count:,}" for reason, count in shown]
    rest = counts.total() - sum(count for _, count in shown)
    return ", ".join([*texts, f"others {rest:,}"] if rest else texts)


def _finds(state: ViewState) -> RenderableType:
    rows = Table.grid(padding=(0, 1, 0, 0), expand=True)
    rows.add_column(no_wrap=True, width=5)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=2)
    rows.add_column(no_wrap=True, overflow="ellipsis", ratio=3, style="dim")
    for find in state.finds:
        title = find.title.strip() or "(no title)"
        rows.add_row(ui.figure(find.similarity), ui.plain(title), ui.plain(find.url))
    return rows


def line(state: ViewState) -> str:
    """The crawl in one line; empty before the first figures."""
    status = state.status
    if status is None:
        return ""
    errors, retries = ui.counted(state.errors.total(), "error"), state.retries.total()
    if retries:  # what is tried again may still go well
        errors += f" ({retries:,} {'retry' if retries == 1 else 'retries'})"
    parts = [
        f"{status.summary.fetched:,} of {status.budget:,} pages",
        f"{status.summary.relevant:,} relevant (harvest {_harvest(state)})",
        f"{ui.figure(state.speed, 1)} pages/s",
        f"{status.summary.waiting:,} waiting",
        f"{status.hosts:,} hosts",
        errors,
    ]
    if status.paused:
        parts.append("paused")
    elif state.seconds_left is not None:
        parts.append(f"{clock_time(state.seconds_left)} left")
    return f"{clock_time(status.seconds)}  {', '.join(parts)}"


def clock_time(seconds: float) -> str:
    """``0:02:10``, and ``27:46:40`` after a day."""
    whole = int(seconds)
    return f"{whole // 3_600}:{whole % 3_600 // 60:02}:{whole % 60:02}"


# When it is drawn.


@contextmanager
def watching(
    heading: Heading,
    console: Console,
    quiet: bool,
    logging: bool = False,
    monotonic: Monotonic = time.monotonic,
) -> Iterator[ViewState]:
    """A view on a terminal, lines elsewhere, a state that nobody sees when quiet.

    Lines of a log would tear a view apart: with ``logging`` a terminal gets lines too.
    """
    if quiet:
        yield ViewState(heading)
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
        self._is_headed = False

    def saw(self, event: events.Event) -> None:
        """Count an event; the beginning and a pause get a line of their own."""
        self._print_heading()
        super().saw(event)
        if isinstance(event, events.ControlEvent) and event.what in ("paused", "unpaused"):
            goes_on = f"go on with: {command('resume', self.heading.folder)}"
            self._print(f"paused; {goes_on}" if event.what == "paused" else "goes on")

    def look(self, status: Status) -> None:
        """Take the figures of this moment; print them when the last line is some seconds old."""
        self._print_heading()
        super().look(status)
        if not status.paused and self._monotonic() - self._last >= LINE_SECONDS:
            self._print(line(self))

    def end(self) -> None:
        """Print the last line."""
        if self.status is not None:
            self._print(line(self))

    def _print_heading(self) -> None:
        if not self._is_headed:
            self._is_headed, head = True, self.heading
            into = f"crawls into {head.folder}, up to {head.budget:,} pages"
            self._print(f"{head.topic}: {head.strategy} {into}")

    def _print(self, text: str) -> None:
        self._last = self._monotonic()
        ui.say(text, self._console)


def run_watched(
    work: Callable[..., Result],
    heading: Heading,
    quiet: bool,
    log_level: str | None,
    resumable: bool = True,
) -> Result:
    """Run a crawl under a view; ``work`` takes its ``watcher``.

    An error before anything has happened is bad input and raised on; one in the middle of the
    crawl is printed, with how to go on unless the crawl is not ``resumable``, and ends the command
    with code 1. A bug is raised on, after a word on the folder.
    """
    watcher: ViewState | None = None
    holds_crawl = CrawlFolder(Path(heading.folder)).spec_path.is_file
    resume = command("resume", heading.folder)
    if quiet:
        ui.silence_warnings()
    try:
        logging = log_level is not None
        with ui.logs_shown(log_level), watching(heading, ui.notices(), quiet, logging) as watcher:
            return work(watcher=watcher)
    except InputError as error:
        if watcher is None or not watcher.begun:
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
