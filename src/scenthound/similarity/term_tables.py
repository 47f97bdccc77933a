"""Tables of similarities between topic terms and the terms of texts, by WordNet or by vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scenthound.similarity.vector_similarity import TermSimilarities
from scenthound.text.vocabulary import Column, Numbers, TermRows, Vocabulary, Weights

Table = npt.NDArray[np.float32]
"""Half the memory, at an error of 1e-7: there is a row of 100,000 for each topic term."""

TermSenses = tuple[str, tuple[int, ...]]
"""A topic term, and the senses of it that count."""

_UNSEEN_TERM = -2


class SimilarityTable(Protocol):
    """The similarities of terms to those of the topic, as SSRM, SVSM and soft SVSM use them."""

    def take(self, ids: Numbers) -> None:
        """The topic is now these terms."""
        ...

    def rows(self, ids: Numbers) -> Table:
        """In [0, 1]: a row for each of these terms, a column for each topic term, in order."""
        ...

    def sums(self, ids: Numbers, weights: Weights) -> Weights:
        """``a_i = sum_j t_j s_ij``: a row for each of these terms, a column for each of weights.

        ``weights`` are those of the topic's terms, and stay as they are until the next topic.
        """
        ...

    def among(self) -> Table:
        """The same as rows for the topic's terms among themselves."""
        ...


class TermSimilarity(Protocol):
    """How similar is one word to all the words of a lexicon?"""

    @property
    def index(self) -> Mapping[str, int]:
        """Word -> its place in what :meth:`to_all` gives."""
        ...

    def senses(self, topic: Sequence[str]) -> list[tuple[int, ...]]:
        """The senses of each word of a topic that count."""
        ...

    def to_all(self, word: str, senses: tuple[int, ...]) -> Weights:
        """In [0, 1], of the word in these senses; zeros for a word the lexicon does not have."""
        ...


class LexiconSimilarityTable:
    """Similarities ``s_ij`` of the topic terms j to all terms i a text may have.

    They stand in one table: a row for each word of the lexicon, one for all other words, which
    are similar to nothing, and one for each topic term that the lexicon does not have, which is
    similar to itself alone; a column for each topic term. When the topic changes only the
    columns of its new terms are worked out, and a text looks up the rows of its own terms.
    The table is stored by column, since columns are written whole.

    Parameters
    ----------
    similarity : of words.
    vocabulary : numbers the terms of texts.
    floor : similarities below it count as 0.
    power : exponent they are raised to.
    """

    def __init__(
        self,
        similarity: TermSimilarity,
        vocabulary: Vocabulary,
        floor: float = 0.0,
        power: float = 1.0,
    ) -> None:
        self._similarity = similarity
        self._vocabulary = vocabulary
        self._floor = floor
        self._power = power
        self._other = len(similarity.index)
        self._slot = Column(np.int32, _UNSEEN_TERM)
        self._table: Table = np.zeros((0, self._other + 1), np.float32)
        self._column_of: dict[TermSenses, int] = {}
        self._columns: Numbers = np.empty(0, np.int32)
        self._outside: Numbers = np.empty(0, np.int32)
        self._topic: Numbers = np.empty(0, np.int32)
        self._sums: Weights | None = None

    def take(self, ids: Numbers) -> None:
        """The topic is now these terms."""
        self._topic = ids
        terms = self._vocabulary.terms(ids.tolist())
        meanings = list(zip(terms, self._similarity.senses(terms), strict=True))
        self._make_room(len(meanings))
        kept = {each: self._column_of[each] for each in meanings if each in self._column_of}
        free = iter(sorted(set(range(len(self._table))) - set(kept.values())))
        for meaning in meanings:
            if meaning not in kept:
                kept[meaning] = next(free)
                self._table[kept[meaning], : self._other] = self._worked_out(meaning)
        self._column_of = kept
        self._columns = np.array([kept[each] for each in meanings], np.int32)
        self._place_outside(ids, terms)
        self._sums = None

    def rows(self, ids: Numbers) -> Table:
        """``s_ij ** power`` of each term (rows) to the topic terms (columns), in their order."""
        rows: Table = self._table[self._columns[:, None], self._slots(ids)].T
        return rows

    def sums(self, ids: Numbers, weights: Weights) -> Weights:
        """Worked out once for each term, as long as the topic stays what it is."""
        known = np.empty((0, weights.shape[1])) if self._sums is None else self._sums
        if len(self._vocabulary) > len(known):  # make room for all terms
            wider = np.full((2 * len(self._vocabulary), weights.shape[1]), np.nan)
            wider[: len(known)] = known
            known = self._sums = wider
        found: Weights = known[ids]
        unknown = np.isnan(found).any(axis=1)
        if unknown.any():
            new = np.unique(ids[unknown])
            known[new] = self.rows(new) @ weights
            found = known[ids]
        return found

    def among(self) -> Table:
        """The same as rows for the topic's terms among themselves."""
        return self.rows(self._topic)

    def _make_room(self, terms: int) -> None:
        """A column for each term, and after the words a row for each that may be no word."""
        known = len(self._table)
        if terms > known:
            table = np.zeros((terms, self._other + 1 + terms), np.float32)
            table[:known, : self._other] = self._table[:, : self._other]
            self._table = table

    def _worked_out(self, meaning: TermSenses) -> Table:
        similar = self._similarity.to_all(*meaning)
        kept = np.zeros(len(similar), np.float32)
        near = np.flatnonzero(similar >= self._floor)
        kept[near] = similar[near] ** self._power
        return kept

    def _place_outside(self, ids: Numbers, terms: Sequence[str]) -> None:
        """Give the topic terms that the lexicon does not have rows of their own."""
        outside = np.flatnonzero([term not in self._similarity.index for term in terms])
        slot = self._slot.upto(len(self._vocabulary))
        slot[self._outside] = self._other
        self._outside = ids[outside]
        own = self._other + 1 + np.arange(len(outside))
        slot[self._outside] = own
        self._table[:, self._other + 1 :] = 0.0
        self._table[self._columns[outside], own] = 1.0

    def _slots(self, ids: Numbers) -> Numbers:
        """The row of each term in the table."""
        slot = self._slot.upto(len(self._vocabulary))
        slots: Numbers = slot[ids]
        if slots.min(initial=0) == _UNSEEN_TERM:
            known = self._similarity.index
            for id_ in np.unique(ids[slots == _UNSEEN_TERM]).tolist():
                slot[id_] = known.get(self._vocabulary.term(id_), self._other)
            slots = slot[ids]
        return slots


