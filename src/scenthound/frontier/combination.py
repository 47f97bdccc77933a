"""How the evidence of several inlinks makes one score. It matters as much as the model."""

from __future__ import annotations

import enum
from dataclasses import replace

from scenthound.core.model import INLINKS, Part, Score, inlink_share


class Combination(enum.Enum):
    """What the score of a URL is, when several pages link to it."""

    MAX = "max"
    MEAN = "mean"
    LAST = "last"


def combined(how: Combination, score: float, sightings: int, new: float) -> float:
    """The score after one more sighting.

    Parameters
    ----------
    how : the rule.
    score : the combined score of the ``sightings`` so far (ignored when there are none).
    new : what the new link scored.

    Examples
    --------
    >>> combined(Combination.MEAN, 0.5, 2, 0.8)
    0.6
    """
    if sightings == 0 or how is Combination.LAST:
        return new
    if how is Combination.MAX:
        return max(score, new)
    return score + (new - score) / (sightings + 1)


def combined_parts(
    how: Combination, parts: tuple[Part, ...], sightings: int, new: tuple[Part, ...], best: bool
) -> tuple[Part, ...]:
    """The parts behind the combined score, by the same rule, so that they still sum to it.

    Parameters
    ----------
    how : the rule.
    parts : what the ``sightings`` so far combine to.
    new : the parts of the new link; ``best`` if it scored above all before it.
    """
    if sightings == 0 or how is Combination.LAST:
        return new
    if how is Combination.MAX or [p.name for p in parts] != [p.name for p in new]:
        return new if best else parts
    return tuple(
        Part(old.name, combined(how, old.value, sightings, fresh.value), old.weight)
        for old, fresh in zip(parts, new, strict=True)
    )


def counted(score: Score, links: int) -> Score:
    """The score with its part ``INLINKS`` that of so many links; as it is, if it has none."""
    for place, part in enumerate(score.parts):
        if part.name == INLINKS:
            new = replace(part, value=inlink_share(links))
            value = score.value + (new.value - part.value) * part.weight
            return Score(value, (*score.parts[:place], new, *score.parts[place + 1 :]))
    return score
