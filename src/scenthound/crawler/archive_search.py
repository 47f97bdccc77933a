"""Search for seeds in an archive: its pages are ranked by BM25."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from scenthound.core.model import Document
from scenthound.crawler.seed_search import (
    OnProgress,
    SearchError,
    SearchResult,
    page_in,
    search_result,
)
from scenthound.storage.archive import Archive
from scenthound.text.analyzer import Analyzer
from scenthound.text.page_index import PageIndex, occurrences
from scenthound.text.terms import Bag

ARCHIVE = "archive"

_SNIPPET = 300

_OTHER = np.iinfo(np.int32).max
"""Stands for all words that no query has; they count for the length of a page."""

_SHOWN_EVERY = 100


class ArchiveSearch:
    """Searches the pages of an archive, which is read once, at the first query.

    Only the words of ``queries`` are indexed; all others only count for the length of a page, so
    that the index of a large archive stays small. ``on_progress`` gets how far the reading is.
    """

    name = ARCHIVE

    def __init__(
        self,
        archive: Archive,
        analyzer: Analyzer,
        queries: Iterable[str],
        on_progress: OnProgress = lambda what: None,
        pdf: bool = False,
    ) -> None:
        self._archive = archive
        self._analyzer = analyzer
        self._on_progress = on_progress
        self._pdf = pdf
        self._terms = np.unique(np.concatenate([analyzer.bag(text).ids for text in queries]))
        self._urls: list[str] = []
        self._index: PageIndex | None = None

    def search(self, query: str, count: int) -> list[SearchResult]:
        """Return up to ``count`` pages that hold a word of the query, best first by BM25."""
        if self._index is None:
            self._index = self._indexed()
        terms = np.intersect1d(self._analyzer.bag(query).ids, self._terms)
        scores = self._index.scores(terms)
        order = np.argsort(-scores, kind="stable")[: max(0, count)]
        best = [self._urls[place] for place in order.tolist() if scores[place] > 0.0]
        found = (self._search_result(url, rank) for rank, url in enumerate(best, start=1))
        return [each for each in found if each is not None]

    def _indexed(self) -> PageIndex:
        """Read all pages of the archive once."""
        bags = []
        total = len(self._archive)
        for number, url in enumerate(self._archive.urls(), start=1):
            document = self._document(url)
            if number % _SHOWN_EVERY == 0:
                self._on_progress(f"reading the archive: {number:,} of {total:,} pages")
            if document is not None:
                self._urls.append(url)
                bags.append(self._narrowed(self._analyzer.bag(document.full)))
        if not bags:
            raise SearchError(f"{self._archive.path} holds no page that can be read")
        return PageIndex(bags, self._terms)

    def _narrowed(self, bag: Bag) -> Bag:
        """Return the bag with the words of queries, and one more for all the others."""
        counts = occurrences(bag, self._terms)
        held = counts > 0
        others = int(bag.counts.sum() - counts.sum())
        ids = np.append(self._terms[held], _OTHER).astype(np.int32)
        return Bag(ids, np.append(counts[held], others).astype(np.int32))

    def _document(self, url: str) -> Document | None:
        """Return the text of an archived page; None where it is no page."""
        response = self._archive.fetch(url)
        page = None if response is None else page_in(response, self._pdf)
        return None if page is None else page.document

    def _search_result(self, url: str, rank: int) -> SearchResult | None:
        """Return a page as a search result."""
        # Read a second time: the texts of a large archive would not fit into memory.
        document = self._document(url)
        if document is None:
            return None
        snippet = document.description or document.text[:_SNIPPET]
        return search_result(url, ARCHIVE, document.title, snippet, rank)
