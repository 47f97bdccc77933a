"""Do weights that a crawl learns for itself pay? On the schools web, and on generated ones."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from os import cpu_count
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from scenthound.core.errors import InputError
from scenthound.core.model import Topic
from scenthound.core.parameters import Parameters
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.sample.web import build, write_labels, write_warc
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import CATALOGUE

BUDGET = "2x"
WIDTH = 44
Variant = tuple[str, Parameters]
Found = list[tuple[float, int]]
"""Labelled harvest and labelled pages, of each variant."""
GROUPS: tuple[tuple[str, tuple[Variant, ...]], ...] = (
    ("vsm-four", (
        ("mcoa", {}),
        ("mcoa", {"prior_weight": 400.0}),
        ("mcoa", {"target": "model"}),
        ("mcoa", {"structure": True}),
        ("mcoa", {"optimiser": "mcoa", "enough": 100}),
    )),
    ("svsm", (
        ("svsm-mcoa", {}),
        ("svsm-mcoa", {"prior_weight": 400.0}),
        ("svsm-mcoa", {"structure": True}),
        ("svsm-mcoa", {"optimiser": "mcoa", "enough": 100}),
    )),
    ("soft-svsm", (
        ("soft-svsm-mcoa", {}),
        ("soft-svsm-mcoa", {"prior_weight": 0.0}),
        ("soft-svsm-mcoa", {"prior_weight": 100.0}),
        ("soft-svsm-mcoa", {"target": "model"}),
        ("soft-svsm-mcoa", {"structure": True}),
    )),
)  # fmt: skip
"""Each strategy with equal weights, and those beside it that learn."""
VARIANTS: tuple[Variant, ...] = tuple(
    variant for rival, learning in GROUPS for variant in ((rival, {}), *learning)
)


def learned_crawls(web: Path, seeds: Sequence[int]) -> None:
    """Print the labelled harvest of every variant beside that with equal weights."""
    topics = sorted((web / "topics").glob("*.toml"))
    if not topics:
        raise InputError(f"{web} has no topics/*.toml; give the folder of the webs with --webs.")
    with ProcessPoolExecutor(cpu_count()) as pool:
        schools = list(pool.map(partial(_schools, web), topics))
        samples = list(pool.map(_sample, seeds))
    heads = " ".join(topic.stem[:8].rjust(8) for topic in topics)
    print(f"labelled harvest, budget {BUDGET}".ljust(WIDTH), heads, "    mean   ratio    pages")
    place = 0
    for _, learning in GROUPS:
        rival = place
        for _ in range(len(learning) + 1):
            _print_row(place, rival, schools, samples)
            place += 1
    print(f"ratio: to equal weights; pages: labelled ones found in the sample webs {list(seeds)}")


def _print_row(place: int, rival: int, schools: Sequence[Found], samples: Sequence[Found]) -> None:
    name, parameters = VARIANTS[place]
    text = " ".join([name, *(f"{key}={value}" for key, value in parameters.items())])
    row = [found[place][0] for found in schools]
    ratio = fmean(row) / fmean(found[rival][0] for found in schools)
    pages = sum(found[place][1] for found in samples)
    cells = " ".join(f"{value:8.3f}" for value in row)
    print(text.ljust(WIDTH), cells, f"{fmean(row):8.4f} {ratio:7.3f} {pages:8}")


def _schools(web: Path, topic: Path) -> Found:
    with open_archive(web / "schools.warc.gz") as archive:
        return _found(archive, [read_topic(topic)], read_labels(web / "labels.tsv"))


def _sample(seed: int) -> Found:
    """All topics of one generated web; the harvest is their mean."""
    web = build(seed)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_warc(web, folder / "sample.warc.gz")
        write_labels(web, folder / "labels.tsv")
        with open_archive(folder / "sample.warc.gz", cache=folder / "cache") as archive:
            return _found(archive, web.topics, read_labels(folder / "labels.tsv"))


def _found(archive: Archive, topics: Sequence[Topic], labels: Labels) -> Found:
    found = []
    for name, parameters in VARIANTS:
        plan = ReplayPlan([(CATALOGUE[name], parameters)], labels=labels, budget=BUDGET)
        finals = [run_job(archive, job).final for job in plan.jobs(archive, topics)]
        harvest = fmean(final.labelled_harvest or 0.0 for final in finals)
        found.append((harvest, sum(final.labelled or 0 for final in finals)))
    return found
