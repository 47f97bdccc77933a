"""What do the choices in the strategies by meaning bring? One at a time, on the schools web."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean

from scenthound.core.errors import InputError
from scenthound.core.model import Combination
from scenthound.core.parameters import Parameters, Value
from scenthound.crawler.metrics import read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.similarity.link_priority import TEXTS
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import open_archive
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategySpec
from scenthound.strategies.weighting import SOFT_TEXTS, FixedWeights

BUDGET = "2x"
SOFT = "soft-svsm"
TEXT_SETS = (("full", "anchor"), ("full", "anchor", "context"), TEXTS)
INLINKS = (Combination.MEAN, Combination.MAX)
WIDTH = 42


@dataclass(frozen=True)
class Variant:
    """A strategy, with what is changed about it said in ``name``."""

    name: str
    spec: StrategySpec
    parameters: Parameters


def variants() -> list[Variant]:
    """Every variant that is measured, each strategy as the catalogue has it first."""
    return [
        *_changed("ssrm", floor=(0.0, 0.7)),
        *_changed(
            "ssvsm",
            lso=("informative", "deepest"),
            measure=("lin", "wu-palmer", "li", "jiang-conrath"),
        ),
        *_changed(
            SOFT, floor=(0.5, 0.6, 0.7), power=(2.0, 4.0, 8.0), topic=("merged", "pages")
        ),
        *_changed("soft-sdvsm", senses=("vouched", "all"), least=(0.0, 1.0)),
        *(_inlinks(each) for each in INLINKS if each != CATALOGUE[SOFT].combination),
        *(_texts(each) for each in TEXT_SETS if each != SOFT_TEXTS),
    ]  # fmt: skip


def _changed(strategy: str, **values: Sequence[Value]) -> Iterator[Variant]:
    """The strategy as it is, then with one parameter changed at a time."""
    spec = CATALOGUE[strategy]
    yield Variant(strategy, spec, {})
    for key, wanted in values.items():
        for value in wanted:
            if value != spec.parameters[key]:
                yield Variant(f"{strategy} {key}={value}", spec, {key: value})


def _inlinks(combination: Combination) -> Variant:
    spec = replace(CATALOGUE[SOFT], combination=combination)
    return Variant(f"{SOFT} inlinks={combination.value}", spec, {})


def _texts(texts: Sequence[str]) -> Variant:
    spec = replace(CATALOGUE[SOFT], scorer=FixedWeights(SOFT, texts))
    return Variant(f"{SOFT} on {'+'.join(texts)}", spec, {})


def compare_variants(web: Path) -> None:
    """Print the labelled harvest of every variant, by topic and in the mean."""
    topics = sorted((web / "topics").glob("*.toml"))
    if not topics:
        raise InputError(f"{web} has no topics/*.toml; give the folder of the webs with --webs.")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        columns = list(pool.map(partial(_harvests, web), topics))
    _print_defaults()
    heads = (topic.stem[:8].rjust(8) for topic in topics)
    print(f"labelled harvest, budget {BUDGET}".ljust(WIDTH), *heads, "    mean")
    for variant, row in zip(variants(), zip(*columns, strict=True), strict=True):
        print(variant.name.ljust(WIDTH), *(f"{value:8.3f}" for value in row), f"{fmean(row):8.4f}")


def _print_defaults() -> None:
    for spec in dict.fromkeys(each.spec for each in variants() if each.name in CATALOGUE):
        values = ", ".join(f"{key} {value}" for key, value in spec.parameters.items())
        print(f"{spec.name} as it is: {values}, inlinks {spec.combination.value}")


def _harvests(web: Path, topic: Path) -> list[float]:
    """Labelled harvest of each variant on one topic, measured as the quality gate does."""
    labels = read_labels(web / "labels.tsv")
    # A plan takes a strategy once; variants of one need names of their own.
    plan = ReplayPlan(
        [(replace(each.spec, name=each.name), each.parameters) for each in variants()],
        labels=labels, budget=BUDGET,
    )  # fmt: skip
    with open_archive(web / "schools.warc.gz") as archive:
        jobs = plan.jobs(archive, [read_topic(topic)])
        return [run_job(archive, job).final.labelled_harvest or 0.0 for job in jobs]
