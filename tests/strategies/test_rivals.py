"""Rivals of the ants: simulated annealing, web space evolution and differential evolution."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from crawler.web_building import Plant
from crawler.web_building import page as archived
from scenthound.core.model import Inlink, Score, ScoredLink
from scenthound.core.protocols import StateValue
from scenthound.frontier.memory import MemoryFrontier
from scenthound.papers.bsvsm_ha import acceptance
from scenthound.papers.olmoaco import rivals
from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import LinkMap, LinkMapScorer
from scenthound.papers.olmoaco.rivals import (
    DifferentialEvolution,
    LinkBank,
    Metropolis,
    cooling_over,
    crossover,
    evolve,
    mean_distance,
    mutate,
)
from scenthound.papers.olmoaco.selection import dominates
from strategies.scoring import strategy, strategy_context
from strategies.walking import Walk, page, walk

pytestmark = pytest.mark.filterwarnings("ignore::scenthound.core.errors.ScenthoundWarning")
"""Models trained on a few words say that they know little; that has tests of its own."""


def frontier(*values: float) -> MemoryFrontier:
    made = MemoryFrontier()
    made.add([ScoredLink(f"u{n}", 1, Inlink(1, Score(v))) for n, v in enumerate(values)])
    return made


def test_worse_links_are_taken_as_the_rule_of_metropolis_says_until_too_many_are_refused() -> None:
    """After one of 0.5 each of two is drawn first as often; the worse one is then taken 37 in 100
    times, the better one always: the worse is first in 0.184 / (1 - 0.316) of all cases."""
    for score, last, temperature, chance in [
        (0.5, 0.5, 0.1, 1.0),
        (0.9, 0.5, 0.005, 1.0),
        (0.4, 0.5, 0.1, math.exp(-1.0)),
        (0.0, 1.0, 0.15, math.exp(-1 / 0.15)),
        (0.0, 1.0, 0.001, 0.0),
    ]:
        assert acceptance(last, score, temperature) == pytest.approx(chance)
    taken: Counter[str] = Counter()
    for seed in range(1_500):
        policy = Metropolis(random.Random(seed), temperature=0.1, cooling=1.0)
        policy.restore({**policy.state(), "last": 0.5})
        chosen = policy.choose(frontier(0.4, 0.5), 0.0)
        assert chosen is not None
        taken[chosen.url] += 1
    worse = 0.5 * math.exp(-1.0)
    assert taken["u0"] / 1_500 == pytest.approx(worse / (0.5 + worse), abs=0.04)
    policy = Metropolis(random.Random(0), temperature=0.001, coldest=0.001, refusals=3)
    policy.restore({**policy.state(), "last": 1.0})
    chosen = policy.choose(frontier(0.1, 0.3, 0.2), 0.0)
    assert chosen is not None and chosen.url == "u1"
    assert chosen.chosen == "the best one, after 3 that were drawn and refused"
    waiting = frontier(0.9, 0.1)
    waiting.take("u0", 0.0)
    waiting.fail("u0", 100.0)
    policy = Metropolis(random.Random(0))
    first, then = policy.choose(waiting, 0.0), policy.choose(waiting, 0.0)
    assert first is not None and first.url == "u1" and then is None


def test_temperature_falls_with_every_page_by_a_factor_that_may_be_given() -> None:
    policy = Metropolis(random.Random(0), temperature=0.2, cooling=0.5, coldest=0.04)
    waiting = frontier(0.1, 0.2, 0.3, 0.4)
    found = []
    while policy.choose(waiting, 0.0) is not None:
        found.append(policy.state()["temperature"])
    assert found == pytest.approx([0.1, 0.05, 0.04, 0.04])
    # Four pages may be fetched: the temperature is at its coldest after the first.
    scorer = strategy("annealing", replace(strategy_context(), pages=4)).scorer
    for cooling, second in ((0.0, 0.02), (0.5, 0.08)):
        rng = random.Random(0)
        policy = Metropolis(rng, scorer, temperature=0.16, cooling=cooling, coldest=0.02)
        assert policy.choose(frontier(0.1, 0.2), 0.0) is not None
        assert policy.state()["temperature"] == pytest.approx(second)
    for pages, coldest in [(None, 0.01), (400, 0.16), (400, 0.2)]:  # nothing to go by
        assert cooling_over(pages, 0.16, coldest) == 0.999


def test_everything_is_fetched_by_chance_or_not(plant: Plant) -> None:
    links = [(f"/{n}", "storm" if n % 3 else "tea") for n in range(1, 30)]
    field = plant(archived("/", *links, text="storm"), *(archived(p, text=p) for p, _ in links))
    for name, by_chance in (("annealing", True), ("wseo", False)):
        first, same, other = (field.crawl(name, seed=seed).paths for seed in (1, 1, 2))
        assert sorted(first) == sorted(["/", *(path for path, _ in links)])
        assert first == same and (first != other) is by_chance


def bank(*points: tuple[float, float], most: int = 3) -> LinkBank:
    return LinkBank(most, range(len(points)), np.array(points).reshape(-1, 2))


def meet(into: LinkBank, number: int, point: tuple[float, float], radius: float) -> list[int]:
    into.meet(number, np.array(point), radius)
    return into.numbers


def test_dominance_distance_mutant_and_crossover_by_hand() -> None:
    """Sides 3, 4 and 5."""
    better, worse, other = np.array([0.5, 0.5]), np.array([0.5, 0.4]), np.array([0.1, 0.9])
    assert dominates(better, worse) and not dominates(worse, better)
    assert not dominates(better, other) and not dominates(other, better)
    assert not dominates(better, better)
    assert mean_distance(np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])) == pytest.approx(4.0)
    assert mean_distance(np.array([[1.0, 1.0]])) == mean_distance(np.empty((0, 2))) == 0.0
    # 0.2 + 0.5 x 0.8 + 0.25 x (0.9 - 0.1) = 0.8; 1 + 0.5 x 0 + 0.25 x (0 - 0.4) = 0.9.
    own, first, second = np.array([0.2, 1.0]), np.array([0.9, 0.0]), np.array([0.1, 0.4])
    assert mutate(own, first, second, 0.5, 0.25).tolist() == pytest.approx([0.8, 0.9])
    assert mutate(own, first, second, 0.0, 0.0).tolist() == own.tolist()
    assert mutate(own, first, second, 1.0, 0.0).tolist() == [1.0, 1.0]
    own, donor = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.9, 1.7, -0.5, 0.8])
    assert crossover(own, donor, [True, False, False, True]).tolist() == [0.9, 0.2, 0.3, 0.8]
    assert crossover(own, donor, [False, True, True, False]).tolist() == [0.1, 1.0, 0.0, 0.4]


def test_who_joins_the_bank_and_who_leaves_it() -> None:
    made = bank((0.2, 0.2), (0.9, 0.1))
    assert meet(made, 7, (0.3, 0.1), 0.5) == [0, 1]
    assert meet(made, 8, (0.2, 0.2), 0.5) == [0, 1]
    assert meet(made, 9, (0.3, 0.3), 0.5) == [9, 1]
    assert made.points.tolist() == [[0.3, 0.3], [0.9, 0.1]]
    assert list(made.whys) == [9] and made.whys[9].endswith("better in anchor and page")
    made = bank((0.9, 0.9))
    assert meet(made, 9, (0.1, 0.1), 0.5) == [0, 9]
    assert made.whys == {9: f"far from all others: {0.8 * math.sqrt(2):.2f}, strongest in anchor"}
    assert meet(bank(), 9, (0.0, 0.0), 5.0) == [9]
    # Fronts: (0.9, 0.1), (0.1, 0.9); then (0.5, 0.05) and (0.05, 0.5); the smallest sum leaves.
    made = bank((0.9, 0.1), (0.5, 0.05), (0.05, 0.51))
    assert meet(made, 9, (0.1, 0.9), 0.2) == [0, 2, 9]
    assert made.points.tolist() == [[0.9, 0.1], [0.05, 0.51], [0.1, 0.9]]
    made = bank((0.9, 0.9), (0.8, 0.5), (0.5, 0.8))
    assert meet(made, 9, (0.0, 0.0), 0.2) == [0, 1, 2]  # it is the worst itself
    assert made.whys == {}


def test_radius_is_a_part_of_the_mean_distance_of_the_members(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Members at (0, 1) and (0, 0.1), 0.9 apart; the link at (0.7, 0) is 0.707 from the nearer one,
    which it does not dominate; that at (1, 1) is far from both in any case."""
    links = LinkMap()
    rows = np.array([[0.0, 1.0], [0.0, 0.1], [0.7, 0.0], [1.0, 1.0]])
    monkeypatch.setattr(links, "objectives", lambda numbers: rows[numbers])
    for part, joins in [(0.7, True), (0.8, False)]:
        members, tests = np.array([0, 1], np.int32), np.array([2, 3], np.int32)
        made = evolve(links, members, tests, 9, part)
        assert made.numbers == ([0, 1, 2, 3] if joins else [0, 1, 3])


