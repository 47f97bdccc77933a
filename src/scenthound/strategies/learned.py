"""Links weighed by weights that the crawl itself learns (svsm-mcoa 3.2-3.3, Eq. 7).

A page that was fetched tells how relevant the target of the link was that led to it. What was
known of the link by then is one training link. Labels play no part.
"""

from __future__ import annotations

from collections.abc import Mapping

from scenthound.core.model import Score, Visit
from scenthound.core.parts import Parts
from scenthound.core.protocols import State
from scenthound.core.sharing import Fitted
from scenthound.strategies.model_scorer import TextModel
from scenthound.strategies.shared_weights import SharedWeights
from scenthound.strategies.weight_learning import WeightLearner
from scenthound.strategies.weighted import Relevance, WeightedTexts


class LearnedTexts(SharedWeights, WeightedTexts):
    """Scores links by the texts around them, with weights that follow what the crawl finds.

    Parameters
    ----------
    model : compares a text with the topic.
    learner : fits the weights.
    weights : the ones to begin with.
    relevance : of a page: what the weights are to predict, in [0, 1].
    """

    def __init__(
        self, model: TextModel, learner: WeightLearner, weights: dict[str, float],
        relevance: Relevance,
    ) -> None:  # fmt: skip
        super().__init__(model, weights, relevance)
        self._learner = learner

    def observe(self, visit: Visit) -> None:
        """Learn from the page, and from the link that led to it."""
        super().observe(visit)
        self._learner.count_page()
        parts = visit.candidate.score.parts
        if tuple(part.name for part in parts) == self.names:  # a seed was found by no link
            self._learner.add([p.value for p in parts], self._relevance(visit.page.document))

    def _refitted(self) -> bool:
        found = self._learner.fit()
        if found is not None:
            self.weigh(found)
        return found is not None

    @property
    def why_not(self) -> str | None:
        """Why the weights are still those at the start; None where they are not."""
        return self._learner.why_not

    def fitted(self) -> Fitted:
        """The weights of now, for others to take over."""
        return self._learner.fitted()

    def follow(self, fitted: Fitted | None) -> None:
        """Weigh links as another worker has learnt to, or as at the start (None)."""
        self.weigh(self._learner.follow(fitted))

    def state(self) -> State:
        """What was learnt of words and of weights."""
        return {"reading": super().state(), "weights": self._learner.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        reading, weights = state["reading"], state["weights"]
        assert isinstance(reading, dict) and isinstance(weights, dict)
        super().restore(reading)
        self.weigh(self._learner.restore(weights))

    def reweighed(self, score: Score) -> Score:
        """The same parts with the weights of now; a seed that waits has none, and stays."""
        return reweighed_by(self.weights, score)


def reweighed_by(weights: Mapping[str, float], score: Score) -> Score:
    """The same parts with these weights, by name; a score without parts stays what it is."""
    if not score.parts:
        return score
    parts = Parts.of(score.parts)
    new = map(weights.get, parts.names, parts.weights)
    return Parts(parts.names, parts.values, tuple(new)).score()
