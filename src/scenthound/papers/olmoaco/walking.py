"""Policies that lease the links they want on a map, and wait for their hosts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from scenthound.core.model import Candidate
from scenthound.core.protocols import Frontier, State
from scenthound.papers.olmoaco.objectives import LinkMap

MAX_WAIT_SECONDS = 5.0
"""Most hosts may be asked again after a second. With less, a polite crawl of a few hosts would
fetch more of the available links than of those its policy chose."""


class LinkMapPolicy(ABC):
    """A policy that wants certain links; their URLs are those of a map."""

    walks = True
    best_available = "nothing that is wanted may be asked for now: the best link that may"

    def __init__(self, links: LinkMap) -> None:
        self._map = links
        self._under_way: set[str] = set()
        self._last_choice: float | None = None

    @abstractmethod
    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease one candidate; None while there is something to wait for."""

    def completed(self, url: str) -> None:
        """Note that a response came."""
        self._under_way.discard(url)

    def _take(
        self, number: int, why: Callable[[], str], frontier: Frontier, now: float
    ) -> Candidate | None:
        """Lease a link that is wanted; one that is in the frontier no more is closed."""
        url = self._map.graph.url(number)
        candidate = frontier.take(url, now)
        if candidate is not None:
            self._last_choice = now
            return self._leased(candidate, why())
        if not frontier.waits(url):
            self._map.close(number)
        return None

    def _take_best(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease the best link that may be asked for, though it is not wanted."""
        best = frontier.lease(1, now)
        return self._leased(best[0], self.best_available) if best else None

    def _has_waited(self, now: float) -> bool:
        """Has it waited long enough for what it wants? The first call begins the wait."""
        if self._last_choice is None:
            self._last_choice = now
        return now - self._last_choice >= MAX_WAIT_SECONDS

    def _leased(self, candidate: Candidate, why: str) -> Candidate:
        self._under_way.add(candidate.url)
        return replace(candidate, chosen=why)


class GenerationPolicy(LinkMapPolicy):
    """Has the links of one generation fetched, then asks for the next.

    What cannot be had is left out. Where nothing that is wanted may be asked for now, the best
    waiting link is taken.
    """

    def __init__(self, links: LinkMap) -> None:
        super().__init__(links)
        self._wanted: dict[int, str] = {}
        self._generation = 0

    @abstractmethod
    def _next(self) -> dict[int, str]:
        """Return the links that are wanted next, and why; none where nothing waits."""

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease the next wanted link; None while all that are left are under way."""
        for _ in range(2):  # this generation, or else the next
            for number in self._not_requested():
                if candidate := self._take(number, partial(self._why, number), frontier, now):
                    return candidate
            if self._not_requested():  # their hosts rest
                if self._has_waited(now):
                    break
                return None
            if any(map(self._map.is_waiting, self._wanted)):  # some are under way
                return None
            self._wanted = self._next()
            self._generation += bool(self._wanted)
        return self._take_best(frontier, now)

    def redirected(self, url: str, target: str) -> None:
        """Follow a redirect of a wanted link."""
        old, new = self._map.moved(url, target)
        self._wanted = {new if n == old else n: why for n, why in self._wanted.items()}

    def state(self) -> State:
        """Return what is wanted, and why."""
        return {
            "generation": self._generation,
            "wanted": [*self._wanted],
            "why": [*self._wanted.values()],
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned; no request is pending any more."""
        self._generation = state["generation"]
        self._wanted = dict(zip(state["wanted"], state["why"], strict=True))
        self._under_way = set()

    def _not_requested(self) -> list[int]:
        """The wanted links that wait and are not requested yet."""
        return [
            number
            for number in filter(self._map.is_waiting, self._wanted)
            if self._map.graph.url(number) not in self._under_way
        ]

    def _why(self, number: int) -> str:
        objectives = self._map.describe(number)
        return f"generation {self._generation}: {self._wanted[number]} ({objectives})"
