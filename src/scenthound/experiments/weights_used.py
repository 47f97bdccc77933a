"""What the evidence for a link weighed in a crawl, for its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.core.protocols import Revising, Scorer
from scenthound.strategies.given_weights import text_model
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.weighted import WeightedTexts
from scenthound.strategies.weights import LinkWeights

OWN = "the strategy's own"
IN_CRAWL = "learnt in the crawl"
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class WeightsUsed:
    """The weights in force when a crawl ended.

    ``model`` is the text model they weigh, None for a strategy of one's own that does not tell.
    ``origin`` is where they come from: the file that was given, :data:`OWN` or :data:`IN_CRAWL`.
    ``learnt_from`` says from how many links the crawl learnt them, 0 if it came to nothing; None
    for a strategy that does not learn weights. ``reason`` says why it came to nothing.
    """

    values: Mapping[str, float]
    model: str | None
    origin: str
    learnt_from: int | None = None
    reason: str | None = None

    @property
    def is_remarkable(self) -> bool:
        """Is there more to tell than that a strategy weighs as it always does?"""
        return self.learnt_from is not None or self.origin != OWN

    def to_json(self) -> dict[str, object]:
        """As the results file has it."""
        return {
            "values": {name: round(value, _DIGITS) for name, value in self.values.items()},
            "model": self.model,
            "origin": self.origin,
            "learnt_from": self.learnt_from,
            "reason": self.reason,
        }


def weights_used(
    recipe: Recipe, scorer: Scorer | None, given: LinkWeights | None, links: int
) -> WeightsUsed | None:
    """The weights of a crawl that is over; None where nothing was weighed.

    Parameters
    ----------
    recipe : of the strategy.
    scorer : as the crawl left it; None for a crawl that never began.
    given : by the user, to begin with.
    links : that the last weights were learnt from in the crawl; 0 where none were learnt.
    """
    weights = _weights(scorer)
    if weights is None:
        return None
    origin = IN_CRAWL if links else OWN
    if given is not None:
        origin = given.origin or "given"
    learnt_from = links if isinstance(scorer, Revising) else None
    reason = None if links else getattr(scorer, "why_not", None)
    return WeightsUsed(weights, text_model(recipe), origin, learnt_from, reason)


def _weights(scorer: Scorer | None) -> dict[str, float] | None:
    """Of a scorer that weighs texts, or learns to weigh and tells its weights; None of others."""
    if not isinstance(scorer, WeightedTexts | Revising):
        return None
    weights = getattr(scorer, "weights", None)
    return dict(weights) if isinstance(weights, Mapping) else None
