"""What every frontier must do. A new frontier subclasses the suite and says how to make one.

What a URL goes through (leases, retries, redirects, the order) is stated by ``frontier_model``,
which a frontier must agree with whatever happens; here is what that model does not know: parts,
inlinks, draws by chance.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from scenthound.core.model import INLINKS, Candidate, Combination, Inlink, Part, Score, ScoredLink
from scenthound.core.protocols import Admission, Frontier, PoliteFrontier
from scenthound.frontier.politeness import PolitenessPolicy

MAX, MEAN, LAST = Combination.MAX, Combination.MEAN, Combination.LAST
NEW, RESCORED, CLOSED = Admission.NEW, Admission.RESCORED, Admission.CLOSED


def seen(url: str, score: float, *, depth: int = 1, source: int = 1) -> ScoredLink:
    """A link to ``url`` that scored ``score``; its one part names the page it was found on."""
    part = Part(f"from {source}", score)
    return ScoredLink(url, depth, Inlink(source, Score(score, (part,)), f"anchor {source}"))


def seed(url: str) -> ScoredLink:
    return ScoredLink(url, 0)


def order(frontier: Frontier) -> list[str]:
    """What waits, best first."""
    return [candidate.url for candidate in frontier.peek(1_000)]


def leased(frontier: Frontier, most: int, now: float) -> list[str]:
    return [candidate.url for candidate in frontier.lease(most, now)]


def score_of(frontier: Frontier, url: str) -> float:
    return next(c.score.value for c in frontier.peek(1_000) if c.url == url)


def where(frontier: Any, url: str) -> str | None:
    """The state of a URL, read where a frontier keeps it: in SQLite's tables, or on the server."""
    frontier = getattr(frontier, "_frontier", frontier)
    if hasattr(frontier, "_urls"):
        state = frontier._urls.state_of(url)
    else:
        state = frontier._partitions.states([url]).get(url)
    names = ("waiting", "waiting", "leased", "closed", "spent")
    return None if state is None else names[state]


def link(full: float, anchor: float, weight: float = 1.0) -> Score:
    parts = (Part("full", full, weight), Part("anchor", anchor, weight))
    return Score(full * weight + anchor * weight, parts)


def halved(score: Score) -> Score:
    return Score(score.value / 2, tuple(Part(p.name, p.value, p.weight / 2) for p in score.parts))


