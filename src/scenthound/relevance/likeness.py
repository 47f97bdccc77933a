"""The similarity of each topic term to every word of the lexicon, kept as the topic changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scenthound.text.vocabulary import Column, Numbers, Vocabulary, Weights

Table = npt.NDArray[np.float32]
"""Half the memory, at an error of 1e-7: there is a row of 100,000 for each topic term."""
_UNSEEN = -2


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


class Likeness:
    """Similarities ``s_ij`` of the topic terms j to all terms i a text may have.

    Terms have **slots**: the words of the lexicon come first, then one slot for all other
    words, which are similar to nothing, then one for each topic term that the lexicon does
    not have: it is similar to itself alone.

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
        self._rows: dict[tuple[str, tuple[int, ...]], Table] = {}
        self._slot = Column(np.int32, _UNSEEN)
        self._outside: Numbers = np.empty(0, np.int32)

    @property
    def _other(self) -> int:
        """The slot of words that are similar to nothing."""
        return len(self._similarity.index)

    def take(self, ids: Numbers) -> Table:
        """One row for each topic term: ``s_ij ** power`` to every slot."""
        terms = self._vocabulary.terms(ids.tolist())
        meanings = list(zip(terms, self._similarity.senses(terms), strict=True))
        known = self._rows
        self._rows = {each: known[each] if each in known else self._row(*each) for each in meanings}
        outside = np.flatnonzero([term not in self._similarity.index for term in terms])
        own = self._other + 1 + np.arange(len(outside))
        slot = self._slot.upto(len(self._vocabulary))
        slot[self._outside] = self._other
        self._outside = ids[outside]
        slot[self._outside] = own
        table = np.zeros((len(terms), self._other + 1 + len(outside)), np.float32)
        for place, meaning in enumerate(meanings):
            table[place, : self._other] = self._rows[meaning]
        table[outside, own] = 1.0
        return table

    def slots(self, ids: Numbers) -> Numbers:
        """The slot of each term."""
        slot = self._slot.upto(len(self._vocabulary))
        slots: Numbers = slot[ids]
        if slots.min(initial=0) == _UNSEEN:
            known = self._similarity.index
            for id_ in np.unique(ids[slots == _UNSEEN]).tolist():
                slot[id_] = known.get(self._vocabulary.term(id_), self._other)
            slots = slot[ids]
        return slots

    def _row(self, term: str, senses: tuple[int, ...]) -> Table:
        row = self._similarity.to_all(term, senses)
        kept = np.where(row >= self._floor, row, 0.0) ** self._power
        return kept.astype(np.float32)


def per_slot(weights: Weights, table: Table) -> Weights:
    """``sum_j weights_jp table_ji``: for each column p of the topic, a number for each slot i."""
    found: Weights = (weights.T.astype(np.float32) @ table).astype(np.float64)
    return found
