"""Policies that wait for what they chose are told what became of it; scorers prepare once."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

import pytest

from core.crawl_building import Rig, TableScorer, page, rig
from scenthound.core.model import Candidate
from scenthound.core.protocols import Attentive, Frontier, Preparing
from scenthound.core.summary import Summary
from scenthound.frontier.memory import MemoryFrontier
from scenthound.strategies.policies import Greedy


class Listening(Greedy):
    """Takes the best, says why, and notes what it is told."""

    def __init__(self) -> None:
        super().__init__(random.Random(0))
        self.told: list[tuple[str, ...]] = []

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        found = super().choose(frontier, now)
        return None if found is None else replace(found, chosen=f"because of {found.url}")

    def answered(self, url: str) -> None:
        self.told.append(("answered", url))

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


def test_greedy_policy_is_not_attentive_and_ours_is() -> None:
    assert isinstance(Listening(), Attentive)
    assert not isinstance(Greedy(random.Random(0)), Attentive)


@pytest.mark.parametrize("kind", ["missing", "refused", "failed", "forget", "turned_away"])
def test_whatever_came_of_it_the_policy_is_told(kind: str) -> None:
    policy, made = listening()
    given = {
        "missing": (), "refused": ("robots",), "failed": ("down", 9.0), "forget": (),
        "turned_away": ("s",),
    }  # fmt: skip
    url = made.lease()
    getattr(made.crawl, kind)(url, *given[kind])
    assert policy.told == [("answered", url)]


def test_page_is_an_answer_too() -> None:
    policy, made = listening()
    made.fetch(page("a"), expected="a")
    assert policy.told == [("answered", "a")]


def test_redirect_that_is_followed_is_told_after_the_answer() -> None:
    policy, made = listening()
    url = made.lease()
    assert made.crawl.redirected(url, "new") == "followed"
    assert policy.told == [("answered", url), ("redirected", url, "new")]


def test_redirect_that_is_not_followed_is_an_answer_only() -> None:
    policy, made = listening()
    url = made.lease()
    assert made.crawl.redirected(url, "s") == "fetched before"
    assert policy.told == [("answered", url)]


def test_reason_of_the_policy_is_on_record() -> None:
    _, made = listening()
    event = made.fetch(page("a"), expected="a")
    assert event.chosen == "because of a"
    assert event.to_json()["chosen"] == "because of a"
    assert "chosen" not in made.journal.pages()[0].to_json()


def test_scorer_prepares_once_before_the_first_page() -> None:
    scorer = Learning()
    assert isinstance(scorer, Preparing)
    made = rig("s", scorer=scorer)
    assert scorer.prepared == [0]
    made.fetch(page("s", "a"))
    assert scorer.prepared == [0]


def test_crawl_that_goes_on_does_not_prepare_again() -> None:
    scorer = Learning()
    rig("s", scorer=scorer, so_far=Summary(fetched=1), frontier=MemoryFrontier())
    assert scorer.prepared == []
