"""The word forms met so far, and what is known about each, in arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from scenthound.text.phrases import NO_WORD, Phrases
from scenthound.text.vocabulary import Numbers

LONGEST_WORD = 40
"""Longer runs of letters are keys, hashes and URLs, not words."""
NO_TERM = -1
BREAK = ""
"""Stands between texts, so that no phrase runs from one into the next."""


class Forms(dict[str, int]):
    """Word form -> its number; what is known about each form stands in arrays.

    A form's facts are three kinds of numbers: its term, and for each table of phrases its own
    number and that of its base form among the words of phrases.

    Parameters
    ----------
    base : base form of a word.
    term : number of the term a word and its base form stand for; -1 for none.
    tables : of phrases.
    """

    def __init__(
        self,
        base: Callable[[str], str],
        term: Callable[[str, str], int],
        tables: Sequence[Phrases],
    ) -> None:
        super().__init__({BREAK: 0})
        self._base = base
        self._term = term
        self._tables = tables
        self._new = [(NO_TERM, *(NO_WORD, NO_WORD) * len(tables))]
        self._facts = np.empty((len(self._new[0]), 1024), np.int32)

    def __missing__(self, word: str) -> int:
        if len(word) > LONGEST_WORD:
            return 0  # and is not remembered: it may be as long as a page
        form = self[word] = len(self)
        base = self._base(word)
        numbers = [table.word_number(each) for table in self._tables for each in (word, base)]
        self._new.append((self._term(word, base), *numbers))
        return form

    def facts(self, forms: Numbers) -> Numbers:
        """Row by row: the terms (-1 for none), then the two numbers for each table."""
        if self._new:
            self._write_down()
        facts: Numbers = self._facts[:, forms]
        return facts

    def _write_down(self) -> None:
        """Lay the facts of new forms beside the others."""
        kinds, room = self._facts.shape
        if len(self) > room:
            wider = np.empty((kinds, max(len(self), 2 * room)), np.int32)
            wider[:, :room] = self._facts
            self._facts = wider
        self._facts[:, len(self) - len(self._new) : len(self)] = np.array(self._new).T
        self._new = []
