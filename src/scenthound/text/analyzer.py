"""Text to terms: words of any script, stop words dropped, inflection folded, phrases found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from scenthound.core.model import Document
from scenthound.lexicon.wordnet import WordNet, shipped
from scenthound.text.bags import Bag, Bags
from scenthound.text.counted_phrases import OwnPhrases
from scenthound.text.counters import TextCounters
from scenthound.text.expectation import unexpected_language
from scenthound.text.occurrences import Occurrences
from scenthound.text.phrases import Phrases
from scenthound.text.reader import Reader
from scenthound.text.reading_way import way_of_reading
from scenthound.text.rules import Rules, is_english, rules_for_page, rules_of
from scenthound.text.scripts import LATIN, is_written_in
from scenthound.text.stopwords import stop_words
from scenthound.text.vocabulary import Vocabulary

_REMEMBERED_PAGES = 4
_MOST_LANGUAGES = 20
"""Readers that are kept for pages in other languages."""


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
    counters : count texts for several analyzers; None where this one shares with nobody.
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
        self._others: dict[str, Reader] = {}
        self._languages: dict[tuple[str, str | None], str | None] = {}

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
        """Who reads the texts of a page: that of its language, where it is not the topic's."""
        language = self.language_of(page)
        if language is None:
            return self._own
        found = self._others.get(language)
        if found is None:
            while len(self._others) >= _MOST_LANGUAGES:
                del self._others[next(iter(self._others))]
            found = self._others[language] = self._reader_of(language)
        return found

    def language_of(self, page: Document) -> str | None:
        """The language of a page that is not in the topic's; None where nothing tells so."""
        text, declared = page.full, page.language
        if self._is_latin and declared in (None, self.language) and text.isascii():
            return None
        key = (text, declared)
        if key not in self._languages:
            while len(self._languages) >= _REMEMBERED_PAGES:
                del self._languages[next(iter(self._languages))]
            self._languages[key] = unexpected_language(text, declared, self.language)
        return self._languages[key]

    def _reader_of(self, language: str) -> Reader:
        rules = rules_for_page(self.rules, language)
        return self._own if rules is self.rules else self._reader_by(rules)

    def _reader_by(self, rules: Rules) -> Reader:
        counter = None
        if self._counters is not None:
            way = way_of_reading(self.rules, rules, self.wordnet)
            counter = self._counters.of(way, rules, self._tables, self._own_phrases)
        own = [] if self._own_phrases is None else [self._own_phrases.table]
        return Reader(rules, self.vocabulary, [*self._tables, *own], counter)

    def _unknown_phrases(self, phrases: Iterable[str]) -> OwnPhrases | None:
        """The phrases that are not found yet; None where there are none.

        A keyword may be cut into shorter words and be one itself: then it is no phrase.
        """
        split = ((phrase.strip(), self.rules.split(phrase)) for phrase in phrases)
        several = (found for phrase, found in split if len(found) > 1 and phrase not in found)
        new = [found for found in several if not self._finds(found)]
        if not new:
            return None
        bases = tuple(" ".join(map(self.rules.base, found)) for found in new)
        return OwnPhrases(bases, Phrases(bases, self.rules.base))

    def _finds(self, phrase: Sequence[str]) -> bool:
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
