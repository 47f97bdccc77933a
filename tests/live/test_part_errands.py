"""Errands: single fetches under the rules of a crawl, without a network."""

from __future__ import annotations

import gzip

import pytest

from live.part_building import (
    AGENT,
    NEVER,
    NO_ROBOTS,
    HandClock,
    Reply,
    ScriptedDownloads,
    robots_txt,
    url,
)
from scenthound.core.urls import host_of
from scenthound.live.downloads import DownloaderError
from scenthound.live.errands import Errands, Fetched, Unfetched
from scenthound.live.messages import Purpose
from scenthound.live.network import Network

XML = (("Content-Type", "application/xml"),)


class Desk:
    """Errands on a script, with the clock that they wait by."""

    def __init__(
        self,
        script: dict[str, Reply | list[Reply]],
        delay: float = 2.0,
        denied: tuple[str, ...] = (),
    ) -> None:
        def refusal(url: str) -> str | None:
            return "host denied" if host_of(url) in denied else None

        self.clock = HandClock()
        self.story: list[str] = []
        self.downloads = ScriptedDownloads(self.clock, script, self.story)
        self.errands = Errands(
            Network(AGENT, timeout=10.0, max_body=1_000), delay, clock=self.clock,
            sleep=self.clock.forward, downloads=self.downloads, denied=refusal,
        )  # fmt: skip

    def times(self) -> list[tuple[float, str]]:
        """When what was asked for, from the first request on."""
        first = self.downloads.asked[0][0]
        return [(at - first, ask.url) for at, ask in self.downloads.asked]


def test_robots_txt_comes_first_and_hosts_rest() -> None:
    desk = Desk({url("a/1"): Reply(body=b"one", headers=XML), url("a/2"): Reply(body=b"two")})
    answers = [desk.errands.file(url(name)) for name in ("a/1", "a/2")]
    assert answers[0] == Fetched(url("a/1"), "application/xml", b"one")
    assert desk.times() == [(0.0, url("a/robots.txt")), (3.0, url("a/1")), (6.0, url("a/2"))]


def test_another_host_is_asked_at_once() -> None:
    desk = Desk({url("a/1"): Reply(), url("b/1"): Reply()})
    desk.errands.file(url("a/1"))
    before = desk.clock()
    desk.errands.file(url("b/1"))
    at = [at for at, ask in desk.downloads.asked if ask.url == url("b/robots.txt")]
    assert at == [before]


def test_what_robots_txt_forbids_is_not_asked_for() -> None:
    desk = Desk({url("a/robots.txt"): robots_txt("Disallow: /no"), url("a/no"): Reply()})
    assert desk.errands.file(url("a/no")) == Unfetched(url("a/no"), "robots.txt")
    assert [ask.purpose for _, ask in desk.downloads.asked] == [Purpose.ROBOTS]


def test_a_packed_robots_txt_is_heeded() -> None:
    body = gzip.compress(b"User-agent: *\nDisallow: /no\nSitemap: http://a.test/s.xml")
    packed = Reply(body=body, headers=(("Content-Encoding", "gzip"),))
    desk = Desk({url("a/robots.txt"): packed})
    assert desk.errands.sitemaps(url("a/")) == (url("a/s.xml"),)
    assert desk.errands.file(url("a/no")) == Unfetched(url("a/no"), "robots.txt")


def test_what_a_person_denies_is_not_asked_for_even_behind_a_redirect() -> None:
    to_b = Reply(status=302, headers=(("Location", url("b/1")),))
    desk = Desk({url("a/1"): to_b, url("b/1"): Reply()}, denied=("b.test",))
    assert desk.errands.file(url("a/1")) == Unfetched(url("a/1"), "host denied")
    assert desk.errands.sitemaps(url("b/")) == Unfetched(url("b/"), "host denied")
    assert [ask.url for _, ask in desk.downloads.asked] == [url("a/robots.txt"), url("a/1")]


def test_it_says_what_a_robots_txt_forbids_that_it_has_read() -> None:
    desk = Desk({url("a/robots.txt"): robots_txt("Disallow: /no"), url("a/1"): Reply()})
    assert not desk.errands.forbids(url("a/no"))
    desk.errands.file(url("a/1"))
    assert desk.errands.forbids(url("a/no")) and not desk.errands.forbids(url("a/1"))


def test_a_crawl_delay_is_kept() -> None:
    desk = Desk({url("a/robots.txt"): robots_txt("Crawl-delay: 9"), url("a/1"): Reply()})
    desk.errands.file(url("a/1"))
    desk.errands.file(url("a/1"))
    assert [at for at, _ in desk.times()] == [0.0, 10.0, 20.0]


