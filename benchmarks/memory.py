"""Does memory grow with the work? Each size runs in a process of its own."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

from scenthound.crawler.metrics import Result
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import open_archive
from scenthound.strategies.catalogue import CATALOGUE

SIZES = (1_000, 2_000, 4_000)
BAR_MB = 700


def memory_growth(web: Path) -> None:
    """Print the peak memory of ``vsm-four`` (the most texts), by size and for the whole archive."""
    for size in (*SIZES, None):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found = pool.submit(grown, web, size, "vsm-four").result()
        whole = ", the whole archive" if size is None else ""
        print(
            f"peak memory after {found.fetched} pages{whole}: {found.peak_rss_mb:.0f} MB "
            f"(bar: {BAR_MB})"
        )


def grown(web: Path, pages: int | None, strategy: str) -> Result:
    """A crawl from the seeds; without a size, one that is given every page as a seed."""
    topic = read_topic(web / "topics" / "space.toml")
    with open_archive(web / "schools.warc.gz") as archive:
        if pages is None:
            topic = replace(topic, seeds=tuple(archive.urls()))
        plan = ReplayPlan([(CATALOGUE[strategy], {})], budget=str(pages or len(archive)))
        (job,) = plan.jobs(archive, [topic])
        return run_job(archive, job)
