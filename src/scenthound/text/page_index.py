"""Search among a few pages: BM25 for one term, plain membership for two."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.text.terms import Bag, Numbers

Pages = npt.NDArray[np.intp]
"""Numbers of pages: their places in the list that was indexed."""


class PageIndex:
    """What a search engine would answer, if these pages were the web.

    ``terms``: the terms that can be asked for. All other words of a page only count for its length,
    so that the index stays small.
    """

    def __init__(self, pages: Sequence[Bag], terms: Numbers) -> None:
        self.counts = np.zeros((len(terms), len(pages)), np.int32)
        """How often each term (row) occurs on each page (column)."""
        for page, bag in enumerate(pages):
            self.counts[:, page] = occurrences(bag, terms)
        self._lengths = [int(bag.counts.sum()) for bag in pages]
        self._rows = {term: row for row, term in enumerate(terms.tolist())}

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
