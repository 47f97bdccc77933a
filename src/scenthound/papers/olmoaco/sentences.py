"""Sentences as words and commas, where concepts stand in them, and the cue phrases that relate
two concepts: "caused by", "leads to", "consists of". English.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scenthound.papers.ontologies.model import Kind
from scenthound.text.rules import Rules

MOST_TOKENS = 400
"""A sentence that is longer is cut: it is a list or a table."""
PAUSE = ","
_TOKEN = re.compile(r"[^\W_]+|[,.;:!?()\[\]{}\"\u201c\u201d\u2013\u2014]|\n(?![^\S\n]*[a-z])")
_PAUSES = frozenset(',()[]{}"\u201c\u201d\u2013\u2014')
"""What keeps words apart and ends no sentence. A hyphen does neither: "rain-induced"."""


class Sentence(NamedTuple):
    """One sentence: its words in lower case, every kind of pause as a comma, and their spans in the
    text.
    """

    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text.

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


class ConceptSpan(NamedTuple):
    """A concept in a sentence; ``inflected`` if its last word is not in its base form, such as a
    plural.
    """

    start: int
    end: int
    label: str
    inflected: bool = False


class ConceptFinder:
    """Finds concepts in sentences by the base forms of their words.

    Labels that read alike ("flood" and "floods") are one: the first stands for both.
    """

    def __init__(self, labels: Iterable[str], rules: Rules) -> None:
        self._base = rules.base
        self._labels: dict[tuple[str, ...], str] = {}
        lengths: dict[str, set[int]] = {}
        for label in labels:
            bases = tuple(map(rules.base, rules.split(label)))
            if bases:
                self._labels.setdefault(bases, label)
                lengths.setdefault(bases[0], set()).add(len(bases))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}

    def places(self, tokens: Sequence[str]) -> list[ConceptSpan]:
        """Return where concepts stand, in order; of two that overlap the first, the longest of a
        place.

        "storm surges" is one "storm surge" and no "storm".
        """
        bases = tuple(map(self._base, tokens))
        found: list[ConceptSpan] = []
        for start, base in enumerate(bases):
            if found and start < found[-1].end:
                continue
            for length in self._lengths.get(base, ()):
                end = start + length
                label = self._labels.get(bases[start:end])
                if label is not None and end <= len(bases):
                    inflected = tokens[end - 1] != bases[end - 1]
                    found.append(ConceptSpan(start, end, label, inflected))
                    break
        return found


class Voice(enum.Enum):
    """Which of the two things comes first, and what may stand before the cue."""

    ACTIVE = "rain causes a flood"
    PASSIVE = "a flood (is) caused by rain"
    PART = "an eye is a part of a storm"
    WHOLE = "a storm consists of an eye"


class Cue(NamedTuple):
    """Words that relate what stands before them to what stands after."""

    words: tuple[str, ...]
    voice: Voice

    @property
    def kind(self) -> Kind:
        """How the child is related to its parent."""
        causes = self.voice in (Voice.ACTIVE, Voice.PASSIVE)
        return Kind.INDUCED_BY if causes else Kind.PART_OF

    @property
    def parent_first(self) -> bool:
        """Whether the parent stands before the cue."""
        return self.voice in (Voice.ACTIVE, Voice.WHOLE)


_ACTIVE = (
    "cause causes caused causing trigger triggers triggered triggering "
    "induce induces induced inducing produce produces produced producing "
    "generate generates generated generating bring brings brought bringing"
).split()

_ACTIVE += [
    f"{verb} {preposition}"
    for verbs, preposition in (
        ("lead leads led leading", "to"),
        ("result results resulted resulting", "in"),
    )
    for verb in verbs.split()
]

_PASSIVE = [
    f"{verb} by" for verb in "caused triggered induced produced generated driven brought".split()
]

_PASSIVE += ["brought on by", "brought about by", "due to"]

_PASSIVE += [
    f"{verb} from"
    for verb in "result results resulted resulting stem stems stemmed stemming".split()
]

_PART = ["part of", "parts of"]
_WHOLE = [
    "consist of", "consists of", "consisted of", "consisting of", "made of", "made up of",
    "composed of",
]  # fmt: skip
_BY_VOICE = {Voice.ACTIVE: _ACTIVE, Voice.PASSIVE: _PASSIVE, Voice.PART: _PART, Voice.WHOLE: _WHOLE}


_CUES: dict[str, list[Cue]] = {}
"""By first word, the longest first: "caused by" is no "caused"."""
for _cue in sorted(
    (Cue(tuple(text.split()), voice) for voice in Voice for text in _BY_VOICE[voice]),
    key=lambda cue: -len(cue.words),
):
    _CUES.setdefault(_cue.words[0], []).append(_cue)


def cues_in(tokens: Sequence[str]) -> Iterator[tuple[int, Cue]]:
    """Yield where cues begin, in order; the longest of each place."""
    for start, token in enumerate(tokens):
        for cue in _CUES.get(token, ()):
            if tuple(tokens[start : start + len(cue.words)]) == cue.words:
                yield start, cue
                break
