"""How much does scoring cost beyond reading a page?"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.text.extract import extract

PAGES = 2_000
ROUNDS = 5
BAR = 2.5


def extraction_ratio(web: Path) -> None:
    """Print the time of a ``vsm`` replay as a multiple of bare extraction."""
    with open_archive(web / "schools.warc.gz") as archive:
        job = _job(archive, web)
        order = run_job(archive, job).order
        replays, written, passes = [], [], []
        for _ in range(ROUNDS):
            replays.append(_seconds(partial(run_job, archive, job)))
            passes.append(_seconds(partial(_bare_pass, archive, order)))
            with TemporaryDirectory() as folder:
                kept = replace(job, out=Path(folder) / "crawl")
                written.append(_seconds(partial(run_job, archive, kept)))
    bare = median(passes)
    print(f"bare extraction of {len(order)} pages: {1000 * bare / len(order):.2f} ms a page")
    for name, times in (("vsm replay", replays), ("vsm replay, crawl folder written", written)):
        milliseconds = 1000 * median(times) / len(order)
        print(
            f"{name}: {milliseconds:.2f} ms a page, ratio {median(times) / bare:.2f} (bar: {BAR})"
        )


def _job(archive: Archive, web: Path) -> ReplayJob:
    plan = ReplayPlan(strategies=[(CATALOGUE["vsm"], {})], budget=str(PAGES))
    (job,) = plan.jobs(archive, [read_topic(web / "topics" / "space.toml")])
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
