"""What ants leave on the links they follow, and how they choose by it (olmoaco Eq. 16-17)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from scenthound.core.protocols import State
from scenthound.linkgraph.graph import LinkGraph, Reals


def heuristic(anchors: Reals, targets: Reals, anchor_weight: float) -> Reals:
    """mu of Eq. 16: the weighted sum of anchor relevance and target relevance of each link."""
    return anchor_weight * anchors + (1.0 - anchor_weight) * targets


def chances(pheromone: Reals, worth: Reals, psi: float, xi: float) -> Reals:
    """Probability of each link to be followed (olmoaco Eq. 16); all alike where none is worth any.

    Examples
    --------
    >>> chances(np.array([1.0, 1.0]), np.array([0.1, 0.2]), 1.0, 2.0).tolist()
    [0.2, 0.8]
    """
    weights = pheromone**psi * worth**xi
    total = weights.sum()
    if not total > 0.0:
        return np.full(len(weights), 1.0 / max(1, len(weights)))
    shares: Reals = weights / total
    return shares


def left_behind(relevance: float, moves: int) -> float:
    """What one ant leaves on a link: C / D, relevance of its target over the length of the path."""
    return relevance / moves if moves else 0.0


class Pheromones:
    """The pheromone on every link of a graph. It evaporates once a cycle on all of them (Eq. 17).

    Nothing is done for links that nobody asks about: what has evaporated since is worked out when
    a page's links are looked at.

    Parameters
    ----------
    graph : pages and links.
    start : on the links of a page when it is fetched (C_0).
    evaporation : share that is gone after a cycle (rho).
    """

    def __init__(self, graph: LinkGraph, start: float, evaporation: float) -> None:
        self._graph = graph
        self._start = start
        self._kept = 1.0 - evaporation
        self._cycle = 0
        self._known: dict[int, tuple[int, Reals]] = {}
        self._pages: list[int] = []
        """How many pages there were at the end of each cycle."""

    def on(self, page: int) -> Reals:
        """On each link of a page, in their order."""
        cycle, values = self._known.get(page) or self._new(page)
        if cycle < self._cycle:
            values = values * self._kept ** (self._cycle - cycle)
        self._known[page] = (self._cycle, values)
        return values

    def _new(self, page: int) -> tuple[int, Reals]:
        """The links of a page nobody has asked about, and the cycle in which it was fetched."""
        born = bisect_right(self._pages, self._graph.place(page))
        return born, np.full(len(self._graph.links(page)), self._start)

    def end_cycle(self, paths: Sequence[Sequence[tuple[int, int, float]]]) -> None:
        """Evaporate, then add what each ant leaves on its path: (page, target, relevance)."""
        self._cycle += 1
        self._pages.append(self._graph.pages)
        for path in paths:
            for page, target, relevance in path:
                place = np.flatnonzero(self._graph.links(page).targets == target)
                self.on(page)[place] += left_behind(relevance, len(path))

    def state(self) -> State:
        """The pheromone on the links of every page that was looked at."""
        pages = list(self._known)
        values = [self._known[page][1] for page in pages]
        return {
            "cycle": self._cycle,
            "fetched": np.array(self._pages, np.int64),
            "pages": np.array(pages, np.int32),
            "cycles": np.array([self._known[page][0] for page in pages], np.int32),
            "sizes": np.array([len(each) for each in values], np.int32),
            "values": np.concatenate([*values, np.empty(0)]),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        cycle, pages, cycles = state["cycle"], state["pages"], state["cycles"]
        sizes, values, fetched = state["sizes"], state["values"], state["fetched"]
        assert isinstance(fetched, np.ndarray)
        assert isinstance(cycle, int) and isinstance(pages, np.ndarray)
        assert isinstance(cycles, np.ndarray) and isinstance(sizes, np.ndarray)
        assert isinstance(values, np.ndarray)
        self._cycle, self._pages = cycle, fetched.tolist()
        each = np.split(values.astype(np.float64), np.cumsum(sizes)[:-1])
        known = zip(pages.tolist(), cycles.tolist(), each, strict=False)
        self._known = {page: (at, own.copy()) for page, at, own in known}
