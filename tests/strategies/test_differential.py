"""Differential evolution: trials and survivors by hand, and what is fetched when."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np
import pytest

from scenthound.core.model import Inlink, Score, ScoredLink
from scenthound.core.protocols import StateValue
from scenthound.frontier.memory import MemoryFrontier
from scenthound.papers.olmoaco.differential_evolution import (
    DifferentialEvolution,
    crossover,
    mutate,
)
from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import LinkMapScorer
from strategies.scoring import strategy

A = "http://a.test/"
MIDDLE = (0.5, 0.5, 0.5, 0.5)
ZERO, ONE = (0.0,) * 4, (1.0,) * 4
Place = tuple[float, ...]


class World:
    """A policy on a map whose places a test sets; the links of the pages wait in a frontier."""

    def __init__(self, seed: int = 0, **parameters: float) -> None:
        scorer = strategy("moaco").scorer
        assert isinstance(scorer, LinkMapScorer)
        self.map = scorer.map
        self.frontier = MemoryFrontier()
        self.policy = DifferentialEvolution(random.Random(seed), scorer, **parameters)  # type: ignore[arg-type]
        self.scorer = scorer
        self.places: dict[str, Place] = {}
        self.map.objectives = self._objectives  # type: ignore[method-assign]

    def _objectives(self, numbers: Numbers) -> Reals:
        rows = [self.places.get(url, MIDDLE) for url in self.map.urls(numbers.tolist())]
        return np.array(rows).reshape(-1, 4)

    def fetch(self, url: str, links: Iterable[str] = ()) -> None:
        self.map.add_page(url, 0.5, dict.fromkeys(links, (0.5, 0.5)))
        self.frontier.add([ScoredLink(link, 1, Inlink(1, Score(0.5))) for link in links])
        self.policy.completed(url)

    def choose(self) -> str:
        candidate = self.policy.choose(self.frontier, 0.0)
        return "" if candidate is None else candidate.url

    def generation(self) -> list[str]:
        """All that is wanted until something has to be answered."""
        return list(iter(self.choose, ""))

    def answered(self, urls: Iterable[str]) -> list[str]:
        """Fetch these with two new links each; the population when the next generation begins."""
        for url in urls:
            self.fetch(url, [f"{url}{n}" for n in range(2)])
        assert self.choose()
        return self.population()

    def population(self) -> list[str]:
        return self.map.urls(_whole(self.policy.state()["population"]))

    def parents(self) -> dict[str, int]:
        """Whose trial each wanted link is."""
        pairs = self.policy.state()["parents"]
        assert isinstance(pairs, list)
        both = [_whole(pair) for pair in pairs]
        return {self.map.graph.url(number): place for number, place in both}


def _whole(values: StateValue) -> list[int]:
    assert isinstance(values, list)
    return [int(str(value)) for value in values]


def begun(waiting: str, seed: int = 0, pages: str = "abc", **parameters: float) -> World:
    """Pages, the first of which links to all that wait; each is one letter."""
    world = World(seed, **parameters)
    world.fetch(pages[0], waiting)
    for url in pages[1:]:
        world.fetch(url)
    return world


def test_mutant_and_crossover_by_hand() -> None:
    """0.2 + 0.5 x 0.8 + 0.25 x (0.9 - 0.1) = 0.8; 1 + 0.5 x 0 + 0.25 x (0 - 0.4) = 0.9."""
    own, first, second = np.array([0.2, 1.0]), np.array([0.9, 0.0]), np.array([0.1, 0.4])
    assert mutate(own, first, second, 0.5, 0.25).tolist() == pytest.approx([0.8, 0.9])
    assert mutate(own, first, second, 0.0, 0.0).tolist() == own.tolist()
    assert mutate(own, first, second, 1.0, 0.0).tolist() == [1.0, 1.0]
    own, other = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.9, 1.7, -0.5, 0.8])
    assert crossover(own, other, [True, False, False, True]).tolist() == [0.9, 0.2, 0.3, 0.8]
    assert crossover(own, other, [False, True, True, False]).tolist() == [0.1, 1.0, 0.0, 0.4]


def test_begins_from_the_front_until_there_are_three_pages() -> None:
    for fetched, wanted in [("a", 2), ("ab", 1)]:
        world = begun("wxyz", pages=fetched)
        world.places |= {"a": ZERO, "b": ZERO, "x": (1.0, 0.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0, 0.0)}
        world.places |= {"w": ZERO, "z": ZERO}
        first = world.generation()
        assert first == ["x", "y"][:wanted]
        for url in first:
            world.fetch(url)
        rest = world.policy.choose(world.frontier, 0.0)
        assert world.population() == [*fetched, *first]
        assert rest is not None and "nearest to the trial of individual 1" in rest.chosen


def test_nearest_waiting_link_to_the_place_of_each() -> None:
    """Nothing pulls and no difference counts: a trial is where its individual is."""
    world = begun("wxyz", pull=0.0, factor=0.0, crossover=1.0)
    world.places = {
        "a": ZERO, "b": ONE, "c": (0.0, 1.0, 0.0, 1.0), "w": MIDDLE, "x": (0.9, 1.0, 1.0, 0.9),
        "y": (0.1, 0.9, 0.1, 0.9), "z": (0.2, 0.1, 0.0, 0.0),
    }  # fmt: skip
    assert world.generation() == ["z", "x", "y"]
    assert world.parents() == {"z": 0, "x": 1, "y": 2}


def test_without_crossover_one_objective_is_that_of_the_mutant() -> None:
    """All are at 0, the mutant at 1: the trial is 1 in one objective, where a link waits."""
    for seed in range(5):
        world = begun("uvwxyz", seed, pages="abc", pull=1.0, factor=0.0, crossover=0.0)
        world.places |= {**dict.fromkeys("abcy", ZERO), "z": ONE}
        for at, url in enumerate("uvwx"):
            world.places[url] = tuple(float(at == other) for other in range(4))
        assert world.choose() in set("uvwx")
    for waiting, trials in [("uvwxyz", 4), ("xy", 2), ("x", 1)]:  # all at the same place
        found = begun(waiting, pages="abcd").generation()
        assert len(set(found)) == len(found) == trials


def test_child_takes_the_place_of_its_parent_unless_that_dominates_it() -> None:
    world = begun("xyz", population=3)
    children = world.generation()
    place = world.parents()
    worse, same, other = (next(url for url in children if place[url] == n) for n in range(3))
    world.places |= {
        worse: (0.5, 0.5, 0.5, 0.4), same: MIDDLE, other: (0.4, 0.4, 0.4, 0.6)
    }  # fmt: skip
    assert world.answered(children) == ["a", same, other]


def test_children_join_while_there_is_room() -> None:
    """Room for two; the third, which its parent dominates, is not among the survivors."""
    world = begun("xyz", population=5)
    children = world.generation()
    world.places |= dict.fromkeys(children, (0.4,) * 4)
    assert world.answered(children) == ["a", "b", "c", *children[:2]]


def test_redirect_keeps_its_parent() -> None:
    world = begun("xyz", population=3)
    first, moved, last = world.generation()
    place = world.parents()
    world.frontier.redirect(moved, "new")
    world.policy.completed(moved)
    world.policy.redirected(moved, "new")
    expected = {"new" if url == moved else url: number for url, number in place.items()}
    assert world.parents() == expected
    assert world.choose() == "new"
    world.places |= {first: ZERO, last: ZERO, "new": ONE}
    survivors = ["a", "b", "c"]
    survivors[place[moved]] = "new"
    assert world.answered([first, "new", last]) == survivors


def test_page_that_two_trials_lead_to_is_one_individual() -> None:
    world = begun("xyz", population=3)
    x, y, z = world.generation()
    world.map.lead(x, y)
    world.policy.completed(x)
    world.fetch(y, "uvw")
    world.fetch(z)
    assert world.choose() and len(set(world.population())) == 3
