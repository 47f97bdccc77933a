"""Errands: single fetches under the rules of a crawl, without a network."""

from __future__ import annotations

import gzip

from crawler import scripted_downloads as scripted
from crawler.scripted_downloads import Reply, url
from scenthound.core.urls import host_of
from scenthound.fetch.client import DownloaderError, Purpose
from scenthound.fetch.fetcher import FetchedUrl, Fetcher, FetchFailure
from scenthound.fetch.network import Network

XML = (("Content-Type", "application/xml"),)


class Scene:
    """Errands on a script, with the clock that they wait by."""

    def __init__(
        self,
        script: dict[str, Reply | list[Reply]],
        delay: float = 2.0,
        denied: tuple[str, ...] = (),
    ) -> None:
        def refusal(url: str) -> str | None:
            return "host denied" if host_of(url) in denied else None

        self.clock = scripted.HandClock()
        self.story: list[str] = []
        self.downloads = scripted.ScriptedDownloads(self.clock, script, self.story)
        self.fetcher = Fetcher(
            Network(scripted.AGENT, timeout=10.0, max_body=1_000), delay, clock=self.clock,
            sleep=self.clock.forward, downloads=self.downloads, denied=refusal,
        )  # fmt: skip

    def times(self) -> list[tuple[float, str]]:
        """When what was asked for, from the first request on."""
        first = self.downloads.asked[0][0]
        return [(at - first, ask.url) for at, ask in self.downloads.asked]


def test_robots_txt_comes_first_and_hosts_rest() -> None:
    scene = Scene({url("a/1"): Reply(body=b"one", headers=XML), url("a/2"): Reply(body=b"two")})
    answers = [scene.fetcher.file(url(name)) for name in ("a/1", "a/2")]
    assert answers[0] == FetchedUrl(url("a/1"), "application/xml", b"one")
    assert scene.times() == [(0.0, url("a/robots.txt")), (3.0, url("a/1")), (6.0, url("a/2"))]
    before = scene.clock()
    scene.fetcher.file(url("b/1"))
    at = [at for at, ask in scene.downloads.asked if ask.url == url("b/robots.txt")]
    assert at == [before]  # another host is asked at once
    scene = Scene({url("a/robots.txt"): scripted.robots_txt("Crawl-delay: 9"), url("a/1"): Reply()})
    for _ in range(2):
        scene.fetcher.file(url("a/1"))
    assert [at for at, _ in scene.times()] == [0.0, 10.0, 20.0]


def test_what_robots_txt_forbids_or_a_person_denies_is_not_asked_for() -> None:
    body = gzip.compress(b"User-agent: *\nDisallow: /no\nSitemap: http://a.test/s.xml")
    packed = Reply(body=body, headers=(("Content-Encoding", "gzip"),))
    scene = Scene({url("a/robots.txt"): packed, url("a/no"): Reply()})
    assert not scene.fetcher.forbids(url("a/no"))  # robots.txt was not read so far
    assert scene.fetcher.file(url("a/no")) == FetchFailure(url("a/no"), "robots.txt")
    assert [ask.purpose for _, ask in scene.downloads.asked] == [Purpose.ROBOTS]
    assert scene.fetcher.sitemaps(url("a/")) == (url("a/s.xml"),)
    assert scene.fetcher.forbids(url("a/no")) and not scene.fetcher.forbids(url("a/1"))
    to_b = Reply(status=302, headers=(("Location", url("b/1")),))
    scene = Scene({url("a/1"): to_b, url("b/1"): Reply()}, denied=("b.test",))
    assert scene.fetcher.file(url("a/1")) == FetchFailure(url("a/1"), "host denied")
    assert scene.fetcher.sitemaps(url("b/")) == FetchFailure(url("b/"), "host denied")
    assert [ask.url for _, ask in scene.downloads.asked] == [url("a/robots.txt"), url("a/1")]


