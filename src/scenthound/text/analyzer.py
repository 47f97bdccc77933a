"""Text to terms: words of any script, stop words dropped, inflection folded, phrases found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np

from scenthound.lexicon.wordnet import WordNet, shipped
from scenthound.text.bags import Bag, Bags, gathered
from scenthound.text.phrases import NO_WORD, Phrases
from scenthound.text.stopwords import stop_words
from scenthound.text.vocabulary import Numbers, Vocabulary
from scenthound.text.words import words

LONGEST_WORD = 40
"""Longer runs of letters are keys, hashes and URLs, not words."""
_REMEMBERED_FORMS = 200_000
_LONG_TEXT = 1_000
_REMEMBERED_LONG = 4
_NONE = -1
_BREAK = ""
"""Stands between texts, so that no phrase runs from one into the next."""


class Analyzer:
    """Counts the terms of texts in one language.

    A term is the base form of a word (WordNet's own morphology, for English) or a phrase of
    several words; the words of a phrase count as well. The last few long texts are
    remembered, since several readers (scorer, judge) ask for the same page in turn.

    Parameters
    ----------
    language : a code such as ``en``. Words of other languages are compared as they are written.
    wordnet : where base forms and phrases come from; None for the one that is shipped.
    phrases : further phrases to find, such as the topic's keywords.
    """

    def __init__(
        self, language: str = "en", wordnet: WordNet | None = None, phrases: Iterable[str] = ()
    ) -> None:
        self.language = language
        self.wordnet = (wordnet or shipped()) if is_english(language) else None
        self.vocabulary = Vocabulary()
        self._stops = stop_words(language)
        self._base: Callable[[str], str] = self.wordnet.base if self.wordnet else str
        self._tables = [_phrases_of(self.wordnet)] if self.wordnet else []
        self._add_phrases(phrases)
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

    def count(self, text: str) -> dict[str, int]:
        """How often each term occurs in ``text``, by the term itself."""
        bag = self.bag(text)
        terms = self.vocabulary.terms(bag.ids.tolist())
        return dict(zip(terms, bag.counts.tolist(), strict=True))

    def _bags(self, texts: Sequence[str]) -> list[Bag]:
        if len(self._forms) > _REMEMBERED_FORMS:
            self._forms = self._fresh_forms()
        stream: list[str] = []
        sizes = []
        for text in texts:
            before = len(stream)
            stream += words(text)
            stream.append(_BREAK)
            sizes.append(len(stream) - before)
        forms = np.fromiter(map(self._forms.__getitem__, stream), np.int32, len(stream))
        rows = np.repeat(np.arange(len(texts)), sizes)
        terms, *phrase_words = self._forms.facts(forms)
        places, phrases = self._found_phrases(stream, phrase_words)
        is_term = terms != _NONE
        rows = np.concatenate([rows[is_term], rows[places]])
        terms = np.concatenate([terms[is_term], phrases])
        return gathered(rows * len(self.vocabulary) + terms, len(texts), len(self.vocabulary))

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
                    terms.append(self.vocabulary.number(phrase))
        return np.array(places, np.int32), np.array(terms, np.int32)

    def _add_phrases(self, phrases: Iterable[str]) -> None:
        """A table for the phrases that are not found yet."""
        new = [split for split in map(words, phrases) if len(split) > 1 and not self._finds(split)]
        if new:
            bases = (" ".join(map(self._base, split)) for split in new)
            self._tables.append(Phrases(bases, self._base))

    def _finds(self, phrase: Sequence[str]) -> bool:
        found = (table.at(phrase, 0) for table in self._tables)
        return any(term is not None and term.count(" ") == len(phrase) - 1 for term in found)

    def _fresh_forms(self) -> _Forms:
        return _Forms(self._base, self._term, self._tables)

    def _term(self, word: str, base: str) -> int:
        """Number of the term a word stands for; -1 for words that are none."""
        if word in self._stops or word.isdigit() or (len(word) == 1 and word.isascii()):
            return _NONE
        return _NONE if base in self._stops else self.vocabulary.number(base)


class _Forms(dict[str, int]):
    """Word form -> its number; what is known about each form stands in arrays.

    A form's facts are three kinds of numbers: its term, and for each table of phrases its own
    number and that of its base form among the words of phrases.
    """

    def __init__(
        self,
        base: Callable[[str], str],
        term: Callable[[str, str], int],
        tables: Sequence[Phrases],
    ) -> None:
        super().__init__({_BREAK: 0})
        self._base = base
        self._term = term
        self._tables = tables
        self._new = [(_NONE, *(NO_WORD, NO_WORD) * len(tables))]
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


def is_english(language: str) -> bool:
    """``en``, ``en-GB``, ...: the language that WordNet describes."""
    return language.lower().partition("-")[0] == "en"


@lru_cache(maxsize=2)
def _phrases_of(wordnet: WordNet) -> Phrases:
    """WordNet's phrases, prepared once for all analyzers.

    Only those that name things, and not those that begin with a stop word: "come to" and "the
    city" say nothing about a topic.
    """
    stops = stop_words("en")
    named = (lemma for lemma in wordnet.nouns.lemmas if lemma.partition(" ")[0] not in stops)
    return Phrases(named, wordnet.base)
