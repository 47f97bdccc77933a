"""Links valued by anchor and page (olmoaco Eq. 10), and a map of them for those who walk it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Protocol, runtime_checkable

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, Link, Refusal, Score, Visit
from scenthound.core.protocols import Preparing, State
from scenthound.ontology.model import Ontology
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.link_map import ANCHOR_WEIGHT, LinkMap
from scenthound.strategies.model_scorer import TextModel
from scenthound.strategies.text_forms import within_0_and_1
from scenthound.strategies.weighing import Weighing
from scenthound.strategies.weighted import WeightedTexts

BELOW_ETA = "priority not above eta"


@runtime_checkable
class Taught(Protocol):
    """A text model, or a scorer with one, that goes by an ontology."""

    @property
    def ontology(self) -> Ontology | None:
        """The ontology; None for a scorer whose model has none."""
        ...


class PriorityTexts(WeightedTexts):
    """The priority of a link; links that are not above ``eta`` are refused.

    Parameters
    ----------
    model : how relevant a text is.
    weights : of the texts, by name.
    eta : olmoaco queues a link only if its priority is above it; 0 queues every link.
    pages : how many the crawl may fetch, for policies that ask; None where nobody knows.
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
        if isinstance(self._model, Preparing):
            self._model.prepare()

    @property
    def ontology(self) -> Ontology | None:
        """What the model goes by; None for a model without an ontology."""
        return self._model.ontology if isinstance(self._model, Taught) else None

    def score(  # type: ignore[override]  # the others refuse none
        self, visit: Visit, links: Sequence[Link]
    ) -> Sequence[Score | Refusal]:
        """One score a link, or a refusal."""
        scores = super().score(visit, links)
        if not self.eta or not self.refuses:
            return scores
        return [Refusal(BELOW_ETA) if score.value <= self.eta else score for score in scores]


class MappedTexts(PriorityTexts):
    """The same, and every page and link is entered in a map.

    Parameters
    ----------
    model, weights, eta : see :class:`PriorityTexts`.
    links : the map.
    pages : how many the crawl may fetch; None where nobody knows.
    """

    def __init__(
        self, model: TextModel, weights: Mapping[str, float], eta: float, links: LinkMap,
        pages: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(model, weights, eta, pages)
        self.map = links

    def score(  # type: ignore[override]  # as above
        self, visit: Visit, links: Sequence[Link]
    ) -> Sequence[Score | Refusal]:
        """One score a link, or a refusal; refused links are on the map, and closed from here."""
        scores = super().score(visit, links)
        page = visit.page
        for url in (visit.candidate.url, *page.redirects):
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
        self, links: Sequence[Link], scores: Sequence[Score | Refusal], page: Document
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
        """What was learnt of words, and the map."""
        return {"reading": super().state(), "map": self.map.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        reading, links = state["reading"], state["map"]
        assert isinstance(reading, dict) and isinstance(links, dict)
        super().restore(reading)
        self.map.restore(links)


class LinkPriority(Weighing):
    """Anchor and page (olmoaco Eq. 10)."""

    def scorer(
        self, ingredients: Ingredients, model: TextModel, *,
        anchor_weight: float = ANCHOR_WEIGHT, eta: float = 0.0,
    ) -> PriorityTexts:  # fmt: skip
        """The priority of a link is that of olmoaco Eq. 10, without the page that it leads to.

        Parameters
        ----------
        anchor_weight : of the anchor's relevance; that of the page with the link gets the rest.
        eta : links whose priority is not above it are not queued; 0 for all.
        """
        weights = priority_weights(ingredients, anchor_weight, eta)
        return PriorityTexts(model, weights, eta, ingredients.pages)


class MappedPriority(Weighing):
    """Anchor and page, and a map for policies that walk."""

    def scorer(
        self, ingredients: Ingredients, model: TextModel, *,
        anchor_weight: float = ANCHOR_WEIGHT, eta: float = 0.0,
        damping: float = 0.85, omega: float = 0.1, pagerank: str = "printed",
    ) -> MappedTexts:  # fmt: skip
        """The priority of a link is that of olmoaco Eq. 10, without the page that it leads to.

        Parameters
        ----------
        anchor_weight : of the anchor's relevance; that of the page with the link gets the rest.
        eta : links whose priority is not above it are not queued, nor walked; 0 for all.
        damping : d of the topic-biased PageRank (Eq. 15).
        omega : how much a relevant anchor adds there. Eq. 15 has a solution only for
            omega < (1 - d) / d, and a larger one is refused.
        pagerank : "printed", or "normalised" (ours): the shares of a page's links add up to 1, so
            that there always is a solution.
        """
        weights = priority_weights(ingredients, anchor_weight, eta)
        links = LinkMap(damping, omega, pagerank, anchor_weight)
        return MappedTexts(model, weights, eta, links, ingredients.pages)


def priority_weights(
    ingredients: Ingredients, anchor_weight: float, eta: float
) -> Mapping[str, float]:
    """The weights of Eq. 10 without the target, or those that the user gives."""
    within_0_and_1(anchor_weight=anchor_weight)
    if not 0.0 <= eta < 1.0:
        raise SettingsError(f"eta must lie within 0 and 1, below 1, not at {eta}.")
    if ingredients.weights is not None:
        return ingredients.weights.values
    return {"full": 1.0 - anchor_weight, "anchor": anchor_weight}
