"""What a score rests on, in words: parts by size, and those together that speak of one thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenthound.core.model import Part
from scenthound.core.ways_read import listed
from scenthound.explanation.meanings import evidence_of, part_meaning, thing_told
from scenthound.explanation.model import PartTold

_ENOUGH = 2 / 3
"""What makes up so much of a score is what mattered."""
_MOST = 3
_DIGITS = 2


def parts_told(parts: Iterable[Part], whole: float | None = None) -> tuple[PartTold, ...]:
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
        PartTold(part.name, part.value, part.weight, size, part_meaning(part.name),
                 size / total if total > 0 else None)
        for part, size in sorted(sizes, key=lambda pair: -pair[1])
    )  # fmt: skip


def gist(parts: Sequence[PartTold], whole: float) -> str:
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
    named = _enough(ordered, whole)
    (first, size), *others = named
    told = [f"{thing_told(first)} ({size:.{_DIGITS}f} of {whole:.{_DIGITS}f})"]
    told += [f"{thing_told(name)} ({size:.{_DIGITS}f})" for name, size in others]
    return f"{'' if len(named) == len(ordered) else 'mostly '}{listed(told)}"


def _enough(ordered: Sequence[tuple[str, float]], whole: float) -> Sequence[tuple[str, float]]:
    """The first few that make up most of the whole."""
    so_far = 0.0
    for count, (_, size) in enumerate(ordered[:_MOST], start=1):
        so_far += size
        if so_far >= _ENOUGH * whole:
            return ordered[:count]
    return ordered[:_MOST]
