"""TF-IDF weights over document frequencies that grow as the crawl goes on."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from scenthound.core.protocols import State
from scenthound.core.sharing import Tally
from scenthound.text.bags import Bag
from scenthound.text.vocabulary import Column, Numbers, Vocabulary, Weights

_NONE: Numbers = np.empty(0, np.int32)


class DocumentFrequencies:
    """In how many of the documents seen so far does a term occur?

    The collection is the example pages plus the pages fetched so far. Example pages alone
    would give the topic's own words the lowest weight of all.

    Parameters
    ----------
    vocabulary : numbers the terms.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.documents = 0
        self._vocabulary = vocabulary
        self._counts = Column(np.int32)
        self._here: list[Numbers] | None = None
        """The terms of each document that was counted since others were told, if they are."""

    def add(self, bag: Bag) -> None:
        """Count one more document."""
        self._count(bag.ids)
        if self._here is not None:
            self._here.append(bag.ids)

    def share(self) -> None:
        """Keep apart from now on what is counted here."""
        self._here = self._here or []

    def counted_here(self) -> Tally:
        """What was counted here since this was last asked."""
        documents = self._here or []
        ids, counts = np.unique(np.concatenate([*documents, _NONE]), return_counts=True)
        if self._here is not None:
            self._here = []
        terms = self._vocabulary.terms(ids.tolist())
        return Tally(len(documents), dict(zip(terms, counts.tolist(), strict=True)))

    def count_elsewhere(self, tally: Tally) -> None:
        """Others have counted these."""
        numbers = self._vocabulary.numbers([*tally.counts])
        counts = np.fromiter(tally.counts.values(), np.int32, len(numbers))
        self.documents += tally.documents
        self._counts.upto(len(self._vocabulary))[numbers] += counts

    def counted_by_all(self, bags: Sequence[Bag]) -> Tally:
        """All that was counted but for these documents, and those that are kept apart here."""
        counts, left_out = self._counts.upto(len(self._vocabulary)).copy(), self._beside(bags)
        for ids in left_out:
            counts[ids] -= 1
        found = np.flatnonzero(counts)
        pairs = zip(self._vocabulary.terms(found.tolist()), counts[found].tolist(), strict=True)
        return Tally(self.documents - len(left_out), dict(pairs))

    def count_from(self, bags: Sequence[Bag], tally: Tally) -> None:
        """Begin anew with these documents, what all have counted, and what is kept apart here."""
        self.documents, self._counts = 0, Column(np.int32)
        for ids in self._beside(bags):
            self._count(ids)
        self.count_elsewhere(tally)

    def _beside(self, bags: Sequence[Bag]) -> list[Numbers]:
        """The terms of these documents, and of those that are kept apart."""
        return [*(bag.ids for bag in bags), *(self._here or ())]

    def _count(self, ids: Numbers) -> None:
        self.documents += 1
        self._counts.upto(len(self._vocabulary))[ids] += 1

    def __getitem__(self, term: str) -> int:
        number = self._vocabulary.find(term)
        return 0 if number is None else int(self._counts.upto(number + 1)[number])

    def idf(self, ids: Numbers) -> Weights:
        """``log((N + 1) / (n + 1)) + 1`` of each term: sdvsm Eq. 9 smoothed.

        The printed ``log(N / n)`` is undefined for an unseen term and 0 for a term of every
        document, which in the first minutes of a crawl is every word of the topic.
        """
        return smooth_idf(self.documents, self._counts.upto(len(self._vocabulary))[ids])

    def state(self) -> State:
        """What must be saved to go on later: the vocabulary in order, and the counts."""
        size = len(self._vocabulary)
        return {
            "documents": self.documents,
            "terms": [*self._vocabulary.terms()],
            "counts": self._counts.upto(size).copy(),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        documents, terms, counts = state["documents"], state["terms"], state["counts"]
        assert isinstance(documents, int) and isinstance(terms, list)
        assert isinstance(counts, np.ndarray)
        numbers = [self._vocabulary.number(str(term)) for term in terms]
        self.documents = documents
        self._counts = Column(np.int32)
        self._counts.upto(len(self._vocabulary))[numbers] = counts


def smooth_idf(documents: int, containing: Numbers) -> Weights:
    """Inverse document frequency that is never 0 and defined for unseen terms."""
    logs: Weights = np.log(containing + 1.0)
    return math.log(documents + 1.0) + 1.0 - logs


def unit(weights: Weights) -> Weights:
    """``weights`` at length 1; zeros stay zeros."""
    length = float(np.linalg.norm(weights))
    return weights / length if length else weights


def strongest(ids: Numbers, weights: Weights, most: int, vocabulary: Vocabulary) -> Numbers:
    """Places of the ``most`` heaviest terms, heaviest first, ties in order of the alphabet."""
    if most < len(weights):
        least = np.partition(weights, -most)[-most] if most > 0 else np.inf
        places = np.flatnonzero(weights >= least)
    else:
        places = np.arange(len(weights))
    names = vocabulary.terms(ids[places].tolist())
    order = sorted(range(len(places)), key=lambda i: (-weights[places[i]], names[i]))
    return places[order[: max(0, most)]].astype(np.int32)
