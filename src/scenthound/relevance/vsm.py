"""Vector space model: the cosine of two TF-IDF vectors (sdvsm Eq. 17, svsm-mcoa section 2.1).

sdvsm prints the norms over the common terms only; read literally, one shared term would
always score 1. This is the true cosine, with the norms over all terms.
"""

from __future__ import annotations

import numpy as np

from scenthound.core.model import Briefing
from scenthound.relevance.model import TopicModel, quotients
from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bags
from scenthound.text.vocabulary import Column, Numbers, Weights
from scenthound.topics.model import MERGED, TOPIC_TERMS


def cosines(bags: Bags, weights: Weights, topic: Weights, topic_norm: float) -> Weights:
    """Cosine of each text with the topic (sdvsm Eq. 17), in [0, 1]; 0 for an empty text.

    Parameters
    ----------
    bags : the texts.
    weights : weight of each entry of ``bags``, up to a factor for each text.
    topic : weight in the topic of each entry's term, 0 for a term that is not in it.
    topic_norm : length of the whole topic vector.
    """
    return quotients(bags.sums(weights * topic), np.sqrt(bags.sums(weights**2)) * topic_norm)


class Cosine:
    """The form: one number a term, its weight in the topic."""

    def take(self, ids: Numbers, weights: Weights) -> None:
        """Lay the topic's weights out by the numbers of their terms."""
        self._columns = []
        for weight in weights.T:
            column = Column(np.float64)
            column.upto(int(ids.max(initial=0)) + 1)[ids] = weight
            self._columns.append((column, float(np.linalg.norm(weight))))

    def similarities(self, bags: Bags, weights: Weights) -> Weights:
        """Highest cosine over the columns of the topic."""
        size = int(bags.ids.max(initial=0)) + 1
        found = [
            cosines(bags, weights, column.upto(size)[bags.ids], norm)
            for column, norm in self._columns
        ]
        highest: Weights = np.maximum.reduce(found)
        return highest


class VectorSpaceModel(TopicModel):
    """How similar is a text to the topic, by the cosine with its vector?"""

    def __init__(
        self, briefing: Briefing, analyzer: Analyzer, most: int = TOPIC_TERMS, by: str = MERGED
    ) -> None:
        super().__init__(briefing, analyzer, Cosine(), most, by)
