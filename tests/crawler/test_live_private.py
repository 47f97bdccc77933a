"""Private networks are not entered, whatever leads there."""

from __future__ import annotations

from pathlib import Path

from crawler.live_replies import moved
from crawler.live_running import crawl
from crawler.live_web import LiveWeb, page

SPELLINGS = (
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]",
    "localhost", "printer.local", "10.0.0.1", "169.254.169.254", "192.168.1.1"
)  # fmt: skip


def test_a_private_seed_is_refused_by_the_resolver(tmp_path: Path) -> None:
    with LiveWeb(hosts=2) as web:
        seeds = [web.add(host, "/", page("Inside", "A storm.")) for host in (1, 2)]
        kept = crawl(tmp_path / "out", seeds, allow_private=False)
        assert web.log == []
    assert kept.run.fetched == 0 and kept.stopped == "frontier empty"
    assert {kept.why(url)[-1] for url in seeds} == {"private address"}
    assert kept.run.dropped["private address"] == 2


def test_no_link_and_no_redirect_leads_inside(tmp_path: Path) -> None:
    """Behind a proxy too, though the proxy itself has a private address."""
    with LiveWeb(hosts=2) as web:
        links = [f"http://{host}:{web.port}/inside" for host in SPELLINGS]
        jump = web.add("town.test", "/jump", moved(web.url(2, "/inside")))
        seed = web.add("town.test", "/", page("Town", "A storm.", [*links, jump]))
        kept = crawl(tmp_path / "out", [seed], allow_private=False, proxy=web.proxy)
        assert web.requested() == ["http://town.test/robots.txt", seed, jump]
    assert kept.urls == [seed]
    assert kept.dropped() == {"private address": len(SPELLINGS)}
    assert kept.why(jump) == ["private address"]


def test_a_robots_txt_elsewhere_is_not_read_inside(tmp_path: Path) -> None:
    with LiveWeb(hosts=2) as web:
        web.add("town.test", "/robots.txt", moved(web.url(2, "/rules")))
        seed = web.add("town.test", "/", page("Town", "A storm."))
        kept = crawl(tmp_path / "out", [seed], allow_private=False, proxy=web.proxy)
        assert web.requested() == ["http://town.test/robots.txt"]
    assert kept.run.fetched == 0 and len(kept.why(seed)) == 1
