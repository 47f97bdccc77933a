"""How the evidence of several inlinks makes one score. It matters as much as the model."""

from __future__ import annotations

import enum


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
