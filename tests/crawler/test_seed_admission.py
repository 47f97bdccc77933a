"""What a crawl would refuse is not proposed, and is counted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from crawler.live_replies import ok
from crawler.live_web import LiveWeb
from crawler.seed_web import urlset
from crawler.warning_recording import recorded_warnings
from scenthound import CrawlOptions, Topic, find_seeds
from scenthound.crawler.seed_proposals import ALREADY_IN_TOPIC, NO_TOPIC_WORD, SeedReport
from scenthound.crawler.seed_search import SearchResult
from scenthound.crawler.seed_selection import ScopeFilter

OPTIONS = CrawlOptions(allow_private=True, delay=0.0, timeout=5.0)
TOPIC = Topic("storms", ("typhoon",), ("http://a.test/",), ("http://b.test/example",))


def admitted(*urls: str, options: CrawlOptions | None = None) -> tuple[list[str], dict[str, int]]:
    admission = ScopeFilter(TOPIC, options or CrawlOptions(), 2024)
    found = admission.admitted(SearchResult(url, "own") for url in urls)
    return [each.url for each in found], dict(admission.left_out)


def test_what_is_no_page_private_or_known_is_left_out_and_counted_once() -> None:
    urls = ("http://a.test/1", "http://a.test/t.jpg", "http://a.test/t.jpg", "http://127.0.0.1/")
    assert admitted(*urls) == (["http://a.test/1"], {"media": 1, "private address": 1})
    private = admitted("http://127.0.0.1/", options=CrawlOptions(allow_private=True))
    assert private == (["http://127.0.0.1/"], {})
    assert admitted("http://a.test/", "http://b.test/example") == ([], {ALREADY_IN_TOPIC: 2})
    assert admitted("http://a.test/1;jsessionid=A1B2C3D4E5F6")[0] == ["http://a.test/1"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (CrawlOptions(stay=True), "outside the seeds' hosts"),
        (CrawlOptions(allow_host=("a.test",)), "host not allowed"),
        (CrawlOptions(deny_host=("c.test",)), "host denied"),
        (CrawlOptions(include=("*/1",)), "not included"),
        (CrawlOptions(exclude=("*c.test*",)), "excluded"),
    ],
)
def test_the_scope_of_the_crawl_binds(options: CrawlOptions, reason: str) -> None:
    urls = ("http://a.test/1", "http://c.test/2")
    assert admitted(*urls, options=options) == (["http://a.test/1"], {reason: 1})


def found(web: LiveWeb, topic: Topic, options: CrawlOptions) -> tuple[Sequence[str], SeedReport]:
    reports: list[SeedReport] = []
    with recorded_warnings():
        proposals = find_seeds(topic, ["sitemaps"], options=options, report=reports.append)
    return [each.url for each in proposals], reports[0]


def test_images_and_what_robots_txt_forbids_are_not_proposed(web: LiveWeb) -> None:
    paths = ("/typhoon", "/typhoon.jpg", "/private/typhoon", "/roses", "/")
    web.add(1, "/robots.txt", ok("User-agent: *\nDisallow: /private/"))
    listed = urlset(*(web.url(1, path) for path in paths))
    web.add(1, "/sitemap.xml", ok(listed, {"Content-Type": "application/xml"}))
    topic = Topic("storms", ("typhoon",), (web.url(1),))
    urls, report = found(web, topic, OPTIONS)
    assert urls == [web.url(1, "/typhoon")]
    assert report.left_out == {"media": 1, "robots.txt": 1, NO_TOPIC_WORD: 1, ALREADY_IN_TOPIC: 1}
    assert report.counts() == "sitemaps 5"
    assert not report.failed


def test_a_denied_host_is_not_even_asked_for_its_sitemap(web: LiveWeb) -> None:
    topic = Topic("storms", ("typhoon",), (web.url(1), web.url(2)))
    found(web, topic, OPTIONS.changed(deny_host=("127.0.0.1",)))
    assert {url.split("/")[2].partition(":")[0] for url in web.requested()} == {"127.0.0.2"}
