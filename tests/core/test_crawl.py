"""What the crawl leases next, what it costs, and why it stops."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from core.crawl_building import ListJournal, Rig, TableScorer, TitleJudge, page, rig
from scenthound.core.crawl import (
    BUDGET_EXHAUSTED,
    ENDLESS_REDIRECTS,
    FRONTIER_EMPTY,
    Crawl,
    Greedy,
    Strategy,
)
from scenthound.core.events import (
    FailedEvent,
    MissingEvent,
    RedirectEvent,
    RejectedEvent,
    StartedEvent,
    StoppedEvent,
    Summary,
)
from scenthound.core.model import Budget, Candidate, Inlink, Score, ScoredLink
from scenthound.core.protocols import Policy
from scenthound.core.scope import LiveLinkRules
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.spec import Uniform


def stop_reasons(journal: ListJournal) -> list[str]:
    return [event.reason for event in journal.events if isinstance(event, StoppedEvent)]


def test_seeds_come_first_and_in_order_whatever_the_policy() -> None:
    policies: list[Policy] = [Greedy(random.Random(0)), Uniform(random.Random(0))]
    for policy in policies:
        made = rig("s1", "s2", "s3", policy=policy, table={"s3": 9.0, "x": 9.0})
        assert [made.lease(), made.lease()] == ["s1", "s2"]
        made.crawl.observe("s1", page("s1", "x", "s3"))
        assert [made.lease(), made.lease()] == ["s3", "x"]


def test_a_seed_given_twice_is_fetched_once() -> None:
    made = rig("s1", "s2", "s1")
    assert made.run([page("s1"), page("s2")]) == ["s1", "s2"]
    started = made.journal.events[0]
    assert isinstance(started, StartedEvent) and started.seeds == ("s1", "s2")


def test_the_budget_counts_pages() -> None:
    made = rig("s", budget=2)
    assert made.run([page("s", "a", "b"), page("a"), page("b")]) == ["s", "a"]
    assert made.crawl.budget_used == 2
    assert made.crawl.stop_reason == BUDGET_EXHAUSTED == "budget spent"
    assert stop_reasons(made.journal) == [BUDGET_EXHAUSTED]


def test_leased_pages_count_before_they_arrive() -> None:
    made = rig("s1", "s2", "s3", budget=2)
    assert [made.lease(), made.lease()] == ["s1", "s2"]
    assert made.crawl.budget_used == 2
    assert made.crawl.next() is None
    assert made.crawl.stop_reason is None  # two answers are still to come
    made.crawl.missing("s1")
    assert made.lease() == "s3"


def test_missing_targets_are_charged_if_asked() -> None:
    made = rig("s", budget=3, count_missing=True)
    assert made.run([page("s", "a", "b", "c"), page("c")]) == ["s", "a", "b"]
    assert made.crawl.budget_used == 3
    assert made.crawl.stop_reason == BUDGET_EXHAUSTED


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


def answer(made: Rig, how: str, url: str) -> None:
    match how:
        case "observe":
            made.crawl.observe(url, page(url))
        case "missing":
            made.crawl.missing(url)
        case "duplicate":
            made.crawl.redirect_rejected(url, "elsewhere")


def test_a_lease_is_answered_exactly_once() -> None:
    for second in ["observe", "missing", "duplicate"]:
        for first in ["observe", "missing", "duplicate"]:
            made = rig("s")
            made.lease()
            answer(made, first, "s")
            before = made.crawl.summary
            with pytest.raises(ValueError, match="s was not leased, or has been answered already"):
                answer(made, second, "s")
            assert made.crawl.summary == before


def test_an_answered_url_does_not_come_back_when_its_lease_would_expire() -> None:
    for how in ["observe", "missing", "duplicate"]:
        made = rig("s", frontier=MemoryFrontier(lease_seconds=0.5))
        answer(made, how, made.lease())
        assert made.crawl.next() is None
        assert made.crawl.stop_reason == FRONTIER_EMPTY


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


# What a live engine may answer besides a page: moved, forbidden, failed, never asked for.


# a redirect


def test_where_a_candidate_redirects_to_waits_in_its_place() -> None:
    made = rig("s", table={"a": 0.9})
    made.fetch(page("s", "a", "b"))
    assert made.crawl.redirected(made.lease(), "c") == "followed"
    moved = made.candidate()
    assert (moved.url, moved.redirects, moved.depth) == ("c", ("a",), 1)
    event = made.crawl.observe("c", replace(page("c"), redirects=moved.redirects))
    assert event.redirects == ("a",)
    assert RedirectEvent("a", "c", "followed") in made.journal.events


def test_a_seed_that_has_moved_is_still_fetched_first() -> None:
    made = rig("s", "t")
    made.crawl.redirected(made.lease(), "new")
    assert [made.lease(), made.lease()] == ["new", "t"]


def test_redirects_that_never_come_back_end_too() -> None:
    made = rig("r0")
    reasons = []
    for hop in range(1, 20):
        candidate = made.crawl.next()
        if candidate is None:
            break
        reasons.append(made.crawl.redirected(candidate.url, f"r{hop}"))
    assert reasons == ["followed"] * 10 + [ENDLESS_REDIRECTS]


def test_a_redirect_out_of_scope_is_not_followed() -> None:
    made = rig("s", exclude=["*/private/*"])
    assert made.crawl.redirected(made.lease(), "http://a.test/private/x") == "excluded"
    assert len(made.frontier) == 0


# refused, failed, forgotten


def test_a_refused_candidate_is_closed_and_costs_nothing() -> None:
    made = rig("s", budget=1)
    made.crawl.rejected(made.lease(), "robots.txt")
    assert (made.crawl.budget_used, made.crawl.summary.refused) == (0, 1)
    assert made.frontier.is_closed("s")
    (refused,) = (each for each in made.journal.events if isinstance(each, RejectedEvent))
    assert (refused.url, refused.reason) == ("s", "robots.txt")


def test_a_failed_candidate_waits_for_its_time_or_is_given_up() -> None:
    made = rig("s", "t")
    made.crawl.failed(made.lease(), "timeout", 60.0)
    made.crawl.failed(made.lease(), "no connection", None)
    assert made.crawl.next() is None
    assert made.crawl.stop_reason is None  # "s" waits
    assert made.frontier.is_closed("t") and not made.frontier.is_closed("s")
    assert made.crawl.summary.given_up == 1
    failed = [each for each in made.journal.events if isinstance(each, FailedEvent)]
    assert [(each.url, each.reason, each.attempts, each.retry_at) for each in failed] == [
        ("s", "timeout", 1, 60.0), ("t", "no connection", 1, None),
    ]  # fmt: skip


def test_a_candidate_that_was_never_asked_for_may_be_answered_no_more() -> None:
    made = rig("s")
    url = made.lease()
    made.crawl.forget(url)
    assert made.crawl.candidate(url) is None and made.crawl.under_way == 0
    with pytest.raises(ValueError, match="was not leased"):
        made.crawl.rejected(url, "robots.txt")


# copies, pages that are not to be kept, other addresses


def test_nothing_is_learnt_from_a_copy_and_its_links_are_not_followed() -> None:
    made = rig("s", "t")
    made.fetch(page("s", "a", title="0.9"))
    event = made.fetch(replace(page("t", "b", title="0.9"), copy_of=1))
    assert made.scorer.learnt == ["s"]
    assert (event.relevant, event.new, event.copy_of) == (False, 0, 1)
    assert event.drops.counts == {"on a copy": (1, ("b",))}
    assert (made.crawl.summary.relevant, made.crawl.summary.copies) == (1, 1)
    assert event.to_json()["copy_of"] == 1


def test_a_page_that_is_not_to_be_kept_is_no_find_but_its_links_count() -> None:
    made = rig("s")
    event = made.fetch(replace(page("s", "a", title="0.9"), index=False))
    assert (event.similarity, event.relevant, event.new) == (0.9, False, 1)


def test_the_address_a_page_calls_its_own_is_not_fetched_again() -> None:
    made = rig("http://a.test/x?print=1")
    found = replace(page("http://a.test/x?print=1"), canonical="http://a.test/x")
    made.fetch(found)
    assert made.frontier.is_closed("http://a.test/x")


def test_an_address_that_is_being_asked_for_stays_leased() -> None:
    made = rig("http://a.test/x?print=1", "http://a.test/x")
    printed, plain = made.lease(), made.lease()
    made.crawl.observe(printed, replace(page(printed), canonical=plain))
    made.crawl.failed(plain, "broken", 0.0)
    assert made.frontier.waits(plain)  # one that is closed would not


def test_another_host_or_the_front_page_is_not_believed_to_be_the_same_page() -> None:
    for named in ["http://b.test/x", "http://a.test/"]:
        made = rig("http://a.test/x?print=1")
        made.fetch(replace(page("http://a.test/x?print=1"), canonical=named))
        assert not made.frontier.is_closed(named)


# rules for addresses


class SpareRules(LiveLinkRules):
    """Strips ``;id`` and refuses what holds ``trap``."""

    def __init__(self) -> None:
        super().__init__(2025, None)

    def clean(self, url: str) -> str:
        return url.removesuffix(";id")

    def refusal(self, url: str) -> str | None:
        return "trap" if "trap" in url else None


def test_rules_clean_and_refuse_links_and_redirects() -> None:
    made = rig("s", rules=SpareRules())
    event = made.fetch(page("s", "a;id", "trap1", "s;id"))
    assert event.drops.counts == {"trap": (1, ("trap1",)), "same page": (1, ("s",))}
    assert made.lease() == "a"
    assert made.crawl.redirected("a", "trap2") == "trap"


def test_links_beyond_the_last_depth_are_counted_and_not_followed() -> None:
    made = rig("s", max_depth=1)
    made.fetch(page("s", "a"))
    event = made.fetch(page("a", "b", "c"))
    assert event.drops.counts == {"too far from the seeds": (2, ("b", "c"))}
    assert made.crawl.next() is None


# a crawl that goes on


def resumed(frontier: MemoryFrontier, so_far: Summary) -> tuple[Crawl, ListJournal]:
    journal = ListJournal()
    crawl = Crawl(
        topic="storms", strategy=Strategy("table", TableScorer(), Greedy(None)),  # type: ignore[arg-type]
        frontier=frontier, budget=Budget(4), seeds=["s", "t"], judge=TitleJudge(),
        journal=journal, clock=lambda: 7.0, so_far=so_far,
    )  # fmt: skip
    return crawl, journal


def test_a_crawl_that_goes_on_counts_on_and_fetches_no_seed_twice() -> None:
    frontier = MemoryFrontier()
    frontier.add([ScoredLink("s", 0), ScoredLink("t", 0)])
    frontier.add([ScoredLink("a", 1, Inlink(1, Score(0.9)))])
    frontier.ack("s")
    crawl, journal = resumed(frontier, Summary(fetched=1, relevant=1))
    assert journal.lines() == [{"event": "resumed", "at": 7.0, "budget": 4}]
    first = crawl.next()
    assert first is not None and first.url == "t"
    assert crawl.observe("t", page("t")).n == 2
    assert crawl.summary.relevant == 1


def test_a_candidate_leased_before_the_crawl_is_taken_over() -> None:
    frontier = MemoryFrontier()
    frontier.add([ScoredLink("example", 0)])
    (leased,) = frontier.lease(1, 0.0)
    crawl, _ = resumed(frontier, Summary())
    crawl.adopt(leased)
    assert crawl.budget_used == 1
    assert crawl.observe("example", page("example", "a")).n == 1
    assert frontier.is_closed("example")
