"""Policies that need nothing but the frontier: the best one, or any one."""

from __future__ import annotations

import random

from scenthound.core.model import Candidate
from scenthound.core.protocols import Frontier, Scorer, State


class Greedy:
    """The highest score; among equals the one found first."""

    def __init__(self, rng: random.Random, scorer: Scorer | None = None) -> None:
        del rng, scorer  # nothing is left to chance

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease the best candidate."""
        leased = frontier.lease(1, now)
        return leased[0] if leased else None

    def state(self) -> State:
        """Nothing is learnt."""
        return {}

    def restore(self, state: State) -> None:
        """Nothing to restore."""


class Uniform:
    """Any waiting candidate, each as likely as another."""

    def __init__(self, rng: random.Random, scorer: Scorer | None = None) -> None:
        del scorer
        self._rng = rng

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease a candidate at random."""
        return frontier.draw(self._rng, now)

    def state(self) -> State:
        """Where the random generator stands."""
        return generator_state(self._rng)

    def restore(self, state: State) -> None:
        """Draw on as the saved generator would have."""
        restore_generator(self._rng, state)


def generator_state(rng: random.Random) -> State:
    """Where a random generator stands."""
    version, numbers, gauss = rng.getstate()
    return {"version": version, "numbers": list(numbers), "gauss": gauss}


def restore_generator(rng: random.Random, state: State) -> None:
    """Let ``rng`` draw on as the one did that gave ``state``."""
    numbers = state["numbers"]
    assert isinstance(numbers, list)
    rng.setstate((state["version"], tuple(numbers), state["gauss"]))
