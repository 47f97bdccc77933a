"""What a crawl leases next, what it costs, why it stops, and what its strategy is notified of."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field, replace

import pytest

from core.crawl_building import Rig, TableScorer, page, rig
from scenthound.core.crawl_loop import BUDGET_EXHAUSTED, ENDLESS_REDIRECTS, FRONTIER_EMPTY, Greedy
from scenthound.core.events import (
    FailedEvent,
    MissingEvent,
    RedirectEvent,
    RejectedEvent,
    StartedEvent,
    StoppedEvent,
    Summary,
)
from scenthound.core.model import Candidate, Inlink, Score, ScoredLink
from scenthound.core.protocols import Frontier, Policy, Revision, SupportsPrepare, SupportsRevision
from scenthound.core.scope import LiveLinkRules
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.spec import Uniform


def test_seeds_come_first_once_and_in_order_whatever_the_policy() -> None:
    policies: list[Policy] = [Greedy(random.Random(0)), Uniform(random.Random(0))]
    for policy in policies:
        made = rig("s1", "s2", "s1", "s3", policy=policy, table={"s3": 9.0, "x": 9.0})
        assert [event.seeds for event in made.journal.of(StartedEvent)] == [("s1", "s2", "s3")]
        assert [made.lease(), made.lease()] == ["s1", "s2"]
        made.crawl.observe("s1", page("s1", "x", "s3"))
        assert [made.lease(), made.lease()] == ["s3", "x"]


def test_the_budget_counts_pages_and_missing_targets_if_asked() -> None:
    web = [page("s", "a", "b", "c"), page("a"), page("c")]
    for budget, count_missing, order in [(2, False, ["s", "a"]), (3, True, ["s", "a", "b"])]:
        made = rig("s", budget=budget, count_missing=count_missing)
        assert made.run(web) == order
        assert made.crawl.budget_used == budget
        assert made.crawl.stop_reason == BUDGET_EXHAUSTED == "budget spent"
        assert [event.reason for event in made.journal.of(StoppedEvent)] == [BUDGET_EXHAUSTED]


def test_leased_pages_count_before_they_arrive() -> None:
    made = rig("s1", "s2", "s3", budget=2)
    assert [made.lease(), made.lease()] == ["s1", "s2"]
    assert made.crawl.budget_used == 2
    assert made.crawl.next() is None
    assert made.crawl.stop_reason is None  # two answers are still to come
    made.crawl.missing("s1")
    assert made.lease() == "s3"


class HoldingBack(MemoryFrontier):
    """Hands nothing out by ``lease``, as when all hosts must be left in peace."""

    def lease(self, most: int, now: float) -> list[Candidate]:
        return []


def test_urls_that_wait_for_a_retry_or_are_held_back_keep_the_crawl_alive() -> None:
    retried, held = rig("s"), rig("s", frontier=HoldingBack())
    retried.frontier.take("s", 0.0)
    retried.frontier.fail("s", 1_000.0)
    held.fetch(page("s", "a"))
    for made in (retried, held):
        assert made.crawl.next() is None
        assert made.crawl.stop_reason is None


def test_an_engine_may_stop_the_crawl_and_the_first_reason_stays() -> None:
    made = rig("s")
    made.crawl.stop("the user pressed Ctrl-C")
    made.crawl.stop("something else")
    assert made.crawl.next() is None
    assert made.crawl.stop_reason == "the user pressed Ctrl-C"
    assert [event.reason for event in made.journal.of(StoppedEvent)] == ["the user pressed Ctrl-C"]


def answer(made: Rig, how: str, url: str) -> None:
    match how:
        case "observe":
            made.crawl.observe(url, page(url))
        case "missing":
            made.crawl.missing(url)
        case "duplicate":
            made.crawl.redirect_rejected(url, "elsewhere")


def test_a_lease_is_answered_exactly_once() -> None:
    hows = ["observe", "missing", "duplicate"]
    for first, second in itertools.product(hows, hows):
        made = rig("s", frontier=MemoryFrontier(lease_seconds=0.5))
        answer(made, first, made.lease())
        before = made.crawl.summary
        with pytest.raises(ValueError, match="s was not leased, or its outcome was reported"):
            answer(made, second, "s")
        assert made.crawl.summary == before
        assert made.crawl.next() is None  # nor does it come back when its lease expires
        assert made.crawl.stop_reason == FRONTIER_EMPTY


def test_missing_targets_are_reported_before_the_next_page_with_five_examples() -> None:
    made = rig("s", table={f"m{i}": 0.9 for i in range(7)} | {"b": 0.8, "m": 0.1})
    made.run([page("s", *(f"m{i}" for i in range(7)), "b", "m"), page("b")])
    kinds = [line["event"] for line in made.journal.lines()]
    assert kinds == ["started", "page", "missing", "page", "missing", "stopped"]
    assert made.journal.of(MissingEvent) == [
        MissingEvent(7, ("m0", "m1", "m2", "m3", "m4")), MissingEvent(1, ("m",))
    ]  # fmt: skip


# What a live engine may answer besides a page: moved, forbidden, failed, never asked for.


def test_where_a_candidate_redirects_to_waits_in_its_place() -> None:
    made = rig("s", table={"a": 0.9})
    made.fetch(page("s", "a", "b"))
    assert made.crawl.redirected(made.lease(), "c") == "followed"
    moved = made.candidate()
    assert (moved.url, moved.redirects, moved.depth) == ("c", ("a",), 1)
    event = made.crawl.observe("c", replace(page("c"), redirects=moved.redirects))
    assert event.redirects == ("a",)
    assert RedirectEvent("a", "c", "followed") in made.journal.events
    seeds = rig("s", "t")
    seeds.crawl.redirected(seeds.lease(), "new")
    assert [seeds.lease(), seeds.lease()] == ["new", "t"]


def test_endless_redirects_and_those_out_of_scope_are_not_followed() -> None:
    made = rig("r0")
    reasons = [made.crawl.redirected(made.lease(), f"r{hop}") for hop in range(1, 12)]
    assert reasons == ["followed"] * 10 + [ENDLESS_REDIRECTS]
    assert made.crawl.next() is None
    made = rig("s", exclude=["*/private/*"])
    assert made.crawl.redirected(made.lease(), "http://a.test/private/x") == "excluded"
    assert len(made.frontier) == 0


def test_a_refused_candidate_is_closed_and_costs_nothing() -> None:
    made = rig("s", budget=1)
    made.crawl.rejected(made.lease(), "robots.txt")
    assert (made.crawl.budget_used, made.crawl.summary.refused) == (0, 1)
    assert made.frontier.is_closed("s")
    (refused,) = made.journal.of(RejectedEvent)
    assert (refused.url, refused.reason) == ("s", "robots.txt")


def test_a_failed_candidate_waits_for_its_time_or_is_given_up() -> None:
    made = rig("s", "t")
    made.crawl.failed(made.lease(), "timeout", 60.0)
    made.crawl.failed(made.lease(), "no connection", None)
    assert made.crawl.next() is None
    assert made.crawl.stop_reason is None  # "s" waits
    assert made.frontier.is_closed("t") and not made.frontier.is_closed("s")
    assert made.crawl.summary.given_up == 1
    assert [(each.url, each.reason, each.attempts, each.retry_at)
            for each in made.journal.of(FailedEvent)] == [
        ("s", "timeout", 1, 60.0), ("t", "no connection", 1, None),
    ]  # fmt: skip


def test_a_candidate_that_was_never_asked_for_may_be_answered_no_more() -> None:
    made = rig("s")
    url = made.lease()
    made.crawl.release(url)
    assert made.crawl.candidate(url) is None
    with pytest.raises(ValueError, match="was not leased"):
        made.crawl.rejected(url, "robots.txt")


# Copies, pages that are not to be kept, other addresses


def test_nothing_is_learned_from_a_copy_and_its_links_are_not_followed() -> None:
    made = rig("s", "t")
    made.fetch(page("s", "a", title="0.9"))
    event = made.fetch(replace(page("t", "b", title="0.9"), copy_of=1))
    assert made.scorer.learned == ["s"]
    assert (event.relevant, event.new, event.copy_of) == (False, 0, 1)
    assert event.drops.counts == {"on a copy": (1, ("b",))}
    assert (made.crawl.summary.relevant, made.crawl.summary.copies) == (1, 1)
    assert event.to_json()["copy_of"] == 1


def test_a_page_that_is_not_to_be_kept_is_no_find_but_its_links_count() -> None:
    event = rig("s").fetch(replace(page("s", "a", title="0.9"), index=False))
    assert (event.similarity, event.relevant, event.new) == (0.9, False, 1)


def test_the_address_a_page_calls_its_own_is_closed_on_its_host_unless_it_is_leased() -> None:
    printed, plain = "http://a.test/x?print=1", "http://a.test/x"
    for named in [plain, "http://b.test/x", "http://a.test/"]:  # another host, the front page
        made = rig(printed)
        made.fetch(replace(page(printed), canonical=named))
        assert made.frontier.is_closed(named) == (named == plain)
    made = rig(printed, plain)
    assert [made.lease(), made.lease()] == [printed, plain]
    made.crawl.observe(printed, replace(page(printed), canonical=plain))
    made.crawl.failed(plain, "broken", 0.0)
    assert made.frontier.waits(plain)  # one that is closed would not


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


# A crawl that is resumed


def test_a_crawl_that_goes_on_counts_on_and_fetches_no_seed_twice() -> None:
    frontier = MemoryFrontier()
    frontier.add([ScoredLink("s", 0), ScoredLink("t", 0)])
    frontier.add([ScoredLink("a", 1, Inlink(1, Score(0.9)))])
    frontier.ack("s")
    made = rig("s", "t", budget=4, frontier=frontier, so_far=Summary(fetched=1, relevant=1))
    assert made.journal.lines() == [{"event": "resumed", "at": 0.0, "budget": 4}]
    assert made.fetch(page("t")).n == 2
    assert made.crawl.summary.relevant == 1


def test_a_candidate_leased_before_the_crawl_is_taken_over() -> None:
    frontier = MemoryFrontier()
    frontier.add([ScoredLink("example", 0)])
    (leased,) = frontier.lease(1, 0.0)
    made = rig("s", "t", frontier=frontier, so_far=Summary())
    made.crawl.adopt(leased)
    assert made.crawl.budget_used == 1
    assert made.crawl.observe("example", page("example", "a")).n == 1
    assert frontier.is_closed("example")


# Policies that wait for what they chose are notified of the outcome; scorers prepare once.


class Listening(Greedy):
    """Takes the best, says why, and notes its notifications."""

    def __init__(self) -> None:
        super().__init__(random.Random(0))
        self.reported: list[tuple[str, ...]] = []

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        found = super().choose(frontier, now)
        return None if found is None else replace(found, chosen=f"because of {found.url}")

    def completed(self, url: str) -> None:
        self.reported.append(("completed", url))

    def redirected(self, url: str, target: str) -> None:
        self.reported.append(("redirected", url, target))


def test_whatever_came_of_it_the_policy_is_reported() -> None:
    """Only a redirect that is followed is reported after the response."""
    answers: list[tuple[str, tuple[object, ...], list[tuple[str, ...]]]] = [
        ("missing", (), []), ("rejected", ("robots",), []), ("failed", ("down", 9.0), []),
        ("release", (), []), ("redirect_rejected", ("s",), []), ("redirected", ("s",), []),
        ("redirected", ("new",), [("redirected", "a", "new")]),
    ]  # fmt: skip
    for kind, given, reported in answers:
        policy = Listening()
        made = rig("s", policy=policy)
        made.fetch(page("s", "a", "b"))
        policy.reported.clear()
        getattr(made.crawl, kind)(made.lease(), *given)
        assert policy.reported == [("completed", "a"), *reported]


def test_reason_of_the_policy_is_on_record() -> None:
    made = rig("s", policy=Listening())
    made.fetch(page("s", "a", "b"))
    event = made.fetch(page("a"), expected="a")
    assert event.chosen == "because of a"
    assert event.to_json()["chosen"] == "because of a"
    assert "chosen" not in made.journal.pages()[0].to_json()


@dataclass
class Learning(TableScorer):
    """Notes when it prepares."""

    prepared: list[int] = field(default_factory=list)

    def prepare(self) -> None:
        self.prepared.append(len(self.shown))


def test_scorer_prepares_once_before_the_first_page_and_not_again_when_resumed() -> None:
    scorer = Learning()
    assert isinstance(scorer, SupportsPrepare)
    made = rig("s", scorer=scorer)
    assert scorer.prepared == [0]
    made.fetch(page("s", "a"))
    rig("s", scorer=scorer, so_far=Summary(fetched=1), frontier=MemoryFrontier())
    assert scorer.prepared == [0]


# A strategy that learns other weights: what waits is rescored, and the journal says so.


@dataclass
class Turncoat(TableScorer):
    """After ``turns_at`` pages the worst link is the best."""

    turns_at: int = 1

    def revise(self) -> Revision | None:
        return Revision({"anchor": -1.0}, 7) if len(self.learned) == self.turns_at else None

    def reweighed(self, score: Score) -> Score:
        return Score(-score.value, score.parts)


def turning(turns_at: int) -> Rig:
    return rig("s", scorer=Turncoat({"a": 0.9, "b": 0.5, "c": 0.1}, turns_at=turns_at))


def test_what_waits_is_valued_again_after_the_links_of_the_page() -> None:
    assert isinstance(Turncoat(), SupportsRevision)
    assert turning(1).run([page("s", "a", "b", "c")]) == ["s", "c", "b", "a"]


def test_a_revision_is_an_event_after_that_of_the_page() -> None:
    made = turning(2)
    made.run([page("s", "a", "b", "c"), page("a")])
    lines = made.journal.lines()
    kinds = [line["event"] for line in lines]
    assert kinds == ["started", "page", "page", "revised", "missing", "stopped"]
    reported = lines[3]
    assert (reported["n"], reported["weights"], reported["links"]) == (2, {"anchor": -1.0}, 7)
    assert made.journal.pages()[1].priority == 0.9


def test_a_crawl_that_goes_on_begins_with_scores_of_the_weights_it_has() -> None:
    """What was learned again after a kill may differ from what was known then."""
    made = turning(99)
    made.fetch(page("s", "a", "b", "c"))
    again = rig("s", scorer=made.scorer, frontier=made.frontier, so_far=made.crawl.summary)
    assert [again.lease() for _ in range(3)] == ["c", "b", "a"]
