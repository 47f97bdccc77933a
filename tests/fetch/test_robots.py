"""Clearance: robots.txt before the first page of a site, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crawler.scripted_downloads import AGENT, NOW, HandClock, Reply, candidate, memory_frontier, url
from scenthound.core.model import ScoredLink
from scenthound.core.protocols import RobotsFile
from scenthound.fetch.messages import FetchRequest, Purpose
from scenthound.fetch.robots import BY_ROBOTS, NotCleared, RobotsClearance, RobotsRulesCache
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier

DELAY = 2.0
ORIGIN = "http://a.test"
ROBOTS = FetchRequest(f"{ORIGIN}/robots.txt", Purpose.ROBOTS, ORIGIN)
ROBOTS_B = FetchRequest("http://b.test/robots.txt", Purpose.ROBOTS, "http://b.test")


class Scene:
    """A clearance with what it looks at, and what it said."""

    def __init__(self, frontier: SqliteFrontier) -> None:
        self.clock = HandClock()
        self.frontier = frontier
        self.verdicts: list[NotCleared] = []
        self.clearance = RobotsClearance(
            RobotsRulesCache(AGENT, self.clock), frontier, DELAY, self.verdicts.append
        )

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


def lines(*told: str) -> Reply:
    return Reply(body="\n".join(("User-agent: *", *told)).encode())


# before the answer


def test_the_first_page_of_a_site_has_robots_txt_fetched_the_others_wait(scene: Scene) -> None:
    assert scene.clearance.clear(candidate("a/1")) == ROBOTS
    assert scene.clearance.clear(candidate("a/2")) is None
    assert scene.clearance.parked == 2
    assert scene.due(1e9) == []
    assert scene.clearance.next_due() is None
    assert scene.verdicts == []
    other = scene.clearance.clear(candidate("b/1"))  # every origin has its own
    assert other is not None and other.url == url("b/robots.txt")


# allowed


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


# forbidden


def test_what_is_forbidden_is_refused_and_the_first_of_the_rest_asked_for(scene: Scene) -> None:
    for name in ("a/no/1", "a/1", "a/no/2", "a/2"):
        scene.clearance.clear(candidate(name))
    scene.answer(lines("Disallow: /no"))
    assert scene.due(2.0) == [FetchRequest(url("a/1"))]
    assert scene.verdicts == [
        NotCleared(candidate("a/no/1"), BY_ROBOTS),
        NotCleared(candidate("a/no/2")),  # looked at when its turn comes
        NotCleared(candidate("a/2")),
    ]
    assert scene.clearance.clear(candidate("a/no/3")) is None
    assert scene.verdicts[-1] == NotCleared(candidate("a/no/3"), BY_ROBOTS)


def test_where_all_is_forbidden_the_host_rests_once(scene: Scene) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(lines("Disallow: /"))
    assert scene.verdicts == [NotCleared(candidate("a/1"), BY_ROBOTS)]
    assert scene.due(1e9) == []
    assert scene.free_at() == 2.0


# slowly


@pytest.mark.parametrize(("asked", "given"), [("30", 30.0), ("0.5", 2.0)])
def test_a_crawl_delay_goes_before_ours_where_it_is_longer(
    scene: Scene, asked: str, given: float
) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(lines(f"Crawl-delay: {asked}"))
    assert scene.clearance.next_due() == NOW + given
    assert scene.free_at() == 2 * given
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
    return RobotsClearance(cache, scene.frontier, DELAY, scene.verdicts.append)


def rested_after_an_answer(scene: Scene) -> float:
    """Seconds that the host rests after it has answered."""
    scene.frontier.add([ScoredLink(url("a/1"), 1), ScoredLink(url("a/2"), 1)])
    assert scene.frontier.take(url("a/1"), NOW + 1_000.0) is not None
    scene.frontier.record_response(url("a/1"), NOW + 1_001.0)
    at = scene.frontier.next_time(NOW + 1_001.0)
    assert at is not None
    return at - NOW - 1_001.0


def test_the_delay_is_told_before_others_can_read_the_file(scene: Scene) -> None:
    clearance = shared(scene, Files())
    clearance.clear(candidate("a/1"))
    with pytest.raises(KeyboardInterrupt):
        clearance.read(Reply(body=SLOW).to(ROBOTS, NOW), NOW)
    assert rested_after_an_answer(scene) == 30.0


def test_the_delay_in_a_file_that_another_has_read_is_told_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, slow_down = list[str](), scene.frontier.slow_down

    def counted(host: str, delay: float) -> None:
        told.append(host)
        slow_down(host, delay)

    monkeypatch.setattr(scene.frontier, "slow_down", counted)
    clearance = shared(scene, Files(RobotsFile(NOW + 60.0, 200, SLOW)))
    asks = [clearance.clear(candidate(name)) for name in ("a/1", "a/2")]
    assert asks == [FetchRequest(url("a/1")), FetchRequest(url("a/2"))]
    assert told == ["a.test"]
    assert rested_after_an_answer(scene) == 30.0


# unreadable


def test_a_site_that_cannot_say_now_is_not_asked_for_a_page(scene: Scene) -> None:
    for name in ("a/1", "a/2"):
        scene.clearance.clear(candidate(name))
    scene.answer(Reply(503))
    reason = "robots.txt unreadable: status 503"
    both = [NotCleared(candidate(name), reason, True) for name in ("a/1", "a/2")]
    assert scene.verdicts == both
    assert scene.clearance.parked == 0
    assert scene.clearance.clear(candidate("a/3")) == ROBOTS  # asked again


def test_a_site_that_does_not_answer_is_asked_again_with_its_next_page(scene: Scene) -> None:
    for again in (True, False):
        assert scene.clearance.clear(candidate("a/1")) == ROBOTS
        scene.answer(Reply(no="timeout", again=again))
        reason = "robots.txt unreadable: timeout"
        assert scene.verdicts[-1] == NotCleared(candidate("a/1"), reason, again)


# moved


def moved(to: str, status: int = 301) -> Reply:
    return Reply(status, b"", (("Location", to),))


def test_a_robots_txt_that_has_moved_is_followed_after_a_rest(scene: Scene) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(moved("http://www.a.test/r.txt"))
    assert scene.due(1.9) == []
    (onward,) = scene.due(2.0)
    assert onward == FetchRequest("http://www.a.test/r.txt", Purpose.ROBOTS, ORIGIN, 1)
    scene.answer(lines("Disallow: /"), onward)
    assert scene.verdicts == [NotCleared(candidate("a/1"), BY_ROBOTS)]


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


# ending


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


def test_what_is_let_go_of_leaves_its_host_resting(scene: Scene) -> None:
    scene.clearance.put_off_rendering(FetchRequest(url("a/1")), NOW)  # its first half has just come
    assert scene.clearance.empty() == [url("a/1")]
    assert scene.free_at() == DELAY


def test_so_does_a_robots_txt_that_has_moved(scene: Scene) -> None:
    scene.clearance.clear(candidate("a/1"))
    scene.answer(moved("http://www.a.test/r.txt"))
    assert scene.clearance.empty() == [url("a/1")]
    assert scene.free_at() == DELAY
