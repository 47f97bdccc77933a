"""Clearance: robots.txt before the first page of a site, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from live.part_building import AGENT, NOW, HandClock, Reply, candidate, memory_frontier, url
from scenthound.core.model import Sighting
from scenthound.core.sharing import RobotsFile
from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.live.clearance import Clearance, Forbidden, TooSoon, Unreadable, Verdict
from scenthound.live.messages import Ask, Purpose
from scenthound.live.robots import RobotsCache

DELAY = 2.0
ORIGIN = "http://a.test"
ROBOTS = Ask(f"{ORIGIN}/robots.txt", Purpose.ROBOTS, ORIGIN)


class Desk:
    """A clearance with what it looks at, and what it said."""

    def __init__(self, frontier: SqliteFrontier) -> None:
        self.clock = HandClock()
        self.frontier = frontier
        self.verdicts: list[Verdict] = []
        self.clearance = Clearance(
            RobotsCache(AGENT, self.clock), frontier, DELAY, self.verdicts.append
        )

    def due(self, after: float) -> list[Ask]:
        return list(self.clearance.due(NOW + after))

    def answer(self, reply: Reply, ask: Ask = ROBOTS) -> None:
        """The robots.txt comes, at the time of the clock."""
        self.clearance.read(reply.to(ask, self.clock()), self.clock())

    def free_at(self) -> float:
        """Seconds from the start until the host of a URL that waits may be asked."""
        self.frontier.add([Sighting(url("a/new"), 1)])
        at = self.frontier.next_time(NOW)
        assert at is not None
        return at - NOW


@pytest.fixture
def desk() -> Iterator[Desk]:
    with memory_frontier(Manners(delay=DELAY, per_host=1)) as frontier:
        yield Desk(frontier)


def lines(*told: str) -> Reply:
    return Reply(body="\n".join(("User-agent: *", *told)).encode())


# before the answer


def test_the_first_page_of_a_site_has_robots_txt_fetched_the_others_wait(desk: Desk) -> None:
    assert desk.clearance.clear(candidate("a/1")) == ROBOTS
    assert desk.clearance.clear(candidate("a/2")) is None
    assert desk.clearance.parked == 2
    assert desk.due(1e9) == []
    assert desk.clearance.next_due() is None
    assert desk.verdicts == []


def test_every_origin_has_its_own(desk: Desk) -> None:
    asks = [desk.clearance.clear(candidate(name)) for name in ("a/1", "b/1")]
    assert [ask.url for ask in asks if ask] == [url("a/robots.txt"), url("b/robots.txt")]


# allowed


def test_after_the_answer_the_first_is_asked_for_when_the_host_has_rested(desk: Desk) -> None:
    for name in ("a/1", "a/2", "a/3"):
        desk.clearance.clear(candidate(name))
    desk.answer(Reply(404))
    assert desk.verdicts == [TooSoon(candidate("a/2")), TooSoon(candidate("a/3"))]
    assert desk.clearance.parked == 1
    assert desk.clearance.next_due() == NOW + 2.0
    assert desk.due(1.9) == []
    assert desk.due(2.0) == [Ask(url("a/1"))]
    assert desk.clearance.parked == 0
    assert desk.free_at() == 4.0  # a delay for robots.txt, another one for the page


def test_a_site_that_is_known_is_asked_at_once(desk: Desk) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(Reply(404))
    assert desk.clearance.clear(candidate("a/2")) == Ask(url("a/2"))


def test_a_site_is_asked_again_after_a_day(desk: Desk) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(Reply(404))
    desk.clock.forward(24 * 3600)
    assert desk.clearance.clear(candidate("a/2")) == ROBOTS


# forbidden


def test_what_is_forbidden_is_refused_and_the_first_of_the_rest_asked_for(desk: Desk) -> None:
    for name in ("a/no/1", "a/1", "a/no/2", "a/2"):
        desk.clearance.clear(candidate(name))
    desk.answer(lines("Disallow: /no"))
    assert desk.due(2.0) == [Ask(url("a/1"))]
    assert desk.verdicts == [
        Forbidden(candidate("a/no/1")),
        TooSoon(candidate("a/no/2")),  # looked at when its turn comes
        TooSoon(candidate("a/2")),
    ]
    assert desk.clearance.clear(candidate("a/no/3")) is None
    assert desk.verdicts[-1] == Forbidden(candidate("a/no/3"))


def test_where_all_is_forbidden_the_host_rests_once(desk: Desk) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(lines("Disallow: /"))
    assert desk.verdicts == [Forbidden(candidate("a/1"))]
    assert desk.due(1e9) == []
    assert desk.free_at() == 2.0


# slowly


@pytest.mark.parametrize(("asked", "given"), [("30", 30.0), ("0.5", 2.0), ("9999", 120.0)])
def test_a_crawl_delay_goes_before_ours_where_it_is_longer(
    desk: Desk, asked: str, given: float
) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(lines(f"Crawl-delay: {asked}"))
    assert desk.clearance.next_due() == NOW + given
    assert desk.free_at() == 2 * given


def test_the_frontier_is_told_of_a_crawl_delay(desk: Desk) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(lines("Disallow: /", "Crawl-delay: 30"))
    assert desk.free_at() == 30.0
    assert desk.frontier.take(url("a/new"), NOW + 30.0) is not None
    desk.frontier.answered(url("a/new"), NOW + 31.0)
    desk.frontier.ack(url("a/new"))
    desk.frontier.add([Sighting(url("a/newer"), 1)])
    assert desk.frontier.next_time(NOW + 31.0) == NOW + 61.0


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


def shared(desk: Desk, files: Files) -> Clearance:
    """A clearance that shares robots.txt files."""
    cache = RobotsCache(AGENT, desk.clock, shared=files)
    return Clearance(cache, desk.frontier, DELAY, desk.verdicts.append)


def rested_after_an_answer(desk: Desk) -> float:
    """Seconds that the host rests after it has answered."""
    desk.frontier.add([Sighting(url("a/1"), 1), Sighting(url("a/2"), 1)])
    assert desk.frontier.take(url("a/1"), NOW + 1_000.0) is not None
    desk.frontier.answered(url("a/1"), NOW + 1_001.0)
    at = desk.frontier.next_time(NOW + 1_001.0)
    assert at is not None
    return at - NOW - 1_001.0


def test_the_delay_is_told_before_others_can_read_the_file(desk: Desk) -> None:
    clearance = shared(desk, Files())
    clearance.clear(candidate("a/1"))
    with pytest.raises(KeyboardInterrupt):
        clearance.read(Reply(body=SLOW).to(ROBOTS, NOW), NOW)
    assert rested_after_an_answer(desk) == 30.0


def test_the_delay_in_a_file_that_another_has_read_is_told_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, slow_down = list[str](), desk.frontier.slow_down

    def counted(host: str, delay: float) -> None:
        told.append(host)
        slow_down(host, delay)

    monkeypatch.setattr(desk.frontier, "slow_down", counted)
    clearance = shared(desk, Files(RobotsFile(NOW + 60.0, 200, SLOW)))
    asks = [clearance.clear(candidate(name)) for name in ("a/1", "a/2")]
    assert asks == [Ask(url("a/1")), Ask(url("a/2"))]
    assert told == ["a.test"]
    assert rested_after_an_answer(desk) == 30.0


# unreadable


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_site_that_cannot_say_now_is_not_asked_for_a_page(desk: Desk, status: int) -> None:
    for name in ("a/1", "a/2"):
        desk.clearance.clear(candidate(name))
    desk.answer(Reply(status))
    reason = f"robots.txt unreadable: status {status}"
    both = [Unreadable(candidate(name), reason, True) for name in ("a/1", "a/2")]
    assert desk.verdicts == both
    assert desk.clearance.parked == 0
    assert desk.clearance.clear(candidate("a/3")) == ROBOTS  # asked again


@pytest.mark.parametrize("again", [True, False])
def test_a_site_that_does_not_answer_is_asked_again_with_its_next_page(
    desk: Desk, again: bool
) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(Reply(no="timeout", again=again))
    reason = "robots.txt unreadable: timeout"
    assert desk.verdicts == [Unreadable(candidate("a/1"), reason, again)]
    assert desk.clearance.clear(candidate("a/1")) == ROBOTS


# moved


def moved(to: str, status: int = 301) -> Reply:
    return Reply(status, b"", (("Location", to),))


def test_a_robots_txt_that_has_moved_is_followed_after_a_rest(desk: Desk) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(moved("http://www.a.test/r.txt"))
    assert desk.due(1.9) == []
    (onward,) = desk.due(2.0)
    assert onward == Ask("http://www.a.test/r.txt", Purpose.ROBOTS, ORIGIN, 1)
    desk.answer(lines("Disallow: /"), onward)
    assert desk.verdicts == [Forbidden(candidate("a/1"))]


def test_five_moves_are_followed_the_sixth_means_there_is_none(desk: Desk) -> None:
    desk.clearance.clear(candidate("a/1"))
    ask = ROBOTS
    for hop in range(1, 6):
        desk.answer(moved(f"/{hop}"), ask)
        (ask,) = desk.due(1e9)
        assert (ask.url, ask.hops) == (url(f"a/{hop}"), hop)
    desk.answer(moved("/6"), ask)
    assert desk.due(2.0) == [Ask(url("a/1"))]


def test_a_move_to_nowhere_means_there_is_none(desk: Desk) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(moved("mailto:x@a.test"))
    assert desk.due(2.0) == [Ask(url("a/1"))]


# ending


def test_letting_go_gives_back_every_page(desk: Desk) -> None:
    for name in ("a/1", "b/1", "b/2", "c/1"):
        desk.clearance.clear(candidate(name))
    desk.answer(Reply(404))  # a/1 waits for its time now
    desk.answer(moved("/r"), Ask("http://c.test/robots.txt", Purpose.ROBOTS, "http://c.test"))
    given_back = sorted(desk.clearance.empty())
    assert given_back == [url(name) for name in ("a/1", "b/1", "b/2", "c/1")]
    assert desk.clearance.parked == 0
    assert desk.clearance.empty() == []
    assert desk.due(1e9) == []


def test_what_is_let_go_of_leaves_its_host_resting(desk: Desk) -> None:
    desk.clearance.put_off_rendering(Ask(url("a/1")), NOW)  # its first half has just come
    assert desk.clearance.empty() == [url("a/1")]
    assert desk.free_at() == DELAY


def test_so_does_a_robots_txt_that_has_moved(desk: Desk) -> None:
    desk.clearance.clear(candidate("a/1"))
    desk.answer(moved("http://www.a.test/r.txt"))
    assert desk.clearance.empty() == [url("a/1")]
    assert desk.free_at() == DELAY
