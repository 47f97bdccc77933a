"""The four objectives of links (olmoaco Eq. 11-14), their priority (Eq. 10), and the scorers."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from itertools import chain
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from scenthound.core.model import Document, FetchedPage, Link, Rejection, Score
from scenthound.core.protocols import State, SupportsPrepare
from scenthound.papers.olmoaco.link_graph import LinkGraph, Numbers, Reals
from scenthound.papers.olmoaco.pagerank import LinkShares, TopicPageRank
from scenthound.papers.ontologies.model import Ontology
from scenthound.similarity.link_priority import TextModel, WeightedTexts
from scenthound.text.terms import Column

OBJECTIVES = ("anchor", "page", "target", "rank")
ANCHOR_WEIGHT = 0.8
"""olmoaco prints 0.6 for the anchor, 0.15 for the pages that hold the link and 0.25 for the page it
leads to. That page is not known before it is fetched: the other two keep their proportion."""
_PRINTED = np.array([0.6, 0.15, 0.25, 0.0])
_EVIDENCE = ("holders", "anchors", "pages", "best", "relevance")
_FLAGS = ("gone", "queued")
_NOT_FETCHED = -1.0
Flags = npt.NDArray[np.bool_]


def link_priority(objectives: Reals) -> Reals:
    """Return the priority of links with known targets (olmoaco Eq. 10): .6 F1 + .15 F2 + .25 F3.

    Examples
    --------
    >>> link_priority(np.array([[1.0, 0.4, 0.8, 2.0]])).round(2).tolist()
    [0.86]
    """
    found: Reals = objectives @ _PRINTED
    return found


def strongest(point: Reals) -> str:
    """Return the objective in which a link is best, for objectives that run from 0 to 1."""
    return OBJECTIVES[int(point.argmax())]


class LinkMap:
    """The graph of pages and links, and the evidence for each link.

    Parameters
    ----------
    shares : of the PageRank.
    anchor_weight : of the anchor in the priority of a link; the pages that hold it have the rest.
    """

    def __init__(
        self, shares: LinkShares | None = None, anchor_weight: float = ANCHOR_WEIGHT
    ) -> None:
        self._anchor_weight = anchor_weight
        self.graph = LinkGraph()
        self.rank = TopicPageRank(self.graph, shares)
        self._clear()

    def add_page(
        self, url: str, relevance: float, evidence: Mapping[str, tuple[float, float]],
        refused: Container[str] = (),
    ) -> int:  # fmt: skip
        """Add a fetched page and return its number; one that is here already is left as it is.

        ``relevance`` is R(P). ``evidence`` has for each URL it links to the relevance of the
        anchor, R(A), and what the link promises of the target. ``refused`` URLs are not followed
        from here, but count as linked to.
        """
        known = self.graph.find(url)
        if known is not None and self.graph.is_page(known):
            return known
        page = self.graph.add_page(url, list(evidence), [anchor for anchor, _ in evidence.values()])
        links = self.graph.links(page)
        targets, urls = links.targets, self.urls(links.targets.tolist())
        self._column("relevance")[page] = relevance
        self._column("gone")[page] = False  # given up while another asked for it
        self._column("holders")[targets] += 1.0
        self._column("anchors")[targets] += links.anchors
        self._column("pages")[targets] += relevance
        best = self._column("best")
        best[targets] = np.maximum(best[targets], [evidence[each][1] for each in urls])
        queued = [each not in refused for each in urls]
        self._column("queued")[targets] |= np.array(queued, np.bool_)
        self.rank.add(page)
        return page

    def lead(self, url: str, page: str) -> None:
        """Record that ``url`` redirects to ``page``: it waits no longer."""
        if url != page:
            self.graph.lead(url, page)
            self.close(self.graph.number(url))
            self.rank.lead(self.graph.number(url))

    def moved(self, url: str, target: str) -> tuple[int, int]:
        """Let ``target``, to which ``url`` redirects, wait in its place; return both numbers.

        It takes over the evidence for ``url``, unless it was linked to already.
        """
        old, new = self.graph.number(url), self.graph.number(target)
        self.lead(url, target)
        if not self._column("holders")[new]:
            for name in _EVIDENCE:
                self._column(name)[new] = self._column(name)[old]
        self._column("queued")[new] |= self._column("queued")[old]
        return old, new

    def ends(self, numbers: Numbers) -> Numbers:
        """Return the URLs that these redirect to; all others as they are."""
        ends = numbers.copy()
        # A redirect is no page.
        for place in np.flatnonzero(self._column("gone")[numbers]).tolist():
            ends[place] = self.graph.where(int(numbers[place]))
        return ends

    def pages(self) -> list[int]:
        """Return all pages that were fetched, in the order they were first seen."""
        fetched: list[int] = np.flatnonzero(self._column("relevance") != _NOT_FETCHED).tolist()
        return fetched

    def close(self, number: int) -> None:
        """Record that the URL leads to no page."""
        self._column("gone")[number] = True

    def is_gone(self, number: int) -> bool:
        """Return whether it leads to no page of its own."""
        return bool(self._column("gone")[number])

    def is_waiting(self, number: int) -> bool:
        """Return whether it was queued, and neither fetched nor given up."""
        return bool(self.are_waiting(np.array([number], np.int32))[0])

    def are_waiting(self, numbers: Numbers) -> Flags:
        """The same of many at once."""
        found: Flags = self._column("relevance")[numbers] == _NOT_FETCHED
        found &= self._column("queued")[numbers] & ~self._column("gone")[numbers]
        return found

    def are_open(self, numbers: Numbers) -> Flags:
        """Return whether they are pages that are here, or that wait."""
        here: Flags = self._column("relevance")[numbers] != _NOT_FETCHED
        return here | self.are_waiting(numbers)

    def waiting(self) -> Numbers:
        """Return all that some page links to and that wait, in the order they were first seen."""
        linked = np.flatnonzero(self._column("holders")).astype(np.int32)
        return linked[self.are_waiting(linked)]

    def relevances(self, numbers: Numbers) -> Reals:
        """Return the relevance of each page (F3): as it was found, or as it is promised."""
        found = self._column("relevance")[numbers]
        return np.where(found == _NOT_FETCHED, self._column("best")[numbers], found)

    def relevance(self, number: int) -> float | None:
        """Return the relevance of a page that was fetched; None for any other."""
        found = float(self._column("relevance")[number])
        return None if found == _NOT_FETCHED else found

    def objectives(self, numbers: Numbers) -> Reals:
        """Return one row a link: its four objectives, in the order of :data:`OBJECTIVES`."""
        holders = np.maximum(self._column("holders")[numbers], 1.0)
        return np.column_stack(
            [
                self._column("anchors")[numbers] / holders,
                self._column("pages")[numbers] / holders,
                self.relevances(numbers),
                self.rank.values(numbers),
            ]
        )

    def priorities(self, numbers: Numbers) -> Reals:
        """Return the priority of each link (Eq. 10) as far as it is known before the target is."""
        shares = np.array([self._anchor_weight, 1.0 - self._anchor_weight])
        found: Reals = self.objectives(numbers)[:, :2] @ shares
        return found

    def describe(self, number: int) -> str:
        """Return the objectives of a link in words."""
        values = self.objectives(np.array([number], np.int32))[0].tolist()
        pairs = zip(OBJECTIVES, values, strict=True)
        return ", ".join(f"{name} {value:.2f}" for name, value in pairs)

    def urls(self, numbers: Sequence[int]) -> list[str]:
        """Return the URLs of these numbers."""
        return [self.graph.url(number) for number in numbers]

    def state(self) -> State:
        """Return the graph, the ranks and the columns."""
        columns = {name: self._column(name).copy() for name in self._columns}
        return {"graph": self.graph.state(), "rank": self.rank.state(), **columns}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self.graph.restore(state["graph"])
        self.rank.restore(state["rank"])
        self._clear()
        for name in self._columns:
            self._column(name)[:] = state[name]

    def _clear(self) -> None:
        self._columns = {name: Column(np.float64) for name in _EVIDENCE}
        self._columns["relevance"] = Column(np.float64, _NOT_FETCHED)
        self._columns |= {name: Column(np.bool_, False) for name in _FLAGS}

    def _column(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name].upto(len(self.graph))


BELOW_ETA = "priority not above eta"


@runtime_checkable
class HasOntology(Protocol):
    """A text model, or a scorer with one, that uses an ontology."""

    @property
    def ontology(self) -> Ontology | None:
        """The ontology; None for a scorer whose model has none."""


class PriorityScorer(WeightedTexts):
    """The priority of a link; links that are not above ``eta`` are refused.

    Parameters
    ----------
    model : how relevant a text is.
    weights : of the texts, by name.
    eta : olmoaco queues a link only if its priority is above it; 0 queues every link.
    pages : how many the crawl may fetch, for policies that ask; None where unknown.
    """

    def __init__(
        self, model: TextModel, weights: Mapping[str, float], eta: float = 0.0,
        pages: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(model, weights)
        self.eta = eta
        self.refuses = True
        """Are links refused? A policy that judges them when their targets are known says no."""
        self.pages = pages

    def prepare(self) -> None:
        """Let a model learn what it needs before the first fetch."""
        if isinstance(self.model, SupportsPrepare):
            self.model.prepare()

    @property
    def ontology(self) -> Ontology | None:
        """The ontology of the model; None for a model without one."""
        return self.model.ontology if isinstance(self.model, HasOntology) else None

    def score(  # type: ignore[override]  # the others refuse none
        self, fetched: FetchedPage, links: Sequence[Link]
    ) -> Sequence[Score | Rejection]:
        """Return one score a link, or a refusal."""
        scores = super().score(fetched, links)
        if not self.eta or not self.refuses:
            return scores
        return [Rejection(BELOW_ETA) if score.value <= self.eta else score for score in scores]


class LinkMapScorer(PriorityScorer):
    """The same, and every page and link is entered in a map.

    Parameters
    ----------
    model, weights, eta, pages : see :class:`PriorityScorer`.
    links : the map.
    """

    def __init__(
        self, model: TextModel, weights: Mapping[str, float], eta: float, links: LinkMap,
        pages: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(model, weights, eta, pages)
        self.map = links

    def score(  # type: ignore[override]  # as above
        self, fetched: FetchedPage, links: Sequence[Link]
    ) -> Sequence[Score | Rejection]:
        """Return one score a link, or a refusal; refused links are on the map, but not queued."""
        scores = super().score(fetched, links)
        page = fetched.page
        for url in (fetched.candidate.url, *page.redirects):
            self.map.lead(url, page.url)
        if not page.ok:
            self.map.close(self.map.graph.number(page.url))
            return scores
        evidence = self._evidence(links, scores, page.document)
        passed = {link.url for link, s in zip(links, scores, strict=True) if isinstance(s, Score)}
        self.map.add_page(
            page.url, self.page_similarity(page.document), evidence, evidence.keys() - passed
        )
        return scores

    def _evidence(
        self, links: Sequence[Link], scores: Sequence[Score | Rejection], page: Document
    ) -> dict[str, tuple[float, float]]:
        """For each URL the best relevance of an anchor, and of an anchor or the words around it.

        Anchors that a score has as a part are not read again.
        """
        known = {
            link.anchor: score.part("anchor", 0.0)
            for link, score in zip(links, scores, strict=True)
            if isinstance(score, Score) and "anchor" in self.names
        }
        texts = chain.from_iterable((link.anchor, link.context) for link in links)
        relevance = known | self.text_similarities((t for t in texts if t not in known), page)
        evidence: dict[str, tuple[float, float]] = {}
        for link in links:
            anchor, around = relevance[link.anchor], relevance[link.context]
            best, promise = evidence.get(link.url, (0.0, 0.0))
            evidence[link.url] = (max(anchor, best), max(anchor, around, promise))
        return evidence

    def state(self) -> State:
        """Return what was learned of words, and the map."""
        return {"reading": super().state(), "map": self.map.state()}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        super().restore(state["reading"])
        self.map.restore(state["map"])
