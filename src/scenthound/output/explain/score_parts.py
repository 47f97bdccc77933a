"""The parts of a score in words: what each one speaks of, how much of the score it makes up, and
which ones mattered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scenthound.core.events import join_words
from scenthound.core.model import Part
from scenthound.output.explain.explanation import ScorePart

PARTS: Mapping[str, tuple[str, str]] = {
    "full": (
        "similarity of the linking page's text to the topic (sentences: title and beginning)",
        "the page it stands on",
    ),
    "title": ("similarity of the linking page's title to the topic", "the title of that page"),
    "anchor": ("similarity of the words of the link to the topic", "the text of the link"),
    "context": ("similarity of the words around the link to the topic", "the text around it"),
    "host": ("mean relevance of the pages fetched from the link's host so far", "its host so far"),
    "source": (
        "relevance of the linking page, by the judge", "the relevance of the linking page",
    ),
    "inlinks": (
        "how many pages link there: n / (n + 1) for n of them", "how many pages link there",
    ),
    "page": ("similarity of the linking page to the topic", "the page it stands on"),
    "steps": (
        "pages off the topic that may still be passed through from here", "the steps left",
    ),
    "inherited": (
        "what the linking page was worth, and those before it, fading with distance",
        "the pages that led there",
    ),
    "labelled": ("1 where the link leads to a labelled page: for evaluation", "its label"),
    "address": ("similarity of the words of the link's address to the topic", "its address"),
}  # fmt: skip
"""Every part that a strategy of the catalogue may have: what it means, and what it speaks of, as
that stands in a sentence about a link. Where a text has several :data:`REPRESENTATIONS`, by the
text."""
REPRESENTATIONS: Mapping[str, str] = {
    "words": "by its words",
    "meaning": "by the meaning of its words",
    "sentence": "read as sentences",
}
"""The second word of a part whose text has several representations: ``anchor meaning``."""
_OWN = "a part of the strategy's own"


def part_meaning(name: str) -> str:
    """What a part of a score means; a strategy of one's own has parts that only it knows."""
    thing, way = evidence_of(name)
    if way:
        return f"{describe_evidence(thing)}, {REPRESENTATIONS[way]}"
    return PARTS.get(name, (_OWN, name))[0]


def evidence_of(name: str) -> tuple[str, str]:
    """What a part speaks of, and in which way it reads that; the name and "" where it has no way.

    Examples
    --------
    >>> evidence_of("anchor meaning"), evidence_of("anchor"), evidence_of("my words")
    (('anchor', 'meaning'), ('anchor', ''), ('my words', ''))
    """
    thing, _, way = name.rpartition(" ")
    return (thing, way) if thing in PARTS and way in REPRESENTATIONS else (name, "")


def describe_evidence(name: str) -> str:
    """What parts speak of, in words for a sentence; a name that is not known as it stands."""
    return PARTS.get(name, (_OWN, name))[1]


# What a score rests on, in words: the parts by size, those about one text together.

_ENOUGH = 2 / 3
"""What makes up so much of a score is what mattered."""
_MAX_PARTS = 3
_DIGITS = 2


def describe_parts(parts: Iterable[Part], whole: float | None = None) -> tuple[ScorePart, ...]:
    """The parts, the largest first: what each contributes, its share, and what it means.

    Parameters
    ----------
    parts : of a score; none give none.
    whole : the score that shares are of; None for the sum of the parts. One that is not above 0
        has no shares.
    """
    sizes = [(part, part.value * part.weight) for part in parts]
    total = sum(size for _, size in sizes) if whole is None else whole
    return tuple(
        ScorePart(part.name, part.value, part.weight, size, part_meaning(part.name),
                 size / total if total > 0 else None)
        for part, size in sorted(sizes, key=lambda pair: -pair[1])
    )  # fmt: skip


def describe_gist(parts: Sequence[ScorePart], whole: float) -> str:
    """What mattered, largest first; "" where it is one thing only, or nothing speaks for the link.

    ``mostly the words of the link (0.21 of 0.46) and the page it stands on (0.12)``: parts that
    read the same text in several ways count together.

    Parameters
    ----------
    parts : of the score.
    whole : the score.
    """
    sizes: dict[str, float] = {}
    for part in parts:
        thing, _ = evidence_of(part.name)
        sizes[thing] = sizes.get(thing, 0.0) + part.contribution
    ordered = sorted((pair for pair in sizes.items() if pair[1] > 0), key=lambda pair: -pair[1])
    if whole <= 0 or len(sizes) < 2 or not ordered:
        return ""
    so_far, named = 0.0, []  # the first few that make up most of the whole
    for pair in ordered[:_MAX_PARTS]:
        if so_far < _ENOUGH * whole:
            named.append(pair)
            so_far += pair[1]
    (first, size), *others = named
    words = [f"{describe_evidence(first)} ({size:.{_DIGITS}f} of {whole:.{_DIGITS}f})"]
    words += [f"{describe_evidence(name)} ({size:.{_DIGITS}f})" for name, size in others]
    return f"{'' if len(named) == len(ordered) else 'mostly '}{join_words(words)}"
