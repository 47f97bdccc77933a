"""How often the concepts of a topic stand in texts; of two that overlap the longer one counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.core.model import Document
from scenthound.text.analyzer import Analyzer
from scenthound.text.forms import NO_TERM
from scenthound.text.phrases import Phrases
from scenthound.text.reader import Reader
from scenthound.text.rules import Rules, rules_for_page
from scenthound.text.vocabulary import Vocabulary, Weights

_MOST_LANGUAGES = 20


class Closed(Vocabulary):
    """A vocabulary that takes no new terms: whatever is not in it is no term."""

    def __init__(self, terms: Sequence[str]) -> None:
        super().__init__()
        for term in terms:
            super().number(term)

    def number(self, term: str) -> int:
        """The number of ``term``; -1 if it is none."""
        found = self.find(term)
        return NO_TERM if found is None else found


class ConceptCounter:
    """Counts concepts by the base forms of their words.

    "storm surges" is one "storm surge" and no "storm". Labels that read alike ("flood" and
    "floods") are one: the first stands for both.

    Parameters
    ----------
    labels : of the concepts.
    analyzer : knows the language of the topic and those of pages.
    """

    def __init__(self, labels: Sequence[str], analyzer: Analyzer) -> None:
        rules = analyzer.rules
        self._analyzer = analyzer
        bases = [" ".join(map(rules.base, rules.split(label))) for label in labels]
        self._terms = Closed(list(dict.fromkeys(filter(None, bases))))
        self._columns = len(labels)
        column: dict[str, int] = {}
        for place, base in enumerate(bases):
            column.setdefault(base, place)
        self._column = np.array([column[term] for term in self._terms.terms()], np.intp)
        self.stands_for = np.array([column[base] for base in bases], np.intp)
        """For each label the place of the one that is counted for it: its own, or one alike."""
        phrases = [term for term in self._terms.terms() if " " in term]
        self._inside = [
            (self._number(phrase), [self._number(word) for word in phrase.split(" ")])
            for phrase in phrases
        ]
        self._tables = [Phrases(phrases, rules.base)] if phrases else []
        self._own = Reader(rules, self._terms, self._tables)
        self._others: dict[str, Reader] = {}

    def in_texts(self, texts: Sequence[str], page: Document) -> Weights:
        """One row a text, one column a concept. ``page`` is where the texts stand."""
        bags = self._reader(page).bags(texts)
        counts = np.zeros((len(texts), len(self._terms)))
        rows = np.repeat(np.arange(len(bags)), [len(bags[row]) for row in range(len(bags))])
        counts[rows, bags.ids] = bags.counts
        for phrase, words in self._inside:
            for word in words:
                if word != NO_TERM:
                    counts[:, word] -= counts[:, phrase]
        found = np.zeros((len(texts), self._columns))
        found[:, self._column] = np.maximum(counts, 0.0)  # a stop word in a phrase was not counted
        return found

    def _number(self, term: str) -> int:
        return self._terms.number(term)

    def _reader(self, page: Document) -> Reader:
        """That of the page's language, where it is not the topic's."""
        language = self._analyzer.language_of(page)
        if language is None:
            return self._own
        found = self._others.get(language)
        if found is None:
            while len(self._others) >= _MOST_LANGUAGES:
                del self._others[next(iter(self._others))]
            found = self._others[language] = self._reader_by(
                rules_for_page(self._analyzer.rules, language)
            )
        return found

    def _reader_by(self, rules: Rules) -> Reader:
        same = rules is self._analyzer.rules
        return self._own if same else Reader(rules, self._terms, self._tables)
