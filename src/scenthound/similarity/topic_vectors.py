"""The topic as vectors: keywords and example pages by the weight of their terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import TopicProfile
from scenthound.core.parameters import check_at_least
from scenthound.core.protocols import State
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import (
    Bag,
    DocumentFrequencies,
    Numbers,
    Vocabulary,
    Weights,
    strongest,
    unit,
)

TOPIC_TERMS = 200
TERMS = 40
"""Terms that describe a topic, as many as the crawlers on WordNet take."""
MERGED, PAGES = "merged", "pages"
REFRESH_GROWTH = 10
"""The topic is worked out again when the collection has grown by one in so many documents."""
_NO_IDS: Numbers = np.empty(0, np.int32)
_SEPARATOR = " 0 "
"""A number is no term, and no phrase holds this one; signs would not be seen at all."""


def keyword_text(keywords: Sequence[str]) -> str:
    """The keywords as one text, set apart so that no phrase runs from one into the next."""
    return _SEPARATOR.join(keywords)


def merged_vector(
    bags: Sequence[Bag], frequencies: DocumentFrequencies, most: int, vocabulary: Vocabulary
) -> tuple[Numbers, Weights]:
    """Sum of the unit TF-IDF vectors of the texts: its ``most`` heaviest terms and weights."""
    units = [unit(bag.counts * frequencies.idf(bag.ids)) for bag in bags]
    ids, rows = np.unique(
        np.concatenate([_NO_IDS, *(bag.ids for bag in bags)]), return_inverse=True
    )
    weights = np.concatenate([np.empty(0), *units])
    total = np.bincount(rows, weights=weights, minlength=len(ids)).astype(np.float64)
    kept = strongest(ids, total, most, vocabulary)
    return ids[kept], total[kept]


def page_vectors(
    bags: Sequence[Bag], frequencies: DocumentFrequencies, most: int, vocabulary: Vocabulary
) -> tuple[Numbers, Weights]:
    """The terms of all texts, and for each text a column with its own heaviest ``most``."""
    single = [merged_vector([bag], frequencies, most, vocabulary) for bag in bags if len(bag)]
    ids = np.unique(np.concatenate([_NO_IDS, *(own for own, _ in single)]))
    weights = np.zeros((len(ids), max(1, len(single))))
    for column, (own, heaviest) in enumerate(single):
        weights[np.searchsorted(ids, own), column] = heaviest
    return ids, weights


class TopicVectors:
    """The topic as one vector or as one for each page, over the terms that matter most.

    Parameters
    ----------
    frequencies : the running collection. The example pages are added to it here.
    by : "merged": keywords and example pages make one vector; "pages": each is one of its
        own, and a text is as similar as it is to the nearest (printed by svsm-mcoa for its
        judge; for the texts of links it is ours).
    growth : the topic is computed again when the collection has grown by one in so many.
    """

    def __init__(
        self,
        profile: TopicProfile,
        analyzer: Analyzer,
        frequencies: DocumentFrequencies,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
        growth: int = REFRESH_GROWTH,
    ) -> None:
        if by not in (MERGED, PAGES):
            raise SettingsError(f"a topic is taken as {MERGED!r} or by {PAGES!r}, not {by!r}.")
        check_at_least(1, terms=most)
        self.examples = [analyzer.page_bag(example) for example in profile.examples]
        """The terms of the example pages."""
        self._bags = [analyzer.bag(keyword_text(profile.keywords)), *self.examples]
        self._vocabulary = analyzer.vocabulary
        self._frequencies = frequencies
        self._most, self._by, self._growth = most, by, growth
        self._fresh_until = 0
        for bag in self.examples:
            frequencies.add(bag)
        self.refresh()

    @property
    def vector(self) -> dict[str, float]:
        """The topic now, by term: the heaviest weight over the columns."""
        terms = self._vocabulary.terms(self.ids.tolist())
        return dict(zip(terms, self.weights.max(axis=1).tolist(), strict=True))

    def refresh(self, force: bool = False) -> bool:
        """Follow the document frequencies, where they have changed enough, or with ``force``.

        Returns True if the topic was computed again.
        """
        documents = self._frequencies.documents
        if documents < self._fresh_until and not force:
            return False
        arguments = (self._bags, self._frequencies, self._most, self._vocabulary)
        if self._by == PAGES:
            self.ids, self.weights = page_vectors(*arguments)
        else:
            self.ids, weights = merged_vector(*arguments)
            self.weights = weights[:, None]
        self._fresh_until = documents + max(1, -(-documents // self._growth))
        return True

    def state(self) -> State:
        """The topic as it stands: it may be older than the frequencies, up to the growth."""
        terms = self._vocabulary.terms(self.ids.tolist())
        return {"terms": [*terms], "weights": self.weights, "fresh_until": self._fresh_until}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self.ids = np.array(self._vocabulary.numbers(state["terms"]), np.int32)
        self.weights = state["weights"].astype(np.float64)
        self._fresh_until = state["fresh_until"]