def test_a_site_whose_robots_txt_cannot_be_read_or_that_is_down_is_left_alone() -> None:
    for reply in [Reply(status=500), Reply(no="timeout")]:
        scene = Scene({url("a/robots.txt"): reply, url("a/1"): Reply()})
        for name in ("a/1", "a/2"):
            answer = scene.fetcher.file(url(name))
            assert isinstance(answer, FetchFailure)
            assert answer.reason.startswith("robots.txt unreadable")
        assert len(scene.downloads.asked) == 1
        assert isinstance(scene.fetcher.sitemaps(url("a/")), FetchFailure)
    for reply in [Reply(status=429), Reply(no="connection refused")]:
        scene = Scene({url("a/1"): reply, url("a/2"): Reply()})
        scene.fetcher.file(url("a/1"))
        assert isinstance(scene.fetcher.file(url("a/2")), FetchFailure)
        assert url("a/2") not in [ask.url for _, ask in scene.downloads.asked]


def test_redirects_of_pages_and_robots_txt_are_followed_under_the_rules_of_their_target() -> None:
    scene = Scene({
        url("a/1"): Reply(status=302, headers=(("Location", url("b/no")),)),
        url("a/2"): Reply(status=302, headers=(("Location", url("a/2")),)),
        url("a/3"): Reply(status=302, headers=()),
        url("b/robots.txt"): scripted.robots_txt("Disallow: /no"),
        url("c/robots.txt"): Reply(status=301, headers=(("Location", url("b/robots.txt")),)),
        url("d/robots.txt"): Reply(status=301, headers=(("Location", url("d/robots.txt")),)),
        url("d/1"): Reply(body=b"here"),
    })  # fmt: skip
    reasons = {
        "a/1": "robots.txt",
        "a/2": "endless redirects",
        "a/3": "status 302 without a usable Location",
        "c/no": "robots.txt",  # a moved one is found
    }
    for name, reason in reasons.items():
        assert scene.fetcher.file(url(name)) == FetchFailure(url(name), reason)
    assert isinstance(scene.fetcher.file(url("d/1")), FetchedUrl)  # one that moves for ever is none


def test_a_named_service_is_asked_without_robots_txt_and_may_not_lead_elsewhere() -> None:
    away = Reply(status=302, headers=(("Location", url("b/1")),))
    home = Reply(status=302, headers=(("Location", url("a/3")),))
    scene = Scene({url("a/1"): away, url("a/2"): home, url("a/3"): Reply(body=b"{}")})
    assert scene.fetcher.call(url("a/1")) == FetchFailure(
        url("a/1"), f"it redirects to {url('b/1')}"
    )
    assert isinstance(scene.fetcher.call(url("a/2")), FetchedUrl)
    assert {ask.purpose for _, ask in scene.downloads.asked} == {Purpose.FILE}


def test_bodies_are_unpacked_and_cut_and_a_downloader_that_dies_is_replaced() -> None:
    body = gzip.compress(b"0" * 100_000)
    packed = Reply(body=body, headers=(("Content-Encoding", "gzip"),))
    image = Reply(headers=(("Content-Type", "image/png"),))
    scene = Scene({url("a/robots.txt"): scripted.NO_ROBOTS, url("a/1"): packed, url("a/2"): image})
    answer = scene.fetcher.file(url("a/1"))
    assert isinstance(answer, FetchedUrl) and answer.body == b"0" * 1_000
    assert scene.fetcher.page(url("a/2")) == FetchFailure(url("a/2"), "type image/*")
    scene = Scene({url("a/1"): scripted.NEVER, url("a/2"): Reply()})
    answer = scene.fetcher.file(url("a/1"))
    assert isinstance(answer, FetchFailure) and answer.reason.startswith("cannot be read")
    assert isinstance(scene.fetcher.file(url("a/2")), FetchedUrl)
    scene.downloads.arriving.send(scene.clock(), DownloaderError("the downloader ended"))
    assert isinstance(scene.fetcher.file(url("a/2")), FetchFailure)
    assert scene.story.count("restarted") == 2
