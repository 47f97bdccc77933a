"""Finds the terms of texts, by the rules of one language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.text.counted import Found
from scenthound.text.forms import BREAK, NO_TERM, Forms
from scenthound.text.occurrences import Occurrences
from scenthound.text.phrases import Phrases
from scenthound.text.rules import Rules
from scenthound.text.vocabulary import Numbers, Vocabulary

_REMEMBERED_FORMS = 200_000


class TermFinder:
    """Finds the terms of texts by the rules of one language.

    Parameters
    ----------
    rules : of the language.
    vocabulary : numbers the terms, in the order in which they are found.
    tables : of phrases to find.
    """

    def __init__(self, rules: Rules, vocabulary: Vocabulary, tables: Sequence[Phrases]) -> None:
        self._rules = rules
        self._split = rules.split
        self._vocabulary = vocabulary
        self._tables = tables
        self._forms = self._fresh_forms()

    @property
    def parts(self) -> int:
        """Kinds of terms that it finds: single words, and those of each table."""
        return 1 + len(self._tables)

    def in_texts(self, texts: Sequence[str]) -> list[Found]:
        """Where single words are terms, then, table by table, where phrases begin."""
        stream: list[str] = []
        sizes = []
        for text in texts:
            before = len(stream)
            stream += self._split(text)
            stream.append(BREAK)
            sizes.append(len(stream) - before)
        rows = np.repeat(np.arange(len(texts), dtype=np.int32), sizes)
        terms, *phrase_words = self._facts(stream)
        is_term = terms != NO_TERM
        phrases = self._phrases(stream, phrase_words)
        return [
            Found(rows[is_term], terms[is_term]),
            *(Found(rows[places], found) for places, found in phrases),
        ]

    def occurrences(self, text: str) -> Occurrences:
        """Its words in order, and where its terms stand; nothing for an empty text."""
        stream = [*self._split(text), BREAK]
        terms, *phrase_words = self._facts(stream)
        single = np.flatnonzero(terms != NO_TERM).astype(np.int32)
        found = self._phrases(stream, phrase_words)
        places = np.concatenate([single, *(places for places, _ in found)])
        numbers = np.concatenate([terms[single], *(phrases for _, phrases in found)])
        sizes = np.ones(len(numbers), np.int32)
        sizes[len(single) :] = [
            self._vocabulary.term(phrase).count(" ") + 1
            for phrase in numbers[len(single) :].tolist()
        ]
        return Occurrences(stream[:-1], numbers, places, sizes)

    def _facts(self, stream: Sequence[str]) -> Numbers:
        """What is known of each word; see :class:`Forms`."""
        if len(self._forms) > _REMEMBERED_FORMS:
            self._forms = self._fresh_forms()
        forms = np.fromiter(map(self._forms.__getitem__, stream), np.int32, len(stream))
        return self._forms.facts(forms)

    def _phrases(
        self, stream: Sequence[str], words: Sequence[Numbers]
    ) -> list[tuple[Numbers, Numbers]]:
        """Table by table: where phrases begin, and their terms."""
        pairs = zip(words[::2], words[1::2], strict=True)
        return [
            self._phrases_of(table, stream, own, base)
            for table, (own, base) in zip(self._tables, pairs, strict=True)
        ]

    def _phrases_of(
        self, table: Phrases, stream: Sequence[str], own: Numbers, base: Numbers
    ) -> tuple[Numbers, Numbers]:
        """Of two that overlap the first counts."""
        places: list[int] = []
        terms: list[int] = []
        end = 0
        for place in table.starts(own, base):
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
