"""Text to terms: words of any script, stop words dropped, inflection folded, phrases found.

Topics share the counting of texts. The phrases of one topic are searched apart: most texts do not
hold the words of a phrase at all, which their counts show, so that only few texts are searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from scenthound.core.cache import LruCache, RowCache
from scenthound.core.model import Document
from scenthound.text.language_rules import (
    Rules,
    is_english,
    rules_for_page,
    rules_of,
    text_representation,
    unexpected_language,
)
from scenthound.text.languages import LATIN, is_written_in
from scenthound.text.term_counts import (
    NO_PAIRS,
    PAIR,
    Counter,
    RunNumbers,
    TermCounts,
    TextCounter,
    TextMemory,
    hash_of,
    size_of,
)
from scenthound.text.terms import LONGEST_WORD, Phrases, TermFinder
from scenthound.text.vocabulary import (
    Bag,
    Bags,
    Column,
    Numbers,
    Occurrences,
    Vocabulary,
    bags_from_keys,
)
from scenthound.text.wordnet import WordNet, shipped
from scenthound.text.words import stop_words

_SHORT = 2
"""Letters of a word that may be no term where it stands in a text."""

_INFLECTION = 10
"""Letters that an inflected form may have more than its base, and be too long for a term."""


class TopicPhrases(NamedTuple):
    """Phrases of a topic, in base forms, and the table that finds them."""

    phrases: tuple[str, ...]
    table: Phrases


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

    def count(self, texts: Sequence[str]) -> list[TermCounts]:
        """What each text holds, in order; the phrases come last."""
        known = self._base.count(texts)
        likely = self._likely(known)
        found = iter(self._phrases.count([texts[place] for place in sorted(likely)]))
        return [
            (*each, *(next(found) if place in likely else (NO_PAIRS,)))
            for place, each in enumerate(known)
        ]

    def _likely(self, known: Sequence[TermCounts]) -> set[int]:
        """Places of the texts that have all words of a phrase."""
        singles = [single for single, *_ in known]
        terms: Numbers = np.frombuffer(b"".join(singles), np.int32)[::2]
        hits = np.flatnonzero(self._is_needed.upto(len(self.vocabulary))[terms])
        bounds = np.cumsum([len(single) // PAIR for single in singles])
        held: dict[int, set[int]] = {place: set() for place in range(len(known))}
        places = np.searchsorted(bounds, hits, side="right")
        for place, term in zip(places.tolist(), terms[hits].tolist(), strict=True):
            held[place].add(term)
        return {
            place
            for place, terms in held.items()
            if any(all(terms & word for word in words) for words in self._needed)
        }


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


# The counters of texts that runs share, one for each text representation.


_MAX_COUNTERS = 50
_MAX_TERMS = 1_000_000
"""Where a counter has seen more terms, all counters start anew."""


class TextCounters:
    """The counters that runs share.

    Parameters
    ----------
    version : of all that texts are read by; what another version counted is not found.
    memory_bytes : the size of the cache in memory that all of them share.
    rows : the cache beyond the process; None for none.
    """

    def __init__(self, version: str, memory_bytes: int, rows: RowCache | None = None) -> None:
        self._version = version
        self._memory_bytes = memory_bytes
        self._rows = rows
        self._counters: dict[bytes, Counter] = {}
        self._memory: TextMemory = LruCache(memory_bytes, size_of)

    def of(
        self,
        representation: str,
        rules: Rules,
        tables: Sequence[Phrases],
        own: TopicPhrases | None = None,
    ) -> Counter:
        """The counter by these rules.

        Parameters
        ----------
        representation : rules and tables as :func:`text_representation` describes them.
        rules : of the language.
        tables : of phrases that all topics share.
        own : phrases of one topic.
        """
        terms = max((len(each.vocabulary) for each in self._counters.values()), default=0)
        if len(self._counters) >= _MAX_COUNTERS or terms > _MAX_TERMS:
            # Runs that have a counter go on with it; only new ones start anew.
            self._counters = {}
            self._memory = LruCache(self._memory_bytes, size_of)
        key = hash_of(f"{self._version}\n{representation}")
        base = self._counters.get(key)
        if base is None:
            finder = TermFinder(rules, Vocabulary(), tables)
            base = self._counters[key] = TextCounter(key, finder, self._memory, self._rows)
        if own is None:
            return base
        key = hash_of("\n".join(own.phrases), key)
        known = self._counters.get(key)
        if known is None:
            finder = TermFinder(rules, base.vocabulary, [own.table], phrases_only=True)
            phrases = TextCounter(key, finder, self._memory, self._rows)
            needed = [needed_words(phrase, rules) for phrase in own.phrases]
            known = self._counters[key] = PhraseCounter(base, phrases, needed)
        return known


# Counts the terms of texts by the rules of one language.


_LONG_TEXT = 1_000
_CACHED_LONG = 4


class Reader:
    """Counts the terms of texts by the rules of one language.

    The bags of the last few long texts are cached, since several parts (scorer, judge) ask for
    the same page in turn.

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
        self._numbers = None if counter is None else RunNumbers(counter.vocabulary, vocabulary)
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
        if self._counter is not None and self._numbers is not None:
            return self._numbers.bags(self._counter.count(texts))
        found = self._finder.in_texts(texts)
        rows = np.concatenate([each.texts for each in found]).astype(np.int64)
        terms = np.concatenate([each.terms for each in found])
        return bags_from_keys(
            rows * len(self._vocabulary) + terms, len(texts), len(self._vocabulary)
        )


