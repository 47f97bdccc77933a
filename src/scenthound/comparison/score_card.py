"""The score card of bench-web: how good, how sure, how fast, and beside whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from scenthound.comparison.bench_web import BenchRun
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.open_web import BREADTH_FIRST, NAME, ORACLE, REFERENCES, OpenWeb
from scenthound.comparison.standings import Difference, Mean
from scenthound.comparison.statistics import compare_with
from scenthound.comparison.wins import TOO_FEW, TOO_FEW_DRAWS
from scenthound.experiments.metrics import Indicators

_HARVEST = "labelled_harvest"


@dataclass(frozen=True, slots=True)
class Line:
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
class Against:
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
    lines: tuple[Line, ...]
    against: tuple[Against, ...]
    way: dict[str, float]
    errors: tuple[str, ...]


def score_card(bench: OpenWeb, runs: Sequence[BenchRun], asked: Sequence[str]) -> ScoreCard:
    """The card of all runs, in their order.

    Parameters
    ----------
    bench : what they were run on.
    runs : references among them.
    asked : the strategies that the card is about; each is set against the references.
    """
    names = list(dict.fromkeys(run.strategy for run in runs))
    lines = tuple(_line(name, bench, runs) for name in names)
    pairs = [(name, other) for name in asked for other in REFERENCES if name != other]
    found = {pair: _difference(bench, runs, *pair) for pair in pairs}
    return ScoreCard(
        NAME,
        bench.is_whole,
        bench.is_known,
        bench.topics,
        bench.fingerprints,
        lines,
        tuple(Against(*pair, each) for pair, each in found.items() if each is not None),
        _ways(lines, asked),
        tuple(dict.fromkeys(run.error for run in runs if run.error)),
    )


def _line(name: str, bench: OpenWeb, runs: Sequence[BenchRun]) -> Line:
    own = [run for run in runs if run.strategy == name]
    fetched = [run.fetched for run in own if run.fetched is not None]
    means = {
        topic: [run.fetched.harvest for run in own if run.fetched and run.topic == topic]
        for topic in bench.topics
    }
    return Line(
        name,
        _mean(bench, runs, name),
        _fmean([each.recall for each in fetched]),
        _fmean([each.area for each in fetched]),
        _fmean([each.hosts for each in fetched]),
        _speed(own, [run for run in runs if run.strategy == BREADTH_FIRST]),
        {topic: fmean(values) for topic, values in means.items() if values},
        len(own),
        len(own) - len(fetched),
    )


def _fmean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def _speed(own: Sequence[BenchRun], reference: Sequence[BenchRun]) -> float | None:
    """Fetches in a second of the one over those of the other."""
    ours, theirs = _rate(own), _rate(reference)
    return ours / theirs if ours and theirs else None


def _rate(runs: Sequence[BenchRun]) -> float:
    timed = [(run.fetched.fetches, run.seconds) for run in runs if run.fetched and run.seconds]
    seconds = sum(each for _, each in timed)
    return sum(fetches for fetches, _ in timed) / seconds if seconds else 0.0


def _ways(lines: Sequence[Line], names: Sequence[str]) -> dict[str, float]:
    means = {line.strategy: line.harvest.value for line in lines if line.harvest}
    low, high = means.get(BREADTH_FIRST), means.get(ORACLE)
    if low is None or high is None or high <= low:
        return {}
    return {name: (means[name] - low) / (high - low) for name in names if name in means}


def _mean(bench: OpenWeb, runs: Sequence[BenchRun], name: str) -> Mean | None:
    statistics = compare_with(_outcomes(bench, runs, (name,)), name, _HARVEST)
    return statistics.tables[0].standings[0].mean


def _difference(
    bench: OpenWeb, runs: Sequence[BenchRun], name: str, reference: str
) -> Difference | None:
    outcomes = _outcomes(bench, runs, (name, reference))
    standings = compare_with(outcomes, reference, _HARVEST).tables[0].standings
    found = next((each.difference for each in standings if each.strategy == name), None)
    if found is None or found.verdict != TOO_FEW_DRAWS:
        return found
    return replace(found, verdict=TOO_FEW)  # the draws are webs, and topics are what is lacking


def _outcomes(bench: OpenWeb, runs: Sequence[BenchRun], names: Sequence[str]) -> list[Outcome]:
    """The runs as a grid has them: webs are draws, as topics of one name are not independent."""
    draws = {f"web-{web.seed}": number for number, web in enumerate(bench.webs)}
    return [
        Outcome(
            Cell(NAME, run.topic, run.strategy, draw=draws[run.web]),
            error=run.error,
            final=None if run.fetched is None else _indicators(run),
        )
        for run in runs
        if run.strategy in names
    ]


def _indicators(run: BenchRun) -> Indicators:
    """What labels say of a run; no judge was asked."""
    assert run.fetched is not None
    found = run.fetched
    return Indicators(
        found.fetches, 0, 0.0, None, 0.0, 0.0, None,
        len(found.found_at), found.harvest, found.recall,
    )  # fmt: skip
