"""From the scored links of a page to what is offered to the frontier."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scenthound.core.errors import StrategyError
from scenthound.core.model import Inlink, Link, Refusal, Score, Sighting
from scenthound.core.scope import DropCount

NOT_A_NUMBER = "score is no number"


def best_sightings(
    links: Sequence[Link],
    scores: Sequence[Score | Refusal],
    number: int,
    depth: int,
    drops: DropCount,
) -> list[Sighting]:
    """The links that are queued, each target once with its best score.

    Parameters
    ----------
    links, scores : of a page, one for one.
    number : of the page, in order of fetching.
    depth : of the targets.
    drops : gets what is not queued, with the reason.
    """
    best: dict[str, Inlink] = {}
    for link, score in zip(links, scores, strict=True):
        if isinstance(score, Refusal):
            drops.add(score.reason, link.url)
        elif not math.isfinite(score.value):
            drops.add(NOT_A_NUMBER, link.url)
        elif link.url not in best or score.value > best[link.url].score.value:
            best[link.url] = Inlink(number, score, link.anchor)
    return [Sighting(url, depth, inlink) for url, inlink in best.items()]


def refuse_unscored(strategy: str, dropped: Mapping[str, int], scored: int) -> None:
    """StrategyError where links were scored and no score was a number: nothing was steered.

    Parameters
    ----------
    strategy : its name.
    dropped : links of the whole crawl that were not queued, by reason.
    scored : links whose score was a number.
    """
    unscored = dropped.get(NOT_A_NUMBER, 0)
    if unscored and not scored:
        raise StrategyError(strategy, f"gave {unscored:,} scores, and none is a number")
