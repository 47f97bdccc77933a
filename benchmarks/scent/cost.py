"""How much processor time does a whole crawl with ``scent`` take, beside one with ``vsm``?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path

from benchmarks.scent.comparing import log, schools
from benchmarks.scent.grids import LIGHT, SCENT
from benchmarks.scent.markdown import table
from scenthound.crawler.caches import CacheChoice, open_equipment, open_reading_cache
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.evaluation.grid import Web, contender
from scenthound.similarity.bert import is_minilm_there
from scenthound.storage.archive import Archive, open_archive

VSM = "vsm"
BARS = {LIGHT: 1.5, SCENT: 2.0}
ROUNDS = 2
"""The first fills the cache and loads what is loaded once; the last one counts."""
CONDITIONS = {"vectors kept, as in `replay`": False, "pages and terms kept too": True}
"""In words, and whether pages and counted terms are kept as well, as in ``compare``."""
PlanOf = Callable[[str], ReplayPlan]


def cost(webs: Path, cache: CacheChoice) -> list[str]:
    """A table of processor time by condition, with the ratios; each in a process of its own."""
    there = is_minilm_there()
    strategies = [VSM, LIGHT, *([SCENT] if there else [])]
    lines: list[list[str]] = []
    for condition, reads_once in CONDITIONS.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            seconds = pool.submit(crawl_seconds, webs, cache, strategies, reads_once).result()
        lines += cost_rows(condition, seconds)
    head = ["condition", "strategy", "processor seconds", f"ratio to `{VSM}`", "bar"]
    missing = "MiniLM is not there, so `scent` with sentences is left out: install the extra neural"
    return [*table(head, lines), *([] if there else ["", missing])]


def cost_rows(condition: str, seconds: Mapping[str, float]) -> list[list[str]]:
    """The cells of each strategy; the ratio is to ``vsm``."""
    return [
        [
            condition, f"`{name}`", f"{took:.1f}", f"{took / seconds[VSM]:.2f}",
            f"{BARS[name]:g}" if name in BARS else "",
        ]
        for name, took in seconds.items()
    ]  # fmt: skip


def crawl_seconds(
    webs: Path, cache: CacheChoice, strategies: Sequence[str], reads_once: bool
) -> dict[str, float]:
    """Processor time of the crawls for all topics, by strategy, in the last round.

    Strategies take turns on each topic, so that a busy spell meets all.
    """
    web, seconds = schools(webs), dict[str, float]()
    with ExitStack() as stack:
        archive = stack.enter_context(open_archive(web.archive))
        equipment = stack.enter_context(open_equipment(cache))
        reading = stack.enter_context(open_reading_cache(cache)) if reads_once else None

        def plan_of(strategy: str) -> ReplayPlan:
            each = contender(strategy)
            chosen = [(each.spec, each.parameters)]
            return ReplayPlan(chosen, web.labels, equipment=equipment, reading=reading)

        for number in range(ROUNDS):
            seconds = _round(web, archive, strategies, plan_of)
            log(f"round {number + 1} of {ROUNDS}: {seconds}")
    return seconds


def _round(
    web: Web, archive: Archive, strategies: Sequence[str], plan_of: PlanOf
) -> dict[str, float]:
    seconds = dict.fromkeys(strategies, 0.0)
    for topic in web.topics:
        for strategy in strategies:
            (job,) = plan_of(strategy).jobs(archive, [topic])
            began = time.process_time()
            run_job(archive, job)
            seconds[strategy] += time.process_time() - began
    return seconds
