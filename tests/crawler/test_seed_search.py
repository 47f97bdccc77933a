"""Search that goes wrong: what was found is kept, one sentence says why, the rest goes on."""

from __future__ import annotations

import importlib
import itertools
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from crawler.live_replies import no, ok
from crawler.live_web import LiveWeb
from crawler.seed_site import add_site
from crawler.warning_recording import recorded_warnings
from scenthound import CrawlOptions, Topic, find_seeds
from scenthound.core.errors import SettingsError
from scenthound.crawler.seed_proposals import SeedReport
from scenthound.crawler.seed_search import SearchResult, is_nearby
from scenthound.sample.server import Reply

TOPIC = Topic("storms", ("typhoon", "storm surge"))
OPTIONS = CrawlOptions(allow_private=True, delay=0.0, timeout=5.0)


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
    topic = replace(TOPIC, seeds=(add_site(web),))
    reports: list[SeedReport] = []
    found = find_seeds(
        topic, ["searxng", "feeds"], searxng=web.url(3), options=OPTIONS, count=50,
        report=reports.append
    )  # fmt: skip
    sources = [each.sources[0] for each in found]
    assert (sources.count("searxng"), sources.count("feeds")) == (10, 1)
    assert len(warned) == 1 and "status 500" in warned[0]
    assert warned[0].endswith("(3 of 3 queries); what it found is kept")
    assert reports[0].counts() == "searxng 10, feeds 1"
    assert len([url for url in web.requested() if "/search" in url]) == 4


def test_other_queries_are_asked_after_one_that_fails(web: LiveWeb, warned: list[str]) -> None:
    good = failing_after(9, 500)
    web.add_below(3, "/search", lambda path: no(500) if "q=typhoon&" in path else good(path))
    found = find_seeds(TOPIC, searxng=web.url(3), options=OPTIONS, count=10)
    assert len(found) == 10
    assert len(warned) == 1 and "(1 of 3 queries)" in warned[0]


class Strange:
    """A provider by somebody else."""

    name = "strange"

    def __init__(self, answer: Callable[[], object]) -> None:
        self._answer = answer

    def search(self, query: str, count: int) -> list[SearchResult]:
        return self._answer()  # type: ignore[return-value]


def look(answer: Callable[[], object]) -> tuple[list[str], list[str], SeedReport]:
    reports: list[SeedReport] = []
    with recorded_warnings() as told:
        found = find_seeds(TOPIC, providers=[Strange(answer)], report=reports.append)
    return [each.url for each in found], told, reports[0]


def broken() -> object:
    raise RuntimeError("no\nkey")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (broken, "strange cannot be asked: RuntimeError: no key (3 of 3 queries)"),
        (lambda: None, "strange cannot be asked: it answers with NoneType"),
        (lambda: 5, "it answers with int"),
        (lambda: (1 / 0 for _ in "x"), "ZeroDivisionError"),
    ],
)
def test_a_provider_may_do_anything(answer: Callable[[], object], words: str) -> None:
    urls, told, report = look(answer)
    assert (urls, len(told), report.failed) == ([], 1, True)
    assert words in told[0]
    assert words in report.failures()


def test_what_a_provider_gives_is_checked() -> None:
    given = [
        SearchResult("HTTP://A.test", "strange", rank=1),
        SearchResult("http://a.test/typhoon", "", "Typhoon", rank="first"),  # type: ignore[arg-type]
        SearchResult("ftp://a.test/", "strange"), SearchResult(None, "strange"),  # type: ignore[arg-type]
        "http://b.test/", None
    ]  # fmt: skip
    urls, told, report = look(lambda: given)
    assert set(urls) == {"http://a.test/", "http://a.test/typhoon"}
    assert told == ["strange: results without an http address are left out: 12"]
    assert (report.counts(), report.failed) == ("strange 2", False)


def test_a_provider_without_a_name_goes_by_its_class(warned: list[str]) -> None:
    class Nameless:
        def search(self, query: str, count: int) -> list[SearchResult]:
            raise ValueError

    find_seeds(TOPIC, providers=[Nameless()])
    assert warned[0].startswith("Nameless cannot be asked: ValueError (3 of 3")


def test_options_that_cannot_be_used_are_still_an_error() -> None:
    options = OPTIONS.changed(netrc="/none/netrc")
    with pytest.raises(SettingsError, match="/none/netrc"):
        find_seeds(TOPIC, searxng="http://127.0.0.1:1", options=options)


def test_one_source_that_works_is_no_failure(warned: list[str]) -> None:
    reports: list[SeedReport] = []
    nothing = Strange(list)
    find_seeds(TOPIC, providers=[Strange(broken), nothing], report=reports.append)
    assert (reports[0].failed, reports[0].counts()) == (False, "strange failed, strange 0")


def test_plug_ins_of_version_0_1_find_their_names() -> None:
    with pytest.warns(DeprecationWarning, match="it was Found"):
        found = importlib.import_module("scenthound.seeding.found")
    assert found.Found is SearchResult


def test_a_proxy_could_not_reach_hosts_nearby() -> None:
    near = ["localhost:80", "127.0.0.1:80", "192.168.1.5", "[::1]:80", "searxng:80", "s.local"]
    far = ["searx.example.org", "8.8.8.8:8080", "[2606:4700::1111]:8080"]
    assert [host for host in (*near, *far) if is_nearby(f"http://{host}/")] == near
