"""Does memory grow with the number of links, beyond what the frontier holds of each anyway?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from benchmarks.scent.comparing import log, schools
from benchmarks.scent.grids import LIGHT
from benchmarks.scent.markdown import table
from scenthound.core.events import PageEvent
from scenthound.crawler.metrics import peak_rss_mb
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.evaluation.grid import contender
from scenthound.storage.archive import open_archive

BESIDE = "vsm-four"
"""It reads as many texts, and keeps nothing of them but their scores in the frontier."""
SIZES = (1_000, 2_000, 4_000)
TOPIC = "space"


@dataclass(frozen=True)
class Grown:
    """A crawl of some size.

    ``queued`` counts the links that the frontier was given, each URL once; ``waiting`` those of
    them that were not fetched, or looked for in vain, by the end.
    """

    pages: int
    queued: int
    waiting: int
    megabytes: float


def memory(webs: Path, sizes: Sequence[int] = SIZES) -> list[str]:
    """Peak memory by size, each in a process of its own, and bytes for each further link."""
    found: dict[str, list[Grown]] = {BESIDE: [], LIGHT: []}
    for size in sizes:
        for strategy, sizes_so_far in found.items():
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                sizes_so_far.append(pool.submit(grown, webs, strategy, size).result())
            log(f"{strategy}: {sizes_so_far[-1]}")
    return [*memory_table(found[BESIDE], found[LIGHT]), "", *growth_lines(found)]


def memory_table(beside: Sequence[Grown], ours: Sequence[Grown]) -> list[str]:
    """Both by size, and their difference."""
    columns = ("queued", "waiting", "peak MB")
    head = ["pages", *(f"`{name}` {each}" for name in (BESIDE, LIGHT) for each in columns)]
    return table(
        [*head, "difference MB"],
        (
            [
                str(ours_.pages), *_cells(other), *_cells(ours_),
                f"{ours_.megabytes - other.megabytes:+.0f}",
            ]
            for other, ours_ in zip(beside, ours, strict=True)
        ),
    )  # fmt: skip


def _cells(each: Grown) -> list[str]:
    return [f"{each.queued:,}", f"{each.waiting:,}", f"{each.megabytes:.0f}"]


def growth_lines(found: Mapping[str, Sequence[Grown]]) -> list[str]:
    """Bytes of memory for each further link, from the smallest crawl to the largest."""
    return [
        f"{name}: {bytes_per_link(sizes[0], sizes[-1]):.0f} bytes for each further link that is "
        f"queued, from {sizes[0].pages} to {sizes[-1].pages} pages"
        for name, sizes in found.items()
        if sizes[-1].queued > sizes[0].queued
    ]


def bytes_per_link(small: Grown, large: Grown) -> float:
    """Of memory, for each link that the large crawl has queued and the small one has not."""
    return (large.megabytes - small.megabytes) * 2**20 / (large.queued - small.queued)


def grown(webs: Path, strategy: str, pages: int) -> Grown:
    """A crawl from the seeds of a topic: the first, where there is none called ``space``."""
    web, each, queued = schools(webs), contender(strategy), 0
    topic = next((topic for topic in web.topics if topic.name == TOPIC), web.topics[0])

    def count(event: PageEvent) -> None:
        nonlocal queued
        queued += event.new

    with open_archive(web.archive) as archive:
        plan = ReplayPlan([(each.spec, each.parameters)], budget=str(pages))
        (job,) = plan.jobs(archive, [topic])
        found = run_job(archive, job, count)
    queued += len(topic.seeds)
    done = found.fetched + found.missing + found.failed
    return Grown(found.fetched, queued, queued - done, peak_rss_mb())
