"""What every frontier that knows hosts must do besides: figures worked out by hand.

``polite_model`` states the whole rule, draws and what waits included.
"""

from __future__ import annotations

from abc import abstractmethod

from frontier.frontier_contract import CLOSED, NEW, leased, seen
from scenthound.core.model import Candidate
from scenthound.core.protocols import Admission, PoliteFrontier
from scenthound.frontier.politeness import PolitenessPolicy

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

    # delay

    def test_a_host_is_not_asked_twice_within_its_delay(self) -> None:
        frontier = self.polite(PolitenessPolicy(delay=2.0))
        fill(frontier, a1=0.9, a2=0.8, b1=0.1)
        assert names(frontier.lease(3, 10.0)) == ["a1", "b1"]
        assert frontier.lease(3, 11.9) == []
        assert names(frontier.lease(3, 12.0)) == ["a2"]

    def test_the_rest_counts_from_the_end_of_the_answer(self) -> None:
        frontier = self.polite(PolitenessPolicy(delay=2.0, per_host=1))
        fill(frontier, a1=0.9, a2=0.8)
        frontier.lease(1, 10.0)
        assert frontier.lease(1, 14.0) == []
        frontier.record_response(url("a1"), 15.0)
        assert frontier.next_time(15.0) == 17.0
        assert frontier.lease(1, 16.9) == []
        assert names(frontier.lease(1, 17.0)) == ["a2"]

    # what the host asks for

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

    # requests at once

    def test_no_more_requests_at_once_than_a_host_may_have(self) -> None:
        frontier = self.polite(PolitenessPolicy(per_host=2))
        fill(frontier, a1=0.9, a2=0.8, a3=0.7, b1=0.1)
        assert names(frontier.lease(4, 0.0)) == ["a1", "a2", "b1"]
        frontier.record_response(url("a2"), 1.0)
        assert names(frontier.lease(4, 1.0)) == ["a3"]

    # budgets

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

    # fairness

    def test_a_host_with_more_than_its_share_waits_for_others(self) -> None:
        frontier = self.polite(PolitenessPolicy(share=0.5))
        fill(frontier, a1=0.9, a2=0.8, b1=0.2, b2=0.1)
        order = []
        for _ in range(4):
            (candidate,) = frontier.lease(1, 0.0)
            frontier.ack(candidate.url)
            order += names([candidate])
        assert order == ["a1", "b1", "a2", "b2"]
