"""Sitemaps, feeds and SearXNG servers: every form, whatever strangers write, and where they are."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest

from crawler.scripted_downloads import AGENT, HandClock, Reply, ScriptedDownloads, robots_txt, url
from crawler.seed_site import urlset
from scenthound import CrawlOptions, Topic
from scenthound.core.errors import SettingsError
from scenthound.crawler.seeds import sitemaps
from scenthound.crawler.seeds.search import SearchError, SearchResources, SearchResult, SeedOptions
from scenthound.crawler.seeds.sitemaps import (
    MAX_XML_BYTES,
    Sitemap,
    decompress,
    feed_links,
    feed_results,
    read_feed,
    read_sitemap,
    sitemap_results,
    without_markup,
)
from scenthound.crawler.seeds.sources import MAX_RESULT_PAGES, Find, Searxng, server_address
from scenthound.fetch.fetcher import FetchedUrl, Fetcher, FetchFailure
from scenthound.fetch.network import Network

PLAIN = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
  <url><loc> http://a.test/1 </loc><lastmod>2024-05-31</lastmod></url>
  <url><news:news><news:title>Typhoon near</news:title></news:news><loc>http://a.test/2</loc></url>
  <url><lastmod>2024</lastmod></url>
</urlset>"""
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY f SYSTEM "file:///etc/hostname">'
    + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise("abcdefghi"))
    + "]><urlset><url><loc>http://a.test/&i;</loc></url>"
    '<url x="&i;"><loc>http://a.test/&f;</loc></url></urlset>'
)


def urls(body: bytes) -> list[str]:
    return [entry.url for entry in read_sitemap(body).pages]


def test_pages_with_dates_and_news_titles_and_an_index_of_sitemaps() -> None:
    assert read_sitemap(PLAIN.encode()).pages == (
        SearchResult("http://a.test/1", "sitemaps", modified="2024-05-31"),
        SearchResult("http://a.test/2", "sitemaps", "Typhoon near"),
    )
    body = b"<sitemapindex><sitemap><loc>http://a.test/s.xml</loc></sitemap></sitemapindex>"
    assert read_sitemap(body) == Sitemap(
        sitemaps=(SearchResult("http://a.test/s.xml", "sitemaps"),)
    )


def test_any_encoding_packed_or_not_and_addresses_as_sites_write_them() -> None:
    for encoding in ("utf-8-sig", "utf-16", "iso-8859-1"):
        name = encoding.removesuffix("-sig")
        page = "<url><loc>http://a.test/é</loc></url>"
        body = f'<?xml version="1.0" encoding="{name}"?><urlset>{page}</urlset>'.encode(encoding)
        assert urls(body) == urls(gzip.compress(body)) == ["http://a.test/é"]
    lines = b"\xef\xbb\xbfhttp://a.test/1\r\njunk\n HTTPS://a.test/2 \n"
    assert urls(lines) == ["http://a.test/1", "HTTPS://a.test/2"]
    bare_ampersands = b"<urlset><url><loc>http://a.test/?a=1&b=2&amp;c=3</loc></url></urlset>"
    assert urls(bare_ampersands) == ["http://a.test/?a=1&b=2&c=3"]


def test_what_is_broken_is_read_as_far_as_it_goes() -> None:
    broken = PLAIN.replace("</news:news>", "").replace("</lastmod></url>", "</url>", 1)
    assert "http://a.test/1" in urls(broken.encode())
    cut = PLAIN.encode()[: PLAIN.index("http://a.test/2") + 10]
    assert urls(cut) == ["http://a.test/1"]
    for body in (b"", b"<", b"<html><body>no</body></html>", b"\x1f\x8bbroken", b"\x00\x01"):
        assert read_sitemap(body) == Sitemap()


def test_entities_are_neither_expanded_nor_loaded_and_a_packed_bomb_is_cut() -> None:
    assert urls(BOMB.encode()) == ["http://a.test/", "http://a.test/"]
    packed = gzip.compress(b"<urlset>" + b" " * (3 * MAX_XML_BYTES))
    assert len(decompress(packed)) == MAX_XML_BYTES
    assert len(decompress(packed, most=100)) == 100


