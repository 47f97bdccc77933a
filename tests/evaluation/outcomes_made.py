"""Runs made by hand, whose statistics can be worked out on paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.outcomes import GIVEN, Cell, Outcome


def indicators(harvest: float, fetched: int = 100, labelled: bool = True) -> Indicators:
    found = round(harvest * fetched)
    return Indicators(
        fetched=fetched,
        rn=found,
        hr=harvest,
        as_=0.5,
        ar=0.4,
        sd=0.1,
        ae=0.2,
        labelled=found if labelled else None,
        labelled_harvest=harvest if labelled else None,
        target_recall=harvest / 2 if labelled else None,
    )


def ran(
    strategy: str,
    topic: str,
    harvest: float,
    *,
    web: str = "web",
    seeds: str = GIVEN,
    draw: int = 0,
    random_seed: int = 0,
    labelled: bool = True,
) -> Outcome:
    final = indicators(harvest, labelled=labelled)
    return Outcome(
        Cell(web, topic, strategy, seeds, draw, random_seed),
        budget=100,
        fetched=100,
        seconds=2.0,
        peak_rss_mb=64.0,
        labelled_pages=50 if labelled else None,
        final=final,
        checkpoints=(final,),
    )


def failed(strategy: str, topic: str, error: str = "it broke.", draw: int = 0) -> Outcome:
    return Outcome(Cell("web", topic, strategy, draw=draw), error=error)


def by_topic(harvests: Mapping[str, Sequence[float]]) -> list[Outcome]:
    """A run a strategy and topic; topics are t0, t1, ..."""
    return [
        ran(strategy, f"t{place}", value)
        for strategy, values in harvests.items()
        for place, value in enumerate(values)
    ]
