"""Policies that want several links at a time, and decide anew when all of them are fetched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from scenthound.core.model import Candidate
from scenthound.core.protocols import Frontier, State
from scenthound.strategies.link_map import LinkMap
from scenthound.strategies.pause import Pause

_STRAY = "nothing that is wanted may be asked for now: the best link that may"


class Generations(ABC):
    """Has the links of one generation fetched, then asks for the next.

    What never can be had is left out. Where nothing that is wanted may be asked for now, the best
    waiting link is taken.

    Parameters
    ----------
    links : the map.
    """

    walks = True

    def __init__(self, links: LinkMap) -> None:
        self._map = links
        self._wanted: dict[int, str] = {}
        self._under_way: set[str] = set()
        self._generation = 0
        self._pause = Pause()

    @abstractmethod
    def _next(self) -> dict[int, str]:
        """The links that are wanted next, and why; none where nothing waits."""

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease the next wanted link; None while all that are left are under way."""
        for _ in range(2):  # this generation, or else the next
            for number in self._unasked():
                candidate = self._ask(number, frontier, now)
                if candidate is not None:
                    self._pause.begin(now)
                    return candidate
            if self._unasked():  # their hosts rest
                if self._pause.is_over(now):
                    break
                return None
            if self._unfetched():
                return None
            self._wanted = self._next()
            self._generation += bool(self._wanted)
        best = frontier.lease(1, now)
        return self._leased(best[0], _STRAY) if best else None

    def answered(self, url: str) -> None:
        """An answer came."""
        self._under_way.discard(url)

    def redirected(self, url: str, target: str) -> None:
        """What was wanted waits under another name."""
        old, new = self._map.moved(url, target)
        self._wanted = {new if n == old else n: why for n, why in self._wanted.items()}

    def state(self) -> State:
        """What is wanted, and why."""
        return {
            "generation": self._generation,
            "wanted": [*self._wanted],
            "why": [*self._wanted.values()],
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave; nothing is under way any more."""
        generation, wanted, why = state["generation"], state["wanted"], state["why"]
        assert isinstance(generation, int) and isinstance(wanted, list) and isinstance(why, list)
        self._generation = generation
        numbers = [int(str(number)) for number in wanted]
        self._wanted = dict(zip(numbers, map(str, why), strict=True))
        self._under_way = set()

    def _unfetched(self) -> list[int]:
        """What waits of all that is wanted, or is under way."""
        return [number for number in self._wanted if self._map.is_waiting(number)]

    def _unasked(self) -> list[int]:
        """What is not asked for yet."""
        urls = {number: self._map.graph.url(number) for number in self._unfetched()}
        return [number for number, url in urls.items() if url not in self._under_way]

    def _ask(self, number: int, frontier: Frontier, now: float) -> Candidate | None:
        url = self._map.graph.url(number)
        candidate = frontier.take(url, now)
        if candidate is not None:
            told = self._map.told(number)
            why = f"generation {self._generation}: {self._wanted[number]} ({told})"
            return self._leased(candidate, why)
        if not frontier.waits(url):
            self._map.close(number)
        return None

    def _leased(self, candidate: Candidate, why: str) -> Candidate:
        self._under_way.add(candidate.url)
        return replace(candidate, chosen=why)
