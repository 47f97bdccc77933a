"""Search that goes wrong: what was found is kept, one sentence says why, the rest goes on."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from live.live_replies import no, ok
from live.live_web import LiveWeb
from scenthound import CrawlOptions, Topic, find_seeds
from scenthound.core.errors import SettingsError
from scenthound.sample.server import Reply
from scenthound.seeding.found import Found
from scenthound.seeding.report import Report
from seeding.seed_site import add_site

TOPIC = Topic("storms", ("typhoon", "storm surge"))
OPTIONS = CrawlOptions(allow_private=True, delay=0.0, timeout=5.0)


@pytest.fixture
def web() -> Iterator[LiveWeb]:
    with LiveWeb(hosts=4) as served:
        yield served


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


@pytest.mark.parametrize(("status", "asked"), [(429, 2), (500, 4)])
def test_a_server_that_has_enough_keeps_what_it_gave(web: LiveWeb, status: int, asked: int) -> None:
    web.add_below(3, "/search", failing_after(1, status))
    topic = replace(TOPIC, seeds=(add_site(web),))
    told: list[str] = []
    reports: list[Report] = []
    found = find_seeds(
        topic, ["searxng", "feeds"], searxng=web.url(3), options=OPTIONS, count=50,
        warn=told.append, report=reports.append,
    )  # fmt: skip
    sources = [each.sources[0] for each in found]
    assert (sources.count("searxng"), sources.count("feeds")) == (10, 1)
    assert len(told) == 1 and f"status {status}" in told[0]
    assert told[0].endswith("(3 of 3 queries); what it found is kept")
    assert reports[0].found() == "searxng 10, feeds 1"
    assert len([url for url in web.requested() if "/search" in url]) == asked


def test_other_queries_are_asked_after_one_that_fails(web: LiveWeb) -> None:
    good = failing_after(9, 500)
    web.add_below(3, "/search", lambda path: no(500) if "q=typhoon&" in path else good(path))
    told: list[str] = []
    found = find_seeds(TOPIC, searxng=web.url(3), options=OPTIONS, count=10, warn=told.append)
    assert len(found) == 10
    assert len(told) == 1 and "(1 of 3 queries)" in told[0]


class Strange:
    """A provider by somebody else."""

    name = "strange"

    def __init__(self, answer: Callable[[], object]) -> None:
        self._answer = answer

    def search(self, query: str, count: int) -> list[Found]:
        return self._answer()  # type: ignore[return-value]


def look(answer: Callable[[], object]) -> tuple[list[str], list[str], Report]:
    told: list[str] = []
    reports: list[Report] = []
    found = find_seeds(TOPIC, providers=[Strange(answer)], warn=told.append, report=reports.append)
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
        Found("HTTP://A.test", "strange", rank=1),
        Found("http://a.test/typhoon", "", "Typhoon", rank="first"),  # type: ignore[arg-type]
        Found("ftp://a.test/", "strange"), Found(None, "strange"),  # type: ignore[arg-type]
        "http://b.test/", None,
    ]  # fmt: skip
    urls, told, report = look(lambda: given)
    assert set(urls) == {"http://a.test/", "http://a.test/typhoon"}
    assert told == ["strange: results without an http address are left out: 12"]
    assert (report.found(), report.failed) == ("strange 2", False)


def test_a_provider_without_a_name_goes_by_its_class() -> None:
    class Nameless:
        def search(self, query: str, count: int) -> list[Found]:
            raise ValueError

    told: list[str] = []
    find_seeds(TOPIC, providers=[Nameless()], warn=told.append)  # type: ignore[list-item]
    assert told[0].startswith("Nameless cannot be asked: ValueError (3 of 3")


def test_options_that_cannot_be_used_are_still_an_error() -> None:
    options = replace(OPTIONS, netrc="/none/netrc")
    with pytest.raises(SettingsError, match="/none/netrc"):
        find_seeds(TOPIC, searxng="http://127.0.0.1:1", options=options)


def test_one_source_that_works_is_no_failure() -> None:
    reports: list[Report] = []
    nothing = Strange(list)
    find_seeds(TOPIC, providers=[Strange(broken), nothing], warn=print, report=reports.append)
    assert (reports[0].failed, reports[0].found()) == (False, "strange failed, strange 0")
