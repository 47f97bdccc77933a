"""Does disambiguation pay? Generated webs whose topics share words in two senses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory

from scenthound.core.parameters import Parameters
from scenthound.crawler.metrics import read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.sample.web import build, write_labels, write_warc
from scenthound.similarity.encoders import ModelRuntime
from scenthound.storage.archive import open_archive
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategySpec

SEEDS = (1, 2, 3, 4, 5)
BUDGET = "2x"
NO_GRAPH, ALL_SENSES = "no graph", "all senses"
HALVES: dict[str, Parameters] = {NO_GRAPH: {"least": 0.0}, ALL_SENSES: {"senses": "all"}}
"""soft-sdvsm without its graph, and without its choice of senses."""
STRATEGIES = (
    "vsm-mean", "ssvsm", "sdvsm", "soft-svsm", NO_GRAPH, ALL_SENSES, "soft-sdvsm", "oracle",
)  # fmt: skip
TWO_SENSES = {
    "amazon": ("rainforest", "cars"),
    "beetle": ("rainforest", "cars"),
    "cobra": ("snakes", "cars"),
    "jaguar": ("big cats", "cars"),
    "java": ("coffee", "programming"),
    "mercury": ("astronomy", "cars"),
    "puma": ("big cats", "cars"),
    "python": ("snakes", "programming"),
    "saturn": ("astronomy", "cars"),
    "viper": ("snakes", "cars"),
}
"""Words that two topics of the sample web use, each in its own sense."""
Found = Counter[tuple[str, str]]
"""Labelled pages found by (topic, strategy)."""
AMBIGUOUS = sorted({topic for pair in TWO_SENSES.values() for topic in pair})


def sample_webs(seeds: Sequence[int] = SEEDS) -> None:
    """Print labelled pages found in the webs of ``seeds``, by topic and strategy, and verdicts."""
    with ProcessPoolExecutor(cpu_count(), mp_context=get_context("spawn")) as pool:
        webs = list(pool.map(partial(crawled, STRATEGIES), seeds))
    print_harvest(webs, seeds, STRATEGIES)
    verdict(webs, "sdvsm", "ssvsm", topics_of(webs), "all topics")
    verdict(webs, "soft-sdvsm", "soft-svsm", AMBIGUOUS, "topics with words of two senses")


def print_harvest(webs: Sequence[Found], seeds: Sequence[int], strategies: Sequence[str]) -> None:
    """A row for each topic, one for all of them, one for those with words of two senses."""
    found, topics = _sum(webs), topics_of(webs)
    print(f"labelled pages found in the sample webs {list(seeds)}, budget {BUDGET}:")
    print("  ".ljust(15), *(name.rjust(_width(name)) for name in strategies))
    for topic in topics:
        _print_row(topic, found, [topic], strategies)
    _print_row("all", found, topics, strategies)
    _print_row("two senses", found, AMBIGUOUS, strategies)


def topics_of(webs: Sequence[Found]) -> list[str]:
    """The topics of the webs, by name."""
    return sorted({topic for found in webs for topic, _ in found})


def crawled(strategies: Sequence[str], seed: int, equipment: ModelRuntime | None = None) -> Found:
    """All strategies on all topics of one web."""
    web = build(seed)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_warc(web, folder / "sample.warc.gz")
        write_labels(web, folder / "labels.tsv")
        plan = ReplayPlan(
            [_strategy(name) for name in strategies],
            labels=read_labels(folder / "labels.tsv"),
            budget=BUDGET,
            equipment=equipment or ModelRuntime(),
        )
        with open_archive(folder / "sample.warc.gz", cache=folder / "cache") as archive:
            runs = [run_job(archive, job) for job in plan.jobs(archive, web.topics)]
    return Counter({(each.topic, each.strategy): each.final.labelled or 0 for each in runs})


def _strategy(name: str) -> tuple[StrategySpec, Parameters]:
    if name in HALVES:
        return replace(CATALOGUE["soft-sdvsm"], name=name), HALVES[name]
    return CATALOGUE[name], {}


def _sum(webs: Iterable[Found]) -> Found:
    total: Found = Counter()
    for found in webs:
        total.update(found)
    return total


def _count(found: Found, strategy: str, topics: Iterable[str]) -> int:
    return sum(found[topic, strategy] for topic in topics)


def _print_row(name: str, found: Found, topics: Sequence[str], strategies: Sequence[str]) -> None:
    cells = (str(_count(found, each, topics)).rjust(_width(each)) for each in strategies)
    print(f"  {name:13}", *cells)


def _width(strategy: str) -> int:
    return max(10, len(strategy))


def verdict(
    webs: Sequence[Found], name: str, rival: str, topics: Sequence[str], where: str
) -> None:
    """Who finds more in sum, and by how much web by web: a sum may rest on one of them."""
    ours = [_count(found, name, topics) for found in webs]
    theirs = [_count(found, rival, topics) for found in webs]
    more = sum(ours) - sum(theirs)
    word = "more than" if more > 0 else "as many as" if more == 0 else "FEWER than"
    each = ", ".join(f"{a - b:+}" for a, b in zip(ours, theirs, strict=True))
    print(
        f"  {name} finds {word} {rival} on {where}: "
        f"{sum(ours)} against {sum(theirs)} ({more:+}; web by web {each})"
    )
