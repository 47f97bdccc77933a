"""The search for seeds, end to end: what is proposed, what is left out, and what goes wrong."""

from __future__ import annotations

import importlib
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest

from crawler.live_replies import no, ok
from crawler.live_web import LiveWeb
from crawler.seed_site import FOUND, add_search, add_site, urlset
from crawler.warning_recording import recorded_warnings
from scenthound import CrawlOptions, Topic, find_seeds
from scenthound.core import registry
from scenthound.core.errors import SettingsError, TopicError, UnknownNameError
from scenthound.crawler.seeds import sources as seed_sources
from scenthound.crawler.seeds.finder import ScopeFilter
from scenthound.crawler.seeds.proposals import (
    ALREADY_IN_TOPIC,
    NO_TOPIC_WORD,
    OFF_TOPIC,
    Basis,
    Kind,
    Proposal,
    SeedReport,
)
from scenthound.crawler.seeds.search import SearchResult, is_nearby
from scenthound.sample.server import Reply

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
    assert found[0].url == web.url(1, "/storm-surge.html")
    assert min(each.score for each in found) > 0.0
    assert warned == []
    assert f"reading {web.url(1, '/map.xml')}" in doing


def test_the_best_are_fetched_and_judged(web: LiveWeb, topic: Topic) -> None:
    reports: list[SeedReport] = []
    found = find_seeds(topic, fetch=4, options=OPTIONS, report=reports.append)
    assert kinds(found) == {
        web.url(1, "/storm-surge.html"): (Kind.EXAMPLE, Basis.TEXT),
        web.url(1, "/storms/"): (Kind.SEED, Basis.TEXT),
        web.url(2, "/news"): (Kind.EXAMPLE, Basis.TEXT),
    }
    assert reports[0].left_out[OFF_TOPIC] == 1


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


def test_a_server_that_is_down_is_a_warning(warned: list[str]) -> None:
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


def test_providers_of_ones_own_and_of_installed_packages_are_asked(
    monkeypatch: pytest.MonkeyPatch, warned: list[str]
) -> None:
    own = Own()
    (proposed,) = find_seeds(STORMS, providers=[own])
    assert (proposed.url, proposed.sources) == ("http://a.test/", ("own",))
    assert own.queries == ["typhoon storm surge", "typhoon", "storm surge"]
    points = EntryPoints((
        EntryPoint("own", "crawler.test_seed_search:Own", seed_sources.GROUP),
        EntryPoint("broken", "crawler.test_seed_search:broken", seed_sources.GROUP)
    ))  # fmt: skip
    monkeypatch.setattr(registry, "entry_points", lambda group: points.select(group=group))
    found = find_seeds(STORMS, ["own", "broken"])
    assert [each.url for each in found] == ["http://a.test/"]
    assert len(warned) == 1 and warned[0].startswith("the source broken does not start: no\nkey")


def test_what_cannot_be_is_refused_in_words() -> None:
    messages: list[tuple[dict[str, object], str]] = [
        ({"sources": ["searxng"]}, "needs --searxng"),
        ({"sources": ["sitemaps"]}, "no site to look at"),
        ({}, "nowhere to look"),
        ({"searxng": "nonsense"}, "--searxng"),
        ({"sources": ["archive"], "archive": "x", "searxng": "http://s.test"}, "not among"),
        ({"count": 0, "searxng": "http://s.test"}, "from 1 to 1,000"),
        ({"fetch": -1, "searxng": "http://s.test"}, "from 0 to 500"),
        ({"fetch": 1.5, "searxng": "http://s.test"}, "whole number"),
    ]
    for given, words in messages:
        with pytest.raises(SettingsError, match=words):
            find_seeds(STORMS, **given)
    with pytest.raises(UnknownNameError, match="did you mean 'sitemaps'"):
        find_seeds(STORMS, ["sitemap"])
    with pytest.raises(TopicError, match="empty"):
        find_seeds(Topic("storms", ("the",)), providers=[Own()])
    with pytest.raises(SettingsError, match="/none/netrc"):
        down = "http://127.0.0.1:1"
        find_seeds(STORMS, searxng=down, options=OPTIONS.changed(netrc="/none/netrc"))


