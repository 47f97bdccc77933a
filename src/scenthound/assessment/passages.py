"""The passages of a text in which the topic's words stand: what a judge looks at first."""

from __future__ import annotations

import re
from collections.abc import Iterable

PASSAGES = 3
AROUND = 110
_READ = 200_000
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w{3,}")


def passages(text: str, phrases: Iterable[str], count: int = PASSAGES) -> list[str]:
    """Up to ``count`` passages around words of the phrases; the beginning where none occurs.

    Only the first 200,000 characters are looked at. An empty text gives no passage.
    """
    text = _SPACE.sub(" ", text[:_READ]).strip()
    if not text:
        return []
    found: list[str] = []
    end = 0
    for place in _places(text, phrases):
        if place < end or len(found) == count:
            continue
        start, end = max(end, place - AROUND), place + AROUND
        found.append(_excerpt(text, start, end))
    return found or [_excerpt(text, 0, 2 * AROUND)]


def _places(text: str, phrases: Iterable[str]) -> list[int]:
    """Where words of the phrases begin."""
    words = {word.lower() for phrase in phrases for word in _WORD.findall(phrase)}
    if not words:
        return []
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return [found.start() for found in re.finditer(rf"\b(?:{pattern})", text, re.IGNORECASE)]


def _excerpt(text: str, start: int, end: int) -> str:
    """Cut between words, with dots where something is left out."""
    if start > 0:
        start = text.find(" ", start, start + 20) + 1 or start
    if end < len(text):
        end = max(start + 1, text.rfind(" ", start, end))
    return f"{'... ' if start > 0 else ''}{text[start:end]}{' ...' if end < len(text) else ''}"
