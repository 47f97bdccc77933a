"""The score card of bench-web, for our strategies and for the fetch order of another crawler."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TextIO

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import canonical
from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.bench_web import (
    BREADTH_FIRST,
    BUDGET,
    NAME,
    ORACLE,
    REFERENCES,
    BenchRun,
    BenchWeb,
)
from scenthound.evaluation.outcomes import Cell, Outcome
from scenthound.evaluation.standings import Difference, Mean, compare_with
from scenthound.evaluation.statistics import TOO_FEW, TOO_FEW_DRAWS

LONGEST_LINE = 1 << 20

MOST_LINES = 1_000_000


@dataclass(frozen=True, slots=True)
class ExternalOrder:
    """Addresses in the order they were asked for, and how many lines held none."""

    urls: tuple[str, ...]
    unreadable: int = 0


def read_external_order(path: Path) -> ExternalOrder:
    """The addresses in a file: one a line, or JSON lines with a ``url``.

    Empty lines and lines that start with # are passed.

    Raises
    ------
    SettingsError
        The file cannot be read, is too large, or no line of it holds an address.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            return _read(file, path)
    except OSError as error:
        raise SettingsError(f"--score {path}: {error.strerror}; give the file's path.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"--score {path} is not UTF-8 text; give a file of URLs.") from None


def _read(file: TextIO, path: Path) -> ExternalOrder:
    urls: list[str] = []
    unreadable = lines = 0
    while line := file.readline(LONGEST_LINE):
        lines += 1
        if lines > MOST_LINES:
            raise SettingsError(
                f"--score {path} has more than {MOST_LINES:,} lines; give the first ones."
            )
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            found = json.loads(text).get("url") if text.startswith("{") else text
            urls.append(canonical(found if isinstance(found, str) else ""))
        except (MalformedUrlError, ValueError, RecursionError):
            unreadable += 1
    if not urls:
        raise SettingsError(
            f"--score {path} holds no address; give one URL a line, in the order of fetching, "
            'or JSON lines with a "url".'
        )
    return ExternalOrder(tuple(urls), unreadable)


# The score card of bench-web: how good, how sure, how fast, and beside whom.


_HARVEST = "labelled_harvest"


@dataclass(frozen=True, slots=True)
class ScoreCardLine:
    """One strategy over all topics.

    ``harvest`` has an interval over the topics, each the mean of its webs. ``speed`` is fetches in
    a second against those of breadth-first in the same session, roughly: runs share what they
    read, and who comes first reads most. It is None where it was not measured.
    ``harvests`` are by topic. ``failed`` runs are in none of the means.
    """

    strategy: str
    harvest: Mean | None
    recall: float
    area: float
    hosts: float
    speed: float | None
    harvests: dict[str, float]
    runs: int
    failed: int


@dataclass(frozen=True, slots=True)
class ReferenceDifference:
    """A strategy against one of the references, by labelled harvest."""

    strategy: str
    reference: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """What bench-web says of some strategies.

    ``webs`` are the fingerprints of the webs by their numbers: figures compare only with figures
    of the same topics in the same webs. ``lines`` has the references first. ``way`` is by strategy
    how far it gets from breadth-first to the oracle: 0 as the one, 1 as the other; more is
    possible, as the oracle looks one link ahead.
    ``errors`` are the reasons why runs failed, each once.
    """

    benchmark: str
    whole: bool
    known: bool
    topics: tuple[str, ...]
    webs: dict[int, str]
    lines: tuple[ScoreCardLine, ...]
    against: tuple[ReferenceDifference, ...]
    way: dict[str, float]
    errors: tuple[str, ...]


def score_card(bench: BenchWeb, runs: Sequence[BenchRun], asked: Sequence[str]) -> ScoreCard:
    """The card of all runs, in their order.

    Parameters
    ----------
    bench : what they were run on.
    runs : references among them.
    asked : the strategies that the card is about; each is set against the references.
    """
    names = list(dict.fromkeys(run.strategy for run in runs))
    lines = tuple(_make_line(name, bench, runs) for name in names)
    pairs = [(name, other) for name in asked for other in REFERENCES if name != other]
    found = {pair: _difference(bench, runs, *pair) for pair in pairs}
    return ScoreCard(
        NAME,
        bench.is_whole,
        bench.is_known,
        bench.topics,
        bench.fingerprints,
        lines,
        tuple(ReferenceDifference(*pair, each) for pair, each in found.items() if each is not None),
        _ways_to_oracle(lines, asked),
        tuple(dict.fromkeys(run.error for run in runs if run.error)),
    )


def _make_line(name: str, bench: BenchWeb, runs: Sequence[BenchRun]) -> ScoreCardLine:
    own = [run for run in runs if run.strategy == name]
    fetched = [run.fetched for run in own if run.fetched is not None]
    ours, theirs = _rate(own), _rate([run for run in runs if run.strategy == BREADTH_FIRST])
    means = {
        topic: [run.fetched.harvest for run in own if run.fetched and run.topic == topic]
        for topic in bench.topics
    }
    statistics = compare_with(_outcomes(bench, runs, (name,)), name, _HARVEST)
    return ScoreCardLine(
        name,
        statistics.tables[0].standings[0].mean,
        fmean([each.recall for each in fetched] or [0.0]),
        fmean([each.area for each in fetched] or [0.0]),
        fmean([each.hosts for each in fetched] or [0.0]),
        ours / theirs if ours and theirs else None,
        {topic: fmean(values) for topic, values in means.items() if values},
        len(own),
        len(own) - len(fetched),
    )


def _rate(runs: Sequence[BenchRun]) -> float:
    """Fetches a second; 0 where no time was measured."""
    timed = [(run.fetched.fetches, run.seconds) for run in runs if run.fetched and run.seconds]
    seconds = sum(each for _, each in timed)
    return sum(fetches for fetches, _ in timed) / seconds if seconds else 0.0


def _ways_to_oracle(lines: Sequence[ScoreCardLine], names: Sequence[str]) -> dict[str, float]:
    means = {line.strategy: line.harvest.value for line in lines if line.harvest}
    low, high = means.get(BREADTH_FIRST), means.get(ORACLE)
    if low is None or high is None or high <= low:
        return {}
    return {name: (means[name] - low) / (high - low) for name in names if name in means}


def _difference(
    bench: BenchWeb, runs: Sequence[BenchRun], name: str, reference: str
) -> Difference | None:
    outcomes = _outcomes(bench, runs, (name, reference))
    standings = compare_with(outcomes, reference, _HARVEST).tables[0].standings
    found = next((each.difference for each in standings if each.strategy == name), None)
    if found is None or found.verdict != TOO_FEW_DRAWS:
        return found
    return replace(found, verdict=TOO_FEW)  # the draws are webs, and topics are what is lacking


def _outcomes(bench: BenchWeb, runs: Sequence[BenchRun], names: Sequence[str]) -> list[Outcome]:
    """The runs as a grid has them: webs are draws, as topics of one name are not independent."""
    draws = {f"web-{web.seed}": number for number, web in enumerate(bench.webs)}
    outcomes = []
    for run in runs:
        if run.strategy in names:
            cell, found = Cell(NAME, run.topic, run.strategy, draw=draws[run.web]), run.fetched
            figures = None if found is None else Indicators(  # labels alone: no judge was asked
                found.fetches, 0, 0.0, None, 0.0, 0.0, None,
                len(found.found_at), found.harvest, found.recall,
            )  # fmt: skip
            outcomes.append(Outcome(cell, error=run.error, final=figures))
    return outcomes


# A score card as JSON.


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
        "strategies": [_line_to_json(line, card) for line in card.lines],
        "against": [_difference_to_json(each) for each in card.against],
        "errors": list(card.errors),
    }


def _line_to_json(line: ScoreCardLine, card: ScoreCard) -> dict[str, object]:
    way = card.way.get(line.strategy)
    return {
        "strategy": line.strategy,
        "labelled_harvest": None if line.harvest is None else _mean_to_json(line.harvest),
        "target_recall": round(line.recall, _DIGITS),
        "area": round(line.area, _DIGITS),
        "hosts": round(line.hosts, 1),
        "speed": None if line.speed is None else round(line.speed, 1),
        "from_breadth_first_to_oracle": None if way is None else round(way, 3),
        "by_topic": {topic: round(value, _DIGITS) for topic, value in line.harvests.items()},
        "runs": line.runs,
        "failed": line.failed,
    }


def _difference_to_json(each: ReferenceDifference) -> dict[str, object]:
    found = each.difference
    return {
        "strategy": each.strategy,
        "reference": each.reference,
        "difference": _mean_to_json(found.mean),
        "verdict": found.verdict,
        "record": found.record._asdict(),
    }


def _mean_to_json(mean: Mean) -> dict[str, object]:
    interval = None if mean.interval is None else [round(each, _DIGITS) for each in mean.interval]
    return {"mean": round(mean.value, _DIGITS), "interval": interval, "topics": mean.groups}
