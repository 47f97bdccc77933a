"""The crawlers olmoaco compares itself with: simulated annealing (SA) and web space evolution
(WSEO, Liu, Li and Jiang 2019). The paper gives each one sentence; what follows is our reading.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate
from scenthound.core.parameters import check_unit_interval
from scenthound.core.protocols import Frontier, Scorer, State, generator_state, restore_generator
from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import OBJECTIVES, LinkMap, LinkMapScorer, strongest
from scenthound.papers.olmoaco.selection import HostWait, fronts, normalised, select_links


def acceptance(score: float, last: float, temperature: float) -> float:
    """Chance that a link is taken after one that scored ``last`` (Metropolis rule).

    Examples
    --------
    >>> acceptance(0.6, 0.5, 0.1), round(acceptance(0.4, 0.5, 0.1), 4)
    (1.0, 0.3679)
    """
    return 1.0 if score >= last else math.exp((score - last) / temperature)


def cooling_over(pages: int | None, temperature: float, coldest: float) -> float:
    """Factor by which the temperature falls to ``coldest`` in a quarter of the ``pages``.

    0.999 where nobody knows how many they will be.

    Examples
    --------
    >>> round(cooling_over(15_000, 0.15, 0.005), 3)
    0.999
    """
    if pages is None or coldest >= temperature:
        return 0.999
    return float((coldest / temperature) ** (4.0 / pages))


class Metropolis:
    """Draws waiting links at random and takes one by the Metropolis rule.

    olmoaco names the SA crawler (He, Cheng and Cai 2009) in one sentence; what follows is our
    reading. A link as good as the last one taken is taken, a worse one with probability
    ``exp(difference / temperature)``; after ``refusals`` of them the best one is. The temperature
    falls with every page that is taken.

    Parameters
    ----------
    temperature : at the start.
    cooling : factor of the temperature for each page; 0 for the one that reaches ``coldest`` after
        a quarter of the pages that may be fetched, which is 0.999 for 15,000 pages.
    coldest : the temperature does not fall below it.
    refusals : links refused in a row before the best one is taken.
    """

    def __init__(
        self, rng: random.Random, scorer: Scorer | None = None, *, temperature: float = 0.15,
        cooling: float = 0.0, coldest: float = 0.005, refusals: int = 20,
    ) -> None:  # fmt: skip
        for name, value in (("temperature", temperature), ("coldest", coldest)):
            if not 0.0 < value <= 1.0:
                raise SettingsError(f"{name} must lie above 0 and not above 1, not at {value}.")
        check_unit_interval(cooling=cooling)
        if refusals < 1:
            raise SettingsError(f"refusals must be 1 or more, not {refusals}.")
        self._rng = rng
        self._temperature = temperature
        self._cooling = cooling or cooling_over(
            getattr(scorer, "pages", None), temperature, coldest
        )
        self._coldest = coldest
        self._refusals = refusals
        self._last = 0.0

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease one candidate."""
        for _ in range(self._refusals):
            drawn = frontier.sample(self._rng, now)
            if drawn is None:
                return None
            chance = acceptance(drawn.score.value, self._last, self._temperature)
            if self._rng.random() < chance:
                why = f"drawn at random; chance {chance:.2f} at temperature {self._temperature:.3f}"
                return self._taken(frontier.take(drawn.url, now), why)
        best = frontier.lease(1, now)
        why = f"the best one, after {self._refusals} that were drawn and refused"
        return self._taken(best[0] if best else None, why)

    def state(self) -> State:
        """The temperature, the last score, and where the random generator stands."""
        return {
            "temperature": self._temperature,
            "last": self._last,
            "rng": generator_state(self._rng),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        self._temperature, self._last = state["temperature"], state["last"]
        restore_generator(self._rng, state["rng"])

    def _taken(self, candidate: Candidate | None, why: str) -> Candidate | None:
        if candidate is None:
            return None
        self._last = candidate.score.value
        self._temperature = max(self._coldest, self._temperature * self._cooling)
        return replace(candidate, chosen=why)


# Policies that want several links at a time, and decide anew when all of them are fetched.


_BEST_AVAILABLE = "nothing that is wanted may be asked for now: the best link that may"


class GenerationPolicy(ABC):
    """Has the links of one generation fetched, then asks for the next.

    What never can be had is left out. Where nothing that is wanted may be asked for now, the best
    waiting link is taken.

    Parameters
    ----------
    links : the map.
    """

    walks = True

    def __init__(self, links: LinkMap) -> None:
        self._map = links
        self._wanted: dict[int, str] = {}
        self._under_way: set[str] = set()
        self._generation = 0
        self._pause = HostWait()

    @abstractmethod
    def _next(self) -> dict[int, str]:
        """The links that are wanted next, and why; none where nothing waits."""

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease the next wanted link; None while all that are left are under way."""
        for _ in range(2):  # this generation, or else the next
            for number in self._unasked():
                candidate = self._ask(number, frontier, now)
                if candidate is not None:
                    self._pause.begin(now)
                    return candidate
            if self._unasked():  # their hosts rest
                if self._pause.is_over(now):
                    break
                return None
            if self._unfetched():
                return None
            self._wanted = self._next()
            self._generation += bool(self._wanted)
        best = frontier.lease(1, now)
        return self._leased(best[0], _BEST_AVAILABLE) if best else None

    def answered(self, url: str) -> None:
        """An answer came."""
        self._under_way.discard(url)

    def redirected(self, url: str, target: str) -> None:
        """What was wanted waits under another name."""
        old, new = self._map.moved(url, target)
        self._wanted = {new if n == old else n: why for n, why in self._wanted.items()}

    def state(self) -> State:
        """What is wanted, and why."""
        return {
            "generation": self._generation,
            "wanted": [*self._wanted],
            "why": [*self._wanted.values()],
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned; no request is pending any more."""
        self._generation = state["generation"]
        self._wanted = dict(zip(state["wanted"], state["why"], strict=True))
        self._under_way = set()

    def _unfetched(self) -> list[int]:
        """What waits of all that is wanted, or is under way."""
        return [number for number in self._wanted if self._map.is_waiting(number)]

    def _unasked(self) -> list[int]:
        """What is not asked for yet."""
        urls = {number: self._map.graph.url(number) for number in self._unfetched()}
        return [number for number, url in urls.items() if url not in self._under_way]

    def _ask(self, number: int, frontier: Frontier, now: float) -> Candidate | None:
        url = self._map.graph.url(number)
        candidate = frontier.take(url, now)
        if candidate is not None:
            objectives = self._map.describe(number)
            why = f"generation {self._generation}: {self._wanted[number]} ({objectives})"
            return self._leased(candidate, why)
        if not frontier.waits(url):
            self._map.close(number)
        return None

    def _leased(self, candidate: Candidate, why: str) -> Candidate:
        self._under_way.add(candidate.url)
        return replace(candidate, chosen=why)


# A bank of links that compete by their objectives (WSEO, Liu, Li and Jiang 2019).
#
# olmoaco says of it: links compete within circular regions of the objective space whose radii
# grow, and the abstract of its source: the distance of a link to the nearest of a bank of links
# is compared with their mean distance. What follows is our reading of both.


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


class LinkBank:
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


def evolve(links: LinkMap, members: Numbers, tests: Numbers, most: int, growth: float) -> LinkBank:
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
    bank = LinkBank(most, members.tolist(), points[: len(members)])
    radius = growth * mean_distance(bank.points)
    for number, point in zip(tests.tolist(), points[len(members) :], strict=True):
        bank.meet(number, point, radius)
    return bank


# The policy of web space evolution (WSEO, Liu, Li and Jiang 2019, as olmoaco cites it).


DEFAULT_PAGES = 1_000
"""Pages over which the circles grow where nobody knows how many will be fetched."""
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
        """The bank, and what of it is still wanted."""
        return {**super().state(), "members": [*self._members]}

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        super().restore(state)
        self._members = [*state["members"]]

    def _next(self) -> dict[int, str]:
        """The new members of the bank; filled from the front where no link of the members came."""
        known = self._members or self._map.pages()[: self._most]
        members = [m for m in map(self._map.graph.where, known) if not self._map.is_gone(m)]
        return self._new_members(members) or self._filled()

    def _new_members(self, members: list[int]) -> dict[int, str]:
        """Links of the members that came into the bank."""
        tests = self._tests(members)
        if not members or not len(tests):
            return {}
        part = 0.5 + 0.5 * min(1.0, self._map.graph.pages / self._growth)
        bank = evolve(self._map, np.array(members, np.int32), tests, self._most, part)
        self._members = bank.numbers
        new = [member for member in bank.numbers if member in bank.whys]
        return {member: f"member of the bank, {bank.whys[member]}" for member in new}

    def _filled(self) -> dict[int, str]:
        """A new bank from the front."""
        chosen = select_links(self._map, self._map.waiting(), self._most)
        self._members = [each.number for each in chosen]
        return {each.number: f"member of the bank, from the front: {each.why}" for each in chosen}

    def _tests(self, members: list[int]) -> Numbers:
        """The links of the members that wait, each once, in order."""
        rows = [self._map.ends(self._map.graph.links(member).targets) for member in members]
        found = np.array(list(dict.fromkeys(np.concatenate([*rows, _NO_LINKS]).tolist())), np.int32)
        return found[self._map.are_waiting(found) & ~np.isin(found, members)]
