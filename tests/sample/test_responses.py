"""The sitemap and the feed of the sample web, and that crawls go on without meeting them."""

from __future__ import annotations

from scenthound import CrawlOptions, find_seeds
from scenthound.core.urls import host_of
from scenthound.crawler.feeds import read_feed
from scenthound.crawler.sitemaps import read_sitemap
from scenthound.sample.responses import FEED, SITEMAP, SITEMAP_HOST
from scenthound.sample.server import serve
from scenthound.sample.web import SampleWeb


def test_sitemap_and_feed_tell_of_pages_that_are_there_and_no_page_links_to_them(
    web: SampleWeb,
) -> None:
    listed = [entry.url for entry in read_sitemap(web.responses[SITEMAP].body).pages]
    assert len(listed) > 30
    assert all(web.responses[url].is_page and host_of(url) == SITEMAP_HOST for url in listed)
    assert SITEMAP.encode() in web.responses[f"http://{SITEMAP_HOST}/robots.txt"].body
    entries = read_feed(web.responses[FEED].body)
    assert len(entries) > 30
    assert all(web.responses[each.url].is_page and each.title and each.summary for each in entries)
    pages = [each.body for each in web.responses.values() if each.is_page]
    assert not any(b"sitemap.xml" in page or b'/feed"' in page for page in pages)


def test_seeds_are_found_as_it_is_shipped(web: SampleWeb) -> None:
    storms = web.topics[0]
    with serve(web) as server:
        options = CrawlOptions(proxy=server.proxy, delay=0.0)
        found = find_seeds(storms, options=options, count=10)
    assert {source for each in found for source in each.sources} == {"sitemaps", "feeds"}
    assert {web.labels.get(each.url) for each in found[:5]} == {"storms"}
