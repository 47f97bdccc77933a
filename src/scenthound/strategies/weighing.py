"""How a crawler weighs the texts of a link: fixed weights, a balance, or weights it learns.

Each is a text model and a way to weigh; called with the ingredients it makes the scorer. Its
parameters are those of the model and its own. Weights that the user gives come first in all.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from scenthound.core.errors import UnknownNameError
from scenthound.core.model import Document
from scenthound.core.parameters import Value, keyword_parameters
from scenthound.core.protocols import Scorer
from scenthound.relevance.judge import SimilarityJudge
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.learned import LearnedTexts
from scenthound.strategies.link_structure import STRUCTURE
from scenthound.strategies.model_scorer import ModelScorer, TextModel
from scenthound.strategies.text_forms import within_0_and_1
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.strategies.weight_learning import ENOUGH, EVERY, WeightLearner
from scenthound.strategies.weighted import EVIDENCE, Relevance, WeightedTexts, equal

SOFT_TEXTS = ("full", "anchor", "context")
"""The texts our own crawlers read, chosen by measurement (docs/papers.md)."""
TARGETS = ("judge", "model")


class Weighing(ABC):
    """A text model, and a way to weigh.

    Parameters
    ----------
    model : a name of ``TEXT_MODELS``.
    preset : other defaults for some of the parameters.
    """

    def __init__(self, model: str, **preset: Value) -> None:
        self.model = TEXT_MODELS[model]
        self._preset = preset

    def __call__(self, ingredients: Ingredients, **parameters: Any) -> Scorer:
        """The scorer; ``parameters`` are the model's and those of :meth:`scorer`."""
        known, given = keyword_parameters(self.scorer), {**self._preset, **parameters}
        own = {key: value for key, value in given.items() if key in known}
        others = {key: value for key, value in given.items() if key not in known}
        return self.scorer(ingredients, self.model.build(ingredients, **others), **own)

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
    def scorer(self, ingredients: Ingredients, model: TextModel) -> Scorer:
        """Made of the model and the way to weigh."""


class FixedWeights(Weighing):
    """The same weight for each of some texts.

    Parameters
    ----------
    model : a name of ``TEXT_MODELS``.
    texts : the texts that are weighed.
    preset : other defaults for some of the parameters.
    """

    def __init__(self, model: str, texts: Sequence[str], **preset: Value) -> None:
        super().__init__(model, **preset)
        self._weights = equal(texts)

    def scorer(self, ingredients: Ingredients, model: TextModel) -> Scorer:
        """Nothing to set."""
        return weighted(ingredients, model, self._weights)


class BalancedTexts(Weighing):
    """Full text and anchor (sdvsm Eq. 21)."""

    def scorer(self, ingredients: Ingredients, model: TextModel, *, balance: float = 0.5) -> Scorer:
        """``balance`` is the weight of the page's full text; the anchor gets the rest."""
        within_0_and_1(balance=balance)
        return weighted(ingredients, model, {"full": balance, "anchor": 1.0 - balance})


class LearnedWeights(Weighing):
    """Equal weights to begin with, then those that fit the links followed so far best.

    Parameters
    ----------
    model : a name of ``TEXT_MODELS``.
    texts : the texts that are weighed.
    preset : other defaults for some of the parameters.
    """

    def __init__(self, model: str, texts: Sequence[str], **preset: Value) -> None:
        super().__init__(model, **preset)
        self._texts = texts

    def scorer(
        self, ingredients: Ingredients, model: TextModel, *, optimiser: str = "exact",
        every: int = EVERY, enough: int = ENOUGH, hold: float = 0.0, target: str = "judge",
        structure: bool = False,
    ) -> Scorer:  # fmt: skip
        """Weights are learnt during the crawl, from the links whose targets it has fetched.

        The ``optimiser`` "exact" fits them anew after ``every`` so many pages (and later whenever
        the crawl has grown by a tenth); any other of ``scenthound tune`` runs once, with its
        default parameters, when ``enough`` links are known, and the crawl waits some seconds for
        it. ``hold``: the weights at the start count as if so many links agreed with them.
        ``target`` is what the weights predict: the relevance of the page by the "judge", or by
        the text "model" itself. With ``structure`` the record of the link's host, the relevance of
        the page that holds it and the number of pages that link there are weighed too.
        """
        if target not in TARGETS:
            raise UnknownNameError("target", target, TARGETS)
        names = (*self._texts, *(STRUCTURE if structure else ()))
        given = ingredients.weights
        weights = equal(names) if given is None else given.values
        start = {name: weights[name] for name in EVIDENCE if name in weights}
        seed = ingredients.rng.randrange(2**31)
        learner = WeightLearner(start, optimiser, every, enough, hold, seed)
        by_model = Remembered(ModelScorer(model).page_similarity)
        relevance = by_model if target == "model" else judged(ingredients)
        return LearnedTexts(model, learner, start, relevance)


class Remembered:
    """A relevance that is asked for several times a page, and worked out once."""

    def __init__(self, relevance: Relevance) -> None:
        self._relevance = relevance
        self._last: tuple[Document, float] | None = None

    def __call__(self, document: Document) -> float:
        """The relevance of the page."""
        if self._last is None or self._last[0] is not document:
            self._last = (document, self._relevance(document))
        return self._last[1]


def weighted(
    ingredients: Ingredients, model: TextModel, weights: Mapping[str, float]
) -> WeightedTexts:
    """A scorer with these weights, or with those that the user gives."""
    values = weights if ingredients.weights is None else ingredients.weights.values
    needs_judge = bool(set(STRUCTURE) & set(values))
    return WeightedTexts(model, values, judged(ingredients) if needs_judge else None)


def judged(ingredients: Ingredients) -> Relevance:
    """The relevance of a page by the judge: the steering model is not asked."""
    return Remembered(SimilarityJudge(ingredients.briefing, ingredients.analyzer).similarity)
