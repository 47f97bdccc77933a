"""A topic as weighted terms that follow the document frequencies of the crawl."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing
from scenthound.core.protocols import State
from scenthound.text.analyzer import Analyzer
from scenthound.text.bags import Bag
from scenthound.text.vocabulary import Numbers, Vocabulary, Weights
from scenthound.text.weights import DocumentFrequencies, strongest, unit

TOPIC_TERMS = 200
MERGED, PAGES = "merged", "pages"
REFRESH_GROWTH = 10
"""The topic is worked out again when the collection has grown by one in so many documents."""
_APART = " 0 "
"""A number is no term, and no phrase holds this one; signs would not be seen at all."""


def keyword_text(keywords: Sequence[str]) -> str:
    """The keywords as one text, set apart so that no phrase runs from one into the next."""
    return _APART.join(keywords)


def merged_vector(
    bags: Sequence[Bag], frequencies: DocumentFrequencies, most: int, vocabulary: Vocabulary
) -> tuple[Numbers, Weights]:
    """Sum of the unit TF-IDF vectors of the texts: its ``most`` heaviest terms and weights."""
    units = [unit(bag.counts * frequencies.idf(bag.ids)) for bag in bags]
    ids, rows = np.unique(_joined([bag.ids for bag in bags], np.int32), return_inverse=True)
    sums = np.bincount(rows, weights=_joined(units, np.float64), minlength=len(ids))
    total = sums.astype(np.float64)
    kept = strongest(ids, total, most, vocabulary)
    return ids[kept], total[kept]


def page_vectors(
    bags: Sequence[Bag], frequencies: DocumentFrequencies, most: int, vocabulary: Vocabulary
) -> tuple[Numbers, Weights]:
    """The terms of all texts, and for each text a column with its own heaviest ``most``."""
    single = [merged_vector([bag], frequencies, most, vocabulary) for bag in bags if len(bag)]
    ids = np.unique(_joined([own for own, _ in single], np.int32))
    weights = np.zeros((len(ids), max(1, len(single))))
    for column, (own, heaviest) in enumerate(single):
        weights[np.searchsorted(ids, own), column] = heaviest
    return ids, weights


def _joined(parts: Sequence[npt.NDArray[Any]], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    return np.concatenate([*parts, np.empty(0, dtype)])


class TopicVectors:
    """The topic as one vector or as one for each page, over the terms that matter most.

    Parameters
    ----------
    briefing : the topic's words and example texts.
    analyzer : counts terms; shared with whoever reads the pages.
    frequencies : the running collection. The example pages are added to it here.
    most : how many terms are kept, of the whole or of each page.
    by : "merged": keywords and example pages make one vector; "pages": each is one of its
        own, and a text is as similar as it is to the nearest (printed by svsm-mcoa for its
        judge; for the texts of links it is ours).
    growth : the topic is worked out anew when the collection has grown by one in so many.
    """

    def __init__(
        self,
        briefing: Briefing,
        analyzer: Analyzer,
        frequencies: DocumentFrequencies,
        most: int = TOPIC_TERMS,
        by: str = MERGED,
        growth: int = REFRESH_GROWTH,
    ) -> None:
        if by not in (MERGED, PAGES):
            raise SettingsError(f"a topic is taken as {MERGED!r} or by {PAGES!r}, not {by!r}.")
        if most < 1:
            raise SettingsError(f"a topic of {most} terms is none; give 1 or more.")
        examples = [analyzer.page_bag(example) for example in briefing.examples]
        self.examples = examples
        """The terms of the example pages."""
        self._bags = [analyzer.bag(keyword_text(briefing.keywords)), *examples]
        self._vocabulary = analyzer.vocabulary
        self._frequencies = frequencies
        self._most = most
        self._by = by
        self._growth = growth
        self._fresh_until = 0
        for bag in examples:
            frequencies.add(bag)
        self.refresh()

    @property
    def vector(self) -> dict[str, float]:
        """The topic now, by term: the heaviest weight over the columns."""
        terms = self._vocabulary.terms(self.ids.tolist())
        return dict(zip(terms, self.weights.max(axis=1).tolist(), strict=True))

    def refresh(self, anew: bool = False) -> bool:
        """Follow the document frequencies, where they have changed enough to matter, or ``anew``.

        Returns True if the topic was worked out anew.
        """
        documents = self._frequencies.documents
        if documents < self._fresh_until and not anew:
            return False
        self.ids, self.weights = self._worked_out()
        self._fresh_until = documents + max(1, -(-documents // self._growth))
        return True

    def _worked_out(self) -> tuple[Numbers, Weights]:
        arguments = (self._bags, self._frequencies, self._most, self._vocabulary)
        if self._by == PAGES:
            return page_vectors(*arguments)
        ids, weights = merged_vector(*arguments)
        return ids, weights[:, None]

    def state(self) -> State:
        """The topic as it stands: it may be older than the frequencies, up to the growth."""
        terms = self._vocabulary.terms(self.ids.tolist())
        return {"terms": [*terms], "weights": self.weights, "fresh_until": self._fresh_until}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        terms, weights, fresh_until = state["terms"], state["weights"], state["fresh_until"]
        assert isinstance(terms, list) and isinstance(fresh_until, int)
        assert isinstance(weights, np.ndarray)
        self.ids = np.array([self._vocabulary.number(str(term)) for term in terms], np.int32)
        self.weights = weights.astype(np.float64)
        self._fresh_until = fresh_until
