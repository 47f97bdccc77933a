"""How a strategy weights the texts of a link: fixed weights, a balance, weights learned during the
crawl (svsm-mcoa 3.2-3.3, Eq. 7), or the link priority of olmoaco (Eq. 10). Each is a text
model and a weighting rule; called with the context it makes the scorer. Weights given by the
user take precedence.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, FetchedPage, Parts, Score
from scenthound.core.parameters import Value, check_name, check_unit_interval, keyword_parameters
from scenthound.core.protocols import FittedWeights, Scorer, State
from scenthound.papers.olmoaco import objectives
from scenthound.papers.olmoaco.pagerank import LinkShares
from scenthound.similarity.judge import SimilarityJudge
from scenthound.similarity.link_priority import (
    EVIDENCE,
    STRUCTURE,
    ModelScorer,
    Relevance,
    TextModel,
    WeightedTexts,
    uniform_weights,
)
from scenthound.strategies.spec import StrategyContext
from scenthound.strategies.text_model_builders import TEXT_MODELS
from scenthound.strategies.weight_learning import (
    FIT_INTERVAL,
    MIN_LINKS,
    WeightFitter,
    WeightLearner,
)


class LearnedTexts(WeightFitter, WeightedTexts):
    """Scores links by the texts around them, with weights that follow what the crawl finds.

    ``relevance`` of a page, in [0, 1], is what the weights predict.
    """

    def __init__(
        self, model: TextModel, learner: WeightLearner, weights: dict[str, float],
        relevance: Relevance,
    ) -> None:  # fmt: skip
        super().__init__(model, weights, relevance)
        self._learner = learner

    def observe(self, fetched: FetchedPage) -> None:
        """Learn from the page, and from the link that led to it."""
        super().observe(fetched)
        self._learner.count_page()
        parts = fetched.candidate.score.parts
        if tuple(part.name for part in parts) == self.names:  # a seed was found by no link
            self._learner.add([p.value for p in parts], self._relevance(fetched.page.document))

    def _update_weights(self) -> bool:
        found = self._learner.fit()
        if found is not None:
            self.set_weights(found)
        return found is not None

    def follow(self, fitted: FittedWeights | None) -> None:
        """Use the weights of another worker, or those at the start (None)."""
        self.set_weights(self._learner.follow(fitted))

    def state(self) -> State:
        """What was learned of words and of weights."""
        return {"reading": super().state(), "weights": self._learner.state()}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        super().restore(state["reading"])
        self.set_weights(self._learner.restore(state["weights"]))

    def reweighed(self, score: Score) -> Score:
        """Return the score with the current weights; that of a seed, which has no parts, stays."""
        if not score.parts:
            return score
        parts = Parts.of(score.parts)
        new = map(self.weights.get, parts.names, parts.weights)
        return Parts(parts.names, parts.values, tuple(new)).score()


SOFT_TEXTS = ("full", "anchor", "context")
"""The texts our own crawlers read, chosen by measurement (docs/papers.md)."""
TARGETS = ("judge", "model")


class TextWeighting(ABC):
    """A text model (a name of ``TEXT_MODELS``), and how the similarities of texts are weighted.

    ``texts`` are weighted where the weighting leaves a choice; ``preset`` are other defaults for
    some of the parameters.
    """

    def __init__(self, model: str, texts: Sequence[str] = (), **preset: Value) -> None:
        self.model = TEXT_MODELS[model]
        self._texts, self._preset = texts, preset

    def __call__(self, context: StrategyContext, /, **parameters: Any) -> Scorer:
        """The scorer; ``parameters`` are the model's and those of :meth:`scorer`."""
        others = {**self._preset, **parameters}
        own = {key: others.pop(key) for key in keyword_parameters(self.scorer) if key in others}
        return self.scorer(context, self.model.build(context, **others), **own)

    @property
    def __signature__(self) -> inspect.Signature:
        """All keyword parameters, so that they can be listed and set."""
        known = {
            **keyword_parameters(self.model.build), **keyword_parameters(self.scorer),
            **self._preset,
        }  # fmt: skip
        keyword = inspect.Parameter.KEYWORD_ONLY
        return inspect.Signature(
            [inspect.Parameter(name, keyword, default=value) for name, value in known.items()]
        )

    @abstractmethod
    def scorer(self, context: StrategyContext, model: TextModel) -> Scorer:
        """Return the scorer of the model."""


class FixedWeights(TextWeighting):
    """The same weight for each of ``texts``."""

    def scorer(self, context: StrategyContext, model: TextModel) -> Scorer:
        """Nothing to set."""
        return weighted_scorer(context, model, uniform_weights(self._texts))


