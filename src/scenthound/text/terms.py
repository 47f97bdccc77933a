"""Text to terms: Unicode words, stop words dropped, inflection folded."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType

from scenthound.text.inflection import folding
from scenthound.text.stopwords import stop_words

TermCounts = Mapping[str, int]
"""How often each term occurs in a text."""

LONGEST_WORD = 40
"""Longer runs of letters are keys, hashes and URLs, not words."""
_REMEMBERED_WORDS = 200_000
_SHORT_TEXT = 60
_LONG_TEXT = 1_000
_REMEMBERED_SHORT = 20_000
_REMEMBERED_LONG = 4

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f][^\x00-\x7f]*")
"""Written so, and not with ``+``, the search for the first character is twice as fast."""
_INVISIBLE = frozenset("\u00ad\u200c\u200d\u2060")
"""Soft hyphen and joiners: they stand inside words."""
_ASCII_SPACED = bytes(
    code if code > 127 or chr(code).isalnum() else ord(" ") for code in range(256)
)  # bytes.translate and str.split take a fraction of the time of a regular expression


def words(text: str) -> list[str]:
    """Words of ``text`` in lower case, in order; apostrophes and hyphens separate.

    A word is a run of letters and digits of any script. Accents and vowel signs are part of
    their word however they are encoded; soft hyphens are not there.
    """
    lowered = text.lower()
    if not lowered.isascii():
        composed = unicodedata.normalize("NFC", lowered)
        lowered = _BEYOND_ASCII.sub(lambda run: _letters(run[0]), composed)
    return lowered.encode().translate(_ASCII_SPACED).decode().split()


def _letters(run: str) -> str:
    """``run`` with spaces in place of what belongs to no word."""
    if run.isalnum():
        return run
    kept: list[str] = []
    for character in run:
        if character.isalnum():
            kept.append(character)
        elif character in _INVISIBLE:
            continue
        elif not unicodedata.category(character).startswith("M"):
            kept.append(" ")
        elif kept and kept[-1] != " ":
            kept.append(character)
    return "".join(kept)


class _TermOf(dict[str, str | None]):
    """Word form -> term, or None for words that are none; each form is worked out once."""

    def __init__(self, stops: frozenset[str], fold: Callable[[str], str]) -> None:
        super().__init__()
        self._stops = stops
        self._fold = fold

    def __missing__(self, word: str) -> str | None:
        if len(word) > LONGEST_WORD:
            return None  # and is not remembered: it may be as long as a page
        if len(self) >= _REMEMBERED_WORDS:
            self.clear()
        term = self._term(word)
        self[word] = term
        return term

    def _term(self, word: str) -> str | None:
        if word in self._stops or word.isdigit():
            return None
        if len(word) == 1 and word.isascii():
            return None
        folded = self._fold(word)
        return None if folded in self._stops else folded


class Analyzer:
    """Counts the terms of texts in one language.

    Short texts are remembered, since anchors come again and again; so are the last few long
    ones, since several readers (scorer, judge) ask for the same page in turn.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._term_of = _TermOf(stop_words(language), folding(language))
        self._short: dict[str, TermCounts] = {}
        self._long: dict[str, TermCounts] = {}

    def terms(self, text: str) -> list[str]:
        """Terms of ``text`` in order, repeated as they occur."""
        return [term for term in map(self._term_of.__getitem__, words(text)) if term is not None]

    def count(self, text: str) -> TermCounts:
        """How often each term occurs in ``text``; empty for an empty text."""
        if len(text) <= _SHORT_TEXT:
            return self._remembered(text, self._short, _REMEMBERED_SHORT)
        if len(text) >= _LONG_TEXT:
            return self._remembered(text, self._long, _REMEMBERED_LONG)
        return self._count(text)

    def _remembered(self, text: str, known: dict[str, TermCounts], most: int) -> TermCounts:
        found = known.get(text)
        if found is None:
            found = MappingProxyType(self._count(text))
            while len(known) >= most:
                del known[next(iter(known))]
            known[text] = found
        return found

    def _count(self, text: str) -> dict[str, int]:
        """Count the words first: far fewer than the text has are left to fold."""
        counts: dict[str, int] = {}
        by_word = Counter(words(text))
        terms = map(self._term_of.__getitem__, by_word)
        for term, n in zip(terms, by_word.values(), strict=True):
            if term is not None:
                counts[term] = counts.get(term, 0) + n
        return counts
