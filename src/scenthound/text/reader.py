"""Counts the terms of texts by the rules of one language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.text.bags import Bag, Bags, gathered
from scenthound.text.forms import BREAK, NO_TERM, Forms
from scenthound.text.occurrences import Occurrences
from scenthound.text.phrases import Phrases
from scenthound.text.rules import Rules
from scenthound.text.vocabulary import Numbers, Vocabulary

_REMEMBERED_FORMS = 200_000
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
    """

    def __init__(self, rules: Rules, vocabulary: Vocabulary, tables: Sequence[Phrases]) -> None:
        self._rules = rules
        self._split = rules.split
        self._vocabulary = vocabulary
        self._tables = tables
        self._forms = self._fresh_forms()
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
        stream = [*self._split(text), BREAK]
        terms, *phrase_words = self._facts(stream)
        places, phrases = self._found_phrases(stream, phrase_words)
        single = np.flatnonzero(terms != NO_TERM).astype(np.int32)
        sizes = [self._vocabulary.term(phrase).count(" ") + 1 for phrase in phrases.tolist()]
        return Occurrences(
            stream[:-1],
            np.concatenate([terms[single], phrases]),
            np.concatenate([single, places]),
            np.concatenate([np.ones(len(single), np.int32), np.array(sizes, np.int32)]),
        )

    def _bags(self, texts: Sequence[str]) -> list[Bag]:
        stream: list[str] = []
        sizes = []
        for text in texts:
            before = len(stream)
            stream += self._split(text)
            stream.append(BREAK)
            sizes.append(len(stream) - before)
        rows = np.repeat(np.arange(len(texts)), sizes)
        terms, *phrase_words = self._facts(stream)
        places, phrases = self._found_phrases(stream, phrase_words)
        is_term = terms != NO_TERM
        rows = np.concatenate([rows[is_term], rows[places]])
        terms = np.concatenate([terms[is_term], phrases])
        return gathered(rows * len(self._vocabulary) + terms, len(texts), len(self._vocabulary))

    def _facts(self, stream: Sequence[str]) -> Numbers:
        """What is known of each word; see :class:`Forms`."""
        if len(self._forms) > _REMEMBERED_FORMS:
            self._forms = self._fresh_forms()
        forms = np.fromiter(map(self._forms.__getitem__, stream), np.int32, len(stream))
        return self._forms.facts(forms)

    def _found_phrases(
        self, stream: Sequence[str], phrase_words: Sequence[Numbers]
    ) -> tuple[Numbers, Numbers]:
        """Where phrases begin, and their terms; of two that overlap the first counts."""
        places: list[int] = []
        terms: list[int] = []
        for number, table in enumerate(self._tables):
            end = 0
            for place in table.starts(*phrase_words[2 * number : 2 * number + 2]):
                phrase = table.at(stream, place) if place >= end else None
                if phrase is not None:
                    end = place + phrase.count(" ") + 1
                    places.append(place)
                    terms.append(self._vocabulary.number(phrase))
        return np.array(places, np.int32), np.array(terms, np.int32)

    def _fresh_forms(self) -> Forms:
        return Forms(self._rules.base, self._term, self._tables)

    def _term(self, word: str, base: str) -> int:
        """Number of the term a word stands for; -1 for words that are none."""
        if word in self._rules.stops or word.isdigit() or (len(word) == 1 and word.isascii()):
            return NO_TERM
        return NO_TERM if base in self._rules.stop_bases else self._vocabulary.number(base)
