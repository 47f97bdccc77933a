"""Labelled harvest of neural crawlers on the schools web, beside those without a network."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from benchmarks.neural.candidates import chosen, require_libraries
from benchmarks.neural.schools import ARCHIVE, topics_of
from benchmarks.variants import Variant
from scenthound.core.model import Topic
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.similarity.encoders import ModelRuntime
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive, open_archive

BUDGET = "2x"
WIDTH = 28
BARS = (
    ("sentences", "oracle", 0.82),
    ("sentences-light", "vsm-mean", 1.0),
    ("soft-bsvsm", "soft-svsm", 1.0),
)
"""Mean harvest of the first over that of the second, and what is asked."""


def harvest(
    web: Path, equipment: ModelRuntime, names: Sequence[str] = (), budget: str = BUDGET
) -> None:
    """Print the labelled harvest of each candidate by topic and in the mean, and the ratios.

    They run one after another in this process: a model takes all cores by itself.
    """
    wanted, paths = chosen(names), topics_of(web)
    require_libraries(wanted)
    topics, labels = [read_topic(path) for path in paths], read_labels(web / "labels.tsv")
    heads = (path.stem[:8].rjust(8) for path in paths)
    print(f"labelled harvest, budget {budget}".ljust(WIDTH), *heads, "    mean", flush=True)
    means = {}
    with open_archive(web / ARCHIVE) as archive:
        for candidate in wanted:
            row = _row(archive, topics, labels, candidate, budget, equipment)
            means[candidate.name] = fmean(row)
            cells = (f"{value:8.3f}" for value in row)
            print(candidate.name.ljust(WIDTH), *cells, f"{fmean(row):8.4f}", flush=True)
    for line in ratios(means):
        print(line)


def _row(
    archive: Archive, topics: Sequence[Topic], labels: Labels, candidate: Variant, budget: str,
    equipment: ModelRuntime,
) -> list[float]:  # fmt: skip
    """The harvest on each topic; every replay is reported on stderr, as some take minutes."""
    spec = replace(candidate.spec, name=candidate.name)
    plan = ReplayPlan([(spec, candidate.parameters)], labels, budget, equipment=equipment)
    row = []
    for job in plan.jobs(archive, topics):
        print(f"{candidate.name}: {job.topic.name} ...", end=" ", file=sys.stderr, flush=True)
        found = run_job(archive, job)
        row.append(found.final.labelled_harvest or 0.0)
        print(f"{row[-1]:.3f}, {found.seconds:.0f} s", file=sys.stderr, flush=True)
    return row


def ratios(means: Mapping[str, float]) -> list[str]:
    """Each ratio that has a bar, in words; those left out whose crawlers were not measured."""
    return [
        f"{first} / {second}: {means[first] / max(means[second], 1e-9):.3f} (bar: {least})"
        for first, second, least in BARS
        if first in means and second in means
    ]
