"""How proposals of seeds are scored: by titles, addresses and texts, and from an archive."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from crawler.live_replies import ok
from crawler.live_web import LiveWeb
from crawler.seed_site import STORMY, store_pages, urlset
from scenthound import CrawlOptions, Topic, find_seeds
from scenthound.core.model import Document, Link, Page, TopicProfile
from scenthound.core.urls import url_words
from scenthound.crawler.seeds.finder import HUB_LINKS, LEAST_WORDS, Scorer
from scenthound.crawler.seeds.proposals import (
    HOST_DISCOUNT,
    OFF_TOPIC,
    Basis,
    Kind,
    Proposal,
    SeedReport,
    best,
)
from scenthound.crawler.seeds.search import (
    LONGEST_SNIPPET,
    LONGEST_TITLE,
    SearchResult,
    checked_result,
)
from scenthound.crawler.seeds.sources import LONGEST_QUERY, MAX_QUERIES, queries_of
from scenthound.similarity.judge import SimilarityJudge
from scenthound.text.analyzer import Analyzer

KEYWORDS = ("typhoon", "storm surge")
URL = "http://a.test/"


def scorer(keywords: tuple[str, ...] = KEYWORDS, examples: tuple[str, ...] = ()) -> Scorer:
    documents = tuple(Document(text=text) for text in examples)
    profile, analyzer = TopicProfile("storms", keywords, documents), Analyzer("en", None, keywords)
    return Scorer(profile, analyzer, lambda: SimilarityJudge(profile, analyzer))


def by_title(found: SearchResult, *others: SearchResult) -> Proposal:
    proposal = scorer().by_title((found, *others))
    assert proposal is not None
    return proposal


def page(text: str, anchors: int = 0) -> Page:
    links = tuple(Link(f"{URL}{n}", f"The typhoon of year {n}") for n in range(anchors))
    return Page(URL, 200, Document("Title", text), links)


def test_more_of_the_topic_in_a_title_is_more() -> None:
    titles = ("The typhoon season", "Typhoon brings storm surge", "Typhoon, storm surge")
    one, two, every = (by_title(SearchResult(URL, "feeds", title)).score for title in titles)
    assert 0.0 < one < two < every
    # the last and the topic are the terms typhoon, storm, surge, storm surge, once each
    assert every == pytest.approx(1.0)


def test_title_and_snippet_of_all_sources_count_and_without_a_title_the_address() -> None:
    found = by_title(
        SearchResult(URL, "sitemaps", modified="2024"),
        SearchResult(URL, "searxng", "Season", "A typhoon", 3),
    )
    assert (found.title, found.sources) == ("Season", ("sitemaps", "searxng"))
    assert (found.basis, found.modified, found.kind) == (Basis.TITLE, "2024", Kind.SEED)
    assert found.score > 0
    named = by_title(SearchResult("http://a.test/x/storm-surge_2024.html", "sitemaps"))
    assert named.basis is Basis.ADDRESS and named.score > 0.5
    assert url_words(URL) == url_words(f"{URL}2024/05/31") == ""
    address = f"{URL}a/b/Storm%20Surge/the-typhoon_2.html?x=1"
    assert url_words(address) == "Storm Surge the typhoon"


def test_nothing_in_common_is_left_out_unless_a_search_engine_ranked_it() -> None:
    assert scorer().by_title((SearchResult(URL, "sitemaps", "Contact"),)) is None
    assert by_title(SearchResult(URL, "searxng", "Home", rank=1)).score == 0.0


def test_without_keywords_titles_are_compared_with_the_examples() -> None:
    by_example = scorer((), ("The typhoon and its storm surge flooded the coast.",))
    found = by_example.by_title((SearchResult(URL, "feeds", "Typhoon on the coast"),))
    assert found is not None and found.score > 0.3


def test_what_a_page_is_good_for() -> None:
    pages = [
        ("typhoon storm surge " * LEAST_WORDS, 0, Kind.EXAMPLE),
        ("typhoon storm surge " * LEAST_WORDS, HUB_LINKS, Kind.BOTH),
        ("garden kitchen " * LEAST_WORDS, HUB_LINKS, Kind.SEED),
        ("garden kitchen " * LEAST_WORDS, HUB_LINKS - 1, None),
        ("typhoon storm surge", 0, None),
    ]
    for text, anchors, kind in pages:
        found = scorer().by_text(Proposal(URL, sources=("feeds",)), page(text, anchors))
        assert (None if found is None else found.kind) == kind
        if found is not None:
            assert (found.basis, found.topical_links, found.title) == (Basis.TEXT, anchors, "Title")


def test_queries_are_all_keywords_together_and_each_few_and_short() -> None:
    analyzer = Analyzer("en", None, KEYWORDS)
    assert queries_of(TopicProfile("s", (*KEYWORDS, "the"), ()), analyzer) == (
        "typhoon storm surge", "typhoon", "storm surge"
    )  # fmt: skip
    assert queries_of(TopicProfile("s", ("typhoon",), ()), analyzer) == ("typhoon",)
    assert queries_of(TopicProfile("s", (), ()), analyzer) == ()
    examples = (Document(text="typhoon typhoon surge"),)  # the terms of a topic without keywords
    (query,) = queries_of(TopicProfile("s", (), examples), Analyzer())
    assert "typhoon" in query
    many = tuple(f"typhoon{n} {'wind ' * 60}" for n in range(50))
    found = queries_of(TopicProfile("s", many, ()), Analyzer())
    assert len(found) == MAX_QUERIES and all(len(query) <= LONGEST_QUERY for query in found)


def test_what_strangers_say_is_bounded_in_one_line_and_has_an_http_address() -> None:
    found = checked_result(
        SearchResult("http://A.test/ ", "feeds", "a\n b" * 10_000, "x" * 10_000_000, 2, "2024-05 z")
    )
    assert found is not None
    assert (found.url, found.rank, found.modified) == ("http://a.test/", 2, "2024-05")
    assert len(found.title) <= LONGEST_TITLE and len(found.snippet) <= LONGEST_SNIPPET
    assert "\n" not in found.title
    for href in ("", None, 7, "mailto:x@a.test", "http://", "x" * 1_000_000):
        assert checked_result(SearchResult(href, "feeds")) is None  # type: ignore[arg-type]
    relative = checked_result(SearchResult("1", "feeds"), "http://a.test/x/")
    assert relative == SearchResult("http://a.test/x/1", "feeds")


def test_the_best_come_first_and_a_host_counts_less_each_time() -> None:
    many = [Proposal(f"http://a.test/{n}", score=0.9) for n in range(5)]
    lone = Proposal("http://b.test/", score=0.9 * HOST_DISCOUNT**2 - 0.01)
    assert best([*many, lone], 4) == [*many[:3], lone]
    assert best(many, 9) == many  # one host alone may have them all
    assert best(many, 0) == [] == best([], 5)
    read = Proposal("http://a.test/", score=0.2, basis=Basis.TEXT)
    assert best([lone, read], 2) == [read, lone]


def test_json_has_every_field() -> None:
    reported = Proposal(
        "http://a.test/", Kind.BOTH, 0.123456, Basis.TEXT, "A", ("feeds",), 7, "2024"
    )
    assert reported.to_json() == {
        "url": "http://a.test/", "kind": "both", "score": 0.1235, "basis": "text", "title": "A",
        "sources": ["feeds"], "topical_links": 7, "modified": "2024"
    }  # fmt: skip


# Pages of archives are scored by their text and never asked for


TOPIC = Topic("storms", KEYWORDS)
PAGES = {
    "much.html": f"<title>Notes</title><p>{STORMY}",
    "little.html": f"<title>Typhoon</title><p>A typhoon came. {'Roses grew. ' * 50}",
    "none.html": "<title>Roses</title><p>Roses grew.",
}


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return store_pages(tmp_path, PAGES)


def test_the_whole_text_counts_and_not_the_title_and_only_pages_are_proposed(
    archive: Path, warned: list[str]
) -> None:
    (archive / "a.test" / "map.xml").write_text(urlset("http://a.test/typhoon"))
    reports: list[SeedReport] = []
    (found,) = find_seeds(TOPIC, archive=archive, report=reports.append)
    assert (found.url, found.kind, found.basis, found.sources) == (
        "http://a.test/much.html", Kind.EXAMPLE, Basis.TEXT, ("archive",)
    )  # fmt: skip
    assert found.score > 0.5
    assert reports[0].left_out == {OFF_TOPIC: 2, "no page": 1}
    (archive / "a.test" / "much.html").unlink()
    assert find_seeds(TOPIC, archive=archive, fetch=5) == []


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
