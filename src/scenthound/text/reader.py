"""Counts the terms of texts by the rules of one language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.text.bags import Bag, Bags, gathered
from scenthound.text.counted import OwnNumbers
from scenthound.text.counted_texts import Counter
from scenthound.text.finding import TermFinder
from scenthound.text.occurrences import Occurrences
from scenthound.text.phrases import Phrases
from scenthound.text.rules import Rules
from scenthound.text.vocabulary import Vocabulary

_LONG_TEXT = 1_000
_REMEMBERED_LONG = 4


class Reader:
    """Counts the terms of texts by the rules of one language.

    The last few long texts are remembered, since several (scorer, judge) ask for the same
    page in turn.

    Parameters
    ----------
    rules : of the language.
    vocabulary : numbers the terms; readers of several languages may share it.
    tables : of phrases to find.
    counter : counts by the same rules and tables for several runs; None to count by itself. The
        bags are the same.
    """

    def __init__(
        self,
        rules: Rules,
        vocabulary: Vocabulary,
        tables: Sequence[Phrases],
        counter: Counter | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._finder = TermFinder(rules, vocabulary, tables)
        self._counter = counter
        self._numbers = None if counter is None else OwnNumbers(counter.vocabulary, vocabulary)
        self._long: dict[str, Bag] = {}

    def bag(self, text: str) -> Bag:
        """How often each term occurs in ``text``; empty for an empty text."""
        if len(text) < _LONG_TEXT:
            return self._bags([text])[0]
        found = self._long.get(text)
        if found is None:
            found = self._bags([text])[0]
            while len(self._long) >= _REMEMBERED_LONG:
                del self._long[next(iter(self._long))]
            self._long[text] = found
        return found

    def bags(self, texts: Sequence[str]) -> Bags:
        """The bags of many texts at once: far less work than one by one."""
        short = [text for text in texts if len(text) < _LONG_TEXT]
        found = iter(self._bags(short))
        return Bags([next(found) if len(text) < _LONG_TEXT else self.bag(text) for text in texts])

    def occurrences(self, text: str) -> Occurrences:
        """Its words in order, and where its terms stand; nothing for an empty text."""
        return self._finder.occurrences(text)

    def _bags(self, texts: Sequence[str]) -> list[Bag]:
        if self._counter is not None and self._numbers is not None:
            return self._numbers.bags(self._counter.count(texts))
        found = self._finder.in_texts(texts)
        rows = np.concatenate([each.texts for each in found]).astype(np.int64)
        terms = np.concatenate([each.terms for each in found])
        return gathered(rows * len(self._vocabulary) + terms, len(texts), len(self._vocabulary))
