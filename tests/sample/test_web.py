"""The sample web: pinned by a hash, with every kind of dirt, files that read back, lists."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from sample.sample_once import sample_web
from scenthound import CrawlOptions, find_seeds
from scenthound.core.urls import canonical, host_of
from scenthound.crawler.seeds.sitemaps import read_feed, read_sitemap
from scenthound.sample.responses import FEED, SITEMAP, SITEMAP_HOST, Response
from scenthound.sample.server import serve
from scenthound.sample.themes import NOISE, TOPICS, read_theme
from scenthound.sample.web import SampleWeb, write_labels, write_topics, write_warc
from scenthound.similarity.topic_file import read_topic


@pytest.fixture(scope="module")
def pages(web: SampleWeb) -> list[Response]:
    """Everything a reader could read."""
    return [response for response in web.responses.values() if response.is_page]


def containing(pages: list[Response], text: str) -> list[Response]:
    """Pages with ``text`` in their markup."""
    return [page for page in pages if text.encode() in page.body]


def test_markup_of_every_kind(pages: list[Response]) -> None:
    for markup in (
        "<base href=", "<frameset", "<area ", 'rel="nofollow"', "mailto:", "javascript:",
        '" alt="', ">click here</a>", ">Read more</a>", "_(animal)", "_%28animal%29",
        '#history"', 'href="../', "<title><script>alert(1)</script>",
        '<a name="top"><a href="#top">',
    ):  # fmt: skip
        assert containing(pages, markup)
    assert any(b"<p>" in page.body and b"</p>" not in page.body for page in pages)


def test_copies_carry_the_label_of_their_original(web: SampleWeb, pages: list[Response]) -> None:
    digests = Counter(hashlib.sha256(page.body).digest() for page in pages)
    assert sum(count > 1 for count in digests.values()) > 30
    copies = [url for url in web.responses if "?ref=rss" in url or "?print=1" in url]
    assert len(copies) > 20
    assert all(web.labels.get(url) == web.labels.get(url.partition("?")[0]) for url in copies)
    printed = next(url for url in copies if url.endswith("?print=1"))  # nearly the same page
    lines = set(web.responses[printed].body.splitlines())
    original = web.responses[printed.removesuffix("?print=1")].body.splitlines()
    assert 0.4 * len(lines) < len(lines & set(original)) < len(lines)


def test_statuses_delays_robots_files_and_redirects(web: SampleWeb) -> None:
    statuses = Counter(response.status for response in web.responses.values())
    assert statuses[404] >= 5 and statuses[500] >= 3
    slow = {host_of(url) for url, response in web.responses.items() if response.delay}
    assert slow == {"slowlibrary.test"}
    rules = [response for url, response in web.responses.items() if url.endswith("/robots.txt")]
    assert len(rules) == 30 and all(b"Disallow: /login" in rule.body for rule in rules)
    assert sum(b"Crawl-delay" in rule.body for rule in rules) == 1
    kinds = {response.header("Content-Type") for response in web.responses.values()}
    assert {"image/png", "application/pdf", "application/json", "text/plain"} <= kinds
    moved = {u: r for u, r in web.responses.items() if r.header("Location")}
    ends = {url: canonical(str(r.header("Location")), url) for url, r in moved.items()}
    assert {response.status for response in moved.values()} == {301, 302}
    assert any(end in moved and ends[end] not in moved for end in ends.values()), "a chain"
    assert any(ends.get(end) == url for url, end in ends.items()), "a loop"
    assert any(end in web.labels for end in ends.values())


def test_encodings_and_odd_pages(web: SampleWeb, pages: list[Response]) -> None:
    in_meta = containing(pages, "charset=iso-8859-1")
    in_header = [p for p in pages if p.header("Content-Type") == "text/html; charset=ISO-8859-1"]
    assert any(max(page.body) > 127 and "é" in page.body.decode("latin-1") for page in in_meta)
    assert any(max(page.body) > 127 for page in in_header)
    assert "\u20ac" in containing(pages, "charset=windows-1252")[0].body.decode("cp1252")
    guestbook = web.responses["http://greenriver.test/guestbook.html"]  # it fits no encoding
    assert b"charset" not in guestbook.body and guestbook.header("Content-Type") == "text/html"
    with pytest.raises(UnicodeDecodeError):
        guestbook.body.decode("utf-8")
    empty, *_, large, huge = sorted(len(page.body) for page in pages)
    assert empty == 0 and large < 100_000 and 2_900_000 < huge < 3_500_000


def test_themes_are_well_formed() -> None:
    for theme in map(read_theme, TOPICS + NOISE):
        patterns = [*sum(theme.sections.values(), ()), *sum(theme.pools.values(), ())]
        caps = {f"{slot}_cap" for slot in theme.slots}
        used = {slot for each in patterns for slot in re.findall(r"\{(\w+)\}", each)}
        assert used <= {*theme.slots, *caps, "s", "S", "T", "o", "weekday"}, theme.name
        assert len({subject.title for subject in theme.subjects}) == len(theme.subjects)
        assert len(set(patterns)) == len(patterns)


def test_what_is_written_is_read_back_the_same(web: SampleWeb, tmp_path: Path) -> None:
    warc, again = tmp_path / "sample.warc.gz", tmp_path / "again.warc.gz"
    found = {}
    for path in (warc, again):
        write_warc(web, path)
    for record in ArchiveIterator(BytesIO(warc.read_bytes())):
        assert record.rec_type == "response"
        url = record.rec_headers.get_header("WARC-Target-URI")
        status = int(record.http_headers.get_statuscode())
        found[url] = (status, record.content_stream().read())
    assert found == {url: (r.status, r.body) for url, r in web.responses.items()}
    assert again.read_bytes() == warc.read_bytes() and len(again.read_bytes()) < 5_000_000
    paths = write_topics(web, tmp_path / "topics")
    assert list(map(read_topic, paths)) == list(web.topics)
    write_labels(web, tmp_path / "labels.tsv")
    lines = (tmp_path / "labels.tsv").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert dict(line.split("\t") for line in lines) == web.labels


DIGEST = "4dad606342a7478f84175a814f6eaa241a5686de674b06a3cb4c45311a84542a"
"""Of all that the web of seed 0 answers: replays and benchmarks are compared over years."""


def test_the_web_is_the_one_of_earlier_versions(web: SampleWeb) -> None:
    digest = hashlib.sha256()
    for response in web.responses.values():
        facts = (response.url, response.status, response.headers, response.delay)
        digest.update(repr(facts).encode() + response.body)
    digest.update(repr((web.topics, sorted(web.labels.items()))).encode())
    assert digest.hexdigest() == DIGEST


def test_size_whatever_the_seed(web: SampleWeb) -> None:
    other = sample_web(1)
    assert set(other.responses) != set(web.responses) and other.topics != web.topics
    for each in (web, other):
        assert 1_400 <= len(each.responses) <= 1_700
        assert len({host_of(url) for url in each.responses}) == 30
        sizes = Counter(each.labels.values())
        assert set(sizes) == {topic.name for topic in each.topics} and len(sizes) == 8
        assert all(60 <= size <= 150 for size in sizes.values()), sizes


def test_urls_topics_and_labels(web: SampleWeb) -> None:
    for url, response in web.responses.items():
        assert url == response.url == canonical(url)
        assert url.startswith("http://") and host_of(url).endswith(".test")
    for url in web.labels:
        assert web.responses[url].is_page
        assert not re.search(rb"\{\w+\}", web.responses[url].body), "a slot that is not filled"
    for topic in web.topics:
        assert 3 <= len(topic.keywords) <= 6
        assert (len(topic.seeds), len(topic.examples)) == (3, 8)
        assert not set(topic.seeds) & set(topic.examples)
        assert {web.labels[url] for url in topic.seeds + topic.examples} == {topic.name}
    pairs = {(name, host_of(url)) for url, name in web.labels.items()}
    assert all(count >= 5 for count in Counter(name for name, _ in pairs).values())
    assert sum(count >= 2 for count in Counter(host for _, host in pairs).values()) >= 15


def test_sitemap_and_feed_list_unlinked_pages(web: SampleWeb) -> None:
    listed = [entry.url for entry in read_sitemap(web.responses[SITEMAP].body).pages]
    assert len(listed) > 30
    assert all(web.responses[url].is_page and host_of(url) == SITEMAP_HOST for url in listed)
    assert SITEMAP.encode() in web.responses[f"http://{SITEMAP_HOST}/robots.txt"].body
    entries = read_feed(web.responses[FEED].body)
    assert len(entries) > 30
    assert all(web.responses[each.url].is_page and each.title and each.snippet for each in entries)
    pages = [each.body for each in web.responses.values() if each.is_page]
    assert not any(b"sitemap.xml" in page or b'/feed"' in page for page in pages)


def test_seeds_are_found_as_it_is_shipped(web: SampleWeb) -> None:
    storms = web.topics[0]
    with serve(web) as server:
        options = CrawlOptions(proxy=server.proxy, delay=0.0)
        found = find_seeds(storms, options=options, count=10)
    assert {source for each in found for source in each.sources} == {"sitemaps", "feeds"}
    assert {web.labels.get(each.url) for each in found[:5]} == {"storms"}
