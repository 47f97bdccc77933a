"""Many hosts, each asked as slowly as was promised."""

from __future__ import annotations

from pathlib import Path

from benchmarks.live.politeness import CONCURRENCY, FORBIDDEN, build_polite_web

from crawler.live_replies import ok
from crawler.live_running import check_kept, crawl
from crawler.live_web import LiveWeb

DELAY = 0.2
HOSTS = 20
PAGES = 6


def test_no_host_is_asked_twice_within_the_delay(tmp_path: Path) -> None:
    with LiveWeb(hosts=HOSTS) as web:
        fronts = build_polite_web(web, HOSTS, PAGES)
        kept = crawl(tmp_path / "out", fronts, delay=DELAY, concurrency=CONCURRENCY)
        gaps = [web.gaps(host) for host in range(1, HOSTS + 1)]
        asked = web.requested()
    assert kept.stopped == "frontier empty"
    assert len(check_kept(kept.folder)) == HOSTS * PAGES
    assert min(map(min, gaps)) >= DELAY
    assert {len(each) for each in gaps} == {PAGES + 1}  # robots.txt and /moved besides
    assert not [url for url in asked if FORBIDDEN in url]
    assert len(kept.of("refused")) == 2 * HOSTS


def test_a_slow_host_does_not_hold_up_the_others(tmp_path: Path) -> None:
    """While one host rests for long, the others are asked."""
    slow = ok("User-agent: *\nCrawl-delay: 1\n", {"Content-Type": "text/plain"})
    with LiveWeb(hosts=5) as web:
        fronts = build_polite_web(web, hosts=5, pages=4)
        web.add(1, "/robots.txt", slow)
        kept = crawl(tmp_path / "out", fronts, max_pages=18)
        times = {url: at for at, url in enumerate(kept.urls)}
    late = [times[url] for url in times if url.startswith(fronts[0])]
    assert len(times) == 18 and len(late) == 2
    assert max(late) == 17
