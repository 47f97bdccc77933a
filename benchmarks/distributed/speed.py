"""Are two workers worth it, and what does it cost a page that its frontier is on a server?

The campus web on loopback without links that leave it, so that every response is a page. Web, Redis
server and workers share the cores of this machine; the web is served from memory by a process of
its own. With a core of its own each worker has that one alone for its two processes, as it would
on a machine full of workers; web and server run where there is room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.distributed.bars import Bar, Section
from benchmarks.distributed.closed_webs import campus_process
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.together import Crawled, crawl_alone, crawl_together
from benchmarks.live.figures import CONCURRENCY, TOPIC
from scenthound import CrawlOptions
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import open_archive

PAGES, ROUNDS, STRATEGY = 2_000, 3, "vsm"
SPEED_BAR, CPU_BAR, SERVER_BAR = 1.4, 1.15, 0.15
AOF = ("--appendonly", "yes", "--appendfsync", "everysec")
SQLITE, ONE, TWO = "SQLite", "one worker", "two workers"
ONE_ON_ONE, TWO_ON_TWO = "one worker on one core", "two workers on a core each"
Crawlers = Mapping[str, Callable[[Path], Crawled]]


def speed(campus: Path, pages: int = PAGES, rounds: int = ROUNDS) -> Section:
    """The crawls in turn, medians of ``rounds``."""
    archive = campus / "campus.warc.gz"
    open_archive(archive).close()  # a missing one is reported at once
    runs: dict[str, list[Crawled]] = {}
    with (
        campus_process(archive) as proxy,
        TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder), AOF) as server,
    ):
        for number in range(rounds):
            for name, crawl in crawlers(proxy, server, pages).items():
                with TemporaryDirectory() as out:
                    found = crawl(Path(out) / f"{name.replace(' ', '-')}-{number}")
                runs.setdefault(name, []).append(found)
                print(f"  {described(name, [found])}", flush=True)
    return verdict(runs, pages, rounds)


def crawlers(proxy: str, server: str, pages: int) -> Crawlers:
    """What is compared."""
    options = CrawlOptions(
        max_pages=pages, concurrency=CONCURRENCY, per_host=CONCURRENCY, delay=0.0, proxy=proxy
    )
    words = [
        "--topic", str(TOPIC), "--strategy", STRATEGY, "--max-pages", str(pages), "--delay", "0",
        "--concurrency", str(CONCURRENCY), "--per-host", str(CONCURRENCY), "--proxy", proxy,
    ]  # fmt: skip
    topic = read_topic(TOPIC)

    def shared(workers: int, *cores: int) -> Callable[[Path], Crawled]:
        return lambda out: crawl_together(topic, STRATEGY, options, server, out, workers, cores)

    return {
        SQLITE: lambda out: crawl_alone(words, out),
        ONE: shared(1),
        TWO: shared(2),
        ONE_ON_ONE: shared(1, 0),
        TWO_ON_TWO: shared(2, 0, 1),
    }


def verdict(runs: Mapping[str, list[Crawled]], pages: int, rounds: int) -> Section:
    """The bars, and a line for each crawler."""
    speeds = {name: median(run.speed for run in each) for name, each in runs.items()}
    cpu = {name: median(run.cpu_a_page for run in each) for name, each in runs.items()}
    both = {name: median(run.cpu_a_page_with_server for run in each) for name, each in runs.items()}
    whole = {name: median(run.cpu for run in each) for name, each in runs.items()}
    share = median(run.server / (run.cpu - run.start.cpu) for run in runs[ONE])
    lines = [
        f"{pages} pages of the campus web, {STRATEGY}, {CONCURRENCY} at once, no delay, medians of "
        f"{rounds} in turn:",
        *(described(name, each) for name, each in runs.items()),
        f"two workers / one, both wherever there is room: {speeds[TWO] / speeds[ONE]:.2f}",
        f"CPU of the whole crawl, start included, without the server's, one worker / SQLite: "
        f"{whole[ONE] / whole[SQLITE]:.2f}",
        f"CPU a page with the server's, one worker / SQLite: {both[ONE] / both[SQLITE]:.2f}",
    ]
    bars = [
        Bar("speed of two workers on a core each / of one on one core",
            speeds[TWO_ON_TWO] / speeds[ONE_ON_ONE], SPEED_BAR),
        Bar("CPU a page without the server's, one worker / SQLite",
            cpu[ONE] / cpu[SQLITE], CPU_BAR, True),
        Bar("server time / CPU of the worker", share, SERVER_BAR, True),
    ]  # fmt: skip
    raw = {name: [run.figures() for run in each] for name, each in runs.items()}
    return Section(bars, lines, raw)


def described(name: str, runs: list[Crawled]) -> str:
    """One crawler in a line."""
    speeds = sorted(run.speed for run in runs)
    return (
        f"{name:27} {median(speeds):6.1f} pages/s ({speeds[0]:.1f} to {speeds[-1]:.1f}), "
        f"{1_000 * median(run.cpu_a_page for run in runs):.2f} ms CPU a page without the server's, "
        f"{1_000 * median(run.cpu_a_page_with_server for run in runs):.2f} with it, start "
        f"{median(run.start.cpu for run in runs):.1f} s CPU; server: "
        f"{median(run.server for run in runs):.1f} s in commands, "
        f"{median(run.server_cpu for run in runs):.1f} s CPU"
    )
