"""From concepts to words: a word is as similar as the most similar of its senses."""

from __future__ import annotations

import numpy as np

from scenthound.lexicon.taxonomy import Rows
from scenthound.semantics.information import Array


class BestSense:
    """Maximum over the senses of every lemma at once.

    Most lemmas have one sense: all take the value of their first one, then those with several
    are worked out: less work than one pass over all senses.

    Parameters
    ----------
    senses : concepts of each lemma.
    concepts : number of concepts.
    """

    def __init__(self, senses: Rows, concepts: int) -> None:
        many = np.diff(senses.starts)
        self._first = np.full(len(senses), concepts, np.intp)  # the place after the last concept
        self._first[many > 0] = senses.values[senses.starts[:-1][many > 0]]
        self._several = np.flatnonzero(many > 1)
        rows = Rows.of([senses[lemma].tolist() for lemma in self._several.tolist()])
        self._starts, self._senses = rows.starts[:-1], rows.values.astype(np.intp)

    def of(self, values: Array) -> Array:
        """Best value of every lemma from a value >= 0 of every concept; 0 without a sense."""
        best: Array = np.append(values, 0.0)[self._first]
        if len(self._several):
            best[self._several] = np.maximum.reduceat(values[self._senses], self._starts)
        return best
