"""How the evidence of several inlinks makes one score. It matters as much as the model."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from scenthound.core.model import INLINKS, Part, Score, inlink_share
from scenthound.core.parts import Parts


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
    how: Combination, parts: Sequence[Part], sightings: int, new: Sequence[Part], best: bool
) -> Sequence[Part]:
    """The parts behind the combined score, by the same rule, so that they still sum to it.

    Parameters
    ----------
    how : the rule.
    parts : what the ``sightings`` so far combine to.
    new : the parts of the new link; ``best`` if it scored above all before it.
    """
    if sightings == 0 or how is Combination.LAST:
        return new
    if how is Combination.MAX:
        return new if best else parts
    known, fresh = Parts.of(parts), Parts.of(new)
    if known.names != fresh.names:
        return new if best else parts
    pairs = zip(known.values, fresh.values, strict=True)
    return known.valued(tuple([old + (own - old) / (sightings + 1) for old, own in pairs]))


def counted(score: Score, links: int) -> Score:
    """The score with its part ``INLINKS`` that of so many links; as it is, if it has none."""
    parts = Parts.of(score.parts)
    if INLINKS not in parts.names:
        return score
    place, share, values = parts.names.index(INLINKS), inlink_share(links), parts.values
    value = score.value + (share - values[place]) * parts.weights[place]
    return Score(value, parts.valued((*values[:place], share, *values[place + 1 :])))
