"""PageRank that prefers links whose anchors are about the topic (olmoaco Eq. 15).

PR(u) = (1 - d) + d * sum over the pages i that link to u of PR(i) / C(i) * (1 + omega * R(i, u)),

where C(i) is the number of links of page i and R(i, u) the relevance of the anchor. Only fetched
pages pass anything on. Values are kept up to date page by page: each page remembers what has
reached it and was not yet passed on; when that is enough to matter it goes along the links, and
so on from there (forward push: Andersen, Chung and Lang, Local graph partitioning using PageRank
vectors, FOCS 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import State
from scenthound.linkgraph.graph import LinkGraph, Numbers, Reals
from scenthound.linkgraph.link_shares import PRINTED, LinkShares
from scenthound.linkgraph.rows import Places, Rows, grown

MOST_WAVES = 100
"""Of passing on after a page was added: with omega close to its limit they hardly fade."""
MOST_SWEEPS = 10_000
_NONE = -1


class TopicRank:
    """The PageRank of all URLs of a graph, while it grows.

    Parameters
    ----------
    graph : whose pages are given to :meth:`add` as they are fetched.
    damping, omega, form : see :class:`LinkShares`.
    tolerance : a page passes on what has reached it once there is more than this for each of its
        links. All values together are then too small by at most
        q / (1 - q) * tolerance * links of the graph, where q is the most that a page passes on:
        d * (1 + omega), normalised d. :attr:`error` tells how much it is by now, and
        :meth:`settle` makes it as small as one likes.

    Over a crawl, adding a page visits its links and at most (1 - d) / ((1 - q) * tolerance) others,
    however large the graph is: all that pages ever pass on is limited, and a visit after the
    first takes more than the tolerance away from it.
    """

    def __init__(
        self,
        graph: LinkGraph,
        damping: float = 0.85,
        omega: float = 0.10,
        form: str = PRINTED,
        tolerance: float = 1e-4,
    ) -> None:
        self._graph, self._shares = graph, LinkShares(damping, omega, form)
        if not 0.0 < tolerance < inf:
            raise SettingsError(f"tolerance is {tolerance}; give a number above 0.")
        self._tolerance = tolerance
        self.passings = 0
        """How often a page has passed something on, since this object was made."""
        self._clear()

    def add(self, page: int) -> None:
        """The links of ``page`` are known to the graph now; a second time nothing happens."""
        self._grow()
        if self._places[page] == _NONE and self._graph.is_page(page):
            self._enter(page)
            self._spread(np.array([page]))

    def lead(self, url: int) -> None:
        """``url`` redirects, as the graph says: links to it count for the page it leads to.

        Nothing happens where it leads nowhere, did so before, was added as a page, or the way
        comes back to it.
        """
        self._grow()
        (target,) = self._ends(np.array([self._graph.where(url)]))
        if target == url or self._leads[url] != url or self._places[url] != _NONE:
            return
        self._pending[target] += self._pending[url] - self._shares.base
        self._pending[url] = self._shares.base
        self._leads[url] = target
        self._spread(self._ready(np.array([target])))

    def values(self, numbers: Sequence[int] | npt.NDArray[np.integer]) -> Reals:
        """The PageRank of URLs, by number: 1 - d where no page links to one."""
        self._grow()
        ends = self._ends(np.asarray(numbers, np.intp))
        found: Reals = self._passed[ends] + self._pending[ends]
        return found

    @property
    def error(self) -> float:
        """All values together are too small by no more than this."""
        most = self._shares.most
        return most / (1.0 - most) * float(self._pending[self._rows.pages].sum())

    def settle(self, error: float = 1e-9) -> None:
        """Pass everything on, all pages at once, until :attr:`error` is at most ``error``.

        For the end of a piece of work: a sweep takes all links of the graph. It ends after 10,000
        of them in any case, which only an omega next to its limit can need.
        """
        from scipy.sparse import csr_array

        self._grow()
        pages, (shares, targets, starts) = self._rows.pages, self._rows.stored()
        shape = (len(pages), len(self._pending))
        matrix = csr_array((shares, self._ends(targets), starts), shape=shape).T
        for _ in range(MOST_SWEEPS):
            if self.error <= error:
                return
            self._pending += matrix @ self._taken(pages)

    def state(self) -> State:
        """What was passed on so far; the graph saves itself."""
        self._grow()
        met = len(self._graph)
        return {
            "passed": self._passed[:met].copy(),
            "pending": self._pending[:met].copy(),
            "leads": self._leads[:met].copy(),
            "pages": self._rows.pages.copy(),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave; the graph must have been restored before."""
        passed, pending = state["passed"], state["pending"]
        leads, pages = state["leads"], state["pages"]
        assert isinstance(passed, np.ndarray) and isinstance(pending, np.ndarray)
        assert isinstance(leads, np.ndarray) and isinstance(pages, np.ndarray)
        self._clear()
        self._grow()
        for page in pages.tolist():
            self._enter(page)
        met = len(passed)
        self._passed[:met], self._pending[:met], self._leads[:met] = passed, pending, leads

    def _clear(self) -> None:
        self._rows = Rows()
        self._passed: Reals = np.empty(0)
        """Of the value of a URL, what it has passed on: nothing before it is a page."""
        self._pending: Reals = np.empty(0)
        """The rest of it."""
        self._limits: Reals = np.empty(0)
        """A page passes on what is pending if it is more than this."""
        self._places: Places = np.empty(0, np.intp)
        """The row of each page."""
        self._leads: Numbers = np.empty(0, np.int32)

    def _grow(self) -> None:
        """Have room for all URLs that the graph has met."""
        known, met = len(self._pending), len(self._graph)
        if met <= known:
            return
        self._passed = grown(self._passed, met)
        self._pending = grown(self._pending, met, self._shares.base)
        self._limits = grown(self._limits, met, inf)
        self._places = grown(self._places, met, _NONE)
        self._leads = grown(self._leads, met)
        self._leads[known:] = np.arange(known, len(self._leads))

    def _enter(self, page: int) -> None:
        links = self._graph.links(page)
        shares = self._shares.of(links.anchors)
        self._places[page] = self._rows.append(page, links.targets, shares)
        self._limits[page] = self._tolerance * len(links)

    def _ends(self, numbers: npt.NDArray[np.integer]) -> Numbers:
        """Where these URLs lead in the end; most to themselves, and none in a circle."""
        further: Numbers = self._leads[numbers]
        while not np.array_equal(further, numbers):
            numbers, further = further, self._leads[further]
        return further

    def _ready(self, numbers: Numbers) -> Places:
        """Which of them are pages that have enough to pass on; each once."""
        enough = self._pending[numbers] > self._limits[numbers]
        return np.unique(numbers[enough]).astype(np.intp)

    def _spread(self, pages: Places) -> None:
        """Pass on what is pending on these pages, then on those that it reaches, and so on."""
        for _ in range(MOST_WAVES):
            if not len(pages):
                return
            self.passings += len(pages)
            targets, arriving = self._rows.carried(self._places[pages], self._taken(pages))
            ends = self._ends(targets)
            np.add.at(self._pending, ends, arriving)
            pages = self._ready(ends)

    def _taken(self, pages: Places | Numbers) -> Reals:
        """All that is pending on these pages; it counts as passed on now."""
        amounts: Reals = self._pending[pages]
        self._pending[pages] = 0.0
        self._passed[pages] += amounts
        return amounts
