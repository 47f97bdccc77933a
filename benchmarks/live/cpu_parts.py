"""Where the CPU time of a page goes in a live crawl: the parts of our own process, and Scrapy's."""

from __future__ import annotations

import resource
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from benchmarks.live.campus_server import campus_proxy
from benchmarks.live.figures import CONCURRENCY, TOPIC
from scenthound.core.crawl_loop import CrawlLoop
from scenthound.crawler.checkpoint import Checkpointer
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.session import start_crawl
from scenthound.fetch.client import DownloaderClient, PageReader
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.similarity.judge import SimilarityJudge
from scenthound.similarity.link_priority import ModelScorer, WeightedTexts
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.warc_writer import WarcWriter
from scenthound.strategies.catalogue import CATALOGUE

ANSWERS = 1_500
PARTS: tuple[tuple[str, type, tuple[str, ...]], ...] = (
    ("decode, parse, copies", PageReader, ("read",)),
    ("count terms, learn", ModelScorer, ("observe",)),
    ("score links", WeightedTexts, ("score",)),
    ("judge", SimilarityJudge, ("similarity",)),
    ("totals, journal", CrawlLoop, ("_record",)),
    ("frontier: links in", SqliteFrontier, ("add",)),
    ("frontier: leases", SqliteFrontier, ("lease", "take", "ack", "record_response", "next_time")),
    ("ledger, commits", Checkpointer, ("keep", "commit")),
    ("WARC (its own thread)", WarcWriter, ("write", "sync")),
    ("pipe to the downloader", DownloaderClient, ("fetch",)),
)


class _Meter:
    """Adds up the CPU time of calls, what they call in turn left out."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._stacks = threading.local()

    @contextmanager
    def on(self, label: str, owner: type, method: str) -> Iterator[None]:
        original: Callable[..., Any] = getattr(owner, method)

        def metered(*given: Any, **named: Any) -> Any:
            stack = vars(self._stacks).setdefault("inner", [0.0])
            stack.append(0.0)
            started = time.thread_time()
            try:
                return original(*given, **named)
            finally:
                spent = time.thread_time() - started
                self.seconds[label] += spent - stack.pop()
                stack[-1] += spent

        with patch.object(owner, method, metered):
            yield


def cpu_parts(campus: Path, answers: int = ANSWERS) -> None:
    """Print the CPU milliseconds a page of each part of a crawl with ``vsm``."""
    meter = _Meter()
    with campus_proxy(campus / "campus.warc.gz") as proxy, TemporaryDirectory() as folder:
        options = CrawlOptions(
            max_pages=answers, delay=0, per_host=CONCURRENCY, concurrency=CONCURRENCY, proxy=proxy
        )
        job = LiveJob(read_topic(TOPIC), CATALOGUE["vsm"], {}, options)
        with ExitStack() as stack:
            for label, owner, methods in PARTS:
                for method in methods:
                    stack.enter_context(meter.on(label, owner, method))
            own, others = time.process_time(), _children()
            run = start_crawl(job, Path(folder) / "crawl", None)
            own, others = time.process_time() - own, _children() - others
    pages = run.fetched - run.failed
    print(f"CPU time of a page, in ms ({pages} pages of {run.fetched} answers, vsm):")
    rest = own - sum(meter.seconds.values())
    rows = {
        **{label: meter.seconds[label] for label, _, _ in PARTS},
        "start and the rest": rest,
        "our process in all": own,
        "the downloader (Scrapy)": others,
    }
    for label, seconds in rows.items():
        print(f"  {label:26} {seconds / pages * 1000:6.2f}")


def _children() -> float:
    """CPU seconds of the processes that have ended: of the downloader, not of the server."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
