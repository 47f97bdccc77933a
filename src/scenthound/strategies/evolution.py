"""The policy of web space evolution (WSEO, Liu, Li and Jiang 2019, as olmoaco cites it)."""

from __future__ import annotations

import random

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import Scorer, State
from scenthound.linkgraph.graph import Numbers
from scenthound.strategies.bank import generation
from scenthound.strategies.fronts import selected
from scenthound.strategies.generations import Generations
from scenthound.strategies.mapped import MappedTexts

DEFAULT_PAGES = 1_000
"""Pages over which the circles grow where nobody knows how many will be fetched."""
_NO_LINKS = np.empty(0, np.int32)


class Evolution(Generations):
    """A bank of links that evolves: its pages are fetched, and their links compete for a place.

    When all members are fetched, their links come as test links, one after the other. A link whose
    nearest member is nearer than a radius takes its place if it dominates it by the four objectives
    (Eq. 11-14); one that is farther away joins, and a member of the last front leaves. The radius
    is a part of the members' mean distance that grows from a half to the whole. Where no new member
    came, the bank is filled from the non-dominated waiting links by NFCS.

    Parameters
    ----------
    bank : members at most.
    growth : pages after which the radius is the whole mean distance; 0 for all that may be fetched.
    """

    def __init__(
        self, rng: random.Random, scorer: Scorer, *, bank: int = 30, growth: int = 0
    ) -> None:
        del rng  # nothing is left to chance
        assert isinstance(scorer, MappedTexts), "a bank needs a map"
        if bank < 1:
            raise SettingsError(f"bank must be 1 or more, not {bank}.")
        if growth < 0:
            raise SettingsError(f"growth must be 0 or more pages, not {growth}.")
        super().__init__(scorer.map)
        self._most = bank
        self._growth = growth or scorer.pages or DEFAULT_PAGES
        self._members: list[int] = []

    def state(self) -> State:
        """The bank, and what of it is still wanted."""
        return {**super().state(), "members": [*self._members]}

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        super().restore(state)
        members = state["members"]
        assert isinstance(members, list)
        self._members = [int(str(member)) for member in members]

    def _next(self) -> dict[int, str]:
        """The new members of the bank; filled from the front where no link of the members came."""
        known = self._members or self._map.pages()[: self._most]
        members = [m for m in map(self._map.graph.where, known) if not self._map.is_gone(m)]
        return self._won(members) or self._filled()

    def _won(self, members: list[int]) -> dict[int, str]:
        """Links of the members that came into the bank."""
        tests = self._tests(members)
        if not members or not len(tests):
            return {}
        part = 0.5 + 0.5 * min(1.0, self._map.graph.pages / self._growth)
        bank = generation(self._map, np.array(members, np.int32), tests, self._most, part)
        self._members = bank.numbers
        new = [member for member in bank.numbers if member in bank.whys]
        return {member: f"member of the bank, {bank.whys[member]}" for member in new}

    def _filled(self) -> dict[int, str]:
        """A new bank from the front."""
        chosen = selected(self._map, self._map.waiting(), self._most)
        self._members = [each.number for each in chosen]
        return {each.number: f"member of the bank, from the front: {each.why}" for each in chosen}

    def _tests(self, members: list[int]) -> Numbers:
        """The links of the members that wait, each once, in order."""
        rows = [self._map.ends(self._map.graph.links(member).targets) for member in members]
        found = np.array(list(dict.fromkeys(np.concatenate([*rows, _NO_LINKS]).tolist())), np.int32)
        return found[self._map.are_waiting(found) & ~np.isin(found, members)]
