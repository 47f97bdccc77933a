"""What the replays of each crawler gave, as Markdown tables and verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import TypeVar

from benchmarks.ontology.crawlers import BASE, OURS, RIVAL
from benchmarks.ontology.replays import Outcome

Key = TypeVar("Key")
_HEAD = ("crawler", "harvest", "deviation", "AR", "SD", "AC", "seconds")


@dataclass(frozen=True)
class Figures:
    """Means over the topics of all webs.

    Parameters
    ----------
    harvests : labelled harvest by seed.
    by_topic : labelled harvest by topic, mean over the seeds.
    ar, sd, ac : of the replays, mean over topics and seeds (olmoaco Eq. 21, 22, 19).
    seconds : of a replay.
    """

    harvests: Mapping[int, float]
    by_topic: Mapping[str, float]
    ar: float
    sd: float
    ac: float
    seconds: float

    @property
    def harvest(self) -> float:
        """Mean over topics and seeds."""
        return fmean(self.harvests.values())

    @property
    def deviation(self) -> float | None:
        """Population deviation of the seeds; None for one that ran once."""
        return pstdev(self.harvests.values()) if len(self.harvests) > 1 else None


def figures(outcomes: Sequence[Outcome]) -> dict[str, Figures]:
    """The figures of each crawler, in the order they are met; of none for no outcome."""
    return {name: _figures(of) for name, of in _grouped(outcomes, lambda o: o.crawler).items()}


def _figures(outcomes: Sequence[Outcome]) -> Figures:
    return Figures(
        _means(outcomes, lambda o: o.seed),
        _means(outcomes, lambda o: o.topic),
        fmean(o.ar for o in outcomes),
        fmean(o.sd for o in outcomes),
        fmean(o.ac for o in outcomes),
        fmean(o.seconds for o in outcomes),
    )


def main_table(found: Mapping[str, Figures]) -> list[str]:
    """A row for each crawler: harvest, its deviation over the seeds, AR, SD, AC, time."""
    return _table(_HEAD, ((f"`{name}`", *_cells(each)) for name, each in found.items()))


def topic_table(found: Mapping[str, Figures], outcomes: Sequence[Outcome]) -> list[str]:
    """A row for each crawler: harvest by topic; below them the topics' sigma."""
    topics = list(dict.fromkeys(outcome.topic for outcome in outcomes))
    sigmas = {
        topic: fmean(outcome.sigma for outcome in of)
        for topic, of in _grouped(outcomes, lambda o: o.topic).items()
    }
    rows = {f"`{name}`": each.by_topic for name, each in found.items()} | {"sigma": sigmas}
    return _table(
        ("crawler", *topics),
        ((name, *(number(row[topic]) for topic in topics)) for name, row in rows.items()),
    )


def verdicts(found: Mapping[str, Figures]) -> list[str]:
    """Is an ontology worth it, and are ants? Nothing about crawlers that were not measured."""
    lines = []
    if OURS in found and RIVAL in found:
        lines.append(_wins(found[OURS], found[RIVAL]))
    names = (OURS, RIVAL, BASE)
    if all(name in found for name in names):
        first, second, third = (found[name].harvest for name in names)
        word = "yes" if first > second > third else "no"
        values = ", ".join(number(each, 4) for each in (first, second, third))
        lines.append(f"{' > '.join(names)}: {word} ({values})")
    return lines


def number(value: float, digits: int = 3) -> str:
    """As tables print shares: without the zero in front."""
    return f"{value:.{digits}f}".lstrip("0")


def _wins(ours: Figures, rival: Figures) -> str:
    """With how many seeds, and on how many topics, is it ahead?"""
    seeds = ours.harvests.keys() & rival.harvests.keys()
    topics = ours.by_topic.keys() & rival.by_topic.keys()
    by_seed = sum(ours.harvests[seed] > rival.harvests[seed] for seed in seeds)
    by_topic = sum(ours.by_topic[topic] > rival.by_topic[topic] for topic in topics)
    return (
        f"{OURS} finds more than {RIVAL} with {by_seed} of {len(seeds)} seeds, and on {by_topic} "
        f"of {len(topics)} topics in the mean; the means differ by "
        f"{ours.harvest - rival.harvest:+.4f}"
    )


def _cells(each: Figures) -> tuple[str, ...]:
    spread = "" if each.deviation is None else number(each.deviation)
    shares = (number(value) for value in (each.ar, each.sd, each.ac))
    return (number(each.harvest), spread, *shares, f"{each.seconds:.1f}")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines]


def _means(outcomes: Sequence[Outcome], key: Callable[[Outcome], Key]) -> dict[Key, float]:
    return {each: fmean(o.harvest for o in of) for each, of in _grouped(outcomes, key).items()}


def _grouped(
    outcomes: Sequence[Outcome], key: Callable[[Outcome], Key]
) -> dict[Key, list[Outcome]]:
    found: dict[Key, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(key(outcome), []).append(outcome)
    return found
