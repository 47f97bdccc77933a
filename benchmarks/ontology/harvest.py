"""Labelled harvest of the ontology crawlers and their rivals, over seeds of the generator.

One ontology a topic is learned first and shared by all: every crawler that needs one is given it,
and every page is judged by it, whoever fetched it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TypeVar

from benchmarks.ontology.crawlers import CRAWLERS, crawler, draws
from benchmarks.ontology.figures import figures, main_table, topic_table, verdicts
from benchmarks.ontology.outcomes_file import check_outcomes_file, write_outcomes
from benchmarks.ontology.replays import LearnedTopic, Outcome, ReplayTask, learn_topic, replayed
from benchmarks.ontology.webs import Web, generated, schools, with_topics
from scenthound.core.errors import SettingsError

SAMPLES = (1, 2, 3)
"""Seeds of the generated webs."""
T = TypeVar("T")


@dataclass(frozen=True)
class Comparison:
    """Which crawlers to compare, and how.

    Parameters
    ----------
    crawlers : each in words, as :func:`crawler` reads them; an error there is raised here.
    seeds : how many replays of a crawler that leaves something to chance; others run once.
    topics : names of those to crawl for; all of the web, where none is named.
    budget : pages, or a multiple of the labelled ones.
    """

    crawlers: Sequence[str] = CRAWLERS
    seeds: int = 10
    topics: Sequence[str] = ()
    budget: str = "2x"

    def __post_init__(self) -> None:
        for text in self.crawlers:
            crawler(text)
        if self.seeds < 1:
            raise SettingsError(f"give 1 seed of the random generator or more, not {self.seeds}.")

    def tasks(self, topics: Sequence[LearnedTopic]) -> list[ReplayTask]:
        """All there is to replay: crawlers in order, topics in order."""
        return [
            ReplayTask(each.web, each.topic, text, self._seeds(text), self.budget)
            for text in dict.fromkeys(self.crawlers)
            for each in topics
        ]

    def _seeds(self, text: str) -> tuple[int, ...]:
        return tuple(range(self.seeds if draws(crawler(text).spec) else 1))


def harvest(
    web: Path | None, comparison: Comparison | None = None, out: Path | None = None
) -> None:
    """Print the harvest of each crawler, AR, SD and AC by the ontology, and verdicts.

    Parameters
    ----------
    web : folder of the schools web; None for generated ones.
    comparison : which crawlers, and how; by default all that the paper compares.
    out : a CSV or JSON file that gets every replay, written again after each crawler of a topic.
    """
    comparison = comparison or Comparison()
    if out is not None:
        check_outcomes_file(out)
    with TemporaryDirectory() as name, _processes() as pool:
        folder = Path(name)
        webs = [schools(web)] if web else [generated(seed, folder) for seed in SAMPLES]
        topics = _learned(pool, with_topics(webs, comparison.topics), folder)
        outcomes = _replayed(pool, comparison.tasks(topics), out)
    print(_heading(webs, comparison, len(topics)))
    found = figures(outcomes)
    for part in (main_table(found), topic_table(found, outcomes), verdicts(found)):
        print("\n".join(["", *part]))


@contextmanager
def _processes() -> Iterator[ProcessPoolExecutor]:
    """One for each core; what waits is given up where anything goes wrong."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _learned(pool: ProcessPoolExecutor, webs: Sequence[Web], folder: Path) -> list[LearnedTopic]:
    for web in webs:
        web.opened().close()  # the index is made once, and a missing archive is reported at once
    asked = [partial(learn_topic, web, topic, folder) for web in webs for topic in web.topics]
    return _all(pool, asked, _describe_topic)


def _replayed(
    pool: ProcessPoolExecutor, tasks: Sequence[ReplayTask], out: Path | None
) -> list[Outcome]:
    """All outcomes, crawler by crawler; the longest tasks are begun first."""
    crawlers = list(dict.fromkeys(task.crawler for task in tasks))
    longest_first = sorted(tasks, key=lambda task: -len(task.seeds))
    done: list[Outcome] = []

    def finish(outcomes: list[Outcome]) -> str:
        done.extend(outcomes)
        done.sort(key=lambda each: (crawlers.index(each.crawler), each.web, each.topic, each.seed))
        if out is not None:
            write_outcomes(out, done)
        return _describe_outcomes(outcomes)

    _all(pool, [partial(replayed, task) for task in longest_first], finish)
    return done


def _all(
    pool: ProcessPoolExecutor, work: Sequence[Callable[[], T]], describe: Callable[[T], str]
) -> list[T]:
    """The results in the order of the work; a line about each as it comes."""
    futures: list[Future[T]] = [pool.submit(each) for each in work]
    for number, future in enumerate(as_completed(futures), start=1):
        print(f"[{number}/{len(work)}] {describe(future.result())}", file=sys.stderr, flush=True)
    return [future.result() for future in futures]


def _describe_topic(found: LearnedTopic) -> str:
    size = "has its own" if found.concepts is None else f"{found.concepts} concepts learned"
    warnings = "".join(f"\n  warning: {each}" for each in found.warnings)
    return f"{found.web.name}, {found.topic.name}: {size}{warnings}"


def _describe_outcomes(outcomes: Sequence[Outcome]) -> str:
    first, mean = outcomes[0], fmean(outcome.harvest for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    return (
        f"{first.web}, {first.topic}: {first.crawler} {mean:.3f} (replays: {len(outcomes)}, "
        f"pages: {first.budget}, {seconds:.0f} s)"
    )


def _heading(webs: Sequence[Web], comparison: Comparison, topics: int) -> str:
    names = ", ".join(web.name for web in webs)
    return (
        f"Labelled harvest on {names}; topics: {topics}, budget: {comparison.budget}, seeds of "
        f"the random generator: {comparison.seeds}; AR, SD and AC by the ontologies of the topics."
    )
