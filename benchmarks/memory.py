"""Does memory grow with the work? Each size runs in a process of its own."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from scenthound.archive import open_archive
from scenthound.experiments.jobs import Plan
from scenthound.experiments.runner import run
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.topics.file import read_topic

SIZES = (500, 1_000, 2_000, 10_000)
BAR_MB = 700


def memory_growth(web: Path) -> None:
    """Print the peak memory of ``vsm-four`` (the most texts) by number of pages."""
    for size in SIZES:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            fetched, peak = pool.submit(_peak, web, size).result()
        whole = " (all that can be reached)" if fetched < size else ""
        print(f"peak memory after {fetched} pages{whole}: {peak:.0f} MB (bar: {BAR_MB})")


def _peak(web: Path, pages: int) -> tuple[int, float]:
    plan = Plan(strategies=[(CATALOGUE["vsm-four"], {})], budget=str(pages))
    with open_archive(web / "schools.warc.gz") as archive:
        (job,) = plan.jobs(archive, [read_topic(web / "topics" / "space.toml")], print)
        result = run(archive, job)
    return result.fetched, result.peak_rss_mb