# Feeds


RSS = b"""<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>News</title><link>http://a.test/</link>
<item><title>Typhoon &amp; surge</title><link> http://a.test/1 </link>
<description>&lt;p&gt;It &lt;b&gt;comes&lt;/b&gt;&lt;/p&gt;</description>
<pubDate>Fri, 31 May 2024</pubDate></item>
<item><title><![CDATA[<i>Second</i>]]></title><guid>http://a.test/2</guid>
<content:encoded>All of it</content:encoded></item>
<item><title>Nowhere</title><guid isPermaLink="false">17</guid></item>
</channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry>
<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>title</b></div></title>
<link rel="self" href="http://a.test/self"/><link href="/1"/>
<summary>short</summary><updated>2024-05-31T00:00:00Z</updated></entry></feed>"""
RDF = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/"><channel/><item><title>Old</title><link>http://a.test/1</link>
</item></rdf:RDF>"""


def test_rss_and_atom() -> None:
    entry = partial(SearchResult, source="feeds")
    assert read_feed(RSS) == (
        entry(
            "http://a.test/1",
            title="Typhoon & surge",
            snippet="It comes",
            modified="Fri, 31 May 2024",
        ),
        entry("http://a.test/2", title="Second", snippet="All of it"),
    )
    assert read_feed(ATOM) == (
        entry("/1", title="A title", snippet="short", modified="2024-05-31T00:00:00Z"),
    )
    assert read_feed(RDF) == (entry("http://a.test/1", title="Old"),)


def test_what_is_no_feed_has_no_entries() -> None:
    page = b"<html><item><link>http://a.test/</link></item></html>"
    for body in (b"", b"{", page, b"<rss", b"<rss>" * 100_000):
        assert read_feed(body) == ()


def test_the_feeds_that_a_page_links_to() -> None:
    html = """<head><link rel="Alternate" type="application/rss+xml; charset=utf-8" href="/f">
    <link rel="alternate" type="application/atom+xml" href="a.xml">
    <link rel="alternate" type="application/atom+xml" href="a.xml">
    <link rel="alternate" hreflang="de" href="/de"><link rel="stylesheet" href="x.css">
    <link rel="alternate" type="application/feed+json" href=""></head>"""
    assert feed_links(html) == ("/f", "a.xml")
    assert feed_links("") == ()


def test_markup_is_taken_off() -> None:
    assert without_markup("<script>x()</script>a &lt; <b>b</b>") == "a < b"
    assert len(without_markup("<b>" * 100_000)) == 0


# SearXNG


Call = Callable[[str], FetchedUrl | FetchFailure]


def search(call: Call, query: str, count: int, language: str = "") -> list[SearchResult]:
    return list(Searxng("http://s.test", call, language).search(query, count))


def answering(body: object) -> Call:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda url: FetchedUrl(url, "application/json", raw)


def results(*numbers: int) -> dict[str, object]:
    return {"results": [{"url": f"http://a.test/{n}", "title": f"Page {n}"} for n in numbers]}


class Paged:
    """Ten results a page, ``total`` in all; notes what it was asked."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.asked: list[dict[str, list[str]]] = []

    def __call__(self, url: str) -> FetchedUrl | FetchFailure:
        self.asked.append(parse_qs(urlsplit(url).query))
        start = 10 * (len(self.asked) - 1)
        return answering(results(*range(start, min(self.total, start + 10))))(url)


def test_results_have_title_snippet_rank_and_date_and_junk_is_passed_over() -> None:
    result = {
        "url": "http://A.test", "title": "A\npage", "content": "About storms", "score": 1.0,
        "publishedDate": "2024-05-31T12:00:00"
    }  # fmt: skip
    found = search(answering({"results": [result]}), "storm", 5)
    assert found == [
        SearchResult("http://a.test/", "searxng", "A page", "About storms", 1, "2024-05-31")
    ]
    junk = [5, None, {}, {"url": 7}, {"url": "javascript:x"}, {"url": "http://a.test/", "title": 5}]
    found = search(answering({"results": junk}), "storm", 5)
    assert [(each.url, each.title) for each in found] == [("http://a.test/", "")]


