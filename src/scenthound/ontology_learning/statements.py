"""What a sentence says of two concepts: "landslides are often triggered by heavy rain".

Cue phrases as Hearst (1992) uses them for kinds and Girju and Moldovan (2002) for causes. What is
found must be right more than it must be all: where a sentence is not plain, nothing is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from scenthound.ontology.model import Kind
from scenthound.ontology_learning.cues import Cue, Voice, cues_in
from scenthound.ontology_learning.nouns import IsNoun
from scenthound.ontology_learning.reading import Reading
from scenthound.ontology_learning.sentences import Place


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence says that ``child`` stands below ``parent``, in its tokens from start to end."""

    child: str
    parent: str
    kind: Kind
    start: int
    end: int


def statements(
    tokens: Sequence[str], places: Sequence[Place], is_noun: IsNoun
) -> Iterator[Statement]:
    """What a sentence says, cue by cue; nothing without a cue or with fewer than two concepts.

    Takes time in proportion to the sentence.

    Parameters
    ----------
    tokens : words in lower case, and commas.
    places : where concepts stand, apart from each other.
    is_noun : says of a token whether it is one; a "debris flow" is more than a flow.
    """
    cues = list(cues_in(tokens))
    taken = {start + i for start, cue in cues for i in range(len(cue.words))}
    free = [place for place in places if _is_free(place, tokens, taken, is_noun)]
    reading = Reading(tokens, free)
    for start, cue in cues:
        after = reading.after(start + len(cue.words))
        before = reading.before(start, cue.voice) if after else []
        if not reading.is_denied(before, after, start):
            yield from _related(before, after, cue)
            if cue.voice is Voice.PART and after:
                yield from _parts(after[0], reading.examples_after(after[0].end), start)


def _is_free(place: Place, tokens: Sequence[str], taken: Collection[int], is_noun: IsNoun) -> bool:
    """No word of a cue, and with no noun before it that makes it something else."""
    before = place.start - 1
    modified = before >= 0 and before not in taken and is_noun(tokens[before])
    return not modified and not any(word in taken for word in range(place.start, place.end))


def _related(before: Sequence[Place], after: Sequence[Place], cue: Cue) -> Iterator[Statement]:
    for first in before:
        for second in after:
            parent, child = (first, second) if cue.parent_first else (second, first)
            if parent.label != child.label:
                yield Statement(child.label, parent.label, cue.kind, first.start, second.end)


def _parts(whole: Place, parts: Sequence[Place], start: int) -> Iterator[Statement]:
    """ "Parts of a storm such as its eye": the words begin with the cue."""
    for part in parts:
        if part.label != whole.label:
            yield Statement(part.label, whole.label, Kind.PART_OF, start, part.end)
