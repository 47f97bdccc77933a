"""Policies that wait for what they chose are told what became of it; scorers prepare once."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from core.crawl_building import Rig, TableScorer, page, rig
from scenthound.core.crawl import Greedy
from scenthound.core.events import Summary
from scenthound.core.model import Candidate, Score
from scenthound.core.protocols import Frontier, Revision, SupportsPrepare, SupportsRevision
from scenthound.frontier.memory import MemoryFrontier


class Listening(Greedy):
    """Takes the best, says why, and notes what it is told."""

    def __init__(self) -> None:
        super().__init__(random.Random(0))
        self.told: list[tuple[str, ...]] = []

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        found = super().choose(frontier, now)
        return None if found is None else replace(found, chosen=f"because of {found.url}")

    def completed(self, url: str) -> None:
        self.told.append(("completed", url))

    def redirected(self, url: str, target: str) -> None:
        self.told.append(("redirected", url, target))


@dataclass
class Learning(TableScorer):
    """Notes when it prepares."""

    prepared: list[int] = field(default_factory=list)

    def prepare(self) -> None:
        self.prepared.append(len(self.shown))


def listening() -> tuple[Listening, Rig]:
    policy = Listening()
    made = rig("s", policy=policy)
    made.fetch(page("s", "a", "b"))
    policy.told.clear()
    return policy, made


def test_whatever_came_of_it_the_policy_is_told() -> None:
    for kind in ["missing", "rejected", "failed", "forget", "redirect_rejected"]:
        policy, made = listening()
        given = {
            "missing": (), "rejected": ("robots",), "failed": ("down", 9.0), "forget": (),
            "redirect_rejected": ("s",),
        }  # fmt: skip
        url = made.lease()
        getattr(made.crawl, kind)(url, *given[kind])
        assert policy.told == [("completed", url)]


def test_only_a_redirect_that_is_followed_is_told_after_the_answer() -> None:
    for target, reason, told in [
        ("new", "followed", [("redirected", "a", "new")]),
        ("s", "fetched before", []),
    ]:
        policy, made = listening()
        assert made.crawl.redirected(made.lease(), target) == reason
        assert policy.told == [("completed", "a"), *told]


def test_reason_of_the_policy_is_on_record() -> None:
    _, made = listening()
    event = made.fetch(page("a"), expected="a")
    assert event.chosen == "because of a"
    assert event.to_json()["chosen"] == "because of a"
    assert "chosen" not in made.journal.pages()[0].to_json()


def test_scorer_prepares_once_before_the_first_page() -> None:
    scorer = Learning()
    assert isinstance(scorer, SupportsPrepare)
    made = rig("s", scorer=scorer)
    assert scorer.prepared == [0]
    made.fetch(page("s", "a"))
    assert scorer.prepared == [0]


def test_crawl_that_goes_on_does_not_prepare_again() -> None:
    scorer = Learning()
    rig("s", scorer=scorer, so_far=Summary(fetched=1), frontier=MemoryFrontier())
    assert scorer.prepared == []


# A strategy that learns other weights: what waits is valued anew, and the journal says so.


@dataclass
class Turncoat(TableScorer):
    """After ``turns_at`` pages the worst link is the best."""

    turns_at: int = 1

    def revise(self) -> Revision | None:
        if len(self.learnt) != self.turns_at:
            return None
        return Revision({"anchor": -1.0}, 7)

    def reweighed(self, score: Score) -> Score:
        return Score(-score.value, score.parts)


def crawl(turns_at: int) -> Rig:
    scorer = Turncoat({"a": 0.9, "b": 0.5, "c": 0.1}, turns_at=turns_at)
    return rig("s", scorer=scorer)


def test_what_waits_is_valued_anew_after_the_links_of_the_page() -> None:
    assert isinstance(Turncoat(), SupportsRevision)
    assert crawl(1).run([page("s", "a", "b", "c")]) == ["s", "c", "b", "a"]


def test_a_revision_is_an_event_after_that_of_the_page() -> None:
    made = crawl(2)
    made.run([page("s", "a", "b", "c"), page("a")])
    lines = made.journal.lines()
    kinds = [line["event"] for line in lines]
    assert kinds == ["started", "page", "page", "revised", "missing", "stopped"]
    told = lines[3]
    assert (told["n"], told["weights"], told["links"]) == (2, {"anchor": -1.0}, 7)
    assert made.journal.pages()[1].priority == 0.9


def test_a_crawl_that_goes_on_begins_with_scores_of_the_weights_it_has() -> None:
    """What was learnt again after a kill may differ from what was known then."""
    made = crawl(99)
    made.fetch(page("s", "a", "b", "c"))
    again = rig("s", scorer=made.scorer, frontier=made.frontier, so_far=made.crawl.summary)
    assert [again.lease() for _ in range(3)] == ["c", "b", "a"]
