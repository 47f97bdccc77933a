"""Links weighed by weights that the crawl itself learns (svsm-mcoa 3.2-3.3, Eq. 7).

A page that was fetched tells how relevant the target of the link was that led to it. What was
known of the link by then is one training link. Labels play no part.
"""

from __future__ import annotations

from scenthound.core.model import Candidate, Part, Score, Visit
from scenthound.core.protocols import Revision, State
from scenthound.strategies.model_scorer import TextModel
from scenthound.strategies.weight_learning import WeightLearner
from scenthound.strategies.weighted import Relevance, WeightedTexts, summed


class LearnedTexts(WeightedTexts):
    """Scores links by the texts around them, with weights that follow what the crawl finds.

    Parameters
    ----------
    model : compares a text with the topic.
    learner : fits the weights.
    weights : the ones to begin with.
    relevance : of a page: what the weights are to predict, in [0, 1].
    best_inlink : is the score of a URL that of its best inlink? Otherwise it is their mean.
    """

    def __init__(
        self, model: TextModel, learner: WeightLearner, weights: dict[str, float],
        relevance: Relevance, best_inlink: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(model, weights, relevance)
        self._learner = learner
        self._best_inlink = best_inlink

    def observe(self, visit: Visit) -> None:
        """Learn from the page, and from the link that led to it."""
        super().observe(visit)
        self._learner.count_page()
        parts = visit.candidate.score.parts
        if tuple(part.name for part in parts) == self.names:  # a seed was found by no link
            self._learner.add([p.value for p in parts], self._relevance(visit.page.document))

    def revise(self) -> Revision | None:
        """Take over the weights that were fitted, if it was time and they have moved."""
        found = self._learner.fit()
        if found is None:
            return None
        self.weigh(found)
        return Revision(self._worth, dict(self.weights), self._learner.links)

    def state(self) -> State:
        """What was learnt of words and of weights."""
        return {"reading": super().state(), "weights": self._learner.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        reading, weights = state["reading"], state["weights"]
        assert isinstance(reading, dict) and isinstance(weights, dict)
        super().restore(reading)
        self.weigh(self._learner.restore(weights))

    def _worth(self, candidate: Candidate) -> Score:
        """The same evidence with the weights of now.

        A mean over inlinks is weighed as it stands: the mean of weighted sums is the weighted
        sum of means. For the best inlink those that are kept compete again.
        """
        if not candidate.score.parts:  # a seed that waits
            return candidate.score
        if not self._best_inlink:
            return self._weighed(candidate.score.parts)
        scores = [self._weighed(inlink.score.parts) for inlink in candidate.inlinks]
        return max(scores, key=lambda score: score.value)

    def _weighed(self, parts: tuple[Part, ...]) -> Score:
        weights = self.weights
        return summed(tuple([Part(p.name, p.value, weights.get(p.name, p.weight)) for p in parts]))
