"""The links that ants may follow from a page, and how one of them is drawn (olmoaco Eq. 16)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.core.protocols import State
from scenthound.linkgraph.graph import Numbers, Reals
from scenthound.strategies.link_map import Flags, LinkMap, printed_priority
from scenthound.strategies.pheromones import Pheromones, chances, heuristic

HEURISTIC_ANCHOR = 0.6 / 0.85
"""Weight of the anchor beside that of the target, in the proportion of Eq. 10 (0.6 : 0.25)."""


@dataclass(frozen=True, slots=True, eq=False)
class Open:
    """The links of a page that may be followed.

    ``links`` are their targets as they stand on the page, ``ends`` where these lead to: somewhere
    else for a redirect. One entry a link in all columns.
    """

    links: Numbers
    ends: Numbers
    anchors: Reals
    pheromone: Reals

    def __len__(self) -> int:
        return len(self.links)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A link that was drawn: its target, where that leads to, and why."""

    link: int
    end: int
    why: str


class Trails:
    """What lies open to ants in a cycle, and what they have left on it.

    Parameters
    ----------
    links : the map.
    pheromones : on its links.
    psi, xi : powers of pheromone and of relevance in Eq. 16.
    eta : a page whose link has no larger priority, with its relevance known (Eq. 10), is passed by.
    """

    def __init__(
        self, links: LinkMap, pheromones: Pheromones, psi: float, xi: float, eta: float = 0.0
    ) -> None:
        self._eta = eta
        self._map = links
        self._pheromones = pheromones
        self._psi, self._xi = psi, xi
        self.tabu: set[int] = set()
        """Pages that no ant may go to any more in this cycle."""

    def open(self, page: int) -> Open:
        """The links of ``page`` that lead to a page, and to none that is tabu."""
        links = self._map.graph.links(page)
        ends = self._map.ends(links.targets)
        there = np.flatnonzero(self._map.are_open(ends) & self.are_worthy(ends)).tolist()
        places = [place for place in there if int(ends[place]) not in self.tabu]
        return Open(
            links.targets[places],
            ends[places],
            links.anchors[places],
            self._pheromones.on(page)[places],
        )

    def are_worthy(self, pages: Numbers) -> Flags:
        """Are they above eta by Eq. 10? Those that are not fetched may be."""
        if not self._eta:
            return np.ones(len(pages), np.bool_)
        above: Flags = printed_priority(self._map.objectives(pages)) > self._eta
        return above | self._map.are_waiting(pages)

    def draw(self, open_: Open, rng: random.Random) -> Drawn:
        """One of the links, by Eq. 16; there must be one."""
        targets = self._map.relevances(open_.ends)
        worth = heuristic(open_.anchors, targets, HEURISTIC_ANCHOR)
        shares = chances(open_.pheromone, worth, self._psi, self._xi)
        place = int(np.searchsorted(np.cumsum(shares), rng.random(), side="right"))
        place = min(place, len(open_) - 1)  # where the shares add up to a little less than 1
        why = (
            f"chance {shares[place]:.2f} by anchor {open_.anchors[place]:.2f}, "
            f"target {targets[place]:.2f} and pheromone {open_.pheromone[place]:.2f}"
        )
        return Drawn(int(open_.links[place]), int(open_.ends[place]), why)

    def end_cycle(self, paths: Sequence[Sequence[tuple[int, int]]]) -> None:
        """The ants have gone these ways, links by page and target: leave pheromone (Eq. 17)."""
        self._pheromones.end_cycle([self._with_relevance(path) for path in paths])
        self.tabu = set()

    def state(self) -> State:
        """What is tabu, and the pheromone."""
        tabu = np.array(sorted(self.tabu), np.int32)
        return {"tabu": tabu, "pheromones": self._pheromones.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        tabu, pheromones = state["tabu"], state["pheromones"]
        assert isinstance(tabu, np.ndarray) and isinstance(pheromones, dict)
        self.tabu = set(tabu.tolist())
        self._pheromones.restore(pheromones)

    def _with_relevance(self, path: Sequence[tuple[int, int]]) -> list[tuple[int, int, float]]:
        ends = self._map.ends(np.array([link for _, link in path], np.int32)).tolist()
        found = [self._map.relevance(end) or 0.0 for end in ends]
        return [(*edge, relevance) for edge, relevance in zip(path, found, strict=True)]
