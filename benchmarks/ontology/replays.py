"""Replays of one crawler on one topic, with as many seeds as wanted: the work of a process."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.ontology.crawlers import crawler
from benchmarks.ontology.webs import Web
from scenthound.core.command_options import ONTOLOGY
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.crawler.metrics import Result
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.papers.olmoaco.topic_ontology import learn_topic_ontology
from scenthound.papers.ontologies.files import ontology_bytes
from scenthound.text.analyzer import Analyzer


@dataclass(frozen=True)
class ReplayTask:
    """What to replay: ``crawler`` in words, once with each of ``seeds``."""

    web: Web
    topic: Topic
    crawler: str
    seeds: tuple[int, ...]
    budget: str


@dataclass(frozen=True)
class Outcome:
    """The figures of one replay.

    ``ac``, ``ar`` and ``sd`` are by the ontology of the topic (olmoaco Eq. 19, 21, 22): relevant
    pages over fetched ones, mean and population deviation of the relevance of all fetched pages.
    Relevant is what is above ``sigma``.
    """

    web: str
    topic: str
    crawler: str
    seed: int
    budget: int
    fetched: int
    labelled: int
    harvest: float
    ac: float
    ar: float
    sd: float
    sigma: float
    seconds: float
    stopped: str


@dataclass(frozen=True)
class LearnedTopic:
    """A topic that names its ontology, how many concepts that has, and what was amiss."""

    web: Web
    topic: Topic
    concepts: int | None
    warnings: tuple[str, ...] = ()


def learn_topic(web: Web, topic: Topic, folder: Path) -> LearnedTopic:
    """The topic with an ontology learned from its example pages and written to ``folder``.

    The file is OWL, which keeps the order of the concepts: in another the last digits of sums over
    them may change, and with these which of two links is better. A topic that names an ontology
    stays as it is.
    """
    if topic.ontology is not None:
        return LearnedTopic(web, topic, None)
    with web.opened() as archive:
        profile = read_topic_profile(topic, archive)
    analyzer = Analyzer(topic.language, None, topic.keywords)
    with warnings.catch_warnings(record=True, action="always") as caught:
        ontology = learn_topic_ontology(profile, analyzer)
    path = folder / f"{web.name}-{web.topics.index(topic)}.owl"
    path.write_bytes(ontology_bytes(ontology, path.suffix))
    return LearnedTopic(
        web,
        replace(topic, ontology=str(path)),
        len(ontology),
        tuple(str(each.message) for each in caught),
    )


def replayed(task: ReplayTask) -> list[Outcome]:
    """The outcome with each seed; the topic is read once, the archive opened once."""
    try:
        return list(_replayed(task))
    except UnknownNameError as error:  # it cannot travel between processes
        raise SettingsError(str(error)) from None


def _replayed(task: ReplayTask) -> Iterator[Outcome]:
    asked = crawler(task.crawler)
    plan = ReplayPlan(
        [(asked.spec, asked.parameters)], task.web.labels(), task.budget, judge=ONTOLOGY
    )
    with task.web.opened() as archive:
        (job,) = plan.jobs(archive, [task.topic])
        for seed in task.seeds:
            seeded = replace(job, plan=replace(job.plan, seed=seed))
            yield _outcome(task.web.name, run_job(archive, seeded))


def _outcome(web: str, found: Result) -> Outcome:
    final = found.final
    assert final.labelled is not None and final.labelled_harvest is not None  # labels were given
    return Outcome(
        web, found.topic, found.strategy, found.seed, found.budget, found.fetched, final.labelled,
        final.labelled_harvest, final.hr, final.ar, final.sd, found.threshold.value, found.seconds,
        found.stopped,
    )  # fmt: skip