class BalancedTexts(TextWeighting):
    """Full text and anchor (sdvsm Eq. 21)."""

    def scorer(self, context: StrategyContext, model: TextModel, *, balance: float = 0.5) -> Scorer:
        """``balance`` is the weight of the page's full text; the anchor gets the rest."""
        check_unit_interval(balance=balance)
        return weighted_scorer(context, model, {"full": balance, "anchor": 1.0 - balance})


class LearnedWeights(TextWeighting):
    """Equal weights for ``texts`` to begin with, then those that fit the links followed so far."""

    def scorer(
        self, context: StrategyContext, model: TextModel, *,
        optimiser: str = "exact", every: int = FIT_INTERVAL, enough: int = MIN_LINKS,
        prior_weight: float = 0.0, target: str = "judge", structure: bool = False,
    ) -> Scorer:  # fmt: skip
        """Weights are learned during the crawl, from the links whose targets it has fetched.

        The ``optimiser`` "exact" fits them again after ``every`` so many pages (and later whenever
        the crawl has grown by a tenth); any other of ``scenthound tune`` runs once, with its
        default parameters, when ``enough`` links are known, and the crawl waits some seconds for
        it. ``prior_weight``: the weights at the start count as if so many links agreed with them.
        ``target`` is what the weights predict: the relevance of the page by the "judge", or by
        the text "model" itself. With ``structure`` the record of the link's host, the relevance of
        the page that holds it and the number of pages that link there are weighted too.
        """
        check_name("target", target, TARGETS)
        names = (*self._texts, *(STRUCTURE if structure else ()))
        given = context.weights
        weights = uniform_weights(names) if given is None else given.values
        start = {name: weights[name] for name in EVIDENCE if name in weights}
        seed = context.rng.randrange(2**31)
        learner = WeightLearner(start, optimiser, every, enough, prior_weight, seed)
        by_model = cached_relevance(ModelScorer(model).page_similarity)
        relevance = by_model if target == "model" else judge_relevance(context)
        return LearnedTexts(model, learner, start, relevance)


def cached_relevance(relevance: Relevance) -> Relevance:
    """Return a relevance that is worked out once for a page, however often it is asked for."""
    last: list[tuple[Document, float]] = []

    def cached(document: Document) -> float:
        if not last or last[0][0] is not document:
            last[:] = [(document, relevance(document))]
        return last[0][1]

    return cached


def weighted_scorer(
    context: StrategyContext, model: TextModel, weights: Mapping[str, float]
) -> WeightedTexts:
    """A scorer with these weights, or with those that the user gives."""
    values = weights if context.weights is None else context.weights.values
    needs_judge = bool(set(STRUCTURE) & set(values))
    return WeightedTexts(model, values, judge_relevance(context) if needs_judge else None)


def judge_relevance(context: StrategyContext) -> Relevance:
    """The relevance of a page by the judge: the steering model is not asked."""
    return cached_relevance(SimilarityJudge(context.profile, context.analyzer).similarity)


class LinkPriority(TextWeighting):
    """Anchor and page (olmoaco Eq. 10)."""

    def scorer(
        self, context: StrategyContext, model: TextModel, *,
        anchor_weight: float = objectives.ANCHOR_WEIGHT, eta: float = 0.0,
    ) -> objectives.PriorityScorer:  # fmt: skip
        """The priority of a link is that of olmoaco Eq. 10, without the page that it leads to.

        Parameters
        ----------
        anchor_weight : of the anchor's relevance; that of the page with the link gets the rest.
        eta : links whose priority is not above it are not queued; 0 for all.
        """
        weights = priority_weights(context, anchor_weight, eta)
        return objectives.PriorityScorer(model, weights, eta, context.pages)


class LinkMapPriority(TextWeighting):
    """Anchor and page, and a map for policies that walk."""

    def scorer(
        self, context: StrategyContext, model: TextModel, *,
        anchor_weight: float = objectives.ANCHOR_WEIGHT, eta: float = 0.0,
        damping: float = 0.85, omega: float = 0.1, pagerank: str = "printed",
    ) -> objectives.LinkMapScorer:  # fmt: skip
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
        weights = priority_weights(context, anchor_weight, eta)
        links = objectives.LinkMap(LinkShares(damping, omega, pagerank), anchor_weight)
        return objectives.LinkMapScorer(model, weights, eta, links, context.pages)


def priority_weights(
    context: StrategyContext, anchor_weight: float, eta: float
) -> Mapping[str, float]:
    """The weights of Eq. 10 without the target, or those that the user gives."""
    check_unit_interval(anchor_weight=anchor_weight)
    if not 0.0 <= eta < 1.0:
        raise SettingsError(f"eta must lie within 0 and 1, below 1, not at {eta}.")
    if context.weights is not None:
        return context.weights.values
    return {"full": 1.0 - anchor_weight, "anchor": anchor_weight}
