"""Vector space model: the cosine of two TF-IDF vectors (sdvsm Eq. 17, svsm-mcoa section 2.1).

sdvsm prints the norms over the common terms only; read literally, one shared term would
always score 1. This is the true cosine, with the norms over all terms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scenthound.core.model import Briefing, Document
from scenthound.core.protocols import State
from scenthound.text.terms import Analyzer, TermCounts
from scenthound.text.weights import DocumentFrequencies, Vector, norm
from scenthound.topics.model import TOPIC_TERMS, TopicVector


def cosine(first: Vector, second: Vector) -> float:
    """Cosine of two sparse vectors, in [0, 1] for weights >= 0; 0 if either is empty."""
    if len(first) > len(second):
        first, second = second, first
    product = sum(w * second[term] for term, w in first.items() if term in second)
    return _quotient(product, norm(first) * norm(second))


def text_similarity(
    counts: TermCounts, idfs: Sequence[float], topic: Vector, topic_norm: float
) -> float:
    """Cosine of a text's TF-IDF vector and ``topic``.

    ``idfs`` are those of the text's terms, in the order of ``counts``. The factor
    ``1 / f_max`` of Eq. 9 cancels in a cosine and is left out.
    """
    product = squares = 0.0
    for (term, n), idf in zip(counts.items(), idfs, strict=True):
        weight = n * idf
        squares += weight * weight
        if term in topic:
            product += weight * topic[term]
    return _quotient(product, math.sqrt(squares) * topic_norm)


def _quotient(product: float, norms: float) -> float:
    return min(1.0, product / norms) if norms > 0.0 else 0.0


class VectorSpaceModel:
    """How similar is a text to the topic, by the cosine with its merged vector?

    Parameters
    ----------
    briefing : what the topic is.
    analyzer : counts terms.
    most : terms kept in the topic vector.
    """

    def __init__(self, briefing: Briefing, analyzer: Analyzer, most: int = TOPIC_TERMS) -> None:
        self._analyzer = analyzer
        self._frequencies = DocumentFrequencies()
        self._topic = TopicVector(briefing, analyzer, self._frequencies, most)

    def learn(self, document: Document) -> None:
        """Add a fetched page to the collection that the weights are taken over."""
        self._frequencies.add(self._analyzer.count(document.full))
        self._topic.refresh()

    def similarity(self, text: str) -> float:
        """In [0, 1]; 0 for a text without terms."""
        counts = self._analyzer.count(text)
        topic = self._topic.vector
        if not any(map(topic.__contains__, counts)):
            return 0.0  # most anchors: no need to weigh their terms
        idfs = self._frequencies.idfs(counts)
        return text_similarity(counts, idfs, topic, self._topic.norm)

    def state(self) -> State:
        """Document frequencies and topic vector."""
        return {"frequencies": self._frequencies.state(), "topic": self._topic.state()}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        frequencies, topic = state["frequencies"], state["topic"]
        assert isinstance(frequencies, dict) and isinstance(topic, dict)
        self._frequencies.restore(frequencies)
        self._topic.restore(topic)