class FrontierContract:
    """Scores of several links, their parts, draws, and ties that are first in, first out."""

    @abstractmethod
    def make(self, combination: Combination = MAX, lease_seconds: float = 10.0) -> Frontier:
        """An empty frontier."""

    def test_the_score_after_each_of_four_links_and_the_best_five_inlinks(self) -> None:
        for combination, expected in [
            (MAX, [0.5, 0.5, 0.75, 0.75]),
            (MEAN, [0.5, 0.375, 0.5, 0.375]),  # 1/2, 3/8, 12/24, 12/32
            (LAST, [0.5, 0.25, 0.75, 0.0]),
        ]:
            frontier = self.make(combination)
            scores = []
            for score in (0.5, 0.25, 0.75, 0.0):
                frontier.add([seen("a", score)])
                scores.append(score_of(frontier, "a"))
            assert scores == pytest.approx(expected)
        frontier = self.make(LAST)
        seven = [0.3, 0.7, 0.1, 0.6, 0.2, 0.5, 0.4]
        frontier.add([seen("a", score, source=i) for i, score in enumerate(seven, start=1)])
        (candidate,) = frontier.lease(1, 0.0)
        assert [inlink.source for inlink in candidate.inlinks] == [2, 4, 6, 7, 1]
        assert candidate.inlinks[0] == Inlink(2, Score(0.7, (Part("from 2", 0.7),)), "anchor 2")

    def test_the_parts_combine_as_the_score_does(self) -> None:
        """0.2, 0.8, 0.5: the best is 0.8, the mean 0.5, the last 0.5."""
        for combination, value in [(MAX, 0.8), (MEAN, 0.5), (LAST, 0.5)]:
            frontier = self.make(combination)
            for source, score in ((1, 0.2), (2, 0.8), (3, 0.5)):
                parts = (Part("full", score, 0.5), Part("anchor", score, 0.5))
                frontier.add([ScoredLink("a", 1, Inlink(source, Score(score, parts)))])
            (candidate,) = frontier.peek(1)
            full, anchor = candidate.score.parts
            assert (full.name, full.weight, anchor.name, anchor.weight) == (
                "full", 0.5, "anchor", 0.5
            )  # fmt: skip
            assert [full.value, anchor.value] == pytest.approx([value, value])
            total = (full.value + anchor.value) * 0.5
            assert total == pytest.approx(candidate.score.value)
        frontier = self.make(MEAN)  # parts of other names are those of the best inlink
        frontier.add([seen("a", 0.2, source=1), seen("a", 0.8, source=2), seen("a", 0.5, source=3)])
        assert frontier.peek(1)[0].score.parts == (Part("from 2", 0.8),)

    def test_links_to_a_seed_decide_its_score_whichever_came_first(self) -> None:
        for combination in Combination:
            for seed_first in [True, False]:
                frontier = self.make(combination)
                scored_links = [seed("a"), seen("a", 0.25, depth=2), seed("b")]
                frontier.add(scored_links if seed_first else scored_links[::-1])
                alone, linked = frontier.lease(2, 0.0)
                assert (alone.depth, alone.score, alone.inlinks) == (0, Score(1.0), ())
                assert linked.score.value == 0.25
                assert linked.is_seed and len(linked.inlinks) == 1

    def test_a_redirect_hands_everything_on_to_a_new_target(self) -> None:
        frontier = self.make()
        frontier.add([seen("a", 0.5, depth=2, source=1), seen("a", 0.7, depth=3, source=2)])
        (origin,) = frontier.lease(1, 0.0)
        assert frontier.redirect("a", "b") is NEW
        assert frontier.is_closed("a") and not frontier.is_closed("b")
        assert len(frontier) == 1
        assert frontier.lease(1, 0.0) == [replace(origin, url="b", redirects=("a",))]

    def test_draw_is_uniform_whatever_the_scores(self) -> None:
        frontier = self.make()
        frontier.add([seen("a", 0.9), seen("b", 0.0), seen("c", 0.5), seen("d", 0.5)])
        rng, drawn = random.Random(11), Counter[str]()
        for _ in range(400):
            candidate = frontier.draw(rng, 0.0)
            assert candidate is not None
            drawn[candidate.url] += 1
            frontier.fail(candidate.url, 0.0)
        chi_square = sum((drawn[url] - 100) ** 2 / 100 for url in "abcd")
        assert chi_square < 16.27  # 3 degrees of freedom, one in a thousand

    def test_sample_is_one_of_those_that_wait_and_leaves_it_there(self) -> None:
        frontier, rng = self.make(), random.Random(3)
        assert frontier.sample(rng, 0.0) is None
        frontier.add([seen(url, 0.5) for url in "abc"])
        frontier.take("b", 0.0)
        sampled = [frontier.sample(rng, 0.0) for _ in range(40)]
        assert {each.url for each in sampled if each is not None} == {"a", "c"}
        assert len(frontier) == 2
        assert sampled[0] is not None and not frontier.is_closed(sampled[0].url)
        for number in range(2):  # to draw is to lease what a sample would have shown
            shown = frontier.sample(random.Random(number), 0.0)
            assert shown == frontier.draw(random.Random(number), 0.0)

    def test_new_scores_reach_retries_and_leases_and_combine_with_later_evidence(self) -> None:
        for combination, expected in [(MAX, 0.5), (MEAN, 0.4), (LAST, 0.2)]:
            frontier = self.make(combination)
            frontier.add([seen("a", 0.9), seen("a", 0.7)])
            frontier.reweight(lambda score: Score(0.5))
            frontier.add([seen("a", 0.2)])
            assert score_of(frontier, "a") == pytest.approx(expected)
        frontier = self.make(lease_seconds=10.0)
        frontier.add([seen("a", 0.9), seen("b", 0.8), seen("c", 0.7)])
        frontier.lease(2, 0.0)
        frontier.fail("b", 10.0)
        frontier.reweight(lambda score: Score(0.1))
        scores = {c.url: c.score.value for c in frontier.lease(3, 10.0)}
        assert scores == {"a": 0.1, "b": 0.1, "c": 0.1}

    def test_reweighing_changes_parts_the_best_inlink_and_what_comes_later(self) -> None:
        frontier = self.make(MEAN)
        frontier.add([ScoredLink("a", 1, Inlink(1, link(0.2, 0.4)))])
        frontier.reweight(halved)
        assert frontier.peek(1)[0].score == link(0.2, 0.4, 0.5)
        assert frontier.peek(1)[0].inlinks == (Inlink(1, link(0.2, 0.4, 0.5)),)
        frontier.add([ScoredLink("a", 1, Inlink(2, link(0.4, 0.6, 0.5)))])
        found = frontier.peek(1)[0].score
        assert found.value == pytest.approx(0.4)
        assert [part.value for part in found.parts] == pytest.approx([0.3, 0.5])
        assert [part.weight for part in found.parts] == [0.5, 0.5]
        frontier = self.make(MAX)
        frontier.add([ScoredLink("a", 1, Inlink(1, link(0.9, 0.0)))])
        frontier.add([ScoredLink("a", 1, Inlink(2, link(0.1, 0.5)))])

        def anchor_alone(score: Score) -> Score:
            parts = tuple(Part(p.name, p.value, float(p.name == "anchor")) for p in score.parts)
            return Score(sum(p.value * p.weight for p in parts), parts)

        frontier.reweight(anchor_alone)
        candidate = frontier.peek(1)[0]
        assert candidate.score.value == 0.5
        assert [each.source for each in candidate.inlinks] == [2, 1]

    def test_parts_add_up_where_a_redirect_leads_to_a_url_that_waits(self) -> None:
        for combination in [MAX, MEAN]:
            frontier = self.make(combination)
            frontier.add([ScoredLink("a", 1, Inlink(1, link(0.5, 0.9)))])
            frontier.add([ScoredLink("b", 2, Inlink(2, link(0.1, 0.2)))])
            assert leased(frontier, 1, 0.0) == ["a"]
            frontier.redirect("a", "b")
            found = frontier.peek(1)[0]
            assert found.score == link(0.5, 0.9)
            assert [each.source for each in found.inlinks] == [1, 2]
            frontier.add([ScoredLink("b", 2, Inlink(3, link(0.3, 0.4)))])
            score = frontier.peek(1)[0].score
            assert sum(p.value * p.weight for p in score.parts) == pytest.approx(score.value)
        # A seed does not hide what links say.
        frontier = self.make()
        frontier.add([ScoredLink("seed", 0), ScoredLink("b", 2, Inlink(2, link(0.1, 0.2)))])
        frontier.take("seed", 0.0)
        frontier.redirect("seed", "b")
        assert frontier.peek(1)[0].score == link(0.1, 0.2)
        assert frontier.peek(1)[0].depth == 0

    def test_the_part_inlinks_counts_the_links(self) -> None:
        for combination in [MEAN, MAX]:
            frontier = self.make(combination)
            # One link 1/2, two 2/3, three 3/4, whichever of them is the best.
            for number, (full, share) in enumerate([(0.6, 1 / 2), (0.0, 2 / 3), (0.3, 3 / 4)], 1):
                parts = (Part("full", full, 1.0), Part(INLINKS, 0.5, 0.2))
                frontier.add([ScoredLink("a", 1, Inlink(number, Score(full + 0.1, parts)))])
                found = frontier.peek(1)[0].score
                assert found.part(INLINKS, -1.0) == pytest.approx(share)
                assert sum(p.value * p.weight for p in found.parts) == pytest.approx(found.value)
            full = 0.3 if combination is MEAN else 0.6
            assert found.value == pytest.approx(full + 0.2 * 3 / 4)
            frontier.reweight(halved)
            assert frontier.peek(1)[0].score.value == pytest.approx((full + 0.2 * 3 / 4) / 2)


