"""Scorers that look at the page that holds the link, not at the link: best-first and fish."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.core.errors import SettingsError
from scenthound.core.model import Link, Part, Refusal, Score, Visit
from scenthound.relevance.calibration import (
    DEFAULT_THRESHOLD,
    calibrated_threshold,
)
from scenthound.relevance.vsm import VectorSpaceModel
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.model_scorer import ModelScorer


class BestFirst(ModelScorer):
    """Every link inherits the relevance of its page (OPS in olmoaco).

    olmoaco gives OPS one sentence; VSM with the merged topic vector is our reading.
    """

    def __init__(self, ingredients: Ingredients) -> None:
        super().__init__(VectorSpaceModel(ingredients.briefing, ingredients.analyzer))

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        """The page's similarity, for all links alike."""
        similarity = self.page_similarity(visit.page.document)
        score = Score(similarity, (Part("page", similarity),))
        return [score] * len(links)


class Fish(ModelScorer):
    """Fish search: schools that find food breed, those that do not die out.

    De Bra and Post (1994), cited by olmoaco; from the cited source, with the width limit left
    out: links of a relevant page go to the front with ``depth`` steps to live; links of
    another page go behind, with one step less than their page had; a page without steps left
    has no offspring. "Relevant" is VSM similarity of at least ``threshold``; the default 0
    takes the 5th percentile of the example pages' own similarity to the topic.

    Parameters
    ----------
    depth : steps a link of a relevant page may lead through pages that are not.
    threshold : similarity from which a page is relevant; 0 to calibrate.
    """

    predicts = False

    def __init__(self, ingredients: Ingredients, *, depth: int = 3, threshold: float = 0.0) -> None:
        super().__init__(VectorSpaceModel(ingredients.briefing, ingredients.analyzer))
        if depth < 1 or not 0.0 <= threshold <= 1.0:
            raise SettingsError("depth must be 1 or more and threshold within 0 and 1.")
        self._depth = depth
        examples = ingredients.briefing.examples
        own = [self.page_similarity(example) for example in examples]
        self._threshold = threshold or calibrated_threshold(own) or DEFAULT_THRESHOLD

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score | Refusal]:
        """Steps left over all steps; refusal when none is left."""
        similarity = self.page_similarity(visit.page.document)
        left = self._steps_left(visit, similarity)
        if left <= 0:
            return [Refusal("no steps left")] * len(links)
        parts = (Part("page", similarity, 0.0), Part("steps", left, 1.0 / self._depth))
        return [Score(left / self._depth, parts)] * len(links)

    def _steps_left(self, visit: Visit, similarity: float) -> float:
        if similarity >= self._threshold:
            return self._depth
        return visit.candidate.score.part("steps", self._depth) - 1
