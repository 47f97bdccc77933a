"""How much does scoring cost beyond reading a page?"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from scenthound.archive import Archive, open_archive
from scenthound.experiments.jobs import Job, Plan
from scenthound.experiments.runner import run
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.text.extract import extract
from scenthound.topics.file import read_topic

PAGES = 2_000
ROUNDS = 3
BAR = 2.5


def extraction_ratio(web: Path) -> None:
    """Print the time of a ``vsm`` replay as a multiple of bare extraction."""
    with open_archive(web / "schools.warc.gz") as archive:
        job = _job(archive, web)
        order = run(archive, job).order
        replays, passes = [], []
        for _ in range(ROUNDS):
            replays.append(_seconds(lambda: run(archive, job)))
            passes.append(_seconds(lambda: _bare_pass(archive, order)))
    ratio = median(replays) / median(passes)
    print(
        f"vsm replay of {len(order)} pages: {1000 * median(replays) / len(order):.2f} ms a page; "
        f"bare extraction {1000 * median(passes) / len(order):.2f} ms; "
        f"ratio {ratio:.2f} (bar: at most {BAR})"
    )


def _job(archive: Archive, web: Path) -> Job:
    plan = Plan(strategies=[(CATALOGUE["vsm"], {})], budget=str(PAGES))
    (job,) = plan.jobs(archive, [read_topic(web / "topics" / "space.toml")], print)
    return job


def _bare_pass(archive: Archive, urls: Sequence[str]) -> None:
    for url in urls:
        response = archive.fetch(url)
        assert response is not None
        extract(response.body, url, response.headers.get("content-type", ""))


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
