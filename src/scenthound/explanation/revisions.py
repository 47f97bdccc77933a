"""Which of the weights that a crawl learnt a URL was weighed with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scenthound.core.model import Part
from scenthound.explanation.model import Revised

_ROUNDING = 2e-5
"""The journal keeps five decimals."""


@dataclass(frozen=True, slots=True)
class Revision:
    """Weights learnt from so many ``links``, in force after page ``after``."""

    after: int
    links: int
    weights: Mapping[str, float]


def revision_told(event: Mapping[str, object]) -> Revision:
    """What an event of the kind ``revised`` says."""
    weights = event.get("weights")
    pairs = weights.items() if isinstance(weights, dict) else ()
    by_name = {str(name): float(str(weight)) for name, weight in pairs}
    return Revision(int(str(event.get("n", 0))), int(str(event.get("links", 0))), by_name)


def revised(
    parts: Sequence[Part], revisions: Sequence[Revision], before: int | None = None
) -> Revised | None:
    """The revision that a URL's weights come from; None where there is none to tell of.

    A page was perhaps asked for before the last revision, so its weights are looked for among all.

    Parameters
    ----------
    parts : of the URL's score; none, as for a seed, gives None.
    revisions : all of the crawl, the last first; none give None.
    before : number of the page that it became, which later weights had no part in.
    """
    if not parts or not revisions:
        return None
    for place, each in enumerate(revisions):
        if (before is None or each.after < before) and _are_of(parts, each.weights):
            return Revised(len(revisions) - place, each.after, each.links)
    return Revised(0)


def _are_of(parts: Iterable[Part], weights: Mapping[str, float]) -> bool:
    return all(
        abs(weights.get(part.name, float("inf")) - part.weight) <= _ROUNDING for part in parts
    )
