"""How the evidence of several inlinks makes one score. It matters as much as the model."""

from __future__ import annotations

import enum
from dataclasses import replace

from scenthound.core.model import INLINKS, Inlink, Part, Score


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


def inlink_share(how: Combination, place: int) -> float:
    """What the link seen in this place (1, 2, ...) adds to the evidence that there are many.

    ``n`` links are worth ``n / (n + 1)``: half for one, little more for a hundred than for fifty.
    Where scores are averaged each link gets the share whose mean over ``n`` links is that:
    ``1 - 1 / (k (k + 1))`` for the k-th, since the sum of ``1 / (k (k + 1))`` telescopes to
    ``n / (n + 1)``. Otherwise it is the value itself.

    Examples
    --------
    >>> inlink_share(Combination.MEAN, 1), round(inlink_share(Combination.MEAN, 2), 4)
    (0.5, 0.8333)
    >>> inlink_share(Combination.MAX, 3)
    0.75
    """
    return 1.0 - 1.0 / (place * (place + 1) if how is Combination.MEAN else place + 1)


def counted(how: Combination, inlink: Inlink, place: int) -> Inlink:
    """The link with its part ``INLINKS`` filled in, if it has one."""
    parts = inlink.score.parts
    if not parts or parts[-1].name != INLINKS:
        return inlink
    last = replace(parts[-1], value=inlink_share(how, place))
    value = inlink.score.value + (last.value - parts[-1].value) * last.weight
    return replace(inlink, score=Score(value, (*parts[:-1], last)))
