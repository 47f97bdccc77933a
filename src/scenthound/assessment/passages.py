"""The passages of a text in which the topic's words stand: what a judge looks at first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from scenthound.text.segmentation import has_unspaced, segmented

PASSAGES = 3
AROUND = 110
_READ = 200_000
_SPACE = re.compile(r"\s+")
_SHORT = 3
"""Letters; fewer are mostly a word like *of*, unless somebody gave them as a keyword: *AI*."""
_CUT_WITHIN = 20


def passages(text: str, phrases: Iterable[str], count: int = PASSAGES) -> list[str]:
    """Up to ``count`` passages around words of the phrases; the beginning where none occurs.

    Words may be in any script, also in those that put no blanks between them. Only the first
    200,000 characters are looked at. An empty text gives no passage.
    """
    text = _SPACE.sub(" ", text[:_READ]).strip()
    if not text:
        return []
    found: list[str] = []
    end = 0
    for place in _places(text, topic_words(phrases)):
        if place < end or len(found) == count:
            continue
        start, end = max(end, place - AROUND), place + AROUND
        found.append(_excerpt(text, start, place, end))
    return found or [_excerpt(text, 0, 0, 2 * AROUND)]


def topic_words(phrases: Iterable[str]) -> set[str]:
    """The words to look for; short ones only where they are a phrase of their own."""
    words: set[str] = set()
    for phrase in phrases:
        parts = [word for part in phrase.split() if (word := _trimmed(part))]
        words |= {w for w in parts if len(w) >= _SHORT or len(parts) == 1 or has_unspaced([w])}
    return words


def _trimmed(word: str) -> str:
    """Without signs around it: letters, digits and their marks are left."""
    kept = [i for i, sign in enumerate(word) if unicodedata.category(sign)[0] in "LNM"]
    return word[kept[0] : kept[-1] + 1] if kept else ""


def _places(text: str, words: set[str]) -> list[int]:
    """Where the words begin; where none does, parts of words that are written without blanks."""
    return _occurrences(text, words) or _occurrences(text, _parts(words))


def _parts(words: Iterable[str]) -> set[str]:
    """Pairs of characters, of which a long word without blanks is made."""
    return {part for w in words if has_unspaced([w]) for part in segmented([w]) if len(part) > 1}


def _occurrences(text: str, words: set[str]) -> list[int]:
    if not words:
        return []
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    found = re.finditer(pattern, text, re.IGNORECASE)
    return [each.start() for each in found if _is_word(text, each.start(), each.end())]


def _is_word(text: str, start: int, end: int) -> bool:
    """Does a word begin here, and a short one end there? Longer ones may have endings."""
    if has_unspaced([text[start]]):
        return True
    return _is_gap(text, start) and (end - start >= _SHORT or _is_gap(text, end))


def _is_gap(text: str, place: int) -> bool:
    """Is there no word that goes on over this place?"""
    around = text[max(0, place - 1) : place + 1]
    return len(around) < 2 or not around.isalnum() or has_unspaced(around)


def _excerpt(text: str, start: int, place: int, end: int) -> str:
    """Cut between words if one ends nearby, with dots where something is left out."""
    if start > 0:
        start = text.find(" ", start, min(place, start + _CUT_WITHIN)) + 1 or start
    if end < len(text):
        blank = text.rfind(" ", max(place + 1, end - _CUT_WITHIN), end)
        end = blank if blank > 0 else end
    return f"{'... ' if start > 0 else ''}{text[start:end]}{' ...' if end < len(text) else ''}"
