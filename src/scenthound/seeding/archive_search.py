"""An archive as a search provider: BM25 over the titles and texts of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from scenthound.archive import Archive
from scenthound.core.model import Document
from scenthound.seeding.archived_pages import page_in
from scenthound.seeding.found import Found, SearchError, found_at
from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bag
from scenthound.text.vocabulary import Numbers
from scenthound.topics.page_index import PageIndex, occurrences

NAME = "archive"
_SNIPPET = 300
_OTHER = np.iinfo(np.int32).max
"""Stands for all words that cannot be asked for; they count for the length of a page."""

OnPage = Callable[[int, int], None]
"""Called with (pages read, pages in all)."""


class ArchiveSearch:
    """Answers queries from the pages of an archive, which is read once, at the first query.

    Parameters
    ----------
    archive : where the pages are.
    analyzer : counts terms.
    askable : the texts whose words can be asked for; all others only count for the length of a
        page, so that the index of a large archive stays small.
    on_page : told how far the reading is.
    pdf : are PDF documents pages?
    """

    name = NAME

    def __init__(
        self,
        archive: Archive,
        analyzer: Analyzer,
        askable: Iterable[str],
        on_page: OnPage = lambda done, total: None,
        pdf: bool = False,
    ) -> None:
        self._archive = archive
        self._analyzer = analyzer
        self._on_page = on_page
        self._pdf = pdf
        self._terms = np.unique(np.concatenate([analyzer.bag(text).ids for text in askable]))
        self._urls: list[str] = []
        self._index: PageIndex | None = None

    def search(self, query: str, count: int) -> list[Found]:
        """Up to ``count`` pages that hold a word of the query, best first by BM25."""
        if self._index is None:
            self._index = self._indexed()
        terms = np.intersect1d(self._analyzer.bag(query).ids, self._terms)
        scores = self._index.scores(terms)
        order = np.argsort(-scores, kind="stable")[: max(0, count)]
        best = [self._urls[place] for place in order.tolist() if scores[place] > 0.0]
        found = (self._found(url, rank) for rank, url in enumerate(best, start=1))
        return [each for each in found if each is not None]

    def _indexed(self) -> PageIndex:
        bags = []
        total = len(self._archive)
        for number, url in enumerate(self._archive.urls(), start=1):
            document = self._document(url)
            self._on_page(number, total)
            if document is not None:
                self._urls.append(url)
                bags.append(_narrowed(self._analyzer.bag(document.full), self._terms))
        if not bags:
            raise SearchError(f"{self._archive.path} holds no page that can be read")
        return PageIndex(bags, self._terms)

    def _document(self, url: str) -> Document | None:
        response = self._archive.fetch(url)
        page = None if response is None else page_in(response, self._pdf)
        return None if page is None else page.document

    def _found(self, url: str, rank: int) -> Found | None:
        document = self._document(url)
        if document is None:
            return None
        snippet = document.description or document.text[:_SNIPPET]
        return found_at(url, NAME, document.title, snippet, rank)


def _narrowed(bag: Bag, terms: Numbers) -> Bag:
    """The bag with the words that can be asked for, and one more for all the others."""
    counts = occurrences(bag, terms)
    held = counts > 0
    others = int(bag.counts.sum() - counts.sum())
    ids = np.append(terms[held], _OTHER).astype(np.int32)
    return Bag(ids, np.append(counts[held], others).astype(np.int32))
