"""A topic as one vector that follows the document frequencies of the crawl."""

from __future__ import annotations

import math
from operator import mul

from scenthound.core.model import Briefing
from scenthound.core.protocols import State
from scenthound.text.terms import Analyzer, TermCounts
from scenthound.text.weights import (
    DocumentFrequencies,
    Vector,
    norm,
    strongest,
)

TOPIC_TERMS = 200
_REFRESH_GROWTH = 10
"""The vector is worked out again when the collection has grown by one in so many documents."""


def merged_vector(
    keywords: TermCounts, examples: list[TermCounts], frequencies: DocumentFrequencies, most: int
) -> dict[str, float]:
    """Sum of the unit TF-IDF vectors of the keywords and of each example, ``most`` terms."""
    total: dict[str, float] = {}
    for counts in [keywords, *examples]:
        weights = list(map(mul, counts.values(), frequencies.idfs(counts)))
        length = math.sqrt(sum(map(mul, weights, weights)))
        for term, weight in zip(counts, weights, strict=True):
            total[term] = total.get(term, 0.0) + weight / length
    return strongest(total, most)


class TopicVector:
    """The merged vector of a topic: keywords and example pages, the strongest terms.

    Parameters
    ----------
    briefing : the topic's words and example texts.
    analyzer : counts terms; shared with whoever reads the pages.
    frequencies : the running collection. The example pages are added to it here.
    most : how many terms are kept.
    """

    def __init__(
        self,
        briefing: Briefing,
        analyzer: Analyzer,
        frequencies: DocumentFrequencies,
        most: int = TOPIC_TERMS,
    ) -> None:
        self._keywords = analyzer.count(" . ".join(briefing.keywords))
        self._examples = [analyzer.count(e.full) for e in briefing.examples]
        self._frequencies = frequencies
        self._most = most
        self._fresh_until = 0
        for counts in self._examples:
            frequencies.add(counts)
        self.refresh()

    @property
    def vector(self) -> Vector:
        """The topic now."""
        return self._vector

    @property
    def norm(self) -> float:
        """Length of :attr:`vector`."""
        return self._norm

    def refresh(self) -> None:
        """Follow the document frequencies, where they have changed enough to matter."""
        if self._frequencies.documents >= self._fresh_until:
            self._work_out()

    def state(self) -> State:
        """The vector as it stands: it may be older than the frequencies, up to the growth."""
        return {"vector": dict(self._vector), "fresh_until": self._fresh_until}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        vector, fresh_until = state["vector"], state["fresh_until"]
        assert isinstance(vector, dict) and isinstance(fresh_until, int)
        self._set({t: float(w) for t, w in vector.items() if isinstance(w, int | float)})
        self._fresh_until = fresh_until

    def _work_out(self) -> None:
        self._set(merged_vector(self._keywords, self._examples, self._frequencies, self._most))
        documents = self._frequencies.documents
        self._fresh_until = documents + max(1, -(-documents // _REFRESH_GROWTH))

    def _set(self, vector: Vector) -> None:
        self._vector = vector
        self._norm = norm(vector)
