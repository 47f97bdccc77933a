"""Clearance: robots.txt before the first page of a site, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pytest import MonkeyPatch

from crawler.scripted_downloads import AGENT, NOW, HandClock, Reply, candidate, memory_frontier, url
from scenthound.core.model import Candidate, ScoredLink
from scenthound.core.protocols import RobotsFile
from scenthound.core.urls import canonical
from scenthound.fetch import robots
from scenthound.fetch.client import FetchRequest, Purpose
from scenthound.fetch.robots import RobotsClearance, RobotsRules, RobotsRulesCache
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier

DELAY = 2.0
ORIGIN = "http://a.test"
ROBOTS = FetchRequest(f"{ORIGIN}/robots.txt", Purpose.ROBOTS, ORIGIN)
ROBOTS_B = FetchRequest("http://b.test/robots.txt", Purpose.ROBOTS, "http://b.test")


class NotCleared(NamedTuple):
    """What a clearance says of a candidate."""

    candidate: Candidate
    reason: str = ""
    may_retry: bool = False


class Scene:
    """A clearance with what it looks at, and what it said."""

    def __init__(self, frontier: SqliteFrontier) -> None:
        self.clock = HandClock()
        self.frontier = frontier
        self.verdicts: list[NotCleared] = []
        self.clearance = RobotsClearance(
            RobotsRulesCache(AGENT, self.clock), frontier, DELAY, self.reject
        )

    def reject(self, *verdict: Any) -> None:
        self.verdicts.append(NotCleared(*verdict))

    def due(self, after: float) -> list[FetchRequest]:
        return list(self.clearance.due(NOW + after))

    def answer(self, reply: Reply, ask: FetchRequest = ROBOTS) -> None:
        """The robots.txt comes, at the time of the clock."""
        self.clearance.read(reply.to(ask, self.clock()), self.clock())

    def free_at(self) -> float:
        """Seconds from the start until the host of a URL that waits may be asked."""
        self.frontier.add([ScoredLink(url("a/new"), 1)])
        at = self.frontier.next_time(NOW)
        assert at is not None
        return at - NOW


@pytest.fixture
def scene() -> Iterator[Scene]:
    with memory_frontier(PolitenessPolicy(delay=DELAY, per_host=1)) as frontier:
        yield Scene(frontier)


def lines(*reported: str) -> Reply:
    return Reply(body="\n".join(("User-agent: *", *reported)).encode())


def test_the_first_page_of_a_site_has_robots_txt_fetched_the_others_wait(scene: Scene) -> None:
    assert scene.clearance.clear(candidate("a/1")) == ROBOTS
    assert scene.clearance.clear(candidate("a/2")) is None
    assert scene.clearance.parked == 2
    assert scene.due(1e9) == []
    assert scene.clearance.next_due() is None
    assert scene.verdicts == []
    other = scene.clearance.clear(candidate("b/1"))  # every origin has its own
    assert other is not None and other.url == url("b/robots.txt")


def test_after_the_answer_the_first_is_asked_for_when_the_host_has_rested(scene: Scene) -> None:
    for name in ("a/1", "a/2", "a/3"):
        scene.clearance.clear(candidate(name))
    scene.answer(Reply(404))
    assert scene.verdicts == [NotCleared(candidate("a/2")), NotCleared(candidate("a/3"))]
    assert scene.clearance.parked == 1
    assert scene.clearance.next_due() == NOW + 2.0
    assert scene.due(1.9) == []
    assert scene.due(2.0) == [FetchRequest(url("a/1"))]
    assert scene.clearance.parked == 0
    assert scene.free_at() == 4.0  # a delay for robots.txt, another one for the page


def test_a_site_that_is_known_is_asked_at_once_for_a_day(scene: Scene) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(Reply(404))
    assert scene.clearance.clear(candidate("a/2")) == FetchRequest(url("a/2"))
    scene.clock.forward(24 * 3600)
    assert scene.clearance.clear(candidate("a/3")) == ROBOTS


def test_what_is_forbidden_is_refused_and_the_first_of_the_rest_asked_for(scene: Scene) -> None:
    for name in ("a/no/1", "a/1", "a/no/2", "a/2"):
        scene.clearance.clear(candidate(name))
    scene.answer(lines("Disallow: /no"))
    assert scene.due(2.0) == [FetchRequest(url("a/1"))]
    assert scene.verdicts == [
        NotCleared(candidate("a/no/1"), robots.BY_ROBOTS),
        NotCleared(candidate("a/no/2")),  # looked at when its turn comes
        NotCleared(candidate("a/2")),
    ]
    assert scene.clearance.clear(candidate("a/no/3")) is None
    assert scene.verdicts[-1] == NotCleared(candidate("a/no/3"), robots.BY_ROBOTS)


def test_where_all_is_forbidden_the_host_rests_once(scene: Scene) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(lines("Disallow: /"))
    assert scene.verdicts == [NotCleared(candidate("a/1"), robots.BY_ROBOTS)]
    assert scene.due(1e9) == []
    assert scene.free_at() == 2.0


@pytest.mark.parametrize(("asked", "given"), [("30", 30.0), ("0.5", 2.0)])
def test_a_longer_crawl_delay_goes_before_ours(scene: Scene, asked: str, given: float) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(lines(f"Crawl-delay: {asked}"))
    assert scene.clearance.next_due() == NOW + given
    assert scene.free_at() == 2 * given
    (request,) = scene.due(given)
    assert request.crawl_delay == float(asked)  # what a browser waits before it runs scripts
    assert rested_after_an_answer(scene) == given


class Files:
    """What workers share; ``keep`` may be their last act."""

    def __init__(self, found: RobotsFile | None = None) -> None:
        self.found = found

    def find(self, origin: str) -> RobotsFile | None:
        return self.found

    def keep(self, origin: str, found: RobotsFile) -> None:
        self.found = found
        raise KeyboardInterrupt


SLOW = b"User-agent: *\nCrawl-delay: 30"


def shared(scene: Scene, files: Files) -> RobotsClearance:
    """A clearance that shares robots.txt files."""
    cache = RobotsRulesCache(AGENT, scene.clock, shared=files)
    return RobotsClearance(cache, scene.frontier, DELAY, scene.reject)


def rested_after_an_answer(scene: Scene) -> float:
    """Seconds that the host rests after it has answered."""
    scene.frontier.add([ScoredLink(url("a/1"), 1), ScoredLink(url("a/2"), 1)])
    assert scene.frontier.take(url("a/1"), NOW + 1_000.0) is not None
    scene.frontier.record_response(url("a/1"), NOW + 1_001.0)
    at = scene.frontier.next_time(NOW + 1_001.0)
    assert at is not None
    return at - NOW - 1_001.0


def test_the_delay_is_reported_before_others_can_read_the_file(scene: Scene) -> None:
    clearance = shared(scene, Files())
    clearance.clear(candidate("a/1"))
    with pytest.raises(KeyboardInterrupt):
        clearance.read(Reply(body=SLOW).to(ROBOTS, NOW), NOW)
    assert rested_after_an_answer(scene) == 30.0


def test_the_delay_that_another_has_read_is_reported(
    scene: Scene, monkeypatch: MonkeyPatch
) -> None:
    reported, slow_down = list[str](), scene.frontier.slow_down

    def counted(host: str, delay: float) -> None:
        reported.append(host)
        slow_down(host, delay)

    monkeypatch.setattr(scene.frontier, "slow_down", counted)
    clearance = shared(scene, Files(RobotsFile(NOW + 60.0, 200, SLOW)))
    asks = [clearance.clear(candidate(name)) for name in ("a/1", "a/2")]
    assert asks == [FetchRequest(url(name), crawl_delay=30.0) for name in ("a/1", "a/2")]
    assert reported == ["a.test"]
    assert rested_after_an_answer(scene) == 30.0


def test_a_site_that_does_not_answer_is_asked_again_with_its_next_page(scene: Scene) -> None:
    for again in (True, False):
        assert scene.clearance.clear(candidate("a/1")) == ROBOTS
        scene.answer(Reply(no="timeout", again=again))
        reason = "robots.txt unreadable: timeout"
        assert scene.verdicts[-1] == NotCleared(candidate("a/1"), reason, again)
    for name in ("a/1", "a/2"):
        scene.clearance.clear(candidate(name))
    scene.answer(Reply(503))
    reason = "robots.txt unreadable: status 503"
    both = [NotCleared(candidate(name), reason, True) for name in ("a/1", "a/2")]
    assert scene.verdicts[-2:] == both
    assert scene.clearance.parked == 0
    assert scene.clearance.clear(candidate("a/3")) == ROBOTS  # asked again


def moved(to: str, status: int = 301) -> Reply:
    return Reply(status, b"", (("Location", to),))


def test_a_robots_txt_that_has_moved_is_followed_after_a_rest(scene: Scene) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(moved("http://www.a.test/r.txt"))
    assert scene.due(1.9) == []
    (onward,) = scene.due(2.0)
    assert onward == FetchRequest("http://www.a.test/r.txt", Purpose.ROBOTS, ORIGIN, 1)
    scene.answer(lines("Disallow: /"), onward)
    assert scene.verdicts == [NotCleared(candidate("a/1"), robots.BY_ROBOTS)]


def test_five_moves_are_followed_the_sixth_means_there_is_none(scene: Scene) -> None:
    scene.clearance.clear(candidate("a/1"))
    ask = ROBOTS
    for hop in range(1, 6):
        scene.answer(moved(f"/{hop}"), ask)
        (ask,) = scene.due(1e9)
        assert (ask.url, ask.hops) == (url(f"a/{hop}"), hop)
    scene.answer(moved("/6"), ask)
    assert scene.due(2.0) == [FetchRequest(url("a/1"))]
    assert scene.clearance.clear(candidate("b/1")) == ROBOTS_B
    scene.answer(moved("mailto:x@b.test"), ROBOTS_B)  # to nowhere: there is none either
    assert scene.due(2.0) == [FetchRequest(url("b/1"))]


def test_letting_go_gives_back_every_page(scene: Scene) -> None:
    for name in ("a/1", "b/1", "b/2", "c/1"):
        scene.clearance.clear(candidate(name))
    scene.answer(Reply(404))  # a/1 waits for its time now
    scene.answer(
        moved("/r"), FetchRequest("http://c.test/robots.txt", Purpose.ROBOTS, "http://c.test")
    )
    given_back = sorted(scene.clearance.empty())
    assert given_back == [url(name) for name in ("a/1", "b/1", "b/2", "c/1")]
    assert scene.clearance.parked == 0
    assert scene.clearance.empty() == []
    assert scene.due(1e9) == []


def test_a_moved_robots_txt_that_is_let_go_of_leaves_its_host_resting(scene: Scene) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(moved("http://www.a.test/r.txt"))
    assert scene.clearance.empty() == [url("a/1")]
    assert scene.free_at() == DELAY


# robots.txt as RFC 9309 has it, dirt included, and how long it is known.


def rules(text: str | bytes, status: int = 200) -> RobotsRules:
    return RobotsRules.read(status, text.encode() if isinstance(text, str) else text, AGENT)


def allows(text: str | bytes, path: str) -> bool:
    return rules(text).allows(canonical("http://a.test" + path))


FORBIDDEN: list[tuple[str | bytes, str]] = [
    ("User-agent: *\nDisallow: /", "/x"),
    ("User-agent: *\nDisallow: /a(b)", "/a(b)/c"),
    ("User-agent: *\nDisallow: /a%28b%29", "/a(b)"),
    ("User-agent: *\nDisallow: /a!b'c*d,e", "/a!b'cXd,e"),
    ("User-agent: *\nDisallow: /%7euser", "/~user/x"),
    ("User-agent: *\nDisallow: /caf%c3%a9", "/café"),
    (b"User-agent: *\nDisallow: /caf\xe9", "/caf%E9"),
    ("User-agent: *\nDisallow: /*.cgi$", "/a/b.cgi"),
    ("User-agent: *\nDisallow: /a%2Fb", "/a%2fb"),
    ("User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b"),
    ("USER-AGENT : *\n disallow : /x # not here", "/x"),
    ("User-agent: Scenthound\nDisallow: /x\n\nUser-agent: *\nAllow: /", "/x"),
    ("User-agent: SCENTHOUND (all versions)\nDisallow: /x", "/x"),
    ("User-agent: other\nUser-agent: scenthound/2.0\nDisallow: /x", "/x"),
    ("User-agent: scenthound\nDisallow: /x\n\nUser-agent: scenthound\nDisallow: /y", "/x"),
    ("\ufeffUser-agent: *\rDisallow: /x\r", "/x"),
    ("User-agent: *\nDisallow: /x".encode("utf-16"), "/x"),
    (b"\xff junk \x80\nUser-agent: *\x00\nDis\x00allow: /x", "/x"),
]

ALLOWED: list[tuple[str | bytes, str]] = [
    ("", "/x"),
    ("User-agent: *\nDisallow:", "/x"),
    ("User-agent: *\nDisallow: /", "/robots.txt"),
    ("User-agent: *\nDisallow: /a(b)", "/a"),
    ("User-agent: *\nDisallow: /a/\nAllow: /a/b", "/a/b"),
    ("User-agent: *\nDisallow: /x\n\nUser-agent: scenthound\nDisallow: /y", "/x"),
    ("User-agent: scent\nDisallow: /", "/x"),
    ("User-agent: scenthound-news\nDisallow: /", "/x"),
    ("# User-agent: scenthound\nDisallow: /", "/x"),
    ("<!DOCTYPE html>\n<html><body>Disallow: / User-agent: *</body></html>", "/x"),
]


def test_what_is_forbidden_and_allowed_also_without_rules_and_without_an_answer() -> None:
    assert [each for each in FORBIDDEN if allows(*each)] == []
    assert [each for each in ALLOWED if not allows(*each)] == []
    for status in [302, 401, 404, 451]:
        found = rules("User-agent: *\nDisallow: /", status)
        assert found.allows("http://a.test/x") and not found.temporary
    for status in [0, 429, 503]:
        found = rules("User-agent: *\nAllow: /", status)
        assert not found.allows("http://a.test/x") and found.temporary


@given(st.binary(max_size=200))
@example(b"User-agent: *\nCrawl-delay: 1e999\nRequest-rate: 1/0\nSitemap: http://[")
@example(b"User-agent: *\nDisallow: %\nDisallow: *$*$\nAllow: [")
def test_no_file_makes_it_fail(body: bytes) -> None:
    found = rules(body)
    assert found.allows("http://a.test/a%28b%29?c=[d]") in (True, False)
    assert not found.temporary


def test_a_long_file_is_read_up_to_the_last_whole_line() -> None:
    filler = "User-agent: *\n" + "# comment\n" * (robots.MAX_ROBOTS_BYTES // 10)
    cut = filler[: robots.MAX_ROBOTS_BYTES - len("Disallow: /")]
    body = cut[: cut.rindex("\n") + 1]
    body += (
        "#" * (robots.MAX_ROBOTS_BYTES - len(body) - len("\nDisallow: /"))
        + "\nDisallow: /private\n"
    )
    assert allows(body, "/x")
    assert not allows(body.replace("comment", "c"), "/private")


def test_delay_and_sitemaps() -> None:
    expected = {
        "Disallow: /x": None,
        "Crawl-delay: 2.5": 2.5,
        "Crawl-delay: 0": 0.0,
        "Crawl-delay: 86400": 120.0,
        "Crawl-delay: -1": None,
        "Crawl-delay: soon": None,
        "Crawl-delay: nan": None,
        "Request-rate: 2/1m 0400-0845": 30.0,
        "Request-rate: 1/10\nCrawl-delay: 3": 10.0,
        "Request-rate: 1/1\nCrawl-delay: 3": 3.0,
        "Request-rate: 0/10": None,
        "Crawl-delay: 9\n\nUser-agent: scenthound\nCrawl-delay: 1": 1.0,
    }
    assert {rule: rules(f"User-agent: *\n{rule}").delay for rule in expected} == expected
    maps = ["Sitemap: HTTP://A.test/s.xml", "Sitemap: /relative", "Sitemap: ftp://a.test/"]
    maps += [f"Sitemap: http://a.test/{n}.xml" for n in range(500)]
    found = rules("\n".join([*maps, *maps])).sitemaps
    assert found[:2] == ("http://a.test/s.xml", "http://a.test/0.xml")
    assert len(found) == len(set(found)) == 100


def test_product_token_and_origins() -> None:
    tokens = {
        "scenthound/0.1 (+https://x.org/bot)": "scenthound",
        " My-Crawler_x/2": "my-crawler_x",
        "": "",
        "(no name)": "",
    }
    assert {agent: robots.product_token(agent) for agent in tokens} == tokens
    text = b"User-agent: scenthound\nAllow: /\n\nUser-agent: *\nDisallow: /"
    assert not RobotsRules.read(200, text, "").allows("http://a.test/x")  # the rules for all
    assert robots.origin_of("https://a.test:8443/x/y?z=/") == "https://a.test:8443"
    assert robots.origin_of("http://[::1]:80/x") == "http://[::1]:80"
    assert robots.robots_url("http://a.test") == "http://a.test/robots.txt"


def test_rules_are_known_for_a_day_and_origins_not_asked_for_forgotten_first() -> None:
    time = HandClock()
    cache = RobotsRulesCache(AGENT, time)
    assert cache.state("http://a.test") is None
    known = cache.learn("http://a.test", 200, b"User-agent: *\nDisallow: /x")
    assert cache.learn("http://b.test", 503, b"").temporary
    assert cache.state("http://b.test") is None
    time.forward(24 * 3600 - 1)
    assert cache.state("http://a.test") is known
    time.forward(1)
    assert cache.state("http://a.test") is None
    cache.learn("http://a.test", 200, b"")
    cache.learn("http://a.test", 500, b"")  # a failure takes back what was known
    assert cache.state("http://a.test") is None
    cache = RobotsRulesCache(AGENT, HandClock(), most_bytes=2_200)
    for name in "abc":
        cache.learn(f"http://{name}.test", 200, b"#" * 300)
    assert cache.state("http://a.test") is not None
    cache.learn("http://d.test", 200, b"#" * 300)  # the one used longest ago is forgotten
    cached = [cache.state(f"http://{name}.test") is not None for name in "abcd"]
    assert cached == [True, False, True, True]
