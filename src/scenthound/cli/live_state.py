"""What the view of a live crawl knows: fed with events and figures, it draws nothing."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass

from scenthound.core.events import (
    DroppedEvent,
    Event,
    FailedEvent,
    PageEvent,
    RedirectEvent,
    RefusedEvent,
    RevisedEvent,
)
from scenthound.live.status import Status

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
        elif isinstance(event, RefusedEvent):
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