# What a crawl would refuse is not proposed, and is counted.


NAMING = Topic("storms", ("typhoon",), ("http://a.test/",), ("http://b.test/example",))


def admitted(*urls: str, options: CrawlOptions | None = None) -> tuple[list[str], dict[str, int]]:
    scope = ScopeFilter(NAMING, options or CrawlOptions())
    return [url for url in map(scope.admit, urls) if url is not None], dict(scope.left_out)


def test_what_is_no_page_private_or_known_is_left_out_and_counted_once() -> None:
    urls = ("http://a.test/1", "http://a.test/t.jpg", "http://a.test/t.jpg", "http://127.0.0.1/")
    assert admitted(*urls) == (["http://a.test/1"], {"media": 1, "private address": 1})
    private = admitted("http://127.0.0.1/", options=CrawlOptions(allow_private=True))
    assert private == (["http://127.0.0.1/"], {})
    assert admitted("http://a.test/", "http://b.test/example") == ([], {ALREADY_IN_TOPIC: 2})
    assert admitted("http://a.test/1;jsessionid=A1B2C3D4E5F6")[0] == ["http://a.test/1"]


def test_the_scope_of_the_crawl_binds() -> None:
    rules: list[tuple[dict[str, Any], str]] = [
        ({"stay": True}, "outside the seeds' hosts"),
        ({"allow_host": ("a.test",)}, "host not allowed"),
        ({"deny_host": ("c.test",)}, "host denied"),
        ({"include": ("*/1",)}, "not included"),
        ({"exclude": ("*c.test*",)}, "excluded"),
    ]
    for rule, reason in rules:
        found = admitted("http://a.test/1", "http://c.test/2", options=CrawlOptions(**rule))
        assert found == (["http://a.test/1"], {reason: 1})


def test_images_and_what_robots_txt_forbids_are_not_proposed(
    web: LiveWeb, warned: list[str]
) -> None:
    paths = ("/typhoon", "/typhoon.jpg", "/private/typhoon", "/roses", "/")
    web.add(1, "/robots.txt", ok("User-agent: *\nDisallow: /private/"))
    listed = urlset(*(web.url(1, path) for path in paths))
    web.add(1, "/sitemap.xml", ok(listed, {"Content-Type": "application/xml"}))
    reports: list[SeedReport] = []
    topic = replace(STORMS, seeds=(web.url(1),))
    (found,) = find_seeds(topic, ["sitemaps"], options=OPTIONS, report=reports.append)
    assert found.url == web.url(1, "/typhoon")
    (report,) = reports
    assert report.left_out == {"media": 1, "robots.txt": 1, NO_TOPIC_WORD: 1, ALREADY_IN_TOPIC: 1}
    assert report.counts() == "sitemaps 5"
    assert not report.failed


def test_a_denied_host_is_not_even_asked_for_its_sitemap(web: LiveWeb, warned: list[str]) -> None:
    topic = replace(STORMS, seeds=(web.url(1), web.url(2)))
    find_seeds(topic, ["sitemaps"], options=OPTIONS.changed(deny_host=("127.0.0.1",)))
    assert {url.split("/")[2].partition(":")[0] for url in web.requested()} == {"127.0.0.2"}


# Search that goes wrong: what was found is kept, one sentence says why, the rest goes on.


def failing_after(good: int, status: int) -> Callable[[str], Reply]:
    """A server with ten results a page that has enough after some requests."""
    asked = itertools.count()

    def answer(path: str) -> Reply:
        number = next(asked)
        if number >= good:
            return no(status)
        urls = [f"http://a.test/typhoon-{number}-{each}" for each in range(10)]
        body = {"results": [{"url": url, "title": "Typhoon"} for url in urls]}
        return ok(json.dumps(body), {"Content-Type": "application/json"})

    return answer


