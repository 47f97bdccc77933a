"""Web space evolution (WSEO, Liu, Li and Jiang 2019), with which olmoaco compares itself. It says:
links compete within circular regions of the objective space whose radii grow, and the abstract of
its source: the distance of a link to the nearest of a bank of links is compared with their mean
distance. What follows is our reading of both.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import Scorer, State
from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import OBJECTIVES, LinkMap, LinkMapScorer, strongest
from scenthound.papers.olmoaco.selection import dominates, fronts, normalised, select_links
from scenthound.papers.olmoaco.walking import GenerationPolicy


def mean_distance(points: Reals) -> float:
    """Return the mean distance of two of the points (olmoaco Eq. 18); 0 for fewer than two."""
    count = len(points)
    if count < 2:
        return 0.0
    gaps = np.linalg.norm(points[:, None, :] - points[None, :, :], axis=2)
    return float(gaps.sum() / (count * (count - 1)))


class LinkBank:
    """Links that compete: at most ``most``, with their places in the objective space.

    ``numbers`` are the links that are in it, ``points`` a row of objectives for each.
    """

    def __init__(self, most: int, numbers: Sequence[int], points: Reals) -> None:
        self.most = most
        self.numbers = list(numbers)
        self.whys: dict[int, str] = {}
        """Why a link that came is a member."""
        self._rows = list(points)

    @property
    def points(self) -> Reals:
        """The objectives of the members, a row each."""
        return np.array(self._rows)

    def meet(self, number: int, point: Reals, radius: float) -> None:
        """Let a link compete: near a member for its place, far from all it joins.

        Within ``radius`` of the nearest member it takes the place of that member if it dominates
        it. Beyond, it joins; where they are then too many, a member of the last front leaves.
        """
        if not self.numbers:
            self._join(number, point, "the first")
            return
        differences = self.points - point
        gaps = np.einsum("ij,ij->i", differences, differences)
        nearest = int(gaps.argmin())
        if gaps[nearest] >= radius * radius:
            why = f"far from all others: {gaps[nearest] ** 0.5:.2f}, strongest in"
            self._join(number, point, f"{why} {strongest(point)}")
            self._drop_worst()
        elif dominates(point, self._rows[nearest]):
            self.whys.pop(self.numbers[nearest], None)
            gained = zip(OBJECTIVES, point > self._rows[nearest], strict=False)
            better = " and ".join(name for name, more in gained if more)
            self.whys[number] = f"no worse than its neighbour in the bank, better in {better}"
            self.numbers[nearest], self._rows[nearest] = number, point

    def _join(self, number: int, point: Reals, why: str) -> None:
        self._rows.append(point)
        self.numbers.append(number)
        self.whys[number] = why

    def _drop_worst(self) -> None:
        """Of those of the last front the one with the smallest sum of objectives."""
        if len(self.numbers) <= self.most:
            return
        points = self.points
        ranks = fronts(points)
        last = np.flatnonzero(ranks == ranks.max())
        worst = int(last[points[last].sum(axis=1).argmin()])
        del self._rows[worst]
        self.whys.pop(self.numbers.pop(worst), None)


def evolve(links: LinkMap, members: Numbers, tests: Numbers, most: int, growth: float) -> LinkBank:
    """Return the bank after all test links have met it.

    ``growth`` is the radius as a part of the members' mean distance, 0.5 at first, 1 in the end.
    """
    points = normalised(links.objectives(np.concatenate([members, tests])))
    bank = LinkBank(most, members.tolist(), points[: len(members)])
    radius = growth * mean_distance(bank.points)
    for number, point in zip(tests.tolist(), points[len(members) :], strict=True):
        bank.meet(number, point, radius)
    return bank


DEFAULT_PAGES = 1_000
"""Pages over which the radius grows where it is unknown how many will be fetched."""
_NO_LINKS = np.empty(0, np.int32)


class WebSpaceEvolution(GenerationPolicy):
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
        assert isinstance(scorer, LinkMapScorer), "a bank needs a map"
        if bank < 1:
            raise SettingsError(f"bank must be 1 or more, not {bank}.")
        if growth < 0:
            raise SettingsError(f"growth must be 0 or more pages, not {growth}.")
        super().__init__(scorer.map)
        self._most = bank
        self._growth = growth or scorer.pages or DEFAULT_PAGES
        self._members: list[int] = []

    def state(self) -> State:
        """Return the bank, and what of it is still wanted."""
        return {**super().state(), "members": [*self._members]}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        super().restore(state)
        self._members = [*state["members"]]

    def _next(self) -> dict[int, str]:
        """The new members of the bank; filled from the front where no link of the members came."""
        known = self._members or self._map.pages()[: self._most]
        members = [m for m in map(self._map.graph.where, known) if not self._map.is_gone(m)]
        # The links of the members that wait, each once, in order.
        rows = [self._map.ends(self._map.graph.links(member).targets) for member in members]
        tests = np.array(list(dict.fromkeys(np.concatenate([*rows, _NO_LINKS]).tolist())), np.int32)
        tests = tests[self._map.are_waiting(tests) & ~np.isin(tests, members)]
        if len(tests):
            part = 0.5 + 0.5 * min(1.0, self._map.graph.pages / self._growth)
            bank = evolve(self._map, np.array(members, np.int32), tests, self._most, part)
            self._members = bank.numbers
            new = [member for member in bank.numbers if member in bank.whys]
            if new:
                return {member: f"member of the bank, {bank.whys[member]}" for member in new}
        chosen = select_links(self._map, self._map.waiting(), self._most)
        self._members = [*chosen]
        return {n: f"member of the bank, from the front: {why}" for n, why in chosen.items()}
