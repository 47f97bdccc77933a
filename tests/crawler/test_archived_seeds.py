"""Archives are searched by BM25; their pages are scored by their text and never asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.live_replies import ok
from crawler.live_web import LiveWeb
from crawler.seed_site import STORMY, store_pages, urlset
from scenthound import CrawlOptions, Topic, find_seeds
from scenthound.crawler import archive_search
from scenthound.crawler.archive_search import ArchiveSearch
from scenthound.crawler.seed_proposals import HOST_DISCOUNT, Basis, Kind, Proposal, chosen
from scenthound.crawler.seed_search import (
    LONGEST_SNIPPET,
    LONGEST_TITLE,
    SearchResult,
    search_result,
)
from scenthound.storage.archive import Archive, open_archive
from scenthound.text.analyzer import Analyzer

TOPIC = Topic("storms", ("typhoon", "storm surge"))
PAGES = {
    "much.html": f"<title>Notes</title><p>{STORMY}",
    "little.html": f"<title>Typhoon</title><p>A typhoon came. {'Roses grew. ' * 50}",
    "none.html": "<title>Roses</title><p>Roses grew.",
}


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return store_pages(tmp_path, PAGES)


def test_the_whole_text_counts_and_not_the_title(archive: Path, warned: list[str]) -> None:
    first, second = find_seeds(TOPIC, archive=archive)
    assert [(each.url, each.kind, each.basis) for each in (first, second)] == [
        ("http://a.test/much.html", Kind.EXAMPLE, Basis.TEXT),
        ("http://a.test/little.html", Kind.SEED, Basis.TEXT),
    ]
    assert first.score > 0.5 > second.score > 0.0
    assert first.sources == ("archive",)


def test_with_pages_read_only_good_ones_are_proposed(archive: Path, warned: list[str]) -> None:
    (found,) = find_seeds(TOPIC, archive=archive, fetch=5)
    assert found.url == "http://a.test/much.html"
    (archive / "a.test" / "much.html").unlink()
    assert find_seeds(TOPIC, archive=archive, fetch=5) == []
    assert warned == [
        "1 of 2 pages is not about the topic and left out",
        "1 of 1 page is not about the topic and left out",
    ]


def test_what_lies_in_the_archive_is_not_asked_for(
    web: LiveWeb, archive: Path, warned: list[str]
) -> None:
    pages = ("http://a.test/much.html", "http://a.test/storm-surge.html")
    web.add("a.test", "/sitemap.xml", ok(urlset(*pages), {"Content-Type": "application/xml"}))
    web.add("a.test", "/storm-surge.html", f"<title>Surge</title><p>{STORMY}")
    (archive / "a.test" / "example.html").write_text(f"<p>{STORMY} Rain fell.")
    topic = replace(TOPIC, seeds=("http://a.test/",), examples=("http://a.test/example.html",))
    options = CrawlOptions(delay=0.0)
    found = find_seeds(topic, ["sitemaps", "archive"], archive=archive, fetch=5, options=options)
    assert {each.url for each in found} == set(pages)
    site = ("http://a.test/robots.txt", "http://a.test/sitemap.xml")
    assert web.requested() == [*site, pages[1]]


def test_sitemaps_and_images_in_an_archive_are_no_pages(archive: Path, warned: list[str]) -> None:
    (archive / "a.test" / "map.xml").write_text(urlset("http://a.test/typhoon"))
    found = find_seeds(TOPIC, archive=archive)
    assert [each.url.rpartition("/")[2] for each in found] == ["much.html", "little.html"]


RANKED = {
    "storm.html": "<title>Storm surge</title><p>A storm surge follows a typhoon.",
    "often.html": "<title>Typhoon</title><p>Typhoon, typhoon, typhoon.",
    "long.html": f"<title>Much</title><p>A typhoon and {'some other words ' * 200}",
    "garden.html": '<title>Garden</title><meta name="description" content="Roses"><p>Roses.',
    "empty.html": "",
}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Archive]:
    pages = store_pages(tmp_path, RANKED)
    with open_archive(pages, cache=tmp_path / "cache") as archive:
        yield archive


def search(archive: Archive, query: str, count: int = 10) -> list[str]:
    provider = ArchiveSearch(archive, Analyzer(), ["typhoon", "storm surge", "rose"])
    return [each.url.rpartition("/")[2] for each in provider.search(query, count)]


def test_pages_with_more_of_the_words_and_less_of_others_come_first(opened: Archive) -> None:
    assert search(opened, "typhoons") == ["often.html", "storm.html", "long.html"]
    assert search(opened, "typhoon storm surge")[0] == "storm.html"
    assert search(opened, "typhoon", 1) == ["often.html"]
    assert search(opened, "typhoon", 0) == []
    assert search(opened, "volcano") == [] == search(opened, "the")


def test_results_have_title_snippet_and_rank(
    opened: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_search, "_SHOWN_EVERY", 2)
    told: list[str] = []
    provider = ArchiveSearch(opened, Analyzer(), ["rose"], told.append)
    (found,) = provider.search("rose", 5)
    assert (found.title, found.snippet, found.rank, found.source) == (
        "Garden", "Roses", 1, "archive"
    )  # fmt: skip
    provider.search("rose", 5)
    assert told == [f"reading the archive: {read} of 5 pages" for read in (2, 4)]


def proposal(url: str, score: float, basis: Basis = Basis.TITLE) -> Proposal:
    return Proposal(url, score=score, basis=basis)


def test_what_strangers_say_is_bounded_and_in_one_line() -> None:
    found = search_result(
        "http://A.test/ ", "feeds", "a\n b" * 10_000, "x" * 10_000_000, 2, "2024-05 z"
    )
    assert found is not None
    assert (found.url, found.rank, found.modified) == ("http://a.test/", 2, "2024-05")
    assert len(found.title) <= LONGEST_TITLE and len(found.snippet) <= LONGEST_SNIPPET
    assert "\n" not in found.title


def test_no_http_address_is_nothing() -> None:
    for href in ("", None, 7, "mailto:x@a.test", "http://", "x" * 1_000_000):
        assert search_result(href, "feeds") is None
    assert search_result("1", "feeds", base="http://a.test/x/") == SearchResult(
        "http://a.test/x/1", "feeds"
    )


def test_the_best_come_first_and_a_host_counts_less_each_time() -> None:
    many = [proposal(f"http://a.test/{n}", 0.9) for n in range(5)]
    lone = proposal("http://b.test/", 0.9 * HOST_DISCOUNT**2 - 0.01)
    assert chosen([*many, lone], 4) == [*many[:3], lone]
    assert chosen(many, 9) == many  # one host alone may have them all
    assert chosen(many, 0) == [] == chosen([], 5)
    read = proposal("http://a.test/", 0.2, Basis.TEXT)
    assert chosen([lone, read], 2) == [read, lone]


def test_json_has_every_field() -> None:
    told = Proposal("http://a.test/", Kind.BOTH, 0.123456, Basis.TEXT, "A", ("feeds",), 7, "2024")
    assert told.to_json() == {
        "url": "http://a.test/", "kind": "both", "score": 0.1235, "basis": "text", "title": "A",
        "sources": ["feeds"], "topical_links": 7, "modified": "2024"
    }  # fmt: skip
