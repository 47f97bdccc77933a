"""Many hosts, each asked as slowly as was promised, and the best page first."""

from __future__ import annotations

from pathlib import Path

from benchmarks.live.politeness import CONCURRENCY, FORBIDDEN, build_polite_web

from crawler.live_running import check_kept, crawl
from crawler.live_web import LiveWeb, MemoryWeb

DELAY = 0.2
HOSTS = 20
PAGES = 6
ROUNDING = 1e-5
"""Of scores in the journal."""


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


def test_one_at_a_time_the_best_known_page_is_asked_for(tmp_path: Path) -> None:
    """``inlinks`` of a page name the pages that link to it and the scores they gave; a score is
    known once the page that gave it has been read.
    """
    with MemoryWeb() as web:
        urls = web.add_linked(pages=50, hosts=6, seed=1)
        kept = crawl(tmp_path / "out", urls[:1], concurrency=1)
        assert web.requested_pages() == kept.urls
    assert kept.run.fetched == 50
    for here, event in enumerate(kept.pages[1:], start=1):
        for later in kept.pages[here + 1 :]:
            known = [score for source, score, _ in later["inlinks"] if source <= here]
            assert max(known, default=0.0) <= event["priority"] + ROUNDING
