"""``scenthound crawl`` beside plain crawlers, on the campus web on loopback, in turn.

Every crawler runs in a process of its own and stops at the same number of pages. Links that
leave the archive are answered with 404, for all alike; such requests are counted apart.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.live.campus_server import ROOT, campus_proxy
from benchmarks.live.figures import CONCURRENCY, PAGES, TOPIC, Figures, read_figures

ROUNDS = 3
ANSWERS = 3
"""Our budget counts every response, the plain crawlers' only pages: two in three are 404 here."""
OURS = "scenthound vsm"
SCRAPY = "plain Scrapy"
BARE = "bare aiohttp"
BARS = {SCRAPY: (2.0, 2.5), BARE: (0.15, 0.2)}
"""Least ratio of our pages/s to theirs, and the one aimed at."""

Crawler = Callable[[], Figures]


def live_speed(campus: Path, pages: int = PAGES, rounds: int = ROUNDS) -> None:
    """Print pages/s and CPU time of each crawler, medians of ``rounds``, and our ratios."""
    with campus_proxy(campus / "campus.warc.gz") as proxy:
        crawlers = {
            OURS: partial(ours, proxy, pages),
            SCRAPY: partial(plain, "plain_scrapy", proxy, pages, "--robots"),
            BARE: partial(plain, "bare_aiohttp", proxy, pages),
        }
        measured = measure(crawlers, rounds)
    print(
        f"live crawl of {pages} campus pages on loopback, {CONCURRENCY} at once, no delay, "
        f"median of {rounds}:"
    )
    for name, runs in measured.items():
        print(f"  {described(name, runs)}")
    for name, (bar, aim) in BARS.items():
        print(f"  {compared(name, measured[OURS], measured[name], bar, aim)}")


def measure(crawlers: Mapping[str, Crawler], rounds: int) -> dict[str, list[Figures]]:
    """The runs of each crawler; one round after the other, so that a slow minute hits all."""
    measured: dict[str, list[Figures]] = {name: [] for name in crawlers}
    for _ in range(rounds):
        for name, crawl in crawlers.items():
            measured[name].append(crawl())
    return measured


def described(name: str, runs: Sequence[Figures]) -> str:
    """One crawler in a line."""
    speeds = sorted(run.pages_per_second for run in runs)
    cpu = median(run.cpu_ms_a_page for run in runs)
    pages, requests = median(run.pages for run in runs), median(run.requests for run in runs)
    return (
        f"{name:14} {median(speeds):6.1f} pages/s ({speeds[0]:.1f} to {speeds[-1]:.1f}), "
        f"{cpu:.2f} ms CPU a page; {pages:.0f} pages of {requests:.0f} requests"
    )


def compared(
    name: str, mine: Sequence[Figures], theirs: Sequence[Figures], bar: float, aim: float
) -> str:
    """Our speed as a multiple of theirs, and what it should be."""
    ratio = median(run.pages_per_second for run in mine) / median(
        run.pages_per_second for run in theirs
    )
    rounds = sorted(
        a.pages_per_second / b.pages_per_second for a, b in zip(mine, theirs, strict=True)
    )
    return (
        f"ratio to {name}: {ratio:.2f} (in single rounds {rounds[0]:.2f} to {rounds[-1]:.2f}; "
        f"bar: {bar}, aim: {aim})"
    )


def ours(proxy: str, pages: int, source: Path | None = None) -> Figures:
    """The command as a user gives it, with everything written; of another ``source``, if given."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "crawl"
        options = {
            "--topic": TOPIC, "--out": out, "--strategy": "vsm", "--max-pages": ANSWERS * pages,
            "--concurrency": CONCURRENCY, "--per-host": CONCURRENCY, "--delay": 0,
            "--proxy": proxy,
        }  # fmt: skip
        given = [str(word) for pair in options.items() for word in pair]
        _, cpu = _run(["scenthound.cli.main", "crawl", *given, "--quiet"], source)
        run = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return Figures(run["fetched"] - run["failed"], run["fetched"], run["seconds"], cpu)


def plain(module: str, proxy: str, pages: int, *options: str) -> Figures:
    """One of the plain crawlers of this folder."""
    given = ["--topic", str(TOPIC), "--proxy", proxy, "--pages", str(pages), *options]
    said, cpu = _run([f"benchmarks.live.{module}", *given])
    return replace(read_figures(said), cpu_seconds=cpu)


def _run(arguments: Sequence[str], source: Path | None = None) -> tuple[str, float]:
    """Run a module; what it printed, and the CPU seconds of it and of its own children."""
    before = _children_cpu()
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT, env=_environment(source), stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return done.stdout, _children_cpu() - before


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment(source: Path | None) -> dict[str, str]:
    """The environment without proxy settings: they would send some of the crawlers elsewhere."""
    kept = {
        name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")
    }
    return kept if source is None else {**kept, "PYTHONPATH": str(source)}
