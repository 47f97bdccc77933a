"""The policy of web space evolution (WSEO, Liu, Li and Jiang 2019, as olmoaco cites it).

olmoaco says of it: links compete within circular regions of the objective space whose radii grow,
and the abstract of its source: the distance of a link to the nearest of a bank of links is compared
with their mean distance. What follows is our reading of both.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate
from scenthound.core.protocols import Frontier, Scorer, State
from scenthound.linkgraph.graph import Numbers, Reals
from scenthound.linkgraph.pareto import fronts
from scenthound.strategies.fronts import selected
from scenthound.strategies.link_map import LinkMap
from scenthound.strategies.mapped import MappedTexts

DEFAULT_PAGES = 1_000
"""Pages over which the circles grow where nobody knows how many will be fetched."""
_STRAY = "no member of the bank could be asked for: the best link that may be now"


def dominates(first: Reals, second: Reals) -> bool:
    """Is ``first`` nowhere worse and somewhere better?"""
    return bool((first >= second).all() and (first > second).any())


def scaled(objectives: Reals) -> Reals:
    """Each objective brought to 0 .. 1 over the rows; 0 where all are alike."""
    low, high = objectives.min(axis=0), objectives.max(axis=0)
    span = np.where(high > low, high - low, 1.0)
    found: Reals = (objectives - low) / span
    return found


def mean_distance(points: Reals) -> float:
    """Mean distance of two of the points (Eq. 18); 0 for one point."""
    count = len(points)
    if count < 2:
        return 0.0
    gaps = np.linalg.norm(points[:, None, :] - points[None, :, :], axis=2)
    return float(gaps.sum() / (count * (count - 1)))


@dataclass
class Bank:
    """Links that compete: at most ``most``, with their places in the objective space."""

    most: int
    numbers: list[int]
    points: Reals
    whys: dict[int, str]

    def meet(self, number: int, point: Reals, radius: float) -> None:
        """A link comes: near a member it fights for its place, far from all it joins.

        Within ``radius`` of the nearest member it takes the place of that member if it dominates
        it. Beyond, it joins; where they are then too many, a member of the last front leaves.
        """
        if not self.numbers:
            self._join(number, point, "the first")
            return
        gaps = np.linalg.norm(self.points - point, axis=1)
        nearest = int(gaps.argmin())
        if gaps[nearest] >= radius:
            self._join(number, point, f"far from all others: {gaps[nearest]:.2f}")
            self._drop_worst()
        elif dominates(point, self.points[nearest]):
            self.whys.pop(self.numbers[nearest], None)
            self.numbers[nearest], self.points[nearest] = number, point
            self.whys[number] = "better in every respect than its neighbour in the bank"

    def _join(self, number: int, point: Reals, why: str) -> None:
        self.numbers.append(number)
        self.points = np.vstack([self.points, point])
        self.whys[number] = why

    def _drop_worst(self) -> None:
        if len(self.numbers) <= self.most:
            return
        ranks = fronts(self.points)
        last = np.flatnonzero(ranks == ranks.max())
        worst = int(last[self.points[last].sum(axis=1).argmin()])
        self.whys.pop(self.numbers.pop(worst), None)
        self.points = np.delete(self.points, worst, axis=0)


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
    points = scaled(links.objectives(np.concatenate([members, tests])))
    bank = Bank(most, members.tolist(), points[: len(members)], {})
    radius = growth * mean_distance(bank.points)
    for number, point in zip(tests.tolist(), points[len(members) :], strict=True):
        bank.meet(number, point, radius)
    return bank


class Evolution:
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

    walks = True

    def __init__(
        self, rng: random.Random, scorer: Scorer, *, bank: int = 30, growth: int = 0
    ) -> None:
        del rng  # nothing is left to chance
        assert isinstance(scorer, MappedTexts), "a bank needs a map"
        if bank < 1:
            raise SettingsError(f"bank must be 1 or more, not {bank}.")
        if growth < 0:
            raise SettingsError(f"growth must be 0 or more pages, not {growth}.")
        self._map = scorer.map
        self._most = bank
        self._growth = growth or scorer.pages or DEFAULT_PAGES
        self._members: list[int] = []
        self._whys: dict[int, str] = {}
        self._under_way: set[str] = set()
        self._generation = 0

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease the next member that is not fetched; None while all that are wait for answers."""
        for _ in range(3):  # this bank, the next generation, one that is filled anew
            rest = 0
            for member in self._unfetched():
                candidate = self._ask(member, frontier, now)
                if candidate is not None:
                    return candidate
                rest += self._map.is_waiting(member)
            if self._under_way:
                return None
            if rest:
                break
            self._evolve()
        best = frontier.lease(1, now)
        return self._leased(best[0], _STRAY) if best else None

    def answered(self, url: str) -> None:
        """An answer came for a member."""
        self._under_way.discard(url)

    def redirected(self, url: str, target: str) -> None:
        """A member waits under another name."""
        old, new = self._map.moved(url, target)
        self._members = [new if member == old else member for member in self._members]
        if old in self._whys:
            self._whys[new] = self._whys.pop(old)

    def state(self) -> State:
        """The bank."""
        return {
            "generation": self._generation,
            "members": [*self._members],
            "why": [self._whys.get(member, "") for member in self._members],
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave; nothing is under way any more."""
        members, whys, count = state["members"], state["why"], state["generation"]
        assert isinstance(members, list) and isinstance(whys, list) and isinstance(count, int)
        self._generation = count
        self._members = [int(str(member)) for member in members]
        pairs = zip(self._members, map(str, whys), strict=True)
        self._whys = {member: why for member, why in pairs if why}
        self._under_way = set()

    def _unfetched(self) -> list[int]:
        """Members that wait, and are not asked for yet."""
        ends = [self._map.graph.where(member) for member in self._members]
        return [
            end for end in ends
            if self._map.is_waiting(end) and self._map.graph.url(end) not in self._under_way
        ]  # fmt: skip

    def _ask(self, member: int, frontier: Frontier, now: float) -> Candidate | None:
        url = self._map.graph.url(member)
        candidate = frontier.take(url, now)
        if candidate is not None:
            why = self._whys.get(member, "")
            return self._leased(candidate, f"bank of generation {self._generation}: {why}")
        if frontier.is_closed(url):
            self._map.close(member)
        return None

    def _evolve(self) -> None:
        """The next generation; filled from the front where no link of the members came in."""
        self._generation += 1
        if not self._members:
            self._members = self._map.pages()[: self._most]
        members = [m for m in map(self._map.graph.where, self._members) if not self._map.is_gone(m)]
        tests = self._tests(members)
        if members and len(tests):
            part = 0.5 + 0.5 * min(1.0, self._map.graph.pages / self._growth)
            bank = generation(self._map, np.array(members, np.int32), tests, self._most, part)
            self._members, self._whys = bank.numbers, bank.whys
            if self._unfetched():
                return
        chosen = selected(self._map, self._map.waiting(), self._most)
        self._members = [each.number for each in chosen]
        self._whys = {each.number: f"filled from the front: {each.why}" for each in chosen}

    def _tests(self, members: list[int]) -> Numbers:
        """The links of the members that wait, each once, in order."""
        rows = [self._map.ends(self._map.graph.links(member).targets) for member in members]
        found = dict.fromkeys(np.concatenate([*rows, np.empty(0, np.int32)]).tolist())
        waiting = [n for n in map(int, found) if self._map.is_waiting(n) and n not in members]
        return np.array(waiting, np.int32)

    def _leased(self, candidate: Candidate, why: str) -> Candidate:
        self._under_way.add(candidate.url)
        return replace(candidate, chosen=why)
