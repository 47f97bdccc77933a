"""Pheromone on links, and how the next link of an ant is drawn (olmoaco Eq. 16-17)."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scenthound.core.protocols import State
from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import Flags, LinkMap, link_priority


def heuristic(anchors: Reals, targets: Reals, anchor_weight: float) -> Reals:
    """mu of Eq. 16: the weighted sum of anchor relevance and target relevance of each link."""
    return anchor_weight * anchors + (1.0 - anchor_weight) * targets


def probabilities(pheromone: Reals, worth: Reals, psi: float, xi: float) -> Reals:
    """Return the probability of each link (olmoaco Eq. 16); all alike if none has worth.

    Examples
    --------
    >>> probabilities(np.array([1.0, 1.0]), np.array([0.1, 0.2]), 1.0, 2.0).tolist()
    [0.2, 0.8]
    """
    weights = pheromone**psi * worth**xi
    total = weights.sum()
    if not total > 0.0:
        return np.full(len(weights), 1.0 / max(1, len(weights)))
    shares: Reals = weights / total
    return shares


def deposit(relevance: float, moves: int) -> float:
    """Return what one ant leaves on a link: C / D, relevance of its target over its moves."""
    return relevance / moves if moves else 0.0


HEURISTIC_ANCHOR = 0.6 / 0.85
"""Weight of the anchor beside that of the target, in the proportion of Eq. 10 (0.6 : 0.25)."""


class OpenLinks(NamedTuple):
    """The links of a page that may be followed, one entry a link in all columns.

    ``links`` are their targets as they stand on the page, ``ends`` where these redirect to.
    """

    links: Numbers
    ends: Numbers
    anchors: Reals
    pheromone: Reals


class Trails:
    """The links that are open to ants in a cycle, and the pheromone on every link (Eq. 16-17).

    A page whose link has no larger priority than ``eta``, with its relevance known (Eq. 10), is
    passed by. Pheromone evaporates once a cycle on all links; what has evaporated is worked out
    when a page's links are looked at.

    Parameters
    ----------
    links : the map.
    psi, xi : the powers of pheromone and of relevance in Eq. 16.
    pheromone : on the links of a page when it is fetched (C_0).
    evaporation : the share that is gone after a cycle (rho).
    eta : 0 passes nothing by.
    """

    def __init__(
        self, links: LinkMap, psi: float, xi: float, pheromone: float, evaporation: float,
        eta: float = 0.0,
    ) -> None:  # fmt: skip
        self._eta = eta
        self._map = links
        self._psi, self._xi = psi, xi
        self._start, self._kept = pheromone, 1.0 - evaporation
        self.tabu: set[int] = set()
        """Pages that no ant may go to any more in this cycle."""
        self._cycle = 0
        self._known: dict[int, tuple[int, Reals]] = {}
        self._pages: list[int] = []
        """How many pages there were at the end of each cycle."""

    def open(self, page: int) -> OpenLinks:
        """Return the links of ``page`` that lead to a page, and to none that is tabu."""
        links = self._map.graph.links(page)
        ends = self._map.ends(links.targets)
        there = np.flatnonzero(self._map.are_open(ends) & self.pass_threshold(ends)).tolist()
        places = [place for place in there if int(ends[place]) not in self.tabu]
        pheromone = self.pheromone(page)[places]
        return OpenLinks(links.targets[places], ends[places], links.anchors[places], pheromone)

    def pheromone(self, page: int) -> Reals:
        """Return the pheromone on each link of a page, in their order."""
        graph = self._map.graph
        if page not in self._known:  # since the cycle in which it was fetched
            born = bisect_right(self._pages, graph.place(page))
            self._known[page] = born, np.full(len(graph.links(page)), self._start)
        cycle, values = self._known[page]
        if cycle < self._cycle:
            values = values * self._kept ** (self._cycle - cycle)
        self._known[page] = (self._cycle, values)
        return values

    def pass_threshold(self, pages: Numbers) -> Flags:
        """Return whether they are above eta by Eq. 10; those that are not fetched may be."""
        if not self._eta:
            return np.ones(len(pages), np.bool_)
        above: Flags = link_priority(self._map.objectives(pages)) > self._eta
        return above | self._map.are_waiting(pages)

    def draw(self, open_: OpenLinks, rng: random.Random) -> tuple[int, int, str]:
        """Draw a link by Eq. 16: its target, where that redirects to, and why; one must be open."""
        targets = self._map.relevances(open_.ends)
        worth = heuristic(open_.anchors, targets, HEURISTIC_ANCHOR)
        shares = probabilities(open_.pheromone, worth, self._psi, self._xi)
        place = int(np.searchsorted(np.cumsum(shares), rng.random(), side="right"))
        place = min(place, len(open_.links) - 1)  # where the shares add up to a little less than 1
        why = (
            f"chance {shares[place]:.2f} by anchor {open_.anchors[place]:.2f}, "
            f"target {targets[place]:.2f} and pheromone {open_.pheromone[place]:.2f}"
        )
        return int(open_.links[place]), int(open_.ends[place]), why

    def end_cycle(self, paths: Sequence[Sequence[Sequence[int]]]) -> None:
        """Evaporate, then leave pheromone on the paths of the ants: pairs of page and target."""
        graph = self._map.graph
        self._cycle += 1
        self._pages.append(graph.pages)
        for path in paths:
            ends = self._map.ends(np.array([link for _, link in path], np.int32)).tolist()
            for (page, target), end in zip(path, ends, strict=True):
                place = np.flatnonzero(graph.links(page).targets == target)
                relevance = self._map.relevance(end) or 0.0
                self.pheromone(page)[place] += deposit(relevance, len(path))
        self.tabu = set()

    def state(self) -> State:
        """Return what is tabu, and the pheromone on the links of the pages that were looked at."""
        pages = list(self._known)
        values = [self._known[page][1] for page in pages]
        pheromones = {
            "cycle": self._cycle,
            "fetched": np.array(self._pages, np.int64),
            "pages": np.array(pages, np.int32),
            "cycles": np.array([self._known[page][0] for page in pages], np.int32),
            "sizes": np.array([len(each) for each in values], np.int32),
            "values": np.concatenate([*values, np.empty(0)]),
        }
        return {"tabu": np.array(sorted(self.tabu), np.int32), "pheromones": pheromones}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self.tabu, saved = set(state["tabu"].tolist()), state["pheromones"]
        self._cycle, self._pages = saved["cycle"], saved["fetched"].tolist()
        each = np.split(saved["values"].astype(np.float64), np.cumsum(saved["sizes"])[:-1])
        known = zip(saved["pages"].tolist(), saved["cycles"].tolist(), each, strict=False)
        self._known = {page: (at, own.copy()) for page, at, own in known}