A = "http://a.test/"
GENERATION = re.compile(r"generation (\d+): member of the bank, (.*)")


def chosen(made: Walk) -> list[tuple[int, str]]:
    found = [GENERATION.fullmatch(event.chosen) for event in made.events]
    return [(int(m[1]), m[2]) for m in found if m is not None]


def test_bank_begins_with_the_seeds_and_the_next_generation_when_all_are_answered() -> None:
    made = walk(A, name="wseo", bank=2)
    made.all_now()
    made.answer(page(A, f"{A}good", (f"{A}poor", "cake"), text="storm"))
    first = made.next()
    assert first.url == f"{A}good"
    assert first.chosen.startswith("generation 1: member of the bank, far from all others")
    made = walk(A, name="wseo", bank=1)
    made.all_now()
    made.answer(page(A, f"{A}1", (f"{A}2", "cake"), (f"{A}3", "tea")))
    for _ in range(3):  # members without links: what else waits is taken
        made.answer(page(made.next().url, text="tea"))
    reported = [why for _, why in chosen(made)]
    assert any(why.startswith("from the front: best") for why in reported[1:])
    made = walk(A, name="wseo")
    made.all_now()
    made.answer(page(A, f"{A}1", (f"{A}2", "cake")))
    both = made.all_now()
    assert len(both) == 2
    made.answer(page(both[0], f"{A}3"))
    assert made.crawl.next() is None
    made.answer(page(both[1]))
    assert made.next().url == f"{A}3"
    assert {generation for generation, _ in chosen(made)} == {1}


