"""TF-IDF weights over document frequencies that grow as the crawl goes on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from scenthound.core.protocols import State
from scenthound.text.terms import TermCounts

Vector = Mapping[str, float]
"""A sparse vector: term -> weight. A term that is not there weighs 0."""
Idf = Callable[[str], float]


class DocumentFrequencies:
    """In how many of the documents seen so far does a term occur?

    The collection is the example pages plus the pages fetched so far. Example pages alone
    would give the topic's own words the lowest weight of all.
    """

    def __init__(self) -> None:
        self.documents = 0
        self._counts: Counter[str] = Counter()
        self._logs = [0.0]
        """``log(n + 1)`` for every n up to the number of documents."""

    def add(self, terms: Iterable[str]) -> None:
        """Count one more document with these distinct terms."""
        self.documents += 1
        self._logs.append(math.log(self.documents + 1))
        self._counts.update(iter(terms))

    def __getitem__(self, term: str) -> int:
        return self._counts.get(term, 0)

    def idf(self, term: str) -> float:
        """``log((N + 1) / (n + 1)) + 1``: sdvsm Eq. 9 smoothed.

        The printed ``log(N / n)`` is undefined for an unseen term and 0 for a term of every
        document, which in the first minutes of a crawl is every word of the topic.
        """
        return smooth_idf(self.documents, self._counts.get(term, 0))

    def idfs(self, terms: Iterable[str]) -> list[float]:
        """:meth:`idf` of many terms at once: ``log(N + 1) - log(n + 1) + 1`` from a table."""
        logs, count = self._logs, self._counts.get
        highest = logs[self.documents] + 1.0
        return [highest - logs[count(term, 0)] for term in terms]

    def state(self) -> State:
        """What must be saved to go on later."""
        return {
            "documents": self.documents,
            "terms": list(self._counts),
            "counts": np.fromiter(self._counts.values(), np.int64, len(self._counts)),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        documents, terms, counts = state["documents"], state["terms"], state["counts"]
        assert isinstance(documents, int) and isinstance(terms, list)
        assert isinstance(counts, np.ndarray)
        self.documents = documents
        self._logs = [math.log(n + 1) for n in range(documents + 1)]
        self._counts = Counter(dict(zip(map(str, terms), counts.tolist(), strict=True)))


def smooth_idf(documents: int, containing: int) -> float:
    """Inverse document frequency that is never 0 and defined for unseen terms."""
    return math.log((documents + 1) / (containing + 1)) + 1.0


def tf_idf(counts: TermCounts, idf: Idf) -> dict[str, float]:
    """Weights ``f / f_max * idf`` of a text (sdvsm Eq. 9); empty for an empty text."""
    if not counts:
        return {}
    highest = max(counts.values())
    return {term: n / highest * idf(term) for term, n in counts.items()}


def norm(vector: Vector) -> float:
    """Euclidean length."""
    return math.sqrt(sum(w * w for w in vector.values()))


def unit(vector: Vector) -> dict[str, float]:
    """``vector`` at length 1; an empty or zero vector gives an empty one."""
    length = norm(vector)
    return {term: w / length for term, w in vector.items()} if length else {}


def strongest(vector: Vector, most: int) -> dict[str, float]:
    """The ``most`` heaviest terms, heaviest first, ties in order of the alphabet."""
    if most < 1:
        return {}
    weights = sorted(vector.values(), reverse=True)
    least = weights[most - 1] if most <= len(weights) else -math.inf
    candidates = [item for item in vector.items() if item[1] >= least]
    return dict(sorted(candidates, key=lambda item: (-item[1], item[0]))[:most])
