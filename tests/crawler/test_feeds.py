""""""

from __future__ import annotations

import json

from scenthound.crawler.feeds import feed_links, read_feed, without_markup
from scenthound.crawler.sitemaps import Entry

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
