"""Shark search (Hersovici et al. 1998, cited by olmoaco): fish with a sense of degree."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.core.errors import SettingsError
from scenthound.core.model import Link, Part, Score, Visit
from scenthound.relevance.vsm import VectorSpaceModel
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.model_scorer import ModelScorer


def inherited_score(page_similarity: float, page_inherited: float, decay: float) -> float:
    """What a link inherits: its page's similarity, or what that page itself inherited."""
    return decay * (page_similarity if page_similarity > 0.0 else page_inherited)


def context_score(anchor: float, context: float) -> float:
    """An anchor that says anything about the topic speaks for its context too."""
    return 1.0 if anchor > 0.0 else context


class Shark(ModelScorer):
    """Inherited relevance, which fades with distance, plus the words in and around the link.

    The constants are those of the cited source as we have them; similarity is VSM. What a
    page inherited is read from the score it was fetched for, so nothing has to be kept.

    Parameters
    ----------
    decay : share of the relevance that a link inherits.
    inherited_weight : weight of the inherited part; the neighbourhood has the rest.
    anchor_weight : weight of the anchor within the neighbourhood; the context has the rest.
    """

    def __init__(
        self,
        ingredients: Ingredients,
        *,
        decay: float = 0.5,
        inherited_weight: float = 0.5,
        anchor_weight: float = 0.8,
    ) -> None:
        for name, value in (
            ("decay", decay),
            ("inherited_weight", inherited_weight),
            ("anchor_weight", anchor_weight),
        ):
            if not 0.0 <= value <= 1.0:
                raise SettingsError(f"{name} must lie within 0 and 1, not {value}.")
        super().__init__(VectorSpaceModel(ingredients.briefing, ingredients.analyzer))
        self._decay = decay
        self._inherited_weight = inherited_weight
        self._anchor_weight = anchor_weight

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        """One score a link: what it inherits, and its neighbourhood of anchor and context."""
        similarity = self.page_similarity(visit.page.document)
        before = visit.candidate.score.part("inherited", 0.0)
        inherited = inherited_score(similarity, before, self._decay)
        known = self.text_similarities(
            (text for link in links for text in (link.anchor, link.context)), visit.page.document
        )
        return [self._score(inherited, known[link.anchor], known[link.context]) for link in links]

    def _score(self, inherited: float, anchor: float, context: float) -> Score:
        around = 1.0 - self._inherited_weight
        parts = (
            Part("inherited", inherited, self._inherited_weight),
            Part("anchor", anchor, around * self._anchor_weight),
            Part("context", context_score(anchor, context), around * (1.0 - self._anchor_weight)),
        )
        return Score(sum(p.value * p.weight for p in parts), parts)
