"""Sitemaps and feeds of sites, by script."""

from __future__ import annotations

import pytest

from crawler.scripted_downloads import Reply, robots_txt, url
from crawler.seed_web import SeedWeb, file, index, urlset
from scenthound.crawler import feeds, sitemaps
from scenthound.crawler.feeds import Feeds
from scenthound.crawler.seed_search import SearchError
from scenthound.crawler.sitemaps import Sitemaps

RSS = "<rss><channel><item><title>Surge</title><link>{}</link></item></channel></rss>"


def sitemap_urls(web: SeedWeb, *seeds: str) -> list[str]:
    found = Sitemaps(web.fetcher, [url(seed) for seed in seeds], print).find()
    return [each.url for each in found]


def feed_urls(web: SeedWeb, *seeds: str) -> list[str]:
    found = Feeds(web.fetcher, [url(seed) for seed in seeds], print).find()
    return [each.url for each in found]


def test_robots_txt_says_where_the_sitemap_is() -> None:
    web = SeedWeb({
        url("a/robots.txt"): robots_txt(f"Sitemap: {url('a/map.xml')}"),
        url("a/map.xml"): file(urlset(url("a/1")))
    })  # fmt: skip
    assert sitemap_urls(web, "a/x", "a/y") == [url("a/1")]
    assert web.asked == [url("a/map.xml")]


def test_the_usual_place_is_tried_and_need_not_be_there(warned: list[str]) -> None:
    web = SeedWeb({url("a/sitemap.xml"): file(urlset("/1"))})
    assert sitemap_urls(web, "a/x", "b/x") == [url("a/1")]
    assert warned == []


def test_a_sitemap_that_robots_txt_names_should_be_there(warned: list[str]) -> None:
    web = SeedWeb({url("a/robots.txt"): robots_txt(f"Sitemap: {url('a/map.xml')}")})
    assert sitemap_urls(web, "a/") == []
    assert warned == [f"sitemap {url('a/map.xml')} cannot be read (status 404)"]


def test_indexes_are_followed_once_each_even_in_a_circle() -> None:
    web = SeedWeb({
        url("a/sitemap.xml"): file(index(url("a/sitemap.xml"), url("a/m1"), url("a/m1"), "ftp://x")),
        url("a/m1"): file(index(url("a/m2"))),
        url("a/m2"): file(urlset(url("a/1")))
    })  # fmt: skip
    assert sitemap_urls(web, "a/") == [url("a/1")]
    assert web.asked == [url("a/sitemap.xml"), url("a/m1"), url("a/m2")]


def test_only_pages_of_the_site_itself_count() -> None:
    listed = urlset("http://www.a.test/1", url("b/1"), "mailto:x", "http://user@a.test/")
    web = SeedWeb({url("a/sitemap.xml"): file(listed)})
    assert sitemap_urls(web, "a/") == ["http://www.a.test/1"]


def test_files_and_addresses_are_bounded(
    monkeypatch: pytest.MonkeyPatch, warned: list[str]
) -> None:
    monkeypatch.setattr(sitemaps, "MAX_FILES_PER_SITE", 3)
    monkeypatch.setattr(sitemaps, "MAX_FILES", 4)
    monkeypatch.setattr(sitemaps, "MAX_URLS", 5)
    maps = [url(f"a/m{number}") for number in range(9)]
    script: dict[str, Reply] = {url("a/sitemap.xml"): file(index(*maps))}
    script |= {each: file(urlset(f"{each}/1", f"{each}/2")) for each in maps}
    script[url("b/sitemap.xml")] = file(urlset(url("b/1"), url("b/2")))
    web = SeedWeb(script)
    assert sitemap_urls(web, "a/", "b/", "c/") == [
        f"{maps[0]}/1", f"{maps[0]}/2", f"{maps[1]}/1", f"{maps[1]}/2", url("b/1")
    ]  # fmt: skip
    assert warned == ["sitemaps of a.test: 7 are left unread"]


