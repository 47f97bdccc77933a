"""Two workers on a cluster of three servers, one of which dies and comes back: is anything lost?"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from redis import Redis

from benchmarks.distributed.bars import Bar, Section
from benchmarks.distributed.kills import KEYWORDS, STRATEGY, killing_web
from benchmarks.distributed.merged_folders import MergedPages, merged_pages, whole_bars
from benchmarks.distributed.real_cluster import Node, running_cluster
from benchmarks.distributed.stored_pages import pages_of
from benchmarks.distributed.together import LONGEST_CRAWL_S
from benchmarks.distributed.worker_processes import (
    CrawlProcess,
    await_ended,
    await_true,
    ended_at_last,
    worker,
)
from scenthound import CrawlOptions, Topic
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer

PAGES, WORKERS, NODES, SEED = 400, 2, 3, 1
AWAY_S = 8.0
"""Longer than nodes wait for each other (5 s): the whole cluster refuses to work for a while."""
SYNC = "always"
NAME = "clustered"
_KILLED, _WHEN = 1, 1 / 3
"""Which node dies, and after which share of the pages was asked for."""


@dataclass(frozen=True, slots=True)
class Outage:
    """What happened: keys of the node that died, pages asked for until then, exit codes.

    ``seconds`` is how long it all took, ``after`` how much of that after the node was back: where
    the response to a lease was lost with it, the URL waits until the lease expires.
    """

    keys: int
    asked: int
    codes: list[int | None]
    seconds: float
    after: float


def node_killed(pages: int = PAGES, away: float = AWAY_S, seed: int = SEED) -> Section:
    """A crawl until nothing is left; one node of its cluster is killed and started again."""
    web = killing_web(pages, seed)
    options = ("--appendonly", "yes", "--appendfsync", SYNC)
    with (
        WebServer(web, keep_log=True) as served,
        TemporaryDirectory(prefix="v") as scratch,
        running_cluster(Path(scratch) / "nodes", NODES, options) as cluster,
    ):
        topic = Topic("storms", KEYWORDS, (next(iter(web)),))
        politeness = CrawlOptions(
            max_pages=10 * pages, delay=0.0, proxy=served.proxy, threshold=0.1, timeout=5.0
        )
        shared_crawls.share_crawl(topic, cluster.url, STRATEGY, crawl=NAME, options=politeness)
        out = Path(scratch) / NAME
        folders = [out / f"worker-{number}" for number in range(1, WORKERS + 1)]
        processes = [worker(folder, cluster.url, NAME) for folder in folders]
        with ended_at_last(processes):
            outage = _outage(cluster.nodes[_KILLED], processes, served, pages, away)
        requests = Counter(request.url for request in served.log)
        found = merged_pages(out, Path(scratch) / "merged", web)
        stored = [page.url for page in pages_of(folders)]
    return _verdict(web, stored, found, requests, outage)


def _outage(
    node: Node, processes: list[CrawlProcess], served: WebServer, pages: int, away: float
) -> Outage:
    """Kill the node in the middle of the crawl, start it again, and wait for the end."""
    began = time.monotonic()
    await_true(lambda: len(served.log) >= _WHEN * pages, LONGEST_CRAWL_S)
    with Redis(host="127.0.0.1", port=node.port) as client:
        keys = int(client.dbsize())
    asked = len(served.log)
    node.kill()
    time.sleep(away)
    node.start()
    back = time.monotonic()
    codes = await_ended(processes, LONGEST_CRAWL_S)
    ended = time.monotonic()
    return Outage(keys, asked, codes, ended - began, ended - back)


def _verdict(
    web: Mapping[str, Response],
    stored: list[str],
    found: MergedPages,
    requests: Mapping[str, int],
    outage: Outage,
) -> Section:
    asked = Counter({url: n for url, n in requests.items() if not url.endswith("/robots.txt")})
    lines = [
        f"{len(web)} pages, {STRATEGY}, {WORKERS} workers, {NODES} nodes; one of them killed after "
        f"{outage.asked} requests, back after {AWAY_S:g} s (append-only file, appendfsync {SYNC}), "
        f"{outage.seconds:.0f} s, {outage.after:.0f} of them after that",
        f"stored {len(stored)} pages, {len(stored) - len(set(stored))} of them twice before the "
        f"merge; asked for again: {asked.total() - len(asked)}; exit codes {outage.codes}",
        f"merge: {found.message}",
    ]
    bars = [
        Bar("keys on the node that was killed", outage.keys, 1),
        *whole_bars(set(web), stored, found),
        Bar("workers that failed", sum(bool(code) for code in outage.codes), 0, True),
    ]
    raw = {"stored": len(stored), "codes": outage.codes, "seconds": outage.seconds,
           "lost": sorted(set(web) - set(found.urls))[:20]}  # fmt: skip
    return Section(bars, lines, raw)
