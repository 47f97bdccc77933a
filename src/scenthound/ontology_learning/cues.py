"""Words that say how two things are related: "caused by", "leads to", "consists of". English."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scenthound.ontology.model import Kind


class Voice(enum.Enum):
    """Which of the two things comes first, and what may stand before the cue."""

    ACTIVE = "rain causes a flood"
    PASSIVE = "a flood (is) caused by rain"
    PART = "an eye is a part of a storm"
    WHOLE = "a storm consists of an eye"


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that relate what stands before them to what stands after.

    Parameters
    ----------
    words : as they are written, in lower case.
    voice : how a sentence with them is built.
    """

    words: tuple[str, ...]
    voice: Voice

    @property
    def kind(self) -> Kind:
        """How the child is related to its parent."""
        causes = self.voice in (Voice.ACTIVE, Voice.PASSIVE)
        return Kind.INDUCED_BY if causes else Kind.PART_OF

    @property
    def parent_first(self) -> bool:
        """Does the parent stand before the cue?"""
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
_BY_VOICE = {
    Voice.ACTIVE: _ACTIVE,
    Voice.PASSIVE: _PASSIVE,
    Voice.PART: _PART,
    Voice.WHOLE: _WHOLE,
}


def _by_first_word() -> dict[str, tuple[Cue, ...]]:
    """Those that begin alike, the longest first: "caused by" is no "caused"."""
    cues = [Cue(tuple(text.split()), voice) for voice in Voice for text in _BY_VOICE[voice]]
    found: dict[str, tuple[Cue, ...]] = {}
    for cue in sorted(cues, key=lambda cue: -len(cue.words)):
        found[cue.words[0]] = (*found.get(cue.words[0], ()), cue)
    return found


_CUES = _by_first_word()


def cues_in(tokens: Sequence[str]) -> Iterator[tuple[int, Cue]]:
    """Where cues begin, in order; the longest of each place.

    Parameters
    ----------
    tokens : of a sentence, in lower case.
    """
    for start, token in enumerate(tokens):
        for cue in _CUES.get(token, ()):
            if tuple(tokens[start : start + len(cue.words)]) == cue.words:
                yield start, cue
                break
