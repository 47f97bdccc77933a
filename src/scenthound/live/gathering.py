"""Example pages given as addresses are fetched first: they say what the topic is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from scenthound.core.bounds import Bounds
from scenthound.core.crawl import FOLLOWED, MOST_REDIRECTS
from scenthound.core.events import ControlEvent, FailedEvent, RefusedEvent
from scenthound.core.model import Candidate, Sighting
from scenthound.core.protocols import Admission, Clock, Journal, PoliteFrontier
from scenthound.live.messages import Answer

ALL_HERE = "all examples answered"
_WAITS = (Admission.NEW, Admission.RESCORED)


@dataclass(frozen=True, slots=True)
class Gathered:
    """An example page that came, for the topic and then for the crawl."""

    example: str
    candidate: Candidate
    answer: Answer


class Gathering:
    """Asks for the example pages, as politely as for any page, before there is a crawl.

    Parameters
    ----------
    urls : canonical addresses of the example pages.
    frontier : where they wait, and where they stay leased until the crawl takes them over.
    journal, clock : for what goes wrong.
    bounds : of the crawl; what they deny is not followed to either.
    """

    def __init__(
        self,
        urls: Iterable[str],
        frontier: PoliteFrontier,
        journal: Journal,
        clock: Clock,
        bounds: Bounds | None = None,
    ) -> None:
        self._bounds = bounds or Bounds()
        self._frontier = frontier
        self._journal = journal
        self._clock = clock
        self._waiting = deque(dict.fromkeys(urls))
        self._leased: dict[str, Candidate] = {}
        self._examples = {url: (url,) for url in self._waiting}
        self.gathered: list[Gathered] = []
        self.redirects: list[Answer] = []
        self.lost: list[tuple[str, str]] = []
        """Examples that did not come, with the reason."""
        self.stop_reason: str | None = None
        frontier.add([Sighting(url, 0) for url in self._waiting])
        self._end_if_done()

    def next(self) -> Candidate | None:
        """The next example whose host may be asked now."""
        for _ in range(len(self._waiting)):
            url = self._waiting.popleft()
            candidate = self._frontier.take(url, self._clock())
            if candidate is not None:
                self._leased[url] = candidate
                return candidate
            if not self._frontier.is_closed(url):
                self._waiting.append(url)
        self._end_if_done()
        return None

    def candidate(self, url: str) -> Candidate | None:
        """The leased candidate of this URL."""
        return self._leased.get(url)

    def take(self, answer: Answer) -> None:
        """An example has come; it stays leased until the crawl takes it over."""
        url = answer.ask.url
        candidate = self._leased.pop(url)
        if 200 <= answer.status < 300:
            self.gathered += [Gathered(each, candidate, answer) for each in self._examples[url]]
        else:
            self._lose(candidate, f"status {answer.status}")
        self._end_if_done()

    def redirected(self, url: str, target: str) -> str:
        """An example has moved."""
        candidate = self._leased.pop(url)
        denied = self._bounds.denial(target)
        if denied is None and len(candidate.redirects) < MOST_REDIRECTS:
            admission = self._frontier.redirect(url, target)
            if admission in _WAITS:
                self._examples[target] = (*self._examples.get(target, ()), *self._examples[url])
                if target not in self._waiting:
                    self._waiting.append(target)
                return FOLLOWED
        self._lose(candidate, f"redirects to {target}")
        self._end_if_done()
        return "not followed" if denied is None else denied.reason

    def refused(self, url: str, reason: str) -> None:
        """An example may not be fetched."""
        self._lose(self._leased.pop(url), reason)
        self._journal.append(RefusedEvent(self._clock(), url, reason))
        self._end_if_done()

    def failed(self, url: str, reason: str, retry_at: float | None) -> None:
        """An example did not answer: the topic does not wait for it, the crawl tries it again."""
        candidate = self._leased.pop(url)
        self._lose(candidate, reason, retry_at)
        attempts = candidate.attempts + 1
        self._journal.append(FailedEvent(self._clock(), url, reason, attempts, retry_at))
        self._end_if_done()

    def control(self, what: str) -> None:
        """Something came between."""
        self._journal.append(ControlEvent(self._clock(), what, 0))

    def forget(self, url: str) -> None:
        """The example was not asked for yet: it waits again."""
        self._leased.pop(url)
        self._waiting.append(url)

    def _lose(self, candidate: Candidate, reason: str, retry_at: float | None = None) -> None:
        self._frontier.fail(candidate.url, retry_at)
        self.lost += [(each, reason) for each in self._examples[candidate.url]]

    def _end_if_done(self) -> None:
        if not self._waiting and not self._leased:
            self.stop_reason = ALL_HERE