def test_a_server_that_has_enough_keeps_what_it_gave(web: LiveWeb, warned: list[str]) -> None:
    web.add_below(3, "/search", failing_after(1, 500))
    topic = replace(STORMS, seeds=(add_site(web),))
    reports: list[SeedReport] = []
    found = find_seeds(
        topic, ["searxng", "feeds"], searxng=web.url(3), options=OPTIONS, count=50,
        report=reports.append
    )  # fmt: skip
    sources = [each.sources[0] for each in found]
    assert (sources.count("searxng"), sources.count("feeds")) == (10, 1)
    assert len(warned) == 1 and "status 500" in warned[0]
    assert "(3 of 3 queries)" in warned[0]
    assert reports[0].counts() == "searxng 10, feeds 1"
    assert len([url for url in web.requested() if "/search" in url]) == 4


def test_other_queries_are_asked_after_one_that_fails(web: LiveWeb, warned: list[str]) -> None:
    good = failing_after(9, 500)
    web.add_below(3, "/search", lambda path: no(500) if "q=typhoon&" in path else good(path))
    found = find_seeds(STORMS, searxng=web.url(3), options=OPTIONS, count=10)
    assert len(found) == 10
    assert len(warned) == 1 and "(1 of 3 queries)" in warned[0]


class Strange:
    """A provider by somebody else."""

    name = "strange"

    def __init__(self, answer: Callable[[], object]) -> None:
        self._answer = answer

    def search(self, query: str, count: int) -> list[SearchResult]:
        return self._answer()  # type: ignore[return-value]


class Nameless(Strange):
    """It goes by its class."""

    name = ""


def look(answer: Callable[[], object]) -> tuple[list[str], list[str], SeedReport]:
    reports: list[SeedReport] = []
    with recorded_warnings() as reported:
        found = find_seeds(STORMS, providers=[Strange(answer)], report=reports.append)
    return [each.url for each in found], reported, reports[0]


def broken(*topic: Topic) -> Own:
    raise RuntimeError("no\nkey")


def test_a_provider_may_do_anything() -> None:
    answers: list[tuple[Callable[[], object], str]] = [
        (broken, "strange cannot be asked: RuntimeError: no key (test_seed_search.py, line"),
        (lambda: None, "(3 of 3 queries)"),
        (lambda: 5, "strange cannot be asked: TypeError: 'int' object is not iterable"),
        (lambda: (1 / 0 for _ in "x"), "ZeroDivisionError"),
    ]
    for answer, words in answers:
        urls, reported, report = look(answer)
        assert (urls, len(reported), report.failed) == ([], 1, True)
        assert words in reported[0] and words in report.failures()


def test_what_a_provider_gives_is_checked() -> None:
    given = [
        SearchResult("HTTP://A.test", "strange", rank=1),
        SearchResult("http://a.test/typhoon", "", "Typhoon", rank="first"),  # type: ignore[arg-type]
        SearchResult("ftp://a.test/", "strange"), SearchResult(None, "strange"),  # type: ignore[arg-type]
        "http://b.test/", None
    ]  # fmt: skip
    urls, reported, report = look(lambda: given)
    assert set(urls) == {"http://a.test/", "http://a.test/typhoon"}
    assert reported == []
    assert (report.counts(), report.failed) == ("strange 2", False)


def test_one_source_that_works_is_no_failure(warned: list[str]) -> None:
    reports: list[SeedReport] = []
    find_seeds(STORMS, providers=[Strange(broken), Nameless(list)], report=reports.append)
    assert (reports[0].failed, reports[0].counts()) == (False, "strange failed, Nameless 0")


def test_plug_ins_of_version_0_1_find_their_names() -> None:
    with pytest.warns(DeprecationWarning, match="it was Found"):
        found = importlib.import_module("scenthound.seeding.found")
    assert found.Found is SearchResult


def test_a_proxy_could_not_reach_hosts_nearby() -> None:
    near = ["localhost:80", "127.0.0.1:80", "192.168.1.5", "[::1]:80", "searxng:80", "s.local"]
    far = ["searx.example.org", "8.8.8.8:8080", "[2606:4700::1111]:8080"]
    assert [host for host in (*near, *far) if is_nearby(f"http://{host}/")] == near