@pytest.mark.parametrize("reply", [Reply(status=500), Reply(no="timeout")])
def test_a_site_whose_robots_txt_cannot_be_read_is_left_alone(reply: Reply) -> None:
    desk = Desk({url("a/robots.txt"): reply, url("a/1"): Reply()})
    for name in ("a/1", "a/2"):
        answer = desk.errands.file(url(name))
        assert isinstance(answer, Unfetched) and answer.reason.startswith("robots.txt unreadable")
    assert len(desk.downloads.asked) == 1
    assert isinstance(desk.errands.sitemaps(url("a/")), Unfetched)


@pytest.mark.parametrize("reply", [Reply(status=429), Reply(no="connection refused")])
def test_a_host_that_is_down_is_not_asked_again(reply: Reply) -> None:
    desk = Desk({url("a/1"): reply, url("a/2"): Reply()})
    desk.errands.file(url("a/1"))
    assert isinstance(desk.errands.file(url("a/2")), Unfetched)
    assert url("a/2") not in [ask.url for _, ask in desk.downloads.asked]


def test_redirects_are_followed_under_the_rules_of_their_target() -> None:
    to_b = Reply(status=302, headers=(("Location", url("b/no")),))
    desk = Desk({url("a/1"): to_b, url("b/robots.txt"): robots_txt("Disallow: /no")})
    assert desk.errands.file(url("a/1")) == Unfetched(url("a/1"), "robots.txt")


def test_redirects_end() -> None:
    round_and_round = Reply(status=302, headers=(("Location", url("a/1")),))
    desk = Desk({url("a/1"): round_and_round, url("a/2"): Reply(status=302, headers=())})
    assert desk.errands.file(url("a/1")) == Unfetched(url("a/1"), "endless redirects")
    assert desk.errands.file(url("a/2")) == Unfetched(
        url("a/2"), "status 302 without a usable Location"
    )


def test_a_moved_robots_txt_is_found_and_one_that_moves_for_ever_is_none() -> None:
    moved = Reply(status=301, headers=(("Location", url("b/robots.txt")),))
    script: dict[str, Reply | list[Reply]] = {
        url("a/robots.txt"): moved,
        url("b/robots.txt"): robots_txt("Disallow: /"),
        url("c/robots.txt"): Reply(status=301, headers=(("Location", url("c/robots.txt")),)),
        url("c/1"): Reply(body=b"here"),
    }
    desk = Desk(script)
    assert desk.errands.file(url("a/1")) == Unfetched(url("a/1"), "robots.txt")
    assert isinstance(desk.errands.file(url("c/1")), Fetched)


def test_a_named_service_is_asked_without_robots_txt_and_may_not_lead_elsewhere() -> None:
    away = Reply(status=302, headers=(("Location", url("b/1")),))
    home = Reply(status=302, headers=(("Location", url("a/3")),))
    desk = Desk({url("a/1"): away, url("a/2"): home, url("a/3"): Reply(body=b"{}")})
    assert desk.errands.call(url("a/1")) == Unfetched(url("a/1"), f"it redirects to {url('b/1')}")
    assert isinstance(desk.errands.call(url("a/2")), Fetched)
    assert {ask.purpose for _, ask in desk.downloads.asked} == {Purpose.FILE}


def test_bodies_are_unpacked_and_cut() -> None:
    body = gzip.compress(b"0" * 100_000)
    packed = Reply(body=body, headers=(("Content-Encoding", "gzip"),))
    desk = Desk({url("a/robots.txt"): NO_ROBOTS, url("a/1"): packed})
    answer = desk.errands.file(url("a/1"))
    assert isinstance(answer, Fetched) and answer.body == b"0" * 1_000


def test_what_is_no_page_is_no_page() -> None:
    desk = Desk({url("a/1"): Reply(headers=(("Content-Type", "image/png"),))})
    assert desk.errands.page(url("a/1")) == Unfetched(url("a/1"), "type image/*")


def test_a_downloader_that_dies_or_loses_the_ask_is_replaced() -> None:
    desk = Desk({url("a/1"): NEVER, url("a/2"): Reply()})
    answer = desk.errands.file(url("a/1"))
    assert isinstance(answer, Unfetched) and answer.reason.startswith("cannot be read")
    assert isinstance(desk.errands.file(url("a/2")), Fetched)
    desk.downloads.arriving.send(desk.clock(), DownloaderError("the downloader ended"))
    assert isinstance(desk.errands.file(url("a/2")), Unfetched)
    assert desk.story.count("restarted") == 2
