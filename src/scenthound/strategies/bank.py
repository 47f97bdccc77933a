"""A bank of links that compete by their objectives (WSEO, Liu, Li and Jiang 2019).

olmoaco says of it: links compete within circular regions of the objective space whose radii grow,
and the abstract of its source: the distance of a link to the nearest of a bank of links is compared
with their mean distance. What follows is our reading of both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.linkgraph.graph import Numbers, Reals
from scenthound.linkgraph.nfcs import normalised
from scenthound.linkgraph.pareto import fronts
from scenthound.strategies.link_map import OBJECTIVES, LinkMap, strongest


def dominates(first: Reals, second: Reals) -> bool:
    """Is ``first`` nowhere worse and somewhere better?"""
    return bool((first >= second).all() and (first > second).any())


def mean_distance(points: Reals) -> float:
    """Mean distance of two of the points (olmoaco Eq. 18); 0 for one point, or none."""
    count = len(points)
    if count < 2:
        return 0.0
    gaps = np.linalg.norm(points[:, None, :] - points[None, :, :], axis=2)
    return float(gaps.sum() / (count * (count - 1)))


class Bank:
    """Links that compete: at most ``most``, with their places in the objective space.

    Parameters
    ----------
    most : members it may have.
    numbers : of the links that are in it.
    points : a row of objectives for each.
    """

    def __init__(self, most: int, numbers: Sequence[int], points: Reals) -> None:
        self.most = most
        self.numbers = list(numbers)
        self.whys: dict[int, str] = {}
        """Why a link that came is a member."""
        self._room = np.empty((max(most, len(numbers)) + 1, points.shape[1]))
        self._room[: len(numbers)] = points

    @property
    def points(self) -> Reals:
        """The objectives of the members, a row each."""
        return self._room[: len(self.numbers)]

    def meet(self, number: int, point: Reals, radius: float) -> None:
        """A link comes: near a member it fights for its place, far from all it joins.

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
        elif dominates(point, self._room[nearest]):
            self.whys.pop(self.numbers[nearest], None)
            gained = zip(OBJECTIVES, point > self._room[nearest], strict=False)
            better = " and ".join(name for name, more in gained if more)
            self.whys[number] = f"no worse than its neighbour in the bank, better in {better}"
            self.numbers[nearest], self._room[nearest] = number, point

    def _join(self, number: int, point: Reals, why: str) -> None:
        self._room[len(self.numbers)] = point
        self.numbers.append(number)
        self.whys[number] = why

    def _drop_worst(self) -> None:
        """Of those of the last front the one with the smallest sum of objectives."""
        if len(self.numbers) <= self.most:
            return
        ranks = fronts(self.points)
        last = np.flatnonzero(ranks == ranks.max())
        worst = int(last[self.points[last].sum(axis=1).argmin()])
        self._room[worst : len(self.numbers) - 1] = self.points[worst + 1 :].copy()
        self.whys.pop(self.numbers.pop(worst), None)


def generation(links: LinkMap, members: Numbers, tests: Numbers, most: int, growth: float) -> Bank:
    """The bank after all test links have met it.

    Parameters
    ----------
    links : the map.
    members : of the bank so far.
    tests : links that come, in order.
    most : members at most.
    growth : the radius as a part of the members' mean distance, 0.5 at first, 1 in the end.
    """
    points = normalised(links.objectives(np.concatenate([members, tests])))
    bank = Bank(most, members.tolist(), points[: len(members)])
    radius = growth * mean_distance(bank.points)
    for number, point in zip(tests.tolist(), points[len(members) :], strict=True):
        bank.meet(number, point, radius)
    return bank
