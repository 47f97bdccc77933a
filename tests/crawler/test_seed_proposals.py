"""Proposals from a web on loopback, end to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from crawler.live_web import LiveWeb
from crawler.seed_site import FOUND, add_search, add_site
from scenthound import CrawlOptions, Topic, find_seeds
from scenthound.core import registry
from scenthound.core.errors import SettingsError, TopicError, UnknownNameError
from scenthound.crawler import seed_sources
from scenthound.crawler.seed_proposals import Basis, Kind, Proposal, SeedReport
from scenthound.crawler.seed_search import SearchResult

STORMS = Topic("storms", ("typhoon", "storm surge"))
OPTIONS = CrawlOptions(allow_private=True, delay=0.0, timeout=5.0)


@pytest.fixture
def topic(web: LiveWeb) -> Topic:
    return replace(STORMS, seeds=(add_site(web),))


def kinds(proposals: Sequence[Proposal]) -> dict[str, tuple[Kind, Basis]]:
    return {each.url: (each.kind, each.basis) for each in proposals}


def test_sitemaps_and_feeds_are_scored_by_titles_and_addresses(
    web: LiveWeb, topic: Topic, warned: list[str]
) -> None:
    doing: list[str] = []
    found = find_seeds(topic, options=OPTIONS, doing=doing.append)
    assert kinds(found) == {
        web.url(1, "/storm-surge.html"): (Kind.SEED, Basis.ADDRESS),
        web.url(1, "/storms/"): (Kind.SEED, Basis.ADDRESS),
        web.url(1, "/typhoon-shop"): (Kind.SEED, Basis.ADDRESS),
        web.url(2, "/news"): (Kind.SEED, Basis.TITLE),
    }
    scores = [each.score for each in found]
    assert found[0].url == web.url(1, "/storm-surge.html")
    assert min(scores) > 0.0
    assert warned == []
    assert f"reading {web.url(1, '/map.xml')}" in doing


def test_the_best_are_fetched_and_judged(web: LiveWeb, topic: Topic, warned: list[str]) -> None:
    found = find_seeds(topic, fetch=4, options=OPTIONS)
    assert kinds(found) == {
        web.url(1, "/storm-surge.html"): (Kind.EXAMPLE, Basis.TEXT),
        web.url(1, "/storms/"): (Kind.SEED, Basis.TEXT),
        web.url(2, "/news"): (Kind.EXAMPLE, Basis.TEXT),
    }
    assert warned == ["1 of 4 pages is not about the topic and left out"]


def test_the_topics_own_pages_are_not_proposed_and_its_examples_judge(
    web: LiveWeb, topic: Topic, warned: list[str]
) -> None:
    known = replace(topic, examples=(web.url(2, "/news"),), exclude=("*shop*",))
    found = find_seeds(known, options=OPTIONS.changed(exclude=("*/storms/",)))
    assert [each.url for each in found] == [web.url(1, "/storm-surge.html")]
    by_example = replace(known, keywords=())
    found = find_seeds(by_example, ["sitemaps"], fetch=1, options=OPTIONS)
    assert found[0].url == web.url(1, "/storm-surge.html")
    assert found[0].score > 0.9


def test_a_searxng_may_be_private_and_is_no_site_to_crawl(web: LiveWeb) -> None:
    options = OPTIONS.changed(allow_private=False)
    (found,) = find_seeds(STORMS, searxng=add_search(web), options=options)
    assert (found.url, found.sources, found.title) == (FOUND, ("searxng",), "Typhoon tracks")


def test_a_server_that_is_down_is_told(warned: list[str]) -> None:
    assert find_seeds(STORMS, searxng="http://127.0.0.1:1", options=OPTIONS) == []
    assert len(warned) == 1 and "connection refused (3 of 3 queries)" in warned[0]


def test_private_addresses_stay_closed(warned: list[str]) -> None:
    topic = replace(STORMS, seeds=("http://127.0.0.1/",))
    reports: list[SeedReport] = []
    assert find_seeds(topic, options=CrawlOptions(delay=0.0), report=reports.append) == []
    assert len(warned) == 2 and all("private address" in each for each in warned)
    assert reports[0].failed


class Own:
    """A search provider of one's own."""

    name = "own"

    def __init__(self, topic: Topic | None = None) -> None:
        self.queries: list[str] = []

    def search(self, query: str, count: int) -> list[SearchResult]:
        self.queries.append(query)
        return [SearchResult("http://a.test/", self.name, "Typhoon", rank=1)]


def test_providers_of_ones_own_are_asked() -> None:
    own = Own()
    (found,) = find_seeds(STORMS, providers=[own])
    assert (found.url, found.sources) == ("http://a.test/", ("own",))
    assert own.queries == ["typhoon storm surge", "typhoon", "storm surge"]


def broken(topic: Topic) -> Own:
    raise RuntimeError("no key")


def test_installed_packages_add_sources(monkeypatch: pytest.MonkeyPatch, warned: list[str]) -> None:
    points = EntryPoints((
        EntryPoint("own", "crawler.test_seed_proposals:Own", seed_sources.GROUP),
        EntryPoint("broken", "crawler.test_seed_proposals:broken", seed_sources.GROUP)
    ))  # fmt: skip
    monkeypatch.setattr(registry, "entry_points", lambda group: points.select(group=group))
    found = find_seeds(STORMS, ["own", "broken"])
    assert [each.url for each in found] == ["http://a.test/"]
    assert warned == ["the source broken does not start: no key; the search goes on without it"]


def test_what_cannot_be_is_refused_in_words() -> None:
    messages: list[tuple[dict[str, object], str]] = [
        ({"sources": ["searxng"]}, "needs --searxng"),
        ({"sources": ["sitemaps"]}, "no site to look at"),
        ({}, "nowhere to look"),
        ({"sources": "sitemaps"}, "list of names"),
        ({"searxng": "nonsense"}, "--searxng"),
        ({"sources": ["archive"], "archive": "x", "searxng": "http://s.test"}, "not among"),
        ({"count": 0, "searxng": "http://s.test"}, "count is 1 to"),
        ({"fetch": -1, "searxng": "http://s.test"}, "fetch is 0 to"),
        ({"fetch": 1.5, "searxng": "http://s.test"}, "whole number"),
    ]
    for given, words in messages:
        with pytest.raises(SettingsError, match=words):
            find_seeds(STORMS, **given)


def test_unknown_sources_and_wordless_topics_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'sitemaps'"):
        find_seeds(STORMS, ["sitemap"])
    with pytest.raises(TopicError, match="empty"):
        find_seeds(Topic("storms", ("the",)), providers=[Own()])