# The analyzer of a topic: one reader for its language, others for pages in other languages.


_CACHED_PAGES = 4
_CACHED_READERS = 20


class Analyzer:
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
        self.vocabulary = Vocabulary()
        self.rules = rules_of(language, self.wordnet, phrases)
        self._tables = [_phrases_of(self.wordnet)] if self.wordnet else []
        self._own_phrases = self._unknown_phrases(phrases)
        self._counters = counters
        self._is_latin = is_written_in(language, LATIN)
        self._own = self._reader_by(self.rules)
        self._reader_of = lru_cache(_CACHED_READERS)(self._language_reader)
        self._unexpected = lru_cache(_CACHED_PAGES)(
            lambda text, declared: unexpected_language(text, declared, language)
        )

    def bag(self, text: str) -> Bag:
        """How often each term occurs in ``text``; empty for an empty text."""
        return self._own.bag(text)

    def bags(self, texts: Sequence[str]) -> Bags:
        """The bags of many texts at once: far less work than one by one."""
        return self._own.bags(texts)

    def occurrences(self, text: str) -> Occurrences:
        """Where the terms of a text stand."""
        return self._own.occurrences(text)

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
        return self._own if language is None else self._reader_of(language)

    def language_of(self, page: Document) -> str | None:
        """The language of a page that is not in the topic's; None where nothing tells so."""
        text, declared = page.full, page.language
        if self._is_latin and declared in (None, self.language) and text.isascii():
            return None
        return self._unexpected(text, declared)

    def _language_reader(self, language: str) -> Reader:
        rules = rules_for_page(self.rules, language)
        return self._own if rules is self.rules else self._reader_by(rules)

    def _reader_by(self, rules: Rules) -> Reader:
        counter = None
        if self._counters is not None:
            representation = text_representation(self.rules, rules, self.wordnet)
            counter = self._counters.of(representation, rules, self._tables, self._own_phrases)
        own = [] if self._own_phrases is None else [self._own_phrases.table]
        return Reader(rules, self.vocabulary, [*self._tables, *own], counter)

    def _unknown_phrases(self, phrases: Iterable[str]) -> TopicPhrases | None:
        """The phrases that are not found yet; None where there are none.

        A keyword may be cut into shorter words and be one itself: then it is no phrase.
        """
        split = ((phrase.strip(), self.rules.split(phrase)) for phrase in phrases)
        several = (found for phrase, found in split if len(found) > 1 and phrase not in found)
        new = [found for found in several if not self._is_known(found)]
        if not new:
            return None
        bases = tuple(" ".join(map(self.rules.base, found)) for found in new)
        return TopicPhrases(bases, Phrases(bases, self.rules.base))

    def _is_known(self, phrase: Sequence[str]) -> bool:
        found = (table.at(phrase, 0) for table in self._tables)
        return any(term is not None and term.count(" ") == len(phrase) - 1 for term in found)


@lru_cache(maxsize=2)
def _phrases_of(wordnet: WordNet) -> Phrases:
    """WordNet's phrases, prepared once for all analyzers.

    Only those that name things, and not those that begin with a stop word: "come to" and "the
    city" say nothing about a topic.
    """
    stops = stop_words("en")
    named = (lemma for lemma in wordnet.nouns.lemmas if lemma.partition(" ")[0] not in stops)
    return Phrases(named, wordnet.base)
