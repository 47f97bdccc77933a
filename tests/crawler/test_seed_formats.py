"""What sitemaps, feeds and SearXNG servers send: every form, and whatever strangers write."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest

from scenthound.core.errors import SettingsError
from scenthound.crawler.feeds import feed_links, read_feed, without_markup
from scenthound.crawler.searxng import MAX_RESULT_PAGES, Searxng, server_address
from scenthound.crawler.seed_search import SearchError, SearchResult
from scenthound.crawler.sitemaps import MAX_XML_BYTES, Entry, Sitemap, decompress, read_sitemap
from scenthound.fetch.fetcher import FetchedUrl, FetchFailure

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


def test_pages_with_dates_and_news_titles() -> None:
    assert read_sitemap(PLAIN.encode()).pages == (
        Entry("http://a.test/1", modified="2024-05-31"),
        Entry("http://a.test/2", "Typhoon near"),
    )


def test_an_index_lists_sitemaps() -> None:
    body = b"<sitemapindex><sitemap><loc>http://a.test/s.xml</loc></sitemap></sitemapindex>"
    assert read_sitemap(body) == Sitemap(sitemaps=(Entry("http://a.test/s.xml"),))


def test_any_encoding_packed_or_not() -> None:
    for encoding in ("utf-8-sig", "utf-16", "iso-8859-1"):
        name = encoding.removesuffix("-sig")
        page = "<url><loc>http://a.test/é</loc></url>"
        body = f'<?xml version="1.0" encoding="{name}"?><urlset>{page}</urlset>'.encode(encoding)
        assert urls(body) == urls(gzip.compress(body)) == ["http://a.test/é"]


def test_addresses_as_sites_write_them() -> None:
    lines = b"\xef\xbb\xbfhttp://a.test/1\r\njunk\n HTTPS://a.test/2 \n"
    assert urls(lines) == ["http://a.test/1", "HTTPS://a.test/2"]
    bare_ampersands = b"<urlset><url><loc>http://a.test/?a=1&b=2&amp;c=3</loc></url></urlset>"
    assert urls(bare_ampersands) == ["http://a.test/?a=1&b=2&c=3"]


def test_what_is_broken_is_read_as_far_as_it_goes() -> None:
    broken = PLAIN.replace("</news:news>", "").replace("</lastmod></url>", "</url>", 1)
    assert "http://a.test/1" in urls(broken.encode())
    cut = PLAIN.encode()[: PLAIN.index("http://a.test/2") + 10]
    assert urls(cut) == ["http://a.test/1"]


def test_entities_are_neither_expanded_nor_loaded() -> None:
    assert urls(BOMB.encode()) == ["http://a.test/", "http://a.test/"]


def test_a_packed_bomb_is_cut() -> None:
    packed = gzip.compress(b"<urlset>" + b" " * (3 * MAX_XML_BYTES))
    assert len(decompress(packed)) == MAX_XML_BYTES
    assert len(decompress(packed, most=100)) == 100


def test_what_is_no_sitemap_is_an_empty_one() -> None:
    for body in (b"", b"<", b"<html><body>no</body></html>", b"\x1f\x8bbroken", b"\x00\x01"):
        assert read_sitemap(body) == Sitemap()


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
    assert read_feed(RSS) == (
        Entry("http://a.test/1", "Typhoon & surge", "It comes", "Fri, 31 May 2024"),
        Entry("http://a.test/2", "Second", "All of it"),
    )
    assert read_feed(ATOM) == (Entry("/1", "A title", "short", "2024-05-31T00:00:00Z"),)
    assert read_feed(RDF) == (Entry("http://a.test/1", "Old"),)


def test_json_feed() -> None:
    items = [
        {"url": "http://a.test/1", "title": "One", "content_html": "<p>Text</p>"},
        {"url": "http://a.test/2", "title": 5, "summary": None, "date_published": "2024-01-01"},
        {"title": "no address"},
        "junk",
    ]
    assert read_feed(json.dumps({"items": items}).encode()) == (
        Entry("http://a.test/1", "One", "Text"),
        Entry("http://a.test/2", "", "", "2024-01-01"),
    )


def test_what_is_no_feed_has_no_entries() -> None:
    page = b"<html><item><link>http://a.test/</link></item></html>"
    for body in (b"", b"{", b'{"items": 5}', b"[1]", page, b"<rss", b"[" * 100_000):
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
    assert without_markup(None) == ""
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

    def __call__(self, url: str) -> FetchedUrl:
        self.asked.append(parse_qs(urlsplit(url).query))
        start = 10 * (len(self.asked) - 1)
        body = results(*range(start, min(self.total, start + 10)))
        return FetchedUrl(url, "application/json", json.dumps(body).encode())


def test_results_have_title_snippet_rank_and_date() -> None:
    result = {
        "url": "http://A.test", "title": "A\npage", "content": "About storms", "score": 1.0,
        "publishedDate": "2024-05-31T12:00:00"
    }  # fmt: skip
    found = search(answering({"results": [result]}), "storm", 5)
    assert found == [
        SearchResult("http://a.test/", "searxng", "A page", "About storms", 1, "2024-05-31")
    ]


def test_pages_are_asked_for_until_there_are_enough() -> None:
    server = Paged(100)
    found = search(server, "Sturm & Flut", 25, "de")
    assert [each.rank for each in found] == list(range(1, 26))
    asked = {"q": ["Sturm & Flut"], "format": ["json"], "language": ["de"]}
    assert server.asked == [{**asked, "pageno": [page]} for page in "123"]


def test_it_ends_where_results_end_or_repeat() -> None:
    server = Paged(12)
    assert len(search(server, "storm", 50)) == 12
    assert len(server.asked) == 3
    assert len(search(answering(results(1, 2)), "storm", 50)) == 2
    endless = Paged(10_000)
    assert len(search(endless, "storm", 5_000)) == 10 * MAX_RESULT_PAGES


def test_junk_among_the_results_is_passed_over() -> None:
    junk = [5, None, {}, {"url": 7}, {"url": "javascript:x"}, {"url": "http://a.test/", "title": 5}]
    found = search(answering({"results": junk}), "storm", 5)
    assert [(each.url, each.title) for each in found] == [("http://a.test/", "")]


def test_a_server_that_cannot_be_asked_is_one_sentence() -> None:
    engines = [["bing", "CAPTCHA"], ["qwant"], 5]
    failures: list[tuple[Call, str]] = [
        (lambda url: FetchFailure(url, "connection refused"), "connection refused"),
        (lambda url: FetchFailure(url, "status 403"), "'json' among the formats"),
        (lambda url: FetchFailure(url, "status 429"), "it has been asked too often"),
        (lambda url: FetchFailure(url, "status 401"), "give --auth"),
        (answering({"results": [], "unresponsive_engines": engines}), "bing (CAPTCHA), qwant"),
        (answering(b"<!doctype html><title>SearXNG"), "'json' among the formats"),
        (answering(b"\xff\xfe"), "is no JSON"),
        (answering(b"[" * 100_000), "is no JSON"),
        (answering([1, 2]), "has no results"),
        (answering({"results": "none"}), "has no results"),
    ]
    for call, words in failures:
        with pytest.raises(SearchError, match=r"SearXNG at http://s\.test/search cannot be") as it:
            search(call, "storm", 5)
        assert words in str(it.value)
    assert search(answering({"results": [], "unresponsive_engines": []}), "storm", 5) == []


def test_a_page_that_fails_leaves_what_came_before() -> None:
    first = Paged(100)

    def tired(url: str) -> FetchedUrl | FetchFailure:
        return FetchFailure(url, "status 403") if first.asked else first(url)

    found: list[SearchResult] = []
    with pytest.raises(SearchError, match=r"cannot be asked: status 403$"):
        found.extend(Searxng("http://s.test", tired).search("storm", 25))
    assert len(found) == 10


def test_the_address_with_or_without_search() -> None:
    for server in ("http://s.test", "http://s.test/", "http://s.test/search"):
        assert server_address(server) == "http://s.test/"
    assert server_address("https://b.test/searx/?q=1") == "https://b.test/searx/"
    for server in ("", "s.test", "ftp://s.test"):
        with pytest.raises(SettingsError, match="--searxng"):
            server_address(server)
