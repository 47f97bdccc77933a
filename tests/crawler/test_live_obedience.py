"""What sites forbid is not done; hosts are asked slowly; a crawl keeps to its scope.

One crawl sees all the sites with a robots.txt, robots directives, nofollow or canonical addresses;
each of the first tests looks at some of them.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.live import politeness

from crawler.live_replies import Served, hung_up, moved, no, ok
from crawler.live_running import Kept, again, check_kept, crawl, stored
from crawler.live_web import LiveWeb, MemoryWeb, Scene, page
from scenthound.sample.server import Reply

TEXT = {"Content-Type": "text/plain"}
ERRORS = (404, 403, 410)
UNREADABLE = (no(503), no(500), hung_up())
RULED, FORBIDDEN, MOVED, RULES, ENDLESS, LINKS, NAMED, MISNAMED, THERE = range(1, 10)
WITH_ERROR = range(10, 10 + len(ERRORS))
DOWN = range(13, 13 + len(UNREADABLE))
ODD = range(16, 25)
"""One site for each row of ``DIRECTIVES``."""


def robots(*lines: str) -> Reply:
    return ok("\n".join(("User-agent: *", *lines)), TEXT)


def packed_robots(*lines: str) -> Reply:
    body = gzip.compress("\n".join(("User-agent: *", *lines)).encode())
    return ok(body, {**TEXT, "Content-Encoding": "gzip"})


def meta(content: str) -> str:
    tag = f'<meta name="robots" content="{content}">'
    return page("Odd", f"A storm here: {content}.", ["/after"], tag)


def tagged(value: str) -> Served:
    return ok(page("Odd", f"A storm there: {value}.", ["/after"]), {"X-Robots-Tag": value})


DIRECTIVES: tuple[tuple[Served | str, bool, bool], ...] = (
    (meta("noindex"), False, True),
    (meta("nofollow"), True, False),
    (meta("none"), False, False),
    (meta("all"), True, True),
    (tagged("noindex"), False, True),
    (tagged("nofollow"), True, False),
    (tagged("none"), False, False),
    (tagged("otherbot: none"), True, True),
    (tagged("scenthound: noindex, nofollow"), False, False),
)
"""A page, whether it is kept, whether its link is followed."""


def build_robots(web: LiveWeb) -> list[str]:
    """Sites with a robots.txt of every kind."""
    web.add(RULED, "/robots.txt", robots("Disallow: /secret", "Allow: /secret/not"))
    web.add(RULED, "/in", moved("/secret/inside"))
    web.add(RULED, "/out", moved(web.url(FORBIDDEN, "/by-redirect")))
    links = ["/secret/1", "/secret", "/secret/not", "/in", "/out"]
    web.add(RULED, "/", page("Ruled", "A storm.", links))
    web.add(FORBIDDEN, "/robots.txt", packed_robots("Disallow: /"))
    web.add(MOVED, "/robots.txt", moved("/old/robots.txt", 301))
    web.add(MOVED, "/old/robots.txt", moved(web.url(RULES, "/rules")))
    web.add(RULES, "/rules", robots("Disallow: /secret"))
    web.add(MOVED, "/", page("Moved", "A storm.", ["/secret"]))
    web.add(ENDLESS, "/robots.txt", moved("/robots.txt"))
    web.add(ENDLESS, "/", page("Endless", "A storm without end."))
    for host, status in zip(WITH_ERROR, ERRORS, strict=True):
        web.add(host, "/robots.txt", no(status))
        web.add(host, "/", page("Open", f"A storm and {status}."))
    for host, reply in zip(DOWN, UNREADABLE, strict=True):
        web.add(host, "/robots.txt", reply)
    hosts = (RULED, FORBIDDEN, MOVED, ENDLESS, *WITH_ERROR, *DOWN)
    return [web.url(host) for host in hosts]


def build_pages(web: LiveWeb) -> list[str]:
    """Sites whose pages say what not to do."""
    marked = '<p>storm <a rel="nofollow ugc" href="/paid">x</a> <a rel="next" href="/free">y</a>'
    web.add(LINKS, "/", marked)
    web.add(LINKS, "/free", page("Free", "A storm for nothing."))
    named = '<link rel="canonical" href="/storm">'
    web.add(NAMED, "/storm?print=1", page("Storm", "A storm to print.", ["/storm"], named))
    web.add(MISNAMED, "/", page("Front", "The weather."))
    web.add(THERE, "/there", page("There", "A hurricane."))
    for path, target in (("/1", web.url(MISNAMED)), ("/2", web.url(THERE, "/there"))):
        head = f'<link rel="canonical" href="{target}">'
        web.add(MISNAMED, path, page(f"Page {path}", f"A storm {path}.", [target], head))
    for host, (odd, _, _) in zip(ODD, DIRECTIVES, strict=True):
        web.add(host, "/", odd)
        web.add(host, "/after", page("After", f"Hurricane {host}."))
    others = [web.url(MISNAMED, "/1"), web.url(MISNAMED, "/2"), web.url(NAMED, "/storm?print=1")]
    return [web.url(LINKS), *others, *(web.url(host) for host in ODD)]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with LiveWeb(hosts=24) as web:
        seeds = [*build_robots(web), *build_pages(web)]
        out = tmp_path_factory.mktemp("obedience") / "out"
        yield Scene(web, crawl(out, seeds, retries=2, concurrency=4))


def test_what_robots_txt_forbids_is_never_requested(scene: Scene) -> None:
    web, kept = scene.web, scene.kept
    assert sorted(web.requested_of(RULED)) == ["/", "/in", "/out", "/robots.txt", "/secret/not"]
    for path in ("/secret/1", "/secret", "/secret/inside"):
        assert kept.why(web.url(RULED, path)) == ["robots.txt"]
    assert kept.why(web.url(FORBIDDEN, "/by-redirect")) == ["robots.txt"]
    assert kept.run.dropped["robots.txt"] == len(kept.of("refused")) == 6
    assert kept.of("stopped")[0]["summary"]["refused"] == 6
    assert scene.web.requested_of(FORBIDDEN) == ["/robots.txt"]  # not even a seed
    assert kept.why(web.url(FORBIDDEN)) == ["robots.txt"]


def test_robots_txt_is_read_first_and_once_and_may_have_moved(scene: Scene) -> None:
    check_kept(scene.kept.folder)
    for host in (RULED, LINKS, NAMED, MISNAMED, THERE, *WITH_ERROR, *ODD):
        assert scene.web.requested_of(host)[0] == "/robots.txt"
        assert scene.web.requested_of(host).count("/robots.txt") == 1
    assert all(scene.web.url(host) in scene.kept.urls for host in WITH_ERROR)
    assert scene.web.requested_of(MOVED) == ["/robots.txt", "/old/robots.txt", "/"]
    assert scene.web.requested_of(RULES) == ["/rules"]
    assert scene.kept.why(scene.web.url(MOVED, "/secret")) == ["robots.txt"]
    assert scene.web.requested_of(ENDLESS) == 6 * ["/robots.txt"] + ["/"]
    assert scene.web.url(ENDLESS) in scene.kept.urls


def test_nothing_is_fetched_while_robots_txt_cannot_be_read(scene: Scene) -> None:
    for host in DOWN:
        assert set(scene.web.requested_of(host)) == {"/robots.txt"}
        reasons = scene.kept.why(scene.web.url(host))
        assert len(reasons) == 3
        assert all(why.startswith("robots.txt unreadable") for why in reasons)
    assert scene.kept.of("stopped")[0]["summary"]["given_up"] == len(DOWN)


def test_directives_of_pages_and_links(scene: Scene) -> None:
    stored_urls = [record.warc["WARC-Target-URI"] for record in stored(scene.kept.folder)]
    for host, (_, is_kept, is_followed) in zip(ODD, DIRECTIVES, strict=True):
        url, after = scene.web.url(host), scene.web.url(host, "/after")
        event = scene.kept.page(url)
        assert (url in stored_urls) == is_kept == event["relevant"]
        assert event.get("problem", "") == ("" if is_kept else "noindex")
        assert (after in scene.kept.urls) == is_followed
        assert event.get("dropped", {}) == ({} if is_followed else {"nofollow": [1, [after]]})
    assert scene.web.requested_of(LINKS) == ["/robots.txt", "/", "/free"]
    paid = scene.web.url(LINKS, "/paid")
    assert scene.kept.page(scene.web.url(LINKS))["dropped"] == {"nofollow": [1, [paid]]}
    # Neither the front page of the site nor a page of another one is the page itself.
    assert scene.web.requested_of(NAMED) == ["/robots.txt", "/storm?print=1"]
    assert scene.web.url(MISNAMED) in scene.kept.urls
    assert scene.web.url(THERE, "/there") in scene.kept.urls


def test_no_host_is_asked_twice_within_the_delay(tmp_path: Path) -> None:
    # A host rests from the end of an answer on, so the gap is never shorter.
    with LiveWeb(hosts=1) as web:
        web.add(1, "/robots.txt", robots("Crawl-delay: 0.3"))
        links = [web.add(1, f"/{n}", page(f"Page {n}", f"Storm {n}.")) for n in range(3)]
        seed = web.add(1, "/", page("Seed", "A storm.", links))
        kept = crawl(tmp_path / "out", [seed], per_host=1)
        gaps = web.gaps(1)
    assert kept.run.fetched == len(gaps) == 4
    assert min(gaps) >= 0.3
    hosts, pages, delay = 20, 6, 0.2
    with LiveWeb(hosts=hosts) as web:
        fronts = politeness.build_polite_web(web, hosts, pages)
        kept = crawl(tmp_path / "slow", fronts, delay=delay, concurrency=politeness.CONCURRENCY)
        of_hosts = [web.gaps(host) for host in range(1, hosts + 1)]
        asked = web.requested()
    assert kept.stopped == "frontier empty"
    assert len(check_kept(kept.folder)) == hosts * pages
    assert min(map(min, of_hosts)) >= delay
    assert {len(each) for each in of_hosts} == {pages + 1}  # robots.txt and /moved besides
    assert not [url for url in asked if politeness.FORBIDDEN in url]
    assert len(kept.of("refused")) == 2 * hosts


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
            assert max(known, default=0.0) <= event["priority"] + 1e-5  # scores are rounded


def test_no_seed_link_redirect_or_robots_txt_leads_inside(tmp_path: Path) -> None:
    with LiveWeb(hosts=2) as web:
        seeds = [web.add(host, "/", page("Inside", "A storm.")) for host in (1, 2)]
        kept = crawl(tmp_path / "out", seeds, allow_private=False)
        assert web.log == []
    assert kept.run.fetched == 0 and kept.stopped == "frontier empty"
    assert {kept.why(url)[-1] for url in seeds} == {"private address"}
    assert kept.run.dropped["private address"] == 2
    # Behind a proxy too, though the proxy itself has a private address.
    spellings = (
        "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]",
        "[::ffff:127.0.0.1]", "localhost", "printer.local", "10.0.0.1", "169.254.169.254",
        "192.168.1.1"
    )  # fmt: skip
    with LiveWeb(hosts=2) as web:
        links = [f"http://{host}:{web.port}/inside" for host in spellings]
        jump = web.add("town.test", "/jump", moved(web.url(2, "/inside")))
        seed = web.add("town.test", "/", page("Town", "A storm.", [*links, jump]))
        kept = crawl(tmp_path / "links", [seed], allow_private=False, proxy=web.proxy)
        assert web.requested() == ["http://town.test/robots.txt", seed, jump]
    assert kept.urls == [seed]
    assert kept.dropped() == {"private address": len(spellings)}
    assert kept.why(jump) == ["private address"]
    with LiveWeb(hosts=2) as web:
        web.add("town.test", "/robots.txt", moved(web.url(2, "/rules")))
        seed = web.add("town.test", "/", page("Town", "A storm."))
        kept = crawl(tmp_path / "other", [seed], allow_private=False, proxy=web.proxy)
        assert web.requested() == ["http://town.test/robots.txt"]
    assert kept.run.fetched == 0 and len(kept.why(seed)) == 1


# Over links, redirects, seeds that contradict it, and a resume: the scope.

PAGES = {
    "a.test": ["/news/1", "/shop", "http://www.a.test/", "http://b.test/", "http://c.test/"],
    "www.a.test": ["/news/2"],
    "b.test": ["/news/3", "http://bad.b.test/"],
    "bad.b.test": ["/"],
    "c.test": ["/away"],
}


@pytest.fixture
def web() -> Any:
    with MemoryWeb() as made:
        for host, links in PAGES.items():
            made.add(host, "/", page(host, f"A storm over {host}.", links))
        for number, host in enumerate(("a.test", "www.a.test", "b.test"), start=1):
            made.add(
                host, f"/news/{number}", page(f"News {number}", f"Storm number {number * 77}.")
            )
        made.add("a.test", "/shop", page("Shop", "Umbrellas against any weather."))
        made.add("c.test", "/away", moved("http://bad.b.test/"))
        made.add("old.test", "/", moved("http://www.old.test/"))
        made.add("www.old.test", "/", page("Old", "A hurricane of old.", ["http://b.test/"]))
        yield made


def kept(web: LiveWeb, out: Path, *seeds: str, **options: Any) -> Kept:
    return crawl(out, seeds or ["http://a.test/"], allow_private=False, **options)


@pytest.mark.parametrize(
    ("options", "missing", "reason"),
    [
        ({"stay": True}, {"b.test", "bad.b.test", "c.test"}, "outside the seeds' hosts"),
        ({"deny_host": ["bad.*"]}, {"bad.b.test"}, "host denied"),
    ],
)
def test_hosts_out_of_scope_are_never_asked(
    web: LiveWeb, tmp_path: Path, options: dict[str, Any], missing: set[str], reason: str
) -> None:
    found = kept(web, tmp_path / "c", **options)
    asked = {request.url.split("/")[2] for request in web.log}
    assert asked == set(PAGES) - missing
    assert found.dropped()[reason] > 0
    if "c.test" in asked:
        (why,) = found.why("http://c.test/away")
        assert why == reason


def test_includes_bind_links_and_not_the_seed(web: LiveWeb, tmp_path: Path) -> None:
    found = kept(web, tmp_path / "c", include=["*/news/*", "http://b.test/"])
    assert set(found.urls) == {
        "http://a.test/", "http://a.test/news/1", "http://b.test/", "http://b.test/news/3"
    }  # fmt: skip
    assert found.dropped() == {"not included": 4}


def test_a_seed_that_moves_within_its_site_is_followed(web: LiveWeb, tmp_path: Path) -> None:
    found = kept(web, tmp_path / "c", "http://old.test/", include="*/news/*", stay=True)
    assert found.urls == ["http://www.old.test/"]
    assert found.why("http://old.test/") == ["followed"]


def test_a_denied_example_page_is_left_out(web: LiveWeb, tmp_path: Path) -> None:
    examples = ("http://b.test/", "http://c.test/away")
    found = kept(web, tmp_path / "c", examples=examples, deny_host="b.test")
    assert not any("b.test" in url for url in web.requested())
    assert found.why("http://c.test/away") == []
    assert any("http://c.test/away" in text for text in found.warned)


def test_the_scope_holds_after_a_resume(web: LiveWeb, tmp_path: Path) -> None:
    kept(web, tmp_path / "c", stay=True, max_pages=1)
    found = again(tmp_path / "c", max_pages=100)
    assert set(found.urls) == {
        "http://a.test/", "http://a.test/news/1", "http://a.test/shop", "http://www.a.test/",
        "http://www.a.test/news/2"
    }  # fmt: skip
