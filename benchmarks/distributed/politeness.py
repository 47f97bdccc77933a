"""Many workers, many hosts: is each host asked no faster than promised, by all together?

Every third host takes longer for a response than the delay. Every other page calls the next one its
own address (``rel=canonical``), which closes a URL that another worker may be asking for. The first
worker's time of day is wrong.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.distributed.bars import Bar, Section
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.speed import AOF
from benchmarks.distributed.together import Crawled, crawl_together
from benchmarks.distributed.watched_web import WatchedRequest, WatchedWeb, gaps, rests
from benchmarks.distributed.wrong_clocks import wrong_clock
from benchmarks.live.politeness import FORBIDDEN, build_polite_web
from scenthound import CrawlOptions, Topic

HOSTS, WORKERS, DELAY_S, PAGES = 50, 4, 0.2, 20
SLOW_S, SLOW_EACH = 0.3, 3
WRONG_S = -30.0
CONCURRENCY = 16
KEYWORDS = ("storm", "hurricane", "weather")


def politeness(
    hosts: int = HOSTS, workers: int = WORKERS, pages: int = PAGES, wrong: float = WRONG_S
) -> Section:
    """The shortest time between two requests to a host, robots.txt included.

    All times are those of the web server: when it got a request, and when it had sent the response,
    from which the delay counts.
    """
    with (
        WatchedWeb(hosts, SLOW_S, SLOW_EACH) as web,
        TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder), AOF) as server,
        TemporaryDirectory() as scratch,
    ):
        fronts = build_polite_web(web, hosts, pages, own_names=True)
        topic = Topic("storms", KEYWORDS, tuple(fronts))
        options = CrawlOptions(
            max_pages=2 * hosts * pages, delay=DELAY_S, concurrency=CONCURRENCY,
            allow_private=True, threshold=0.1,
        )  # fmt: skip
        out = Path(scratch) / "polite"
        more = {0: wrong_clock(wrong)} if wrong else None
        crawled = crawl_together(topic, "vsm", options, server, out, workers, more=more)
        requests = web.requests()
        trespasses = sum(FORBIDDEN in url for url in web.requested())
    return verdict(requests, crawled, trespasses, wrong)


def verdict(
    requests: list[list[WatchedRequest]], crawled: Crawled, trespasses: int, wrong: float = 0.0
) -> Section:
    """The bars over all hosts."""
    between = sorted(gap for each in requests for gap in gaps(each))
    resting = sorted(rest for each in requests for rest in rests(each))
    at_once = sum(rest < 0.0 for rest in resting)
    began = min(each[0].began for each in requests)
    seconds = max(each[-1].began for each in requests) - began
    figures = crawled.figures()
    line = (
        f"{len(requests)} hosts, every {SLOW_EACH}rd takes {SLOW_S:g} s to answer; "
        f"{len(crawled.shares)} workers with {CONCURRENCY} requests at once, the time of the first "
        f"wrong by {wrong:g} s; {sum(map(len, requests))} requests, pages of each worker "
        f"{figures['of_workers']}; {seconds:.1f} s, ideal {_ideal(requests):.1f} s"
    )
    soon = f"too soon: {sum(rest < DELAY_S for rest in resting)} of {len(resting)} requests"
    bars = [
        Bar("shortest time between two requests to one host, in s", between[0], DELAY_S),
        Bar("shortest time from a response to the next request, in s", resting[0], DELAY_S),
        Bar("requests while the host was still sending another response", at_once, 0, True),
        Bar("forbidden URLs requested", trespasses, 0, True),
    ]
    raw = {"crawl": figures, "shortest": between[:20], "rests": resting[:20], "seconds": seconds}
    return Section(bars, [line, soon], raw)


def _ideal(requests: list[list[WatchedRequest]]) -> float:
    """The host that keeps a crawler longest, asked again whenever it has rested."""
    return max(
        sum(request.ended - request.began + DELAY_S for request in each[:-1]) for each in requests
    )
