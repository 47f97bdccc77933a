"""The analyzer: text to terms. Inflection is folded, stop words are dropped, phrases are found.

A text of thousands of words is searched in a few array operations: a hash of each pair of
neighbours is looked up in a table of the pairs that begin a phrase, and only the few places
that pass are compared word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from scenthound.core.model import Document
from scenthound.text.languages import LATIN, is_written_in
from scenthound.text.rules import (
    Rules,
    is_english,
    rules_for_page,
    rules_of,
    stop_words,
    text_representation,
    unexpected_language,
)
from scenthound.text.terms import (
    Bag,
    Bags,
    Column,
    Numbers,
    Vocabulary,
    bags_from_keys,
    is_mostly_latin,
)
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import shipped

if TYPE_CHECKING:
    from scenthound.text.term_counts import RunCounter, TextCounters


# Positions of terms, for models that read words in context.


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """The words of a text in order, stop words too, and every place where a term stands.

    ``terms``, ``starts`` and ``lengths`` are one number for each place: which term, at which word
    it begins, how many words it has. Single words come first, in the order of the text, then
    phrases; a phrase stands there beside its words.
    """

    words: list[str]
    terms: Numbers
    starts: Numbers
    lengths: Numbers

    def within(self, most: int) -> Occurrences:
        """The first ``most`` words, with the terms that lie wholly in them."""
        if len(self.words) <= most:
            return self
        inside = self.starts + self.lengths <= most
        return Occurrences(
            self.words[:most], self.terms[inside], self.starts[inside], self.lengths[inside]
        )


# Finding terms: phrases of several words, word forms, and the finder that joins both.


class TermOccurrences(NamedTuple):
    """Occurrences of terms in a row of texts, in order: which text, which term."""

    texts: Numbers
    terms: Numbers


_SPARSE = 32
"""Places of the table for each entry: one in so many chance pairs passes."""
_SPREAD = 0x9E3779B1
"""An odd constant: multiplying by it spreads neighbouring numbers over the table."""
NO_WORD = 0
_END = ""
"""The third word of a phrase of two."""
_CACHED_WORDS = 20_000
Long = npt.NDArray[np.int64]


class Phrases:
    """Known phrases, to be found in texts.

    A word of a text stands for itself and for its base form, so that "storm surges" is found
    as "storm surge". Where several phrases begin at one place, the longest counts.

    ``phrases``: base forms, words apart by one blank; single words are passed over.
    """

    def __init__(self, phrases: Iterable[str], base: Callable[[str], str]) -> None:
        self.phrases = tuple(phrases)
        self._forms = lru_cache(_CACHED_WORDS)(partial(_forms, base))
        self._by_start: dict[tuple[str, str, str], list[tuple[str, ...]]] = {}
        """Phrases by their first three words."""
        for phrase in sorted(self.phrases, key=len, reverse=True):
            first, *others = words = tuple(phrase.split(" "))
            if others:
                second, third = (*others, _END)[:2]
                self._by_start.setdefault((first, second, third), []).append(words)
        self.word_numbers: dict[str, int] = {_END: NO_WORD}
        """Of the first three words of every phrase, and of their base forms; 0 is for all others.
        What stands for a word of a phrase has its base form or is that of a word that has it."""
        numbers = {
            word: [
                self.word_numbers.setdefault(form, len(self.word_numbers))
                for form in _forms(base, word)
            ]
            for word in dict.fromkeys(chain.from_iterable(self._by_start))
        }
        starts = [
            each for start in self._by_start for each in product(*map(numbers.__getitem__, start))
        ]
        columns = np.array(starts, np.int64).reshape(-1, 3).T
        self._table = np.zeros(1 << (_SPARSE * len(starts)).bit_length(), np.bool_)
        self._table[self._hashes(*columns)] = True

    def starts(self, numbers: Numbers) -> list[int]:
        """Places where most likely a phrase begins, ascending; none that begins is left out.

        ``numbers`` are :attr:`word_numbers` of the base form of every word of a text.
        """
        padded = np.append(numbers.astype(np.int64), (NO_WORD, NO_WORD))
        first, second, third = padded[:-2], padded[1:-1], padded[2:]
        likely = self._table[self._hashes(first, second, NO_WORD)]
        likely |= self._table[self._hashes(first, second, third)]
        starts: list[int] = np.flatnonzero(likely & (first > NO_WORD) & (second > NO_WORD)).tolist()
        return starts

    def at(self, words: Sequence[str], place: int) -> str | None:
        """The longest phrase that begins at ``place``, or None; of equals the one as written."""
        first, second, third = map(self._forms, (*words[place : place + 3], _END, _END)[:3])
        longest: tuple[str, ...] = ()
        for start in product(first, second, (*third, _END)):
            for phrase in self._by_start.get(start, ()):
                if len(phrase) > len(longest) and self._goes_on(
                    phrase[3:], words[place + 3 : place + len(phrase)]
                ):
                    longest = phrase
        return " ".join(longest) or None

    def _goes_on(self, rest: Sequence[str], words: Sequence[str]) -> bool:
        """Are these words the rest of a phrase?"""
        return len(rest) == len(words) and all(
            word in self._forms(other) for word, other in zip(rest, words, strict=True)
        )

    def _hashes(self, first: Long, second: Long, third: Long | int) -> Long:
        """Places of the first three words of phrases in the table."""
        return ((first * _SPREAD + second) * _SPREAD + third) & (len(self._table) - 1)


def _forms(base: Callable[[str], str], word: str) -> tuple[str, ...]:
    """A word of a text as a phrase may have it."""
    return tuple(dict.fromkeys((word, base(word))))


# Word forms, and what is known about each, in arrays.

LONGEST_WORD = 40
"""Longer runs of letters are keys, hashes and URLs, not words."""
NO_TERM = -1
BREAK = ""
"""Stands between texts, so that no phrase runs from one into the next."""


class Forms(dict[str, int]):
    """Word form -> its number; what is known about each form stands in columns.

    ``term``: number of the term a word and its base form stand for; -1 for none.
    """

    def __init__(
        self, base: Callable[[str], str], term: Callable[[str, str], int], tables: Sequence[Phrases]
    ) -> None:
        super().__init__({BREAK: 0})
        self._base = base
        self._term = term
        self._tables = tables
        self._facts = [Column(np.int32, NO_TERM), *(Column(np.int32, NO_WORD) for _ in tables)]

    def __missing__(self, word: str) -> int:
        if len(word) > LONGEST_WORD:
            return 0  # and is not cached: it may be as long as a page
        form = self[word] = len(self)
        base = self._base(word)
        numbers = (table.word_numbers.get(base, NO_WORD) for table in self._tables)
        for column, fact in zip(self._facts, (self._term(word, base), *numbers), strict=True):
            column.upto(form + 1)[form] = fact
        return form

    def facts(self, forms: Numbers) -> list[Numbers]:
        """The terms (-1 for none), then the number of the base form for each table of phrases."""
        return [column.upto(len(self))[forms] for column in self._facts]


# Finds the terms of texts, by the rules of one language.

_CACHED_FORMS = 200_000


class TermFinder:
    """Finds the terms of texts by the rules of one language."""

    def __init__(self, rules: Rules, vocabulary: Vocabulary, tables: Sequence[Phrases]) -> None:
        self.vocabulary = vocabulary
        self.parts = 1 + len(tables)
        """Kinds of terms that it finds: single words, and those of each table."""
        self._rules = rules
        self._split = rules.split
        self._tables = tables
        self._forms = Forms(rules.base, self._term, tables)

    def in_texts(self, texts: Sequence[str]) -> list[TermOccurrences]:
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
            TermOccurrences(rows[is_term], terms[is_term]),
            *(TermOccurrences(rows[places], found) for places, found in phrases),
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
            self.vocabulary.term(phrase).count(" ") + 1
            for phrase in numbers[len(single) :].tolist()
        ]
        return Occurrences(stream[:-1], numbers, places, sizes)

    def _facts(self, stream: Sequence[str]) -> list[Numbers]:
        """What is known of each word; see :class:`Forms`."""
        if len(self._forms) > _CACHED_FORMS:
            self._forms = Forms(self._rules.base, self._term, self._tables)
        forms = np.fromiter(map(self._forms.__getitem__, stream), np.int32, len(stream))
        return self._forms.facts(forms)

    def _phrases(
        self, stream: Sequence[str], words: Sequence[Numbers]
    ) -> list[tuple[Numbers, Numbers]]:
        """Table by table: where phrases begin, and their terms."""
        found = []
        for table, numbers in zip(self._tables, words, strict=True):
            pairs: list[tuple[int, int]] = []
            end = 0  # of two that overlap the first counts
            for place in table.starts(numbers):
                phrase = table.at(stream, place) if place >= end else None
                if phrase is not None:
                    end = place + phrase.count(" ") + 1
                    pairs.append((place, self.vocabulary.number(phrase)))
            places, terms = np.array(pairs, np.int32).reshape(-1, 2).T
            found.append((places, terms))
        return found

    def _term(self, word: str, base: str) -> int:
        """Number of the term a word stands for; -1 for words that are none."""
        if word in self._rules.stops or word.isdigit() or (len(word) == 1 and word.isascii()):
            return NO_TERM
        return NO_TERM if base in self._rules.stop_bases else self.vocabulary.number(base)


# Counts the terms of texts by the rules of one language.

_LONG_TEXT = 1_000
_CACHED_LONG = 4


class Reader:
    """Counts the terms of texts by the rules of one language.

    The bags of the last few long texts are cached, since several parts (scorer, judge) ask for
    the same page in turn.

    Parameters
    ----------
    vocabulary : numbers the terms; readers of several languages may share it.
    counter : counts by the same rules and tables for several runs; None to count by itself. The
        bags are the same.
    """

    def __init__(
        self,
        rules: Rules,
        vocabulary: Vocabulary,
        tables: Sequence[Phrases],
        counter: RunCounter | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self._finder = TermFinder(rules, vocabulary, tables)
        self._counter = counter
        self._long_bag = lru_cache(_CACHED_LONG)(lambda text: self._bags([text])[0])

    def bag(self, text: str) -> Bag:
        """How often each term occurs in ``text``; empty for an empty text."""
        return self._bags([text])[0] if len(text) < _LONG_TEXT else self._long_bag(text)

    def bags(self, texts: Sequence[str]) -> Bags:
        """The bags of many texts at once: far less work than one by one."""
        short = [text for text in texts if len(text) < _LONG_TEXT]
        found = iter(self._bags(short))
        return Bags([next(found) if len(text) < _LONG_TEXT else self.bag(text) for text in texts])

    def occurrences(self, text: str) -> Occurrences:
        """Its words in order, and where its terms stand; nothing for an empty text."""
        return self._finder.occurrences(text)

    def _bags(self, texts: Sequence[str]) -> list[Bag]:
        if self._counter is not None:
            return self._counter.bags(texts)
        found = self._finder.in_texts(texts)
        rows = np.concatenate([each.texts for each in found]).astype(np.int64)
        terms = np.concatenate([each.terms for each in found])
        size = len(self.vocabulary)
        return bags_from_keys(rows * size + terms, len(texts), size)


# The analyzer of a topic: one reader for its language, others for pages in other languages.

_CACHED_PAGES = 4
_CACHED_READERS = 20


class Analyzer(Reader):
    """Counts the terms of texts for a topic in one language.

    A term is the base form of a word (WordNet's own morphology for English, a stem for other
    languages) or a phrase of several words; the words of a phrase count as well. A page in
    another language is read by a :class:`Reader` of its own, over the same vocabulary.

    Parameters
    ----------
    language : a code such as ``en``. Words of a language that nothing is known of are compared as
        they are written.
    wordnet : where base forms and phrases come from; None for the one that is shipped.
    phrases : the topic's keywords; those of several words are phrases to find.
    counters : count texts for several analyzers; None where this one shares nothing.
    """

    def __init__(
        self,
        language: str = "en",
        wordnet: WordNet | None = None,
        phrases: Iterable[str] = (),
        counters: TextCounters | None = None,
    ) -> None:
        phrases = tuple(phrases)
        self.language = language
        self.wordnet = (wordnet or shipped()) if is_english(language) else None
        self.rules = rules_of(language, self.wordnet, phrases)
        self._tables = [_phrases_of(self.wordnet)] if self.wordnet else []
        self._own_phrases = self._unknown_phrases(phrases)
        if self._own_phrases:
            self._tables.append(Phrases(self._own_phrases, self.rules.base))
        self._counters = counters
        self._is_latin = is_written_in(language, LATIN)
        self.vocabulary = Vocabulary()
        super().__init__(self.rules, self.vocabulary, *self._tables_and_counter(self.rules))
        self._reader_of = lru_cache(_CACHED_READERS)(self._language_reader)
        self._unexpected = lru_cache(_CACHED_PAGES)(
            lambda text, declared: unexpected_language(text, declared, language)
        )

    def count(self, text: str) -> dict[str, int]:
        """How often each term occurs in ``text``, by the term itself."""
        bag = self.bag(text)
        terms = self.vocabulary.terms(bag.ids.tolist())
        return dict(zip(terms, bag.counts.tolist(), strict=True))

    def page_bag(self, page: Document) -> Bag:
        """How often each term occurs in the full text of a page."""
        return self.reader(page).bag(page.full)

    def reader(self, page: Document) -> Reader:
        """The reader for the texts of a page: that of its language, where it is not the topic's."""
        language = self.language_of(page)
        return self if language is None else self._reader_of(language)

    def language_of(self, page: Document) -> str | None:
        """The language of a page that is not in the topic's; None where nothing says so."""
        text, declared = page.full, page.language
        if self._is_latin and declared in (None, self.language) and is_mostly_latin(text):
            return None  # most pages: nothing else need be looked up
        return self._unexpected(text, declared)

    def _language_reader(self, language: str) -> Reader:
        rules = rules_for_page(self.rules, language)
        if rules is self.rules:
            return self
        return Reader(rules, self.vocabulary, *self._tables_and_counter(rules))

    def _tables_and_counter(self, rules: Rules) -> tuple[list[Phrases], RunCounter | None]:
        if self._counters is None:
            return self._tables, None
        read_by = *text_representation(self.rules, rules, self.wordnet), *self._own_phrases
        return self._tables, self._counters.for_run(self.vocabulary, read_by, rules, self._tables)

    def _unknown_phrases(self, phrases: Iterable[str]) -> list[str]:
        """The phrases that are not found yet, in base forms.

        A keyword may be cut into shorter words and be one itself: then it is no phrase.
        """
        split = ((phrase.strip(), self.rules.split(phrase)) for phrase in phrases)
        new = [
            found
            for phrase, found in split
            if len(found) > 1
            and phrase not in found
            and not any((t.at(found, 0) or "").count(" ") == len(found) - 1 for t in self._tables)
        ]
        return [" ".join(map(self.rules.base, found)) for found in new]


@lru_cache(maxsize=2)
def _phrases_of(wordnet: WordNet) -> Phrases:
    """WordNet's phrases, prepared once for all analyzers.

    Only those that name things, and not those that begin with a stop word: "come to" and "the
    city" say nothing about a topic.
    """
    stops = stop_words("en")
    named = (lemma for lemma in wordnet.nouns.lemmas if lemma.partition(" ")[0] not in stops)
    return Phrases(named, wordnet.base)
