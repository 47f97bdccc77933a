"""Example pages: asked for before the crawl, and what becomes of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from core.crawl_building import ListJournal
from crawler.fetch_bench import bench
from crawler.scripted_downloads import NOW, HandClock, Reply, answer, memory_frontier, short, url
from frontier.frontier_contract import where
from scenthound.core.events import Event, FailedEvent, RejectedEvent
from scenthound.core.scope import UrlRules
from scenthound.crawler.control import ControlSignal
from scenthound.crawler.examples import EXAMPLES_COMPLETE, ExampleFetching
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier

A1 = url("a/1")


class Scene:
    """A gathering over a polite frontier."""

    def __init__(self, frontier: SqliteFrontier) -> None:
        self.frontier = frontier
        self.journal = ListJournal()
        self.clock = HandClock()

    def gather(self, *names: str) -> ExampleFetching:
        return ExampleFetching(map(url, names), self.frontier, self.journal, self.clock, UrlRules())

    def lease(self, gathering: ExampleFetching) -> str | None:
        candidate = gathering.next()
        return None if candidate is None else short(candidate.url)


@pytest.fixture
def scene() -> Iterator[Scene]:
    with memory_frontier(PolitenessPolicy(delay=2.0, per_host=1)) as frontier:
        yield Scene(frontier)


def test_examples_are_asked_for_once_each_and_hosts_in_turn(scene: Scene) -> None:
    gathering = scene.gather("a/1", "a/2", "b/1", "a/1")
    assert [scene.lease(gathering) for _ in range(3)] == ["a/1", "b/1", None]
    scene.frontier.record_response(A1, NOW)
    scene.clock.forward(2.0)
    assert [scene.lease(gathering) for _ in range(2)] == ["a/2", None]
    assert gathering.stop_reason is None


def test_a_page_that_came_is_kept_and_stays_leased(scene: Scene) -> None:
    gathering = scene.gather("a/1")
    taken = gathering.next()
    assert taken is not None and gathering.candidate(taken.url) is taken
    came = answer("a/1")
    gathering.take(came)
    (gathered,) = gathering.fetched
    assert (gathered.example, gathered.candidate, gathered.response) == (taken.url, taken, came)
    assert gathering.candidate(taken.url) is None
    assert gathering.stop_reason == EXAMPLES_COMPLETE
    assert where(scene.frontier, taken.url) == "leased"


def test_an_example_that_has_moved_is_followed_under_its_own_name(scene: Scene) -> None:
    gathering = scene.gather("a/1")
    gathering.next()
    assert gathering.redirected(A1, url("b/2")) == "followed"
    assert gathering.stop_reason is None
    assert scene.lease(gathering) == "b/2"
    gathering.take(answer("b/2"))
    (gathered,) = gathering.fetched
    assert gathered.example == A1
    assert gathered.candidate.redirects == (A1,)


def test_an_example_that_has_moved_to_one_that_came_is_lost(scene: Scene) -> None:
    gathering = scene.gather("a/1", "b/1")
    gathering.next(), gathering.next()
    gathering.take(answer("b/1"))
    assert gathering.redirected(A1, url("b/1")) == "not followed"
    assert gathering.lost == [(A1, f"redirects to {url('b/1')}")]
    assert gathering.stop_reason == EXAMPLES_COMPLETE


def test_redirects_end_after_ten(scene: Scene) -> None:
    gathering = scene.gather("a/0")
    for hop in range(10):
        assert scene.lease(gathering) == f"a/{hop}"
        assert gathering.redirected(url(f"a/{hop}"), url(f"a/{hop + 1}")) == "followed"
        scene.clock.forward(2.0)
    assert scene.lease(gathering) == "a/10"
    assert gathering.redirected(url("a/10"), url("a/11")) == "not followed"
    assert gathering.lost == [(url("a/0"), f"redirects to {url('a/11')}")]
    assert gathering.stop_reason == EXAMPLES_COMPLETE


LOSSES: list[tuple[str, Callable[[ExampleFetching], None], list[Event], str]] = [
    ("status 404", lambda it: it.take(answer("a/1", Reply(404))), [], "closed"),
    ("robots.txt", lambda it: it.rejected(A1, "robots.txt"),
     [RejectedEvent(NOW, A1, "robots.txt")], "closed"),
    ("timeout", lambda it: it.failed(A1, "timeout", None),
     [FailedEvent(NOW, A1, "timeout", 1, None)], "closed"),
    ("timeout", lambda it: it.failed(A1, "timeout", NOW + 30.0),
     [FailedEvent(NOW, A1, "timeout", 1, NOW + 30.0)], "waiting"),  # the crawl may try it again
]  # fmt: skip


def test_the_topic_does_not_wait_for_an_example_that_does_not_come() -> None:
    for reason, lose, events, place in LOSSES:
        with memory_frontier(PolitenessPolicy()) as frontier:
            scene = Scene(frontier)
            gathering = scene.gather("a/1")
            gathering.next()
            lose(gathering)
            assert (gathering.fetched, gathering.lost) == ([], [(A1, reason)])
            assert gathering.stop_reason == EXAMPLES_COMPLETE
            assert scene.journal.events == events
            assert where(frontier, A1) == place
            assert scene.gather().stop_reason == EXAMPLES_COMPLETE  # without examples


def test_an_example_that_has_moved_to_one_that_waits_is_the_same_page(scene: Scene) -> None:
    gathering = scene.gather("a/1", "b/1")
    assert scene.lease(gathering) == "a/1"
    assert gathering.redirected(A1, url("b/1")) == "followed"
    assert scene.lease(gathering) == "b/1"
    gathering.take(answer("b/1"))
    assert {each.example for each in gathering.fetched} == {A1, url("b/1")}
    assert gathering.stop_reason == EXAMPLES_COMPLETE


def test_one_not_asked_for_waits_again_and_one_closed_elsewhere_is_not_waited_for(
    scene: Scene,
) -> None:
    gathering = scene.gather("a/1")
    gathering.next()
    gathering.release(A1)
    scene.frontier.put_back(A1)
    assert gathering.stop_reason is None
    scene.clock.forward(2.0)
    assert scene.lease(gathering) == "a/1"
    scene.frontier.ack(A1)
    gathering = scene.gather("a/1")
    assert gathering.next() is None
    assert gathering.stop_reason == EXAMPLES_COMPLETE


def test_a_worker_gathers_politely() -> None:
    script = {"a/robots.txt": Reply(404), "b/1": Reply(503), "c/robots.txt": Reply(503)}
    with bench(script=script, concurrency=4, retries=3) as made:
        names = ("a/1", "a/2", "b/1", "c/1")
        journal = ListJournal()
        gathering = ExampleFetching(map(url, names), made.frontier, journal, made.clock, UrlRules())
        made.loop.run(
            gathering, gathering.take, lambda: ControlSignal.CONTINUE, gathering.redirects.append
        )
    assert [short(each.example) for each in gathering.fetched] == ["a/1", "a/2"]
    assert sorted((short(example), reason) for example, reason in gathering.lost) == [
        ("b/1", "status 503"),
        ("c/1", "robots.txt unreadable: status 503"),
    ]
    assert [at for at, name in made.asked() if name.startswith("a/")] == [0.0, 3.0, 6.0]