def test_pages_are_asked_for_until_there_are_enough_or_results_end_or_repeat() -> None:
    server = Paged(100)
    found = search(server, "Sturm & Flut", 25, "de")
    assert [each.rank for each in found] == list(range(1, 26))
    asked = {"q": ["Sturm & Flut"], "format": ["json"], "language": ["de"]}
    assert server.asked == [{**asked, "pageno": [page]} for page in "123"]
    server = Paged(12)
    assert len(search(server, "storm", 50)) == 12
    assert len(server.asked) == 3
    assert len(search(answering(results(1, 2)), "storm", 50)) == 2
    endless = Paged(10_000)
    assert len(search(endless, "storm", 5_000)) == 10 * MAX_RESULT_PAGES


def test_a_server_that_cannot_be_asked_is_one_sentence() -> None:
    failures: list[tuple[Call, str]] = [
        (lambda url: FetchFailure(url, "connection refused"), "connection refused"),
        (lambda url: FetchFailure(url, "status 403"), "'json' among the formats"),
        (lambda url: FetchFailure(url, "status 429"), "status 429"),
        (lambda url: FetchFailure(url, "status 401"), "give --auth"),
        (answering(b"<!doctype html><title>SearXNG"), "'json' among the formats"),
        (answering(b"\xff\xfe"), "no list of results"),
        (answering(b"[" * 100_000), "no list of results"),
        (answering([1, 2]), "no list of results"),
        (answering({"results": 5}), "no list of results"),
    ]
    for call, words in failures:
        with pytest.raises(SearchError, match=r"SearXNG at http://s\.test/search cannot be") as it:
            search(call, "storm", 5)
        assert words in str(it.value)
    assert search(answering({"results": []}), "storm", 5) == []


def test_a_page_that_fails_leaves_what_came_before() -> None:
    first = Paged(100)

    def tired(url: str) -> FetchedUrl | FetchFailure:
        return FetchFailure(url, "status 500") if first.asked else first(url)

    found: list[SearchResult] = []
    with pytest.raises(SearchError, match=r"cannot be asked: status 500$"):
        found.extend(Searxng("http://s.test", tired).search("storm", 25))
    assert len(found) == 10


def test_the_address_with_or_without_search() -> None:
    for server in ("http://s.test", "http://s.test/", "http://s.test/search"):
        assert server_address(server) == "http://s.test/"
    assert server_address("https://b.test/searx/?q=1") == "https://b.test/searx/"
    for server in ("", "s.test", "ftp://s.test"):
        with pytest.raises(SettingsError, match="--searxng"):
            server_address(server)


# Sitemaps and feeds of sites, by script


class SeedWeb:
    """A fetcher over scripted responses; ``asked`` are the URLs."""

    def __init__(self, script: Mapping[str, Reply]) -> None:
        clock = HandClock()
        self.downloads = ScriptedDownloads(clock, script, [])
        self.fetcher = Fetcher(
            Network(AGENT), clock=clock, sleep=clock.forward, downloads=self.downloads
        )

    @property
    def asked(self) -> list[str]:
        return [ask.url for _, ask in self.downloads.asked if "robots.txt" not in ask.url]


def file(text: str | bytes, kind: str = "application/xml") -> Reply:
    body = text.encode() if isinstance(text, str) else text
    return Reply(body=body, headers=(("Content-Type", kind),))


def index(*urls: str) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>"


FEED = "<rss><channel><item><title>Surge</title><link>{}</link></item></channel></rss>"


def urls_of(find: Find, web: SeedWeb, *seeds: str) -> list[str]:
    topic = Topic("storms", ("storm",), tuple(map(url, seeds)))
    with ExitStack() as stack:
        resources = SearchResources(topic, SeedOptions(), CrawlOptions(), print, stack)
        resources.fetcher = web.fetcher
        return [each.url for each in find(resources)]


