""""""

from __future__ import annotations

import json
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from scenthound.core.errors import SettingsError
from scenthound.crawler.searxng import MAX_RESULT_PAGES, Searxng, server_address
from scenthound.crawler.seed_search import SearchError, SearchResult
from scenthound.fetch.fetcher import FetchedUrl, FetchFailure

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
