"""The pages a crawler can search: its example pages and what it has fetched so far.

It stands for the search engine of sdvsm, where there is none to ask. Nothing that was not
fetched is in it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import numpy as np

from scenthound.core.errors import InputError
from scenthound.core.protocols import State
from scenthound.text.bags import Bag
from scenthound.text.vocabulary import Numbers, Vocabulary
from scenthound.topics.page_index import PageIndex, Pages

MOST_PAGES = 2_000


class PageCollection:
    """Example pages, which always stay, and a fair sample of the pages fetched.

    At most ``most`` fetched pages are kept, each page of the crawl with the same chance
    (reservoir sampling: Vitter 1985, algorithm R). What is drawn for a page depends on the
    seed and on the page's place in the crawl alone.

    Parameters
    ----------
    vocabulary : what the numbers in the bags mean.
    examples : the topic's example pages.
    most : fetched pages that are kept.
    seed : decides which.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        examples: Iterable[Bag] = (),
        most: int = MOST_PAGES,
        seed: int = 0,
    ) -> None:
        if most < 0:
            raise InputError(f"a collection cannot keep {most} pages; give 0 or more.")
        self.examples = tuple(examples)
        self.fetched = 0
        """Pages added so far, kept or not."""
        self._vocabulary = vocabulary
        self._most = most
        self._seed = seed
        self._kept: list[Bag] = []
        self._index: PageIndex | None = None
        self._indexed: dict[int, None] = {}

    def __len__(self) -> int:
        """Number of pages that can be found."""
        return len(self.examples) + len(self._kept)

    @property
    def pages(self) -> Sequence[Bag]:
        """The pages by number: examples first. A number is good until the next page comes."""
        return [*self.examples, *self._kept]

    def add(self, page: Bag) -> None:
        """Take in a page just fetched. One without terms could never be found and is left out."""
        if not len(page):
            return
        self.fetched += 1
        place = len(self._kept)
        if place >= self._most:
            place = random.Random(f"{self._seed}/{self.fetched}").randrange(self.fetched)
            if place >= self._most:
                return
        # A copy: bags are often views into the bags of many texts, which would stay with them.
        self._kept[place : place + 1] = [Bag(page.ids.copy(), page.counts.copy())]
        self._index = None

    def index(self, terms: Numbers) -> PageIndex:
        """An index of the pages as they are now, in which these terms can be asked for."""
        if self._index is None:
            self._indexed = {}
        if self._index is None or not all(term in self._index for term in terms.tolist()):
            self._indexed |= dict.fromkeys(terms.tolist())
            self._index = PageIndex(self.pages, np.array(list(self._indexed), np.int32))
        return self._index

    def search(self, term: int, results: int | None = 20) -> Pages:
        """Numbers of up to ``results`` pages that hold ``term``, best first by BM25."""
        return self.index(np.array([term], np.int32)).search(term, results)

    def state(self) -> State:
        """The fetched pages, with their terms as words: numbers differ from run to run."""
        sizes = np.array([len(page) for page in self._kept], np.int64)
        ids = np.concatenate([page.ids for page in self._kept] or [np.empty(0, np.int32)])
        counts = np.concatenate([page.counts for page in self._kept] or [np.empty(0, np.int32)])
        distinct, places = np.unique(ids, return_inverse=True)
        return {
            "fetched": self.fetched,
            "terms": list(self._vocabulary.terms(distinct.tolist())),
            "sizes": sizes,
            "places": places.astype(np.int32),
            "counts": counts.astype(np.int32),
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        fetched, terms, sizes = state["fetched"], state["terms"], state["sizes"]
        places, counts = state["places"], state["counts"]
        assert isinstance(fetched, int) and isinstance(terms, list)
        assert isinstance(sizes, np.ndarray)
        assert isinstance(places, np.ndarray) and isinstance(counts, np.ndarray)
        numbers = np.array([self._vocabulary.number(str(term)) for term in terms], np.int32)
        ids = numbers[places.astype(np.intp)]
        ends = np.cumsum(sizes.astype(np.int64))
        self.fetched = fetched
        self._index = None
        self._kept = [
            _sorted_bag(ids[end - size : end], counts[end - size : end].astype(np.int32))
            for size, end in zip(sizes.tolist(), ends.tolist(), strict=True)
        ]


def _sorted_bag(ids: Numbers, counts: Numbers) -> Bag:
    order = np.argsort(ids)
    return Bag(ids[order], counts[order])
