"""Workers killed again and again, the server once: is anything lost, is anything there twice?

The server writes its append-only file with ``appendfsync everysec``. It is killed with SIGKILL, and
what it wrote to the file in its last second is cut off, as a machine that loses its power may.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.append(str(Path(__file__).parents[2] / "tests"))  # the generated web is theirs

from benchmarks.distributed.bars import Bar, Section
from benchmarks.distributed.merged_folders import MergedPages, merged_pages
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.speed import AOF
from benchmarks.distributed.stored_pages import pages_of
from benchmarks.distributed.together import LONGEST_CRAWL_S, crawl_together
from benchmarks.distributed.worker_processes import CrawlProcess, ended_at_last, worker
from live.linked_web import linked_web
from scenthound import CrawlOptions, Topic, api
from scenthound.sample.response import Response, answer
from scenthound.sample.server import WebServer

PAGES, HOSTS, WORKERS, KILLS, SEED = 2_000, 20, 4, 20, 1
FORGOTTEN_S = 1.0
STRATEGY, KEYWORDS = "vsm", ("storm", "hurricane", "weather")
CALM, NAME = "calm", "killed"
_LOOK_S = 0.02
_FROM, _TO = 0.02, 0.9
"""Kills come when these shares of the pages have been asked for."""


@dataclass(slots=True)
class Story:
    """What happened."""

    kills: int = 0
    server_kills: int = 0
    forgotten_bytes: int = 0
    seconds: float = 0.0
    failed: list[int] = field(default_factory=list)


def kills(pages: int = PAGES, count: int = KILLS, seed: int = SEED) -> Section:
    """A crawl until nothing is left, disturbed, beside one that is left in peace."""
    web = killing_web(pages, seed)
    with WebServer(web, keep_log=True) as served, TemporaryDirectory(prefix="v") as scratch:
        topic = Topic("storms", KEYWORDS, (next(iter(web)),))
        options = CrawlOptions(
            max_pages=10 * pages, delay=0.0, proxy=served.proxy, threshold=0.1, timeout=5.0
        )
        folder = Path(scratch)
        (folder / "a").mkdir()
        with running_server(folder / "a", AOF) as server:
            calm = crawl_together(topic, STRATEGY, options, server, folder / CALM, 1)
        asked = len(served.log)
        disturbed = Disturbed(folder, random.Random(seed), lambda: len(served.log) - asked)
        story = disturbed.crawl(topic, options, pages, count)
        requests = Counter(request.url for request in served.log[asked:])
        found = merged_pages(disturbed.out, folder / "merged", web)
        stored = [page.url for page in pages_of(disturbed.folders)]
    return _verdict({page.url for page in calm.pages}, stored, found, requests, story, web)


def killing_web(pages: int, seed: int) -> dict[str, Response]:
    """Pages that can all be reached from the first, no two alike, on many hosts."""

    def address(host: str, path: str) -> str:
        return f"http://{host}{path}"

    hosts = [f"h{number}.test" for number in range(1, HOSTS + 1)]
    written = linked_web(address, hosts, pages, seed)
    made = (answer(address(*place), html) for place, html in written.items())
    return {response.url: response for response in made}


class Disturbed:
    """A crawl whose workers, and whose server, are killed.

    Parameters
    ----------
    folder : everything is below it.
    rng : when, and whom.
    asked : how many requests there were so far.
    """

    def __init__(self, folder: Path, rng: random.Random, asked: Callable[[], int]) -> None:
        self.out = folder / NAME
        self.folders = [self.out / f"worker-{number}" for number in range(1, WORKERS + 1)]
        self._server = folder / "b"
        self._server.mkdir()
        self._rng = rng
        self._asked = asked
        self._processes: list[CrawlProcess] = []
        self._stack = ExitStack()
        self._story = Story()

    def crawl(self, topic: Topic, options: CrawlOptions, pages: int, count: int) -> Story:
        """Until nothing is left; the server is killed halfway through the kills."""
        began = time.monotonic()
        moments = sorted(self._rng.uniform(_FROM * pages, _TO * pages) for _ in range(count))
        with self._stack, ended_at_last(self._processes):
            self._url = self._stack.enter_context(running_server(self._server, AOF))
            api.share_crawl(topic, self._url, STRATEGY, crawl=NAME, options=options)
            self._processes += [self._start(folder) for folder in self.folders]
            for number, moment in enumerate(moments):
                if self._runs_until(moment):
                    if number == count // 2:
                        self._kill_server()
                    self._kill_worker()
            self._await_end()
        self._story.seconds = time.monotonic() - began
        return self._story

    def _start(self, folder: Path) -> CrawlProcess:
        return worker(folder, self._url, NAME)

    def _runs_until(self, moment: float) -> bool:
        """Wait for so many requests; False where the crawl has ended before."""
        while self._asked() < moment:
            if self._have_ended():
                return False
            time.sleep(_LOOK_S)
        return True

    def _have_ended(self) -> bool:
        """Have all workers ended? One that failed is started again, and told of."""
        for index, process in enumerate(self._processes):
            if process.poll() and process.returncode:
                self._story.failed.append(process.returncode)
                self._processes[index] = self._start(self.folders[index])
        return all(process.poll() for process in self._processes)

    def _kill_worker(self) -> None:
        index = self._rng.randrange(WORKERS)
        self._processes[index].kill()
        self._processes[index] = self._start(self.folders[index])
        self._story.kills += 1

    def _kill_server(self) -> None:
        """Kill it, have it forget what it did last, and start it again on its file."""
        (log,) = (self._server / "appendonlydir").glob("*.incr.aof")
        before = log.stat().st_size
        time.sleep(FORGOTTEN_S)
        self._stack.close()
        self._story.forgotten_bytes = log.stat().st_size - before
        with log.open("r+b") as file:
            file.truncate(before)
        self._stack.enter_context(running_server(self._server, AOF))
        self._story.server_kills += 1

    def _await_end(self) -> None:
        until = time.monotonic() + LONGEST_CRAWL_S
        while not self._have_ended():
            if time.monotonic() > until:
                raise RuntimeError("the crawl does not end")
            time.sleep(_LOOK_S)


def _verdict(
    calm: set[str],
    stored: list[str],
    found: MergedPages,
    requests: Mapping[str, int],
    story: Story,
    web: Mapping[str, Response],
) -> Section:
    pages = Counter({url: n for url, n in requests.items() if not url.endswith("/robots.txt")})
    again = pages.total() - len(pages)
    lines = [
        f"{len(web)} pages on {HOSTS} hosts, {STRATEGY}, {WORKERS} workers, {story.kills} x SIGKILL"
        f" and {story.server_kills} x the server (appendfsync everysec, its last "
        f"{FORGOTTEN_S:g} s forgotten: {story.forgotten_bytes:,} bytes), {story.seconds:.0f} s",
        f"stored {len(stored)} pages, {len(stored) - len(set(stored))} of them twice before the "
        f"merge; asked for again: {again}; workers that failed: {story.failed or 'none'}",
    ]
    bars = [
        Bar("kills of workers", story.kills, KILLS),
        Bar("pages of the undisturbed crawl", len(calm), len(web)),
        Bar("pages lost", len(calm - set(stored)), 0, True),
        Bar("pages that the undisturbed crawl has not", len(set(stored) - calm), 0, True),
        Bar("pages lost by the merge", len(set(stored) - set(found.urls)), 0, True),
        Bar("pages twice after the merge", len(found.urls) - len(set(found.urls)), 0, True),
        Bar("merged pages that are not as served", len(found.unlike), 0, True),
        Bar("workers that failed", len(story.failed), 0, True),
    ]
    raw = {
        "stored": len(stored), "asked again": again, "seconds": story.seconds,
        "forgotten bytes": story.forgotten_bytes, "failed": story.failed,
        "copies": found.copies, "unsaved": found.unsaved,
        "lost": sorted(calm - set(stored))[:20],
    }  # fmt: skip
    return Section(bars, lines, raw)
