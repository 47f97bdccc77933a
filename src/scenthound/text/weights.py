"""Term weighting and search: TF-IDF over document frequencies that grow with the crawl, and BM25
over a few pages.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.core.protocols import State, TermCounts
from scenthound.text.vocabulary import Bag, Column, Numbers, Vocabulary, Weights

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
        """The terms of each document counted since the last exchange with other workers, if any."""

    def add(self, bag: Bag) -> None:
        """Count one more document."""
        self._count(bag.ids)
        if self._here is not None:
            self._here.append(bag.ids)

    def share(self) -> None:
        """Keep apart from now on what is counted here."""
        self._here = self._here or []

    def counted_here(self) -> TermCounts:
        """What was counted here since this was last asked."""
        documents = self._here or []
        ids, counts = np.unique(np.concatenate([*documents, _NONE]), return_counts=True)
        if self._here is not None:
            self._here = []
        terms = self._vocabulary.terms(ids.tolist())
        return TermCounts(len(documents), dict(zip(terms, counts.tolist(), strict=True)))

    def count_elsewhere(self, tally: TermCounts) -> None:
        """Others have counted these."""
        numbers = self._vocabulary.numbers([*tally.counts])
        counts = np.fromiter(tally.counts.values(), np.int32, len(numbers))
        self.documents += tally.documents
        self._counts.upto(len(self._vocabulary))[numbers] += counts

    def counted_by_all(self, bags: Sequence[Bag]) -> TermCounts:
        """All that was counted but for these documents, and those that are kept apart here."""
        counts, left_out = self._counts.upto(len(self._vocabulary)).copy(), self._beside(bags)
        for ids in left_out:
            counts[ids] -= 1
        found = np.flatnonzero(counts)
        pairs = zip(self._vocabulary.terms(found.tolist()), counts[found].tolist(), strict=True)
        return TermCounts(self.documents - len(left_out), dict(pairs))

    def count_from(self, bags: Sequence[Bag], tally: TermCounts) -> None:
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


# Search among pages: BM25 for one term, plain membership for two.


Pages = npt.NDArray[np.intp]
"""Numbers of pages: their places in the list that was indexed."""


class PageIndex:
    """What a search engine would answer, if these pages were the web.

    Parameters
    ----------
    pages : the pages that can be found.
    terms : the terms that can be asked for. All other words of a page only count for its
        length, so that the index stays small.
    """

    def __init__(self, pages: Sequence[Bag], terms: Numbers) -> None:
        self.counts = np.zeros((len(terms), len(pages)), np.int32)
        """How often each term (row) occurs on each page (column)."""
        for page, bag in enumerate(pages):
            self.counts[:, page] = occurrences(bag, terms)
        self._lengths = [int(bag.counts.sum()) for bag in pages]
        self._rows = {term: row for row, term in enumerate(terms.tolist())}

    def __contains__(self, term: int) -> bool:
        return term in self._rows

    def rows(self, terms: Numbers) -> list[int]:
        """The rows of :attr:`counts` that these terms have."""
        return [self._rows[term] for term in terms.tolist()]

    def search(self, term: int, results: int | None) -> Pages:
        """Up to ``results`` pages that hold ``term``, best first by BM25, then by number.

        None for all of them; none where no page holds it.
        """
        row = self._rows[term]
        pages = np.flatnonzero(self.counts[row])
        if not len(pages):
            return pages
        scores = self._ranking.get_scores_from_ids([row])[pages]
        return pages[np.argsort(-scores, kind="stable")[:results]]

    def scores(self, terms: Numbers) -> npt.NDArray[np.float64]:
        """BM25 of every page for all these terms together; 0 for pages that hold none."""
        if not len(terms):
            return np.zeros(self.counts.shape[1])
        ranked = self._ranking.get_scores_from_ids(self.rows(terms))
        return np.asarray(ranked, np.float64)

    def search_either(
        self, first: int, second: int, results: int | None, rng: np.random.Generator
    ) -> Pages:
        """Pages that hold either term, in order; a random sample where more than ``results`` do.

        sdvsm, below Eq. 10: of what a pair retrieves, some pages are picked at random.
        """
        held = self.counts[self._rows[first]] | self.counts[self._rows[second]]
        pages = np.flatnonzero(held)
        if results is None or len(pages) <= results:
            return pages
        return np.sort(rng.choice(pages, results, replace=False))

    @cached_property
    def _ranking(self) -> Any:
        """The BM25 index, worked out when the first term is asked for."""
        filler = len(self.counts)
        words = np.arange(filler)
        known = self.counts.sum(axis=0).tolist()
        texts = [
            np.repeat(words, counts).tolist() + [filler] * (length - held)
            for counts, length, held in zip(self.counts.T, self._lengths, known, strict=True)
        ]
        ranking = import_module("bm25s").BM25(backend="numpy", csc_backend="numpy")
        # Not ranking.index(): it writes to the log of every program that keeps one.
        ranking.scores = ranking.build_index_from_ids(
            list(range(filler + 1)), texts, show_progress=False
        )
        return ranking


def occurrences(bag: Bag, terms: Numbers) -> Numbers:
    """How often each of ``terms``, in any order, occurs in ``bag``."""
    if not len(bag):
        return np.zeros(len(terms), np.int32)
    places = np.minimum(np.searchsorted(bag.ids, terms), len(bag) - 1)
    return np.where(bag.ids[places] == terms, bag.counts[places], 0).astype(np.int32)
