"""A score card as JSON."""

from __future__ import annotations

from scenthound.comparison.open_web import BUDGET
from scenthound.comparison.score_card import Against, Line, ScoreCard
from scenthound.comparison.standings import Mean

_DIGITS = 6


def card_to_json(card: ScoreCard, version: str) -> dict[str, object]:
    """All that a card says; ``version`` is that of the program which made it."""
    return {
        "benchmark": card.benchmark,
        "whole": card.whole,
        "known": card.known,
        "scenthound": version,
        "budget": BUDGET,
        "webs": [{"web": seed, "fingerprint": found} for seed, found in card.webs.items()],
        "topics": list(card.topics),
        "strategies": [_line(line, card) for line in card.lines],
        "against": [_against(each) for each in card.against],
        "errors": list(card.errors),
    }


def _line(line: Line, card: ScoreCard) -> dict[str, object]:
    way = card.way.get(line.strategy)
    return {
        "strategy": line.strategy,
        "labelled_harvest": None if line.harvest is None else _mean(line.harvest),
        "target_recall": round(line.recall, _DIGITS),
        "area": round(line.area, _DIGITS),
        "hosts": round(line.hosts, 1),
        "speed": None if line.speed is None else round(line.speed, 1),
        "from_breadth_first_to_oracle": None if way is None else round(way, 3),
        "by_topic": {topic: round(value, _DIGITS) for topic, value in line.harvests.items()},
        "runs": line.runs,
        "failed": line.failed,
    }


def _against(each: Against) -> dict[str, object]:
    found = each.difference
    return {
        "strategy": each.strategy,
        "reference": each.reference,
        "difference": _mean(found.mean),
        "verdict": found.verdict,
        "record": found.record._asdict(),
    }


def _mean(mean: Mean) -> dict[str, object]:
    interval = None if mean.interval is None else [round(each, _DIGITS) for each in mean.interval]
    return {"mean": round(mean.value, _DIGITS), "interval": interval, "topics": mean.groups}
