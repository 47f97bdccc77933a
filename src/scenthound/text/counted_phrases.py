"""Finds the phrases of a topic in texts that were counted without them.

Most texts do not hold the words of the phrase at all, which shows in what was counted: only the
others are searched. So topics with phrases of their own share the counting of everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scenthound.text.counted import NO_PAIRS, PAIR, Counted, Found
from scenthound.text.counted_texts import Counter
from scenthound.text.finding import TermFinder
from scenthound.text.forms import LONGEST_WORD
from scenthound.text.phrases import Phrases
from scenthound.text.rules import Rules
from scenthound.text.vocabulary import Column, Numbers, Vocabulary

_SHORT = 2
"""Letters of a word that may be no term where it stands in a text."""
_INFLECTION = 10
"""Letters that an inflected form may have more than its base, and be too long for a term."""


class OwnPhrases(NamedTuple):
    """Phrases of a topic, in base forms, and the table that finds them."""

    phrases: tuple[str, ...]
    table: Phrases


class PhraseFinder:
    """Finds phrases alone.

    Parameters
    ----------
    rules : of the language.
    vocabulary : numbers the phrases.
    table : of the phrases.
    """

    parts = 1

    def __init__(self, rules: Rules, vocabulary: Vocabulary, table: Phrases) -> None:
        self._finder = TermFinder(rules, vocabulary, [table])

    def in_texts(self, texts: Sequence[str]) -> list[Found]:
        """Where phrases begin."""
        return self._finder.in_texts(texts)[1:]


class PhraseCounter:
    """A counter that finds phrases in what another one has counted.

    Parameters
    ----------
    base : counts everything else.
    phrases : counts the phrases, in numbers of the same vocabulary.
    needed : for each phrase the words that a text must have, each in one of several terms.
    """

    def __init__(
        self, base: Counter, phrases: Counter, needed: Sequence[Sequence[frozenset[str]]]
    ) -> None:
        self._base = base
        self._phrases = phrases
        self.vocabulary = base.vocabulary
        self._needed = [
            [frozenset(map(self.vocabulary.number, terms)) for terms in words] for words in needed
        ]
        self._is_needed = Column(np.bool_, False)
        for term in frozenset().union(*(terms for words in self._needed for terms in words)):
            self._is_needed.upto(len(self.vocabulary))[term] = True

    def count(self, texts: Sequence[str]) -> list[Counted]:
        """What each text holds, in order; the phrases come last."""
        known = self._base.count(texts)
        likely = self._likely(known)
        found = iter(self._phrases.count([texts[place] for place in sorted(likely)]))
        return [
            (*each, *(next(found) if place in likely else (NO_PAIRS,)))
            for place, each in enumerate(known)
        ]

    def _likely(self, known: Sequence[Counted]) -> set[int]:
        """Places of the texts that have all words of a phrase."""
        singles = [single for single, *_ in known]
        terms: Numbers = np.frombuffer(b"".join(singles), np.int32)[::2]
        hits = np.flatnonzero(self._is_needed.upto(len(self.vocabulary))[terms])
        bounds = np.cumsum([len(single) // PAIR for single in singles])
        held: dict[int, set[int]] = {place: set() for place in range(len(known))}
        places = np.searchsorted(bounds, hits, side="right")
        for place, term in zip(places.tolist(), terms[hits].tolist(), strict=True):
            held[place].add(term)
        return {place for place, terms in held.items() if self._holds_phrase(terms)}

    def _holds_phrase(self, terms: set[int]) -> bool:
        return any(all(terms & word for word in words) for words in self._needed)


def needed_words(phrase: str, rules: Rules) -> list[frozenset[str]]:
    """For each word of a phrase the terms of which a text must have one, to hold the phrase.

    A word that stands in a text as it is has the term of its base form, and an inflected one has
    the word itself. Words that may be no term where they stand, such as stop words, are passed
    over: nothing is said of a text without them.
    """
    silent = rules.stops | rules.stop_bases | set(map(rules.base, rules.stops))
    return [
        frozenset({word, rules.base(word)})
        for word in phrase.split(" ")
        if _SHORT < len(word) <= LONGEST_WORD - _INFLECTION
        and not word.isdigit()
        and silent.isdisjoint({word, rules.base(word)})
    ]