EXHAUSTED = Admission.EXHAUSTED


def fill(frontier: PoliteFrontier, **scores: float) -> None:
    """Add a URL for each argument: ``a1=0.5`` is the URL ``http://a.example/1``."""
    frontier.add([seen(url(name), score) for name, score in scores.items()])


def url(name: str) -> str:
    return f"http://{name[0]}.example/{name[1:]}"


def names(candidates: list[Candidate]) -> list[str]:
    return [c.url[len("http://")] + c.url.rpartition("/")[2] for c in candidates]


class PoliteContract:
    """Delays, limits, budgets and fairness, and the best of the free hosts first of all."""

    @abstractmethod
    def polite(self, politeness: PolitenessPolicy, lease_seconds: float = 100.0) -> PoliteFrontier:
        """An empty frontier."""

    def test_a_host_is_not_asked_within_its_delay_from_the_end_of_the_answer(self) -> None:
        frontier = self.polite(PolitenessPolicy(delay=2.0))
        fill(frontier, a1=0.9, a2=0.8, b1=0.1)
        assert names(frontier.lease(3, 10.0)) == ["a1", "b1"]
        assert frontier.lease(3, 11.9) == []
        assert names(frontier.lease(3, 12.0)) == ["a2"]
        frontier = self.polite(PolitenessPolicy(delay=2.0, per_host=1))
        fill(frontier, a1=0.9, a2=0.8)
        frontier.lease(1, 10.0)
        assert frontier.lease(1, 14.0) == []
        frontier.record_response(url("a1"), 15.0)
        assert frontier.next_time(15.0) == 17.0
        assert frontier.lease(1, 16.9) == []
        assert names(frontier.lease(1, 17.0)) == ["a2"]

    def test_a_host_that_asks_for_a_longer_delay_gets_it(self) -> None:
        frontier = self.polite(PolitenessPolicy(delay=2.0))
        frontier.slow_down("a.example", 5.0)
        frontier.slow_down("a.example", 1.0)
        frontier.slow_down("b.example", 1.0)
        fill(frontier, a1=0.9, a2=0.8, b1=0.7, b2=0.6)
        assert names(frontier.lease(4, 0.0)) == ["a1", "b1"]
        for name in ("a1", "b1"):
            frontier.record_response(url(name), 0.0)
        assert names(frontier.lease(4, 2.0)) == ["b2"]
        assert names(frontier.lease(4, 4.9)) == []
        assert names(frontier.lease(4, 5.0)) == ["a2"]

    def test_no_more_requests_at_once_than_a_host_may_have(self) -> None:
        frontier = self.polite(PolitenessPolicy(per_host=2))
        fill(frontier, a1=0.9, a2=0.8, a3=0.7, b1=0.1)
        assert names(frontier.lease(4, 0.0)) == ["a1", "a2", "b1"]
        frontier.record_response(url("a2"), 1.0)
        assert names(frontier.lease(4, 1.0)) == ["a3"]

    def test_a_spent_host_gives_nothing_more(self) -> None:
        frontier = self.polite(PolitenessPolicy(pages_per_host=2))
        fill(frontier, a1=0.9, a2=0.8, a3=0.7, b1=0.1)
        assert names(frontier.lease(4, 0.0)) == ["a1", "a2", "b1"]
        assert len(frontier) == 1
        frontier.ack(url("a1"))
        frontier.ack(url("a2"))
        assert len(frontier) == 0
        assert frontier.peek(9) == []
        assert frontier.next_time(0.0) is None
        again = [seen(url(name), 1.0) for name in ("a9", "a3", "a1", "b9")]
        assert frontier.add(again) == [EXHAUSTED, EXHAUSTED, CLOSED, NEW]
        assert frontier.redirect(url("b1"), url("a8")) is EXHAUSTED
        assert leased(frontier, 4, 0.0) == [url("b9")]

    def test_a_host_with_more_than_its_share_waits_for_others(self) -> None:
        frontier = self.polite(PolitenessPolicy(share=0.5))
        fill(frontier, a1=0.9, a2=0.8, b1=0.2, b2=0.1)
        order = []
        for _ in range(4):
            (candidate,) = frontier.lease(1, 0.0)
            frontier.ack(candidate.url)
            order += names([candidate])
        assert order == ["a1", "b1", "a2", "b2"]