def test_the_latest_sitemaps_are_read_first() -> None:
    dated = (
        f"<sitemapindex><sitemap><loc>{url('a/old')}</loc><lastmod>2001</lastmod></sitemap>"
        f"<sitemap><loc>{url('a/new')}</loc><lastmod>2024</lastmod></sitemap></sitemapindex>"
    )
    web = SeedWeb({url("a/sitemap.xml"): file(dated)})
    sitemap_urls(web, "a/")
    assert web.asked == [url("a/sitemap.xml"), url("a/new"), url("a/old")]


def test_the_feeds_that_seeds_link_to_are_read_once() -> None:
    linked = '<link rel="alternate" type="application/rss+xml" href="/f.xml">'
    web = SeedWeb({
        url("a/1"): file(linked, "text/html"),
        url("a/2"): file(linked, "text/html"),
        url("a/f.xml"): file(RSS.format(url("b/news")))
    })  # fmt: skip
    assert feed_urls(web, "a/1", "a/2") == [url("b/news")]
    assert web.asked == [url("a/1"), url("a/f.xml"), url("a/2")]


def test_without_a_linked_feed_the_usual_places_are_tried_until_one_is_there(
    warned: list[str],
) -> None:
    web = SeedWeb({
        url("a/"): file("<p>no feed", "text/html"),
        url("a/rss.xml"): file(RSS.format("/news"))
    })  # fmt: skip
    assert feed_urls(web, "a/") == [url("a/news")]
    assert web.asked == [url("a/"), url("a/feed"), url("a/rss.xml")]
    assert warned == []


def test_seeds_and_linked_feeds_that_cannot_be_read_are_told(warned: list[str]) -> None:
    linked = '<link rel="alternate" type="application/rss+xml" href="/gone">'
    web = SeedWeb({url("a/"): file(linked, "text/html"), url("b/"): Reply(status=404)})
    assert feed_urls(web, "a/", "b/") == []
    assert warned == [
        f"feed {url('a/gone')} cannot be read (status 404)",
        f"feeds: 1 of 2 seeds cannot be read, e.g. {url('b/')} (status 404)",
    ]


def test_sites_that_cannot_be_asked_are_a_failure_where_there_is_no_other(
    warned: list[str],
) -> None:
    down = Reply(no="connection refused")
    web = SeedWeb({url("a/robots.txt"): down})
    for find in (sitemap_urls, feed_urls):
        with pytest.raises(SearchError, match=r"e\.g\. http://a\.test.*connection refused"):
            find(web, "a/")
    assert sitemap_urls(web, "a/", "b/") == []
    assert len(warned) == 1
    assert warned[0].startswith("sitemaps: 1 of 2 sites cannot be asked, e.g. http://a.test")


@pytest.mark.parametrize("body", ["<!doctype html><html><p>404", "", "<urlset/>"])
def test_a_sitemap_that_is_none_is_told_where_robots_txt_names_it(
    body: str, warned: list[str]
) -> None:
    web = SeedWeb({
        url("a/robots.txt"): robots_txt(f"Sitemap: {url('a/map.xml')}"),
        url("a/map.xml"): file(body, "text/html"),
        url("b/sitemap.xml"): file(body, "text/html")
    })  # fmt: skip
    assert sitemap_urls(web, "a/", "b/") == []
    assert warned == [
        f"sitemap {url('a/map.xml')} cannot be read (it is no sitemap, or an empty one)"
    ]


def test_the_number_of_feeds_is_bounded(monkeypatch: pytest.MonkeyPatch, warned: list[str]) -> None:
    monkeypatch.setattr(feeds, "MAX_FEEDS", 2)
    links = "".join(
        f'<link rel="alternate" type="application/rss+xml" href="/{n}">' for n in range(9)
    )
    web = SeedWeb({url("a/"): file(links, "text/html")})
    feed_urls(web, "a/")
    assert web.asked == [url("a/"), url("a/0"), url("a/1")]
