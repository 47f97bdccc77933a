"""What it costs in finds to have many requests under way: the sample web, live and replayed."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from scenthound import CATALOGUE, CrawlOptions, Labels, Topic, replay
from scenthound.crawler.job import LiveJob
from scenthound.crawler.session import start_crawl
from scenthound.sample.server import WebServer, serve
from scenthound.sample.web import SampleWeb, build, write_warc

TOPIC = "storms"
STRATEGY = "soft-sdvsm"
DELAY = 0.1
AT_ONCE = (1, 4, 8, 16)
ROUNDS = 3


def concurrency() -> None:
    """Print labelled pages found with more and more requests under way, medians of three."""
    web = build(0)
    labels = frozenset(url for url, topic in web.labels.items() if topic == TOPIC)
    budget = 2 * len(labels)
    print(
        f"labelled pages of {len(labels)} found in {budget} fetches, {STRATEGY} on the sample web "
        f"({TOPIC}), live with a delay of {DELAY:g} s, medians of {ROUNDS}:"
    )
    print(f"  replay           {_replayed(web, labels, budget)}")
    with serve(web) as server:
        for many in AT_ONCE:
            found = [_live(web, server, labels, budget, many) for _ in range(ROUNDS)]
            print(f"  --concurrency {many:<3} {median(found):g} ({min(found)} to {max(found)})")


def _replayed(web: SampleWeb, labels: frozenset[str], budget: int) -> int:
    with TemporaryDirectory() as folder:
        archive = Path(folder) / "sample.warc.gz"
        write_warc(web, archive)
        run = replay(
            archive, _topic(web), STRATEGY, budget=budget, labels=Labels({TOPIC: labels}, "sample")
        )
    return run.final.labelled or 0


def _live(web: SampleWeb, server: WebServer, labels: frozenset[str], budget: int, many: int) -> int:
    options = CrawlOptions(
        max_pages=budget, delay=DELAY, concurrency=many, proxy=server.proxy, min_disk=0
    )
    job = LiveJob(_topic(web), CATALOGUE[STRATEGY], {}, options, labels)
    with TemporaryDirectory() as folder:
        run = start_crawl(job, Path(folder) / "crawl", None)
    return run.final.labelled or 0


def _topic(web: SampleWeb) -> Topic:
    return next(topic for topic in web.topics if topic.name == TOPIC)
