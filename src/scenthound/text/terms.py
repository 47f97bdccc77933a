"""Text to terms: Unicode words, stop words dropped, inflection folded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from scenthound.text.inflection import folding
from scenthound.text.stopwords import stop_words

TermCounts = Mapping[str, int]
"""How often each term occurs in a text."""

LONGEST_WORD = 40
"""Longer runs of letters are keys, hashes and URLs, not words."""
_REMEMBERED_WORDS = 500_000
_REMEMBERED_TEXTS = 4
_LONG_TEXT = 1_000

_WORD = re.compile(r"[^\W_]+")
_ASCII_SPACES = {
    code: " " for code in range(128) if not chr(code).isalnum()
}  # str.translate + split is some four times quicker than the expression, for plain text


def words(text: str) -> list[str]:
    """Words of ``text`` in lower case, in order; apostrophes and hyphens separate."""
    lowered = text.lower()
    if lowered.isascii():
        return lowered.translate(_ASCII_SPACES).split()
    return _WORD.findall(lowered)


class _TermOf(dict[str, str | None]):
    """Word form -> term, or None for words that are none; each form is worked out once."""

    def __init__(self, stops: frozenset[str], fold: Callable[[str], str]) -> None:
        super().__init__()
        self._stops = stops
        self._fold = fold

    def __missing__(self, word: str) -> str | None:
        if len(self) >= _REMEMBERED_WORDS:
            self.clear()
        term = self._term(word)
        self[word] = term
        return term

    def _term(self, word: str) -> str | None:
        if word in self._stops or word.isdigit() or len(word) > LONGEST_WORD:
            return None
        if len(word) == 1 and word.isascii():
            return None
        folded = self._fold(word)
        return None if folded in self._stops else folded


class Analyzer:
    """Counts the terms of texts in one language.

    The last few long texts are remembered, since several readers (scorer, judge) ask for
    the same page in turn.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._term_of = _TermOf(stop_words(language), folding(language))
        self._recent: dict[str, TermCounts] = {}

    def terms(self, text: str) -> list[str]:
        """Terms of ``text`` in order, repeated as they occur."""
        return [term for term in map(self._term_of.__getitem__, words(text)) if term is not None]

    def count(self, text: str) -> TermCounts:
        """How often each term occurs in ``text``; empty for an empty text."""
        if len(text) < _LONG_TEXT:
            return self._count(text)
        found = self._recent.get(text)
        if found is None:
            found = self._count(text)
            if len(self._recent) >= _REMEMBERED_TEXTS:
                del self._recent[next(iter(self._recent))]
            self._recent[text] = found
        return found

    def _count(self, text: str) -> TermCounts:
        counts: Counter[str | None] = Counter(map(self._term_of.__getitem__, words(text)))
        counts.pop(None, None)
        return {term: n for term, n in counts.items() if term is not None}
