"""How similar are two words by their vectors? (bsvsm-ha Eq. 2)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scenthound.vectors.lengths import unit_rows
from scenthound.vectors.protocols import Vectors, WordVectors

Table = npt.NDArray[np.float32]
"""A row for each term of a text, a column for each term of the topic."""
_REMEMBERED = 100_000
"""Terms whose vectors are kept at hand; in 384 dimensions, some 77 MB."""


class TermSimilarities(Protocol):
    """How similar are the terms of a text to those of the topic?"""

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        """In [0, 1], a row for each term and a column for each topic term."""
        ...

    def among(self, topic_terms: Sequence[str]) -> Table:
        """In [0, 1], of the topic's terms to one another; 1 on the diagonal."""
        ...


def clipped_cosines(rows: Vectors, columns: Vectors) -> Table:
    """Cosine of each of ``rows`` with each of ``columns`` (bsvsm-ha Eq. 2), 0 where negative.

    SVSM squares similarities: -0.9 would count as 0.9. Both hold vectors of length 1 or 0.
    """
    cosines: Table = np.clip(rows @ columns.T, 0.0, 1.0)
    return cosines


def same_words(table: Table, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
    """``table`` with 1 where both words are the same: known or not, they are alike."""
    column_of = {term: column for column, term in enumerate(topic_terms)}
    for row, term in enumerate(terms):
        column = column_of.get(term)
        if column is not None:
            table[row, column] = 1.0
    return table


class VectorSimilarity:
    """Clipped cosines of vectors that do not depend on the company a word stands in.

    Words without a vector are similar to themselves alone.

    Parameters
    ----------
    words : their vectors.
    remembered : vectors kept at hand.
    """

    def __init__(self, words: WordVectors, remembered: int = _REMEMBERED) -> None:
        self._words = words
        self._remembered = remembered
        self._place: dict[str, int] = {}
        self._units: npt.NDArray[np.float16] = np.empty((0, words.dimensions), np.float16)

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        """Of each term to each topic term."""
        table = clipped_cosines(self._of(terms), self._of(topic_terms))
        return same_words(table, terms, topic_terms)

    def among(self, topic_terms: Sequence[str]) -> Table:
        """Of the topic's terms to one another."""
        return self.similarities(topic_terms, topic_terms)

    def _of(self, terms: Sequence[str]) -> Vectors:
        new = [term for term in dict.fromkeys(terms) if term not in self._place]
        if len(self._place) + len(new) > self._remembered:
            self._place, new = {}, list(dict.fromkeys(terms))
        if new:
            self._remember(new)
        return self._units[[self._place[term] for term in terms]].astype(np.float32)

    def _remember(self, terms: Sequence[str]) -> None:
        first = len(self._place)
        if first + len(terms) > len(self._units):
            room = max(1024, 2 * (first + len(terms)))
            wider = np.zeros((room, self._words.dimensions), np.float16)
            wider[:first] = self._units[:first]
            self._units = wider
        self._units[first : first + len(terms)] = unit_rows(self._words.look_up(terms))
        self._place |= {term: first + number for number, term in enumerate(terms)}