def test_circles_grow_with_the_pages_that_are_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The radius is reported to the bank as a part of the mean distance: a half, then the whole."""
    parts: list[float] = []

    def noted(links: LinkMap, members: Numbers, tests: Numbers, most: int, part: float) -> LinkBank:
        parts.append(part)
        return evolve(links, members, tests, most, part)

    monkeypatch.setattr(rivals, "evolve", noted)
    made = walk(A, name="wseo", growth=10)
    made.all_now()
    made.answer(page(A, f"{A}0"))
    for number in range(20):
        made.answer(page(made.next().url, f"{A}{number + 1}"))
    assert parts[0] == pytest.approx(0.55) and parts[-1] == 1.0
    assert parts == sorted(parts)


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


def test_nearest_waiting_link_to_the_place_of_each_with_crossover_and_without() -> None:
    """Nothing pulls and no difference counts: a trial is where its individual is."""
    world = begun("wxyz", pull=0.0, factor=0.0, crossover=1.0)
    world.places = {
        "a": ZERO, "b": ONE, "c": (0.0, 1.0, 0.0, 1.0), "w": MIDDLE, "x": (0.9, 1.0, 1.0, 0.9),
        "y": (0.1, 0.9, 0.1, 0.9), "z": (0.2, 0.1, 0.0, 0.0),
    }  # fmt: skip
    assert world.generation() == ["z", "x", "y"]
    assert world.parents() == {"z": 0, "x": 1, "y": 2}
    # All are at 0, the mutant at 1: the trial is 1 in one objective, where a link waits.
    for seed in range(5):
        world = begun("uvwxyz", seed, pages="abc", pull=1.0, factor=0.0, crossover=0.0)
        world.places |= {**dict.fromkeys("abcy", ZERO), "z": ONE}
        for at, url in enumerate("uvwx"):
            world.places[url] = tuple(float(at == other) for other in range(4))
        assert world.choose() in set("uvwx")
    for waiting, trials in [("uvwxyz", 4), ("xy", 2), ("x", 1)]:  # all at the same place
        found = begun(waiting, pages="abcd").generation()
        assert len(set(found)) == len(found) == trials


def test_children_join_while_there_is_room_and_then_take_the_place_of_parents() -> None:
    world = begun("xyz", population=3)
    children = world.generation()
    place = world.parents()
    worse, same, other = (next(url for url in children if place[url] == n) for n in range(3))
    world.places |= {
        worse: (0.5, 0.5, 0.5, 0.4), same: MIDDLE, other: (0.4, 0.4, 0.4, 0.6)
    }  # fmt: skip
    assert world.answered(children) == ["a", same, other]
    # Room for two; the third, which its parent dominates, is not among the survivors.
    world = begun("xyz", population=5)
    children = world.generation()
    world.places |= dict.fromkeys(children, (0.4,) * 4)
    assert world.answered(children) == ["a", "b", "c", *children[:2]]


def test_redirect_keeps_its_parent_and_a_page_of_two_trials_is_one_individual() -> None:
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
    world = begun("xyz", population=3)
    x, y, z = world.generation()
    world.map.lead(x, y)
    world.policy.completed(x)
    world.fetch(y, "uvw")
    world.fetch(z)
    assert world.choose() and len(set(world.population())) == 3
