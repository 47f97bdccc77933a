"""Sentences as words and commas, and where concepts stand in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

Words = Callable[[str], Sequence[str]]
"""From a text to its words in lower case."""
Base = Callable[[str], str]
"""From a word to the form that all its inflections share."""

MOST_TOKENS = 400
"""A sentence that is longer is cut: it is a list or a table."""
PAUSE = ","
_TOKEN = re.compile(r"[^\W_]+|[,.;:!?()\[\]{}\"\u201c\u201d\u2013\u2014]|\n(?![^\S\n]*[a-z])")
_PAUSES = frozenset(',()[]{}"\u201c\u201d\u2013\u2014')
"""What keeps words apart and ends no sentence. A hyphen does neither: "rain-induced"."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text.

    Parameters
    ----------
    tokens : its words in lower case; every kind of pause is a comma.
    spans : where each of them begins and ends in the text.
    """

    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text in order; none for a text without words.

    They end at full stops, colons and the like, and with a line, unless the next line goes on in
    small letters: texts are wrapped.
    """
    tokens: list[str] = []
    spans: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token[0].isalnum() or token in _PAUSES:
            tokens.append(PAUSE if token in _PAUSES else token.lower())
            spans.append(match.span())
        if tokens and (len(tokens) == MOST_TOKENS or token in ".;:!?\n"):
            yield Sentence(tuple(tokens), tuple(spans))
            tokens, spans = [], []
    if tokens:
        yield Sentence(tuple(tokens), tuple(spans))


@dataclass(frozen=True, slots=True)
class Place:
    """A concept in a sentence.

    Parameters
    ----------
    start, end : its tokens, the last one not included.
    label : of the concept.
    inflected : is its last word not in its base form, such as a plural?
    """

    start: int
    end: int
    label: str
    inflected: bool = False


class ConceptFinder:
    """Finds concepts in sentences by the base forms of their words.

    Labels that read alike ("flood" and "floods") are one: the first stands for both.

    Parameters
    ----------
    labels : of the concepts.
    words, base : how the language is read.
    """

    def __init__(self, labels: Iterable[str], words: Words, base: Base) -> None:
        self._base = base
        self._labels: dict[tuple[str, ...], str] = {}
        lengths: dict[str, set[int]] = {}
        for label in labels:
            bases = tuple(map(base, words(label)))
            if bases:
                self._labels.setdefault(bases, label)
                lengths.setdefault(bases[0], set()).add(len(bases))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def places(self, tokens: Sequence[str]) -> list[Place]:
        """Where concepts stand, in order; of two that overlap the first, the longest of a place.

        "storm surges" is one "storm surge" and no "storm".
        """
        bases = tuple(map(self._base, tokens))
        found: list[Place] = []
        start = 0
        while start < len(bases):
            place = self._at(tokens, bases, start)
            if place is not None:
                found.append(place)
            start = start + 1 if place is None else place.end
        return found

    def _at(self, tokens: Sequence[str], bases: tuple[str, ...], start: int) -> Place | None:
        for length in self._lengths.get(bases[start], ()):
            end = start + length
            label = self._labels.get(bases[start:end])
            if label is not None and end <= len(bases):
                return Place(start, end, label, tokens[end - 1] != bases[end - 1])
        return None
