"""What the crawl leases next, what it costs, and why it stops."""

from __future__ import annotations

import random

import pytest

from core.crawl_building import ListJournal, Rig, page, rig
from scenthound.core.crawl import BUDGET_SPENT, FRONTIER_EMPTY
from scenthound.core.events import MissingEvent, StartedEvent, StoppedEvent
from scenthound.core.model import Candidate
from scenthound.core.protocols import Policy
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.policies import Greedy, Uniform


def stop_reasons(journal: ListJournal) -> list[str]:
    return [event.reason for event in journal.events if isinstance(event, StoppedEvent)]


@pytest.mark.parametrize("policy", [Greedy(random.Random(0)), Uniform(random.Random(0))])
def test_seeds_come_first_and_in_order_whatever_the_policy(policy: Policy) -> None:
    made = rig("s1", "s2", "s3", policy=policy, table={"s3": 9.0, "x": 9.0})
    assert [made.lease(), made.lease()] == ["s1", "s2"]
    made.crawl.observe("s1", page("s1", "x", "s3"))
    assert [made.lease(), made.lease()] == ["s3", "x"]


def test_a_seed_given_twice_is_fetched_once() -> None:
    made = rig("s1", "s2", "s1")
    assert made.run([page("s1"), page("s2")]) == ["s1", "s2"]
    started = made.journal.events[0]
    assert isinstance(started, StartedEvent) and started.seeds == ("s1", "s2")


def test_then_the_best_link_comes_first() -> None:
    made = rig("s", table={"a": 0.2, "b": 0.9, "c": 0.5})
    web = [page("s", "a", "b", "c"), page("a"), page("b"), page("c")]
    assert made.run(web) == ["s", "b", "c", "a"]


def test_no_seeds_means_an_empty_frontier() -> None:
    made = rig()
    assert made.crawl.next() is None
    assert made.crawl.stop_reason == FRONTIER_EMPTY == "frontier empty"
    assert stop_reasons(made.journal) == [FRONTIER_EMPTY]


def test_the_budget_counts_pages() -> None:
    made = rig("s", budget=2)
    assert made.run([page("s", "a", "b"), page("a"), page("b")]) == ["s", "a"]
    assert made.crawl.spent == 2
    assert made.crawl.stop_reason == BUDGET_SPENT == "budget spent"
    assert stop_reasons(made.journal) == [BUDGET_SPENT]


def test_leased_pages_count_before_they_arrive() -> None:
    made = rig("s1", "s2", "s3", budget=2)
    assert [made.lease(), made.lease()] == ["s1", "s2"]
    assert made.crawl.spent == 2
    assert made.crawl.next() is None
    assert made.crawl.stop_reason is None  # two answers are still to come
    made.crawl.missing("s1")
    assert made.lease() == "s3"


def test_missing_targets_are_free() -> None:
    made = rig("s", budget=2)
    assert made.run([page("s", "a", "b", "c"), page("c")]) == ["s", "a", "b", "c"]
    assert made.crawl.spent == 2
    assert made.crawl.summary.missing == 2


def test_missing_targets_are_charged_if_asked() -> None:
    made = rig("s", budget=3, count_missing=True)
    assert made.run([page("s", "a", "b", "c"), page("c")]) == ["s", "a", "b"]
    assert made.crawl.spent == 3
    assert made.crawl.stop_reason == BUDGET_SPENT


def test_a_redirect_to_a_known_page_is_free() -> None:
    made = rig("s", "old", budget=1, count_missing=True)
    made.lease()
    made.crawl.turned_away("s", "elsewhere")
    assert made.crawl.spent == 0
    assert made.lease() == "old"


def test_an_open_lease_keeps_the_crawl_alive() -> None:
    made = rig("s")
    made.lease()
    assert made.crawl.next() is None
    assert made.crawl.stop_reason is None
    made.crawl.observe("s", page("s", "a"))
    assert made.lease() == "a"


def test_urls_that_wait_for_a_retry_keep_the_crawl_alive() -> None:
    made = rig("s")
    made.frontier.take("s", 0.0)
    made.frontier.fail("s", 1_000.0)
    assert made.crawl.next() is None
    assert made.crawl.stop_reason is None


def test_an_engine_may_stop_the_crawl_and_the_first_reason_stays() -> None:
    made = rig("s")
    made.crawl.stop("the user pressed Ctrl-C")
    made.crawl.stop("something else")
    assert made.crawl.next() is None
    assert made.crawl.stop_reason == "the user pressed Ctrl-C"
    assert stop_reasons(made.journal) == ["the user pressed Ctrl-C"]


def test_asking_on_after_the_end_writes_nothing_more() -> None:
    made = rig("s")
    made.run([page("s")])
    written = len(made.journal.events)
    assert made.crawl.next() is None
    assert len(made.journal.events) == written


def test_is_leased_tells_what_is_out() -> None:
    made = rig("s")
    assert not made.crawl.is_leased("s")
    made.lease()
    assert made.crawl.is_leased("s")
    made.crawl.missing("s")
    assert not made.crawl.is_leased("s")


def answer(made: Rig, how: str, url: str) -> None:
    match how:
        case "observe":
            made.crawl.observe(url, page(url))
        case "missing":
            made.crawl.missing(url)
        case "duplicate":
            made.crawl.turned_away(url, "elsewhere")


@pytest.mark.parametrize("second", ["observe", "missing", "duplicate"])
@pytest.mark.parametrize("first", ["observe", "missing", "duplicate"])
def test_a_lease_is_answered_exactly_once(first: str, second: str) -> None:
    made = rig("s")
    made.lease()
    answer(made, first, "s")
    before = made.crawl.summary
    with pytest.raises(ValueError, match="s was not leased, or has been answered already"):
        answer(made, second, "s")
    assert made.crawl.summary == before


@pytest.mark.parametrize("how", ["observe", "missing", "duplicate"])
def test_an_answered_url_does_not_come_back_when_its_lease_would_expire(how: str) -> None:
    made = rig("s", frontier=MemoryFrontier(lease_seconds=0.5))  # the clock goes on by 1 each time
    answer(made, how, made.lease())
    assert made.crawl.next() is None
    assert made.crawl.stop_reason == FRONTIER_EMPTY


@pytest.mark.parametrize("how", ["observe", "missing", "duplicate"])
def test_what_was_not_leased_cannot_be_answered(how: str) -> None:
    made = rig("s")
    with pytest.raises(ValueError, match="not leased"):
        answer(made, how, "s")


def test_missing_targets_are_told_before_the_next_page_with_five_examples() -> None:
    made = rig("s", table={f"m{i}": 0.9 for i in range(7)} | {"b": 0.8, "m": 0.1})
    made.run([page("s", *(f"m{i}" for i in range(7)), "b", "m"), page("b")])
    kinds = [line["event"] for line in made.journal.lines()]
    assert kinds == ["started", "page", "missing", "page", "missing", "stopped"]
    told = [event for event in made.journal.events if isinstance(event, MissingEvent)]
    assert told == [MissingEvent(7, ("m0", "m1", "m2", "m3", "m4")), MissingEvent(1, ("m",))]


class HoldingBack(MemoryFrontier):
    """Hands nothing out by ``lease``, as when all hosts must be left in peace."""

    def lease(self, most: int, now: float) -> list[Candidate]:
        return []


def test_a_frontier_that_holds_back_is_not_empty() -> None:
    made = rig("s", frontier=HoldingBack())
    made.fetch(page("s", "a"))
    assert made.crawl.next() is None
    assert made.crawl.stop_reason is None
