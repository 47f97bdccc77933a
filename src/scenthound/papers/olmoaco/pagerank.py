"""Topic-biased PageRank (olmoaco Eq. 15), kept up to date while the crawl grows:

PR(u) = (1 - d) + d * sum over the pages i that link to u of PR(i) / C(i) * (1 + omega * R(i, u)),

where C(i) is the number of links of page i and R(i, u) the relevance of the anchor. Only fetched
pages pass anything on. Each page remembers what has reached it and was not yet passed on; when
that is enough to matter it goes along the links, and so on from there (forward push: Andersen,
Chung and Lang, Local graph partitioning using PageRank vectors, FOCS 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import check_name
from scenthound.core.protocols import State
from scenthound.papers.olmoaco.link_graph import LinkGraph, Numbers, Reals
from scenthound.text.terms import Column

PRINTED, NORMALISED = FORMS = ("printed", "normalised")


def printed_shares(anchors: Reals, damping: float, omega: float) -> Reals:
    """Return d * (1 + omega * R) / C for each link, given R; C is their number (olmoaco Eq. 15)."""
    return damping * (1.0 + omega * anchors) / max(len(anchors), 1)


def normalised_shares(anchors: Reals, damping: float, omega: float) -> Reals:
    """Return d * (1 + omega * R) / (sum of 1 + omega * R): together d, for any omega.

    Ours.
    """
    weights = 1.0 + omega * anchors
    return damping * weights / max(float(weights.sum()), 1.0)


@dataclass(frozen=True, slots=True)
class LinkShares:
    """How pages share out their PageRank.

    A relevant anchor adds ``omega``. In the "printed" form a page passes on up to d * (1 + omega)
    of its value; from (1 - d) / d on the sums may grow without end, and it is refused. The form
    "normalised" has no such limit.
    """

    damping: float = 0.85
    omega: float = 0.10
    form: str = PRINTED

    def __post_init__(self) -> None:
        check_name("form of PageRank", self.form, FORMS)
        if not 0.0 < self.damping < 1.0:
            raise SettingsError(f"damping is {self.damping}; give a number between 0 and 1.")
        if not 0.0 <= self.omega < inf:
            raise SettingsError(f"omega is {self.omega}; give a number of 0 or more.")
        if self.most >= 1.0:
            limit = self.base / self.damping
            raise SettingsError(
                f"omega is {self.omega}, and with damping {self.damping} PageRank grows without "
                f"end from (1 - damping) / damping = {limit:.4g} on; give a "
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
        """Return the share of each link of a page.

        ``anchors`` outside 0 to 1 count as the nearer end, what is no number as 0: the sums end
        only for relevances up to 1.
        """
        relevances = np.fmin(np.fmax(anchors, 0.0), 1.0)
        shares = printed_shares if self.form == PRINTED else normalised_shares
        return shares(relevances, self.damping, self.omega)


Indices = npt.NDArray[np.intp]
"""Which items of an array."""
MOST_WAVES = 100
"""Of passing on after a page was added: with omega close to its limit they hardly fade."""
MOST_SWEEPS = 10_000


class TopicPageRank:
    """The PageRank of all URLs of a graph, while it grows.

    Over a crawl, adding a page visits its links and at most (1 - d) / ((1 - q) * tolerance) others,
    however large the graph is: all that pages ever pass on is limited, and a visit after the first
    takes more than the tolerance away from it.

    Parameters
    ----------
    graph : whose pages are given to :meth:`add` as they are fetched.
    shares : how a page shares out what it passes on.
    tolerance : a page passes on what has reached it once there is more than this for each of its
        links. All values together are then too small by at most q / (1 - q) * tolerance * links of
        the graph, where q is the most that a page passes on. :attr:`error` is how much it is by
        now, and :meth:`settle` makes it as small as one likes.
    """

    def __init__(
        self, graph: LinkGraph, shares: LinkShares | None = None, tolerance: float = 1e-4
    ) -> None:
        self._graph, self._shares = graph, shares or LinkShares()
        self._tolerance = tolerance
        self.pushes = 0
        """How often a page has passed something on, since this object was made."""
        self._clear()

    def add(self, page: int) -> None:
        """Add a page whose links are in the graph now; a second time nothing happens."""
        self._grow()
        if page not in self._rows and self._graph.is_page(page):
            self._enter(page)
            self._spread(np.array([page]))

    def lead(self, url: int) -> None:
        """Let links to ``url`` count for the page it redirects to, as the graph says.

        Nothing happens if it redirects nowhere, did so before, was added as a page, or the
        redirects come back to it.
        """
        self._grow()
        (target,) = self._ends(np.array([self._graph.where(url)]))
        if target == url or self._leads[url] != url or url in self._rows:
            return
        self._pending[target] += self._pending[url] - self._shares.base
        self._pending[url] = self._shares.base
        self._leads[url] = target
        self._spread(self._ready(np.array([target])))

    def values(self, numbers: Sequence[int] | npt.NDArray[np.integer]) -> Reals:
        """Return the PageRank of URLs, by number: 1 - d where no page links to one."""
        self._grow()
        ends = self._ends(np.asarray(numbers, np.intp))
        found: Reals = self._passed[ends] + self._pending[ends]
        return found

    @property
    def error(self) -> float:
        """All values together are too small by no more than this."""
        most = self._shares.most
        return most / (1.0 - most) * float(self._pending[self._pages()].sum())

    def settle(self, error: float = 1e-9) -> None:
        """Pass everything on, all pages at once, until :attr:`error` is at most ``error``.

        A sweep takes all links of the graph. It ends after 10,000 of them in any case, which only
        an omega next to its limit can need.
        """
        from scipy.sparse import csr_array

        self._grow()
        if not self._rows:
            return
        pages = self._pages()
        targets, shares = zip(*self._rows.values(), strict=True)
        starts = np.cumsum([0, *map(len, shares)])
        columns = self._ends(np.concatenate(targets))
        shape = (len(pages), len(self._pending))
        matrix = csr_array((np.concatenate(shares), columns, starts), shape=shape).T
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
            "pages": np.array(list(self._rows), np.int32),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned; the graph must have been restored before."""
        self._clear()
        self._grow()
        for page in state["pages"].tolist():
            self._enter(page)
        met = len(state["passed"])
        self._passed[:met], self._pending[:met] = state["passed"], state["pending"]
        self._leads[:met] = state["leads"]

    def _clear(self) -> None:
        self._rows: dict[int, tuple[Numbers, Reals]] = {}
        """For each page the targets of its links, and the share that each of them gets."""
        base = self._shares.base
        self._columns = (
            Column(np.float64), Column(np.float64, base), Column(np.float64, inf), Column(np.intp),
        )  # fmt: skip
        self._refer(0)

    def _grow(self) -> None:
        """Have room for all URLs that the graph has seen."""
        known, seen = len(self._leads), len(self._graph)
        if seen > known:
            self._refer(seen)
            self._leads[known:] = np.arange(known, seen)

    def _refer(self, size: int) -> None:
        """Take the columns of so many URLs.

        ``passed`` is the part of the value of a URL that it has passed on, ``pending`` the rest. A
        page passes on what is pending if it is more than its limit.
        """
        self._passed, self._pending, self._limits, self._leads = (
            column.upto(size) for column in self._columns
        )

    def _pages(self) -> Indices:
        return np.array(list(self._rows), np.intp)

    def _enter(self, page: int) -> None:
        links = self._graph.links(page)
        self._rows[page] = links.targets, self._shares.of(links.anchors)
        self._limits[page] = self._tolerance * len(links)

    def _ends(self, numbers: npt.NDArray[np.integer]) -> Numbers:
        """Where these URLs redirect to in the end; most to themselves, and none in a cycle."""
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
            amounts = self._taken(pages).tolist()
            rows = [self._rows[page] for page in pages.tolist()]
            ends = self._ends(np.concatenate([targets for targets, _ in rows]))
            arriving = [shares * each for (_, shares), each in zip(rows, amounts, strict=True)]
            np.add.at(self._pending, ends, np.concatenate(arriving))
            pages = self._ready(ends)

    def _taken(self, pages: Indices) -> Reals:
        """All that is pending on these pages; it counts as passed on now."""
        amounts: Reals = self._pending[pages]
        self._pending[pages] = 0.0
        self._passed[pages] += amounts
        return amounts
