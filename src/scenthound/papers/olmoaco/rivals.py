"""In place of the ants: what olmoaco compares them with, and its future work."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate
from scenthound.core.parameters import check_at_least, check_unit_interval
from scenthound.core.protocols import Frontier, Scorer, State, generator_state, restore_generator
from scenthound.papers.bsvsm_ha import acceptance
from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import OBJECTIVES, LinkMap, LinkMapScorer, strongest
from scenthound.papers.olmoaco.selection import dominates, fronts, normalised, select_links
from scenthound.papers.olmoaco.walking import GenerationPolicy

# Simulated annealing (SA): waiting links are drawn at random and taken by the Metropolis rule.
# olmoaco gives it one sentence (He, Cheng and Cai 2009); what follows is our reading.


def cooling_over(pages: int | None, temperature: float, coldest: float) -> float:
    """Return the factor by which the temperature falls to ``coldest`` in a quarter of ``pages``.

    0.999 where their number is unknown.

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

    A link as good as the last one taken is taken, a worse one with probability
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
        check_at_least(1, refusals=refusals)
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
            chance = acceptance(self._last, drawn.score.value, self._temperature)
            if self._rng.random() < chance:
                why = f"drawn at random; chance {chance:.2f} at temperature {self._temperature:.3f}"
                return self._taken(frontier.take(drawn.url, now), why)
        best = frontier.lease(1, now)
        why = f"the best one, after {self._refusals} that were drawn and refused"
        return self._taken(best[0] if best else None, why)

    def state(self) -> State:
        """Return the temperature, the last score, and the state of the random generator."""
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


# Web space evolution (WSEO, Liu, Li and Jiang 2019). olmoaco says: links compete within circular
# regions of the objective space whose radii grow, and the abstract of its source: the distance of a
# link to the nearest of a bank of links is compared with their mean distance. What follows is our
# reading of both.


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
        check_at_least(1, bank=bank)
        check_at_least(0, growth=growth)
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


# Differential evolution, which olmoaco names as future work; ours. Individuals are pages at their
# places in the space of the four objectives (Eq. 11-14), brought to 0 .. 1. A trial vector is a
# place in that space, and the waiting link that is nearest to it is fetched.


MIN_POPULATION = 3
"""Individuals that a trial vector is made of."""


def mutate(own: Reals, first: Reals, second: Reals, pull: float, factor: float) -> Reals:
    """Return ``x + pull (1 - x) + factor (a - b)``: DE/current-to-best/1 with the ideal point.

    Examples
    --------
    >>> ones = np.array([1.0, 0.5])
    >>> mutate(np.array([0.0, 0.5]), ones, np.array([0.8, 0.5]), 0.5, 0.5).round(2).tolist()
    [0.6, 0.75]
    """
    return own + pull * (1.0 - own) + factor * (first - second)


def crossover(own: Reals, other: Reals, taken: Sequence[bool]) -> Reals:
    """Return the coordinates that are ``taken`` from the other, in 0 .. 1 (binomial crossover)."""
    return np.clip(np.where(taken, other, own), 0.0, 1.0)


class DifferentialEvolution(GenerationPolicy):
    """A population of pages. Each generation every one of them has a trial, and the link nearest to
    that place is fetched; the page found takes the place of its parent unless that dominates it.

    While there are fewer pages than ``population``, all that are found join.

    Parameters
    ----------
    population : pages at most.
    factor : of the difference of two others in a trial (F).
    crossover : chance of each objective to be that of the mutant (CR).
    pull : how far a trial is drawn towards the ideal point, best in everything (K).
    """

    def __init__(
        self, rng: random.Random, scorer: Scorer, *, population: int = 30, factor: float = 0.5,
        crossover: float = 0.9, pull: float = 0.5,
    ) -> None:  # fmt: skip
        assert isinstance(scorer, LinkMapScorer), "a population needs a map"
        check_at_least(MIN_POPULATION, population=population)
        check_unit_interval(factor=factor, crossover=crossover, pull=pull)
        super().__init__(scorer.map)
        self._rng = rng
        self._most = population
        self._factor, self._crossover, self._pull = factor, crossover, pull
        self._population: list[int] = []
        self._parents: dict[int, int] = {}

    def state(self) -> State:
        """Return the population, whose trials are on their way, and the random generator."""
        return {
            **super().state(),
            "population": [*self._population],
            "parents": [list(pair) for pair in self._parents.items()],
            "rng": generator_state(self._rng),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        super().restore(state)
        self._population = [*state["population"]]
        self._parents = dict(map(tuple, state["parents"]))
        restore_generator(self._rng, state["rng"])

    def redirected(self, url: str, target: str) -> None:
        """Let a trial wait under another name."""
        super().redirected(url, target)
        parents = self._parents.items()
        self._parents = {self._map.graph.where(number): place for number, place in parents}

    def _next(self) -> dict[int, str]:
        """The survivors of the last generation, and the trials of the next."""
        self._select_survivors()
        waiting = self._map.waiting()
        if len(self._population) < MIN_POPULATION:
            chosen = select_links(self._map, waiting, MIN_POPULATION - len(self._population))
            self._parents = dict.fromkeys(chosen, self._most)
            return {number: f"to begin with: {why}" for number, why in chosen.items()}
        return self._trials(waiting)

    def _select_survivors(self) -> None:
        """Pages that were found join, or compete with their parents."""
        if not self._population and not self._parents:
            self._population = self._map.pages()[: self._most]
        for number, place in self._parents.items():
            page = self._map.graph.where(number)
            if not self._map.graph.is_page(page) or page in self._population:
                continue
            if len(self._population) < self._most:
                self._population.append(page)
                continue
            pair = np.array([self._population[place], page], np.int32)
            if not dominates(*self._map.objectives(pair)):
                self._population[place] = page

    def _trials(self, waiting: Numbers) -> dict[int, str]:
        """For each individual the waiting link nearest to its trial; none is wanted twice."""
        size = len(self._population)
        everyone = np.concatenate([np.array(self._population, np.int32), waiting])
        points = normalised(self._map.objectives(everyone))
        taken = np.zeros(len(waiting), np.bool_)
        wanted: dict[int, str] = {}
        self._parents = {}
        for place in range(min(size, len(waiting))):
            gaps = np.linalg.norm(points[size:] - self._trial(points[:size], place), axis=1)
            nearest = int(np.where(taken, np.inf, gaps).argmin())
            taken[nearest] = True
            number = int(waiting[nearest])
            self._parents[number] = place
            strong = strongest(points[size + nearest])
            trial = f"nearest to the trial of individual {place + 1}: {gaps[nearest]:.2f}"
            wanted[number] = f"{trial}, strongest in {strong}"
        return wanted

    def _trial(self, points: Reals, place: int) -> Reals:
        first, second = self._rng.sample([n for n in range(len(points)) if n != place], 2)
        drawn = [self._rng.random() < self._crossover for _ in range(points.shape[1])]
        drawn[self._rng.randrange(len(drawn))] = True
        other = mutate(points[place], points[first], points[second], self._pull, self._factor)
        return crossover(points[place], other, drawn)