# Similarities by vectors: there is no end of words, so rows are worked out as words come up.


_CACHED_TERMS = 50_000
"""Terms whose rows are held; with 40 topic terms, 8 MB. Fewer than those whose vectors are held
(``vector_similarity``), or a new topic term would have all of them worked out again."""


class VectorSimilarityTable:
    """Similarities ``s_ij`` of the topic terms j to the terms i that texts turn out to have.

    A term is compared when it first comes up, and its row is held. When the topic changes, only
    the columns of its new terms are worked out.

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
        self._rows = TermRows(0, _CACHED_TERMS)

    def forget(self) -> None:
        """Drop all rows: the meaning of words has changed."""
        self._rows.clear()

    def take(self, ids: Numbers) -> None:
        """The topic is now these terms."""
        terms = self._vocabulary.terms(ids.tolist())
        old = {term: column for column, term in enumerate(self._topic)}
        new = [term for term in terms if term not in old]
        known = self._vocabulary.terms(self._rows.ids.tolist())
        table = np.hstack([self._rows.table[: len(known)], self._compared(known, new)])
        column_of = {**old, **{term: len(old) + number for number, term in enumerate(new)}}
        self._rows.table = table[:, [column_of[term] for term in terms]]
        self._topic = terms

    def rows(self, ids: Numbers) -> Table:
        """``s_ij ** power`` of each term (rows) to the topic terms (columns), in their order."""
        places = self._rows.places(
            ids, lambda new: self._compared(self._vocabulary.terms(new.tolist()), self._topic)
        )
        rows: Table = self._rows.table[places]
        return rows

    def sums(self, ids: Numbers, weights: Weights) -> Weights:
        """Worked out anew each time: what a word means may change with the page."""
        distinct, places = np.unique(ids, return_inverse=True)
        sums: Weights = self.rows(distinct) @ weights
        return sums[places]

    def among(self) -> Table:
        """The same as rows for the topic's terms among themselves."""
        return self._with_floor(self._similarity.among(self._topic))

    def _compared(self, terms: Sequence[str], topic: Sequence[str]) -> Table:
        if not terms or not topic:
            return np.zeros((len(terms), len(topic)), np.float32)
        return self._with_floor(self._similarity.similarities(terms, topic))

    def _with_floor(self, similar: Table) -> Table:
        return np.where(similar >= self._floor, similar, 0.0) ** np.float32(self._power)
