"""The memory frontier keeps the contract, agrees with the model, and does not hoard."""

from __future__ import annotations

from hypothesis import settings

from frontier.frontier_contract import MAX, FrontierContract, leased, seen
from frontier.frontier_model import LEASE_SECONDS, FrontierMachine
from scenthound.core.model import Combination
from scenthound.core.protocols import Frontier
from scenthound.frontier.memory import MemoryFrontier


class TestMemoryFrontier(FrontierContract):
    def make(self, combination: Combination = MAX, lease_seconds: float = 10.0) -> Frontier:
        return MemoryFrontier(combination, lease_seconds)


class MemoryMachine(FrontierMachine):
    def make(self, combination: Combination) -> Frontier:
        return MemoryFrontier(combination, LEASE_SECONDS)


class TestMemoryFrontierAgainstTheModel(MemoryMachine.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(max_examples=20, stateful_step_count=40)


def test_scores_that_keep_changing_do_not_pile_up() -> None:
    frontier = MemoryFrontier(Combination.LAST)
    frontier.add([seen(url, 0.0) for url in "abc"])
    sizes = []
    for i in range(1, 2_501):
        frontier.add([seen("b", float(i))])
        sizes.append(len(frontier._heap))
    assert max(sizes) <= 2 * 3 + 1_000
    assert leased(frontier, 3, 0.0) == ["b", "a", "c"]


def test_leases_that_are_answered_do_not_pile_up() -> None:
    frontier = MemoryFrontier(lease_seconds=10.0)
    timers = []
    for now in range(1_000):
        frontier.add([seen(f"u{now}", 0.5)])
        (candidate,) = frontier.lease(1, float(now))
        frontier.ack(candidate.url)
        timers.append(len(frontier._timers))
    assert max(timers) <= 11
