"""Similarities to the topic's terms for words without end: rows are worked out as words are met."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.relevance.likeness import Table
from scenthound.semantics.vector_similarity import TermSimilarities
from scenthound.text.vocabulary import Column, Numbers, Vocabulary, Weights

_UNSEEN = -1
_REMEMBERED = 50_000
"""Terms whose rows are kept; with 40 topic terms, 8 MB. Fewer than those whose vectors are kept
(``vector_similarity``), or a new topic term would have all of them worked out again."""


class VectorLikeness:
    """Similarities ``s_ij`` of the topic terms j to the terms i that texts turn out to have.

    A lexicon can be compared with a topic as a whole; words that a model reads cannot, there is
    no end of them. So a term is compared when it is first met and its row is kept; when the
    topic changes, only the columns of its new terms are worked out.

    Parameters
    ----------
    similarity : of terms.
    vocabulary : numbers the terms of texts.
    floor : similarities below it count as 0.
    power : exponent they are raised to.
    """

    def __init__(
        self,
        similarity: TermSimilarities,
        vocabulary: Vocabulary,
        floor: float = 0.0,
        power: float = 1.0,
    ) -> None:
        self._similarity = similarity
        self._vocabulary = vocabulary
        self._floor = floor
        self._power = power
        self._topic: list[str] = []
        self._place = Column(np.int32, _UNSEEN)
        self._known = 0
        self._ids: Numbers = np.empty(0, np.int32)
        self._table: Table = np.empty((0, 0), np.float32)

    def forget(self) -> None:
        """What a word means has changed: nothing that was worked out holds any longer."""
        self._place.upto(len(self._vocabulary))[self._ids[: self._known]] = _UNSEEN
        self._known = 0

    def take(self, ids: Numbers) -> None:
        """The topic is now these terms."""
        terms = self._vocabulary.terms(ids.tolist())
        old = {term: column for column, term in enumerate(self._topic)}
        new = [term for term in terms if term not in old]
        known = self._vocabulary.terms(self._ids[: self._known].tolist())
        kept = self._table[: self._known]
        fresh = self._compared(known, new)
        column_of = {**old, **{term: len(old) + number for number, term in enumerate(new)}}
        self._table = np.hstack([kept, fresh])[:, [column_of[term] for term in terms]]
        self._ids = self._ids[: self._known]
        self._topic = terms

    def rows(self, ids: Numbers) -> Table:
        """``s_ij ** power`` of each term (rows) to the topic terms (columns), in their order."""
        place = self._place.upto(len(self._vocabulary))
        new = np.unique(ids[place[ids] == _UNSEEN])
        if self._known + len(new) > _REMEMBERED:
            self.forget()
            new = np.unique(ids)
        if len(new):
            self._remember(new)
        rows: Table = self._table[place[ids]]
        return rows

    def sums(self, ids: Numbers, weights: Weights) -> Weights:
        """Worked out anew each time: what a word means may change with the page."""
        distinct, places = np.unique(ids, return_inverse=True)
        sums: Weights = self.rows(distinct) @ weights
        return sums[places]

    def among(self) -> Table:
        """The same as rows for the topic's terms among themselves."""
        return self._faded(self._similarity.among(self._topic))

    def _remember(self, new: Numbers) -> None:
        first, end = self._known, self._known + len(new)
        if end > len(self._table):
            room = max(1024, 2 * end)
            table = np.zeros((room, len(self._topic)), np.float32)
            ids = np.zeros(room, np.int32)
            table[:first], ids[:first] = self._table[:first], self._ids[:first]
            self._table, self._ids = table, ids
        self._table[first:end] = self._compared(self._vocabulary.terms(new.tolist()), self._topic)
        self._ids[first:end] = new
        self._place.upto(len(self._vocabulary))[new] = np.arange(first, end)
        self._known = end

    def _compared(self, terms: Sequence[str], topic: Sequence[str]) -> Table:
        if not terms or not topic:
            return np.zeros((len(terms), len(topic)), np.float32)
        return self._faded(self._similarity.similarities(terms, topic))

    def _faded(self, similar: Table) -> Table:
        return np.where(similar >= self._floor, similar, 0.0) ** np.float32(self._power)
