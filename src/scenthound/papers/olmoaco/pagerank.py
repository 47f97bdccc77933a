"""What part of its PageRank a page passes on along each of its links (olmoaco Eq. 15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.protocols import State
from scenthound.papers.olmoaco.link_graph import LinkGraph, Numbers, Reals

PRINTED, NORMALISED = FORMS = ("printed", "normalised")


def printed_shares(anchors: Reals, damping: float, omega: float) -> Reals:
    """d * (1 + omega * R) / C for each link, C being the number of links (olmoaco Eq. 15).

    Parameters
    ----------
    anchors : R, the relevance of the anchor of each link; no link gives no share.
    damping, omega : d and omega.
    """
    return damping * (1.0 + omega * anchors) / max(len(anchors), 1)


def normalised_shares(anchors: Reals, damping: float, omega: float) -> Reals:
    """d * (1 + omega * R) / (sum of 1 + omega * R over the links): together d, whatever omega is.

    Ours; parameters as of :func:`printed_shares`.
    """
    weights = 1.0 + omega * anchors
    return damping * weights / max(float(weights.sum()), 1.0)


def largest_omega(damping: float) -> float:
    """The printed form needs an omega below this, so that d * (1 + omega) < 1."""
    return (1.0 - damping) / damping


@dataclass(frozen=True, slots=True)
class LinkShares:
    """How pages share out their PageRank.

    Parameters
    ----------
    damping : d, between 0 and 1.
    omega : how much a relevant anchor adds. In the printed form a page passes on up to
        d * (1 + omega) of its value; from (1 - d) / d on that is all of it or more, the sums may
        grow without end, and it is refused.
    form : "printed" as in the paper; "normalised" has no such limit.
    """

    damping: float = 0.85
    omega: float = 0.10
    form: str = PRINTED

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise UnknownNameError("form of PageRank", self.form, FORMS)
        if not 0.0 < self.damping < 1.0:
            raise SettingsError(f"damping is {self.damping}; give a number between 0 and 1.")
        if not 0.0 <= self.omega < inf:
            raise SettingsError(f"omega is {self.omega}; give a number of 0 or more.")
        if self.most >= 1.0:
            raise SettingsError(
                f"omega is {self.omega}, and with damping {self.damping} PageRank grows without "
                f"end from (1 - damping) / damping = {largest_omega(self.damping):.4g} on; give a "
                f"smaller omega, or the form {NORMALISED!r}."
            )

    @property
    def base(self) -> float:
        """1 - d: the PageRank of a URL that no page links to."""
        return 1.0 - self.damping

    @property
    def most(self) -> float:
        """The largest part of its value that a page can pass on."""
        return self.damping * (1.0 + self.omega * (self.form == PRINTED))

    def of(self, anchors: Reals) -> Reals:
        """The share of each link of a page.

        ``anchors`` outside 0 to 1 count as the nearer end, what is no number as 0: the sums end
        only for relevances up to 1.
        """
        relevances = np.fmin(np.fmax(anchors, 0.0), 1.0)
        shares = printed_shares if self.form == PRINTED else normalised_shares
        return shares(relevances, self.damping, self.omega)


# Rows of a sparse matrix that grows at its end: to what each page passes on, and how much.


Indices = npt.NDArray[np.intp]
"""Which items of an array."""


def grow_array(array: npt.NDArray[Any], size: int, fill: float = 0.0) -> npt.NDArray[Any]:
    """``array`` with room for ``size`` items at least, the new ones ``fill``.

    It is doubled, so that appending costs the same however long it is; with room enough it is
    given back as it is.
    """
    if size <= len(array):
        return array
    larger = np.full(max(size, 2 * len(array)), fill, array.dtype)
    larger[: len(array)] = array
    return larger


class Rows:
    """Row after row in two arrays, as in a CSR matrix; a row belongs to a page."""

    def __init__(self) -> None:
        self._pages: Numbers = np.empty(0, np.int32)
        self._ends: npt.NDArray[np.int64] = np.zeros(1, np.int64)
        self._targets: Numbers = np.empty(0, np.int32)
        self._shares: Reals = np.empty(0)
        self._count = 0

    def __len__(self) -> int:
        """Number of rows."""
        return self._count

    @property
    def pages(self) -> Numbers:
        """The page of each row."""
        return self._pages[: self._count]

    def append(self, page: int, targets: Numbers, shares: Reals) -> int:
        """Add a row: the columns where it is not zero, and what stands there. The place of it."""
        place, start = self._count, int(self._ends[self._count])
        end = start + len(targets)
        self._pages = grow_array(self._pages, place + 1)
        self._ends = grow_array(self._ends, place + 2)
        self._targets = grow_array(self._targets, end)
        self._shares = grow_array(self._shares, end)
        self._pages[place], self._ends[place + 1] = page, end
        self._targets[start:end], self._shares[start:end] = targets, shares
        self._count += 1
        return place

    def carried(self, places: Indices, amounts: Reals) -> tuple[Numbers, Reals]:
        """Where something arrives, and what, if the rows at ``places`` pass on ``amounts``.

        Costs as much as these rows are long. Several amounts for one target are not yet added.
        """
        starts = self._ends[places]
        sizes = self._ends[places + 1] - starts
        before = np.cumsum(sizes) - sizes
        at = np.arange(sizes.sum()) + np.repeat(starts - before, sizes)
        return self._targets[at], self._shares[at] * np.repeat(amounts, sizes)

    def stored(self) -> tuple[Reals, Numbers, npt.NDArray[np.int64]]:
        """Shares, targets and where each row begins, for a CSR matrix; copies of nothing."""
        end = self._ends[self._count]
        return self._shares[:end], self._targets[:end], self._ends[: self._count + 1]


# PageRank that prefers links whose anchors are about the topic (olmoaco Eq. 15).
#
# PR(u) = (1 - d) + d * sum over the pages i that link to u of PR(i) / C(i) * (1 + omega * R(i,
# u)),
#
# where C(i) is the number of links of page i and R(i, u) the relevance of the anchor. Only
# fetched pages pass anything on. Values are kept up to date page by page: each page remembers
# what has reached it and was not yet passed on; when that is enough to matter it goes along the
# links, and so on from there (forward push: Andersen, Chung and Lang, Local graph partitioning
# using PageRank vectors, FOCS 2006).


MOST_WAVES = 100
"""Of passing on after a page was added: with omega close to its limit they hardly fade."""
MOST_SWEEPS = 10_000
_NONE = -1


class TopicPageRank:
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
        self.pushes = 0
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
        """Restore what :meth:`state` returned; the graph must have been restored before."""
        passed, pending = state["passed"], state["pending"]
        leads, pages = state["leads"], state["pages"]
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
        self._places: Indices = np.empty(0, np.intp)
        """The row of each page."""
        self._leads: Numbers = np.empty(0, np.int32)

    def _grow(self) -> None:
        """Have room for all URLs that the graph has met."""
        known, met = len(self._pending), len(self._graph)
        if met <= known:
            return
        self._passed = grow_array(self._passed, met)
        self._pending = grow_array(self._pending, met, self._shares.base)
        self._limits = grow_array(self._limits, met, inf)
        self._places = grow_array(self._places, met, _NONE)
        self._leads = grow_array(self._leads, met)
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

    def _ready(self, numbers: Numbers) -> Indices:
        """Which of them are pages that have enough to pass on; each once."""
        enough = self._pending[numbers] > self._limits[numbers]
        return np.unique(numbers[enough]).astype(np.intp)

    def _spread(self, pages: Indices) -> None:
        """Pass on what is pending on these pages, then on those that it reaches, and so on."""
        for _ in range(MOST_WAVES):
            if not len(pages):
                return
            self.pushes += len(pages)
            targets, arriving = self._rows.carried(self._places[pages], self._taken(pages))
            ends = self._ends(targets)
            np.add.at(self._pending, ends, arriving)
            pages = self._ready(ends)

    def _taken(self, pages: Indices | Numbers) -> Reals:
        """All that is pending on these pages; it counts as passed on now."""
        amounts: Reals = self._pending[pages]
        self._pending[pages] = 0.0
        self._passed[pages] += amounts
        return amounts
