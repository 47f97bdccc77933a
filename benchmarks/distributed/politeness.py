"""Many workers, many hosts: is each host asked no faster than promised, by all together?"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.distributed.bars import Bar, Section
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.speed import AOF
from benchmarks.distributed.together import Crawled, crawl_together
from benchmarks.live.politeness import FORBIDDEN, build_polite_web
from live.live_web import LiveWeb
from scenthound import CrawlOptions, Topic

HOSTS, WORKERS, DELAY_S, PAGES = 50, 4, 0.2, 20
CONCURRENCY = 16
KEYWORDS = ("storm", "hurricane", "weather")


def politeness(hosts: int = HOSTS, workers: int = WORKERS, pages: int = PAGES) -> Section:
    """The shortest time between two requests to a host, robots.txt included.

    Both times are those at which the web server got the request. It answers at once, and a worker
    counts the delay from the end of an answer.
    """
    with (
        LiveWeb(hosts=hosts) as web,
        TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder), AOF) as server,
        TemporaryDirectory() as scratch,
    ):
        fronts = build_polite_web(web, hosts, pages)
        topic = Topic("storms", KEYWORDS, tuple(fronts))
        options = CrawlOptions(
            max_pages=2 * hosts * pages, delay=DELAY_S, concurrency=CONCURRENCY,
            allow_private=True, threshold=0.1,
        )  # fmt: skip
        crawled = crawl_together(topic, "vsm", options, server, Path(scratch) / "polite", workers)
        arrivals = [web.arrivals(host) for host in range(1, hosts + 1)]
        trespasses = sum(FORBIDDEN in url for url in web.requested())
    return _verdict(arrivals, crawled, trespasses)


def _verdict(arrivals: list[list[float]], crawled: Crawled, trespasses: int) -> Section:
    gaps = sorted(later - sooner for times in arrivals for sooner, later in pairwise(times))
    seconds = max(map(max, arrivals)) - min(map(min, arrivals))
    ideal = DELAY_S * max(len(times) - 1 for times in arrivals)
    figures = crawled.figures()
    line = (
        f"{len(arrivals)} hosts, {len(crawled.shares)} workers with {CONCURRENCY} requests at "
        f"once, {sum(map(len, arrivals))} requests, pages of each worker {figures['of_workers']}, "
        f"{trespasses} forbidden URLs requested; {seconds:.1f} s, ideal {ideal:.1f} s"
    )
    bars = [
        Bar("shortest time between two requests to one host, in s", gaps[0], DELAY_S),
        Bar("forbidden URLs requested", trespasses, 0, True),
    ]
    return Section(bars, [line], {"crawl": figures, "shortest": gaps[:20], "seconds": seconds})