sitemap_urls = partial(urls_of, sitemap_results)
feed_urls = partial(urls_of, feed_results)


def test_robots_txt_says_where_the_sitemap_is_and_only_pages_of_the_site_itself_count() -> None:
    listed = urlset(url("a/1"), "http://www.a.test/1", url("b/1"), "mailto:x", "http://u@a.test/")
    web = SeedWeb({
        url("a/robots.txt"): robots_txt(f"Sitemap: {url('a/map.xml')}"),
        url("a/map.xml"): file(listed)
    })  # fmt: skip
    assert sitemap_urls(web, "a/x", "a/y") == [url("a/1"), "http://www.a.test/1"]
    assert web.asked == [url("a/map.xml")]


def test_a_sitemap_that_robots_txt_names_should_be_there_one_in_the_usual_place_need_not(
    warned: list[str],
) -> None:
    web = SeedWeb({url("a/sitemap.xml"): file(urlset("/1"))})
    assert sitemap_urls(web, "a/x", "b/x") == [url("a/1")]
    assert warned == []
    named = robots_txt(f"Sitemap: {url('a/map.xml')}")
    assert sitemap_urls(SeedWeb({url("a/robots.txt"): named}), "a/") == []
    assert warned == [f"{url('a/map.xml')} cannot be read (status 404)"]
    for body in ("<!doctype html><html><p>404", "", "<urlset/>"):
        none = file(body, "text/html")
        web = SeedWeb({
            url("a/robots.txt"): named, url("a/map.xml"): none, url("b/sitemap.xml"): none
        })  # fmt: skip
        assert sitemap_urls(web, "a/", "b/") == []


def test_indexes_are_followed_once_each_even_in_a_circle() -> None:
    web = SeedWeb({
        url("a/sitemap.xml"): file(index(url("a/sitemap.xml"), url("a/m1"), url("a/m1"), "ftp://x")),
        url("a/m1"): file(index(url("a/m2"))),
        url("a/m2"): file(urlset(url("a/1")))
    })  # fmt: skip
    assert sitemap_urls(web, "a/") == [url("a/1")]
    assert web.asked == [url("a/sitemap.xml"), url("a/m1"), url("a/m2")]


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
        url("a/f.xml"): file(FEED.format(url("b/news")))
    })  # fmt: skip
    assert feed_urls(web, "a/1", "a/2") == [url("b/news")]
    assert web.asked == [url("a/1"), url("a/2"), url("a/f.xml")]


def test_without_a_linked_feed_the_usual_places_are_tried_until_one_is_there(
    warned: list[str],
) -> None:
    web = SeedWeb({
        url("a/"): file("<p>no feed", "text/html"),
        url("a/rss.xml"): file(FEED.format("/news"))
    })  # fmt: skip
    assert feed_urls(web, "a/") == [url("a/news")]
    assert web.asked == [url("a/"), url("a/feed"), url("a/rss.xml")]
    assert warned == []


def test_seeds_and_linked_feeds_that_cannot_be_read_are_reported(warned: list[str]) -> None:
    linked = '<link rel="alternate" type="application/rss+xml" href="/gone">'
    web = SeedWeb({url("a/"): file(linked, "text/html"), url("b/"): Reply(status=404)})
    assert feed_urls(web, "a/", "b/") == []
    assert warned == [
        f"{url('a/gone')} cannot be read (status 404)",
        f"feeds: 1 of 2 sites cannot be asked, e.g. {url('b/')} (status 404)",
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


def test_the_number_of_feeds_is_bounded(monkeypatch: pytest.MonkeyPatch, warned: list[str]) -> None:
    monkeypatch.setattr(sitemaps, "MAX_FEEDS", 2)
    links = "".join(
        f'<link rel="alternate" type="application/rss+xml" href="/{n}">' for n in range(9)
    )
    web = SeedWeb({url("a/"): file(links, "text/html")})
    feed_urls(web, "a/")
    assert web.asked == [url("a/"), url("a/0"), url("a/1")]
