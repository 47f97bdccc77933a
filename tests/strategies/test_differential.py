"""Differential evolution: trials and survivors by hand, and what is fetched when."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.model import Inlink, Score, Sighting
from scenthound.core.parameters import Value
from scenthound.core.protocols import StateValue
from scenthound.frontier.memory import MemoryFrontier
from scenthound.linkgraph.graph import Numbers, Reals
from scenthound.store.state import load_state, save_state
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.differential import Differential, crossed, mutant
from scenthound.strategies.mapped import MappedTexts
from strategies.scoring import ingredients, strategy
from strategies.walking import page, walk

A = "http://a.test/"
MIDDLE = (0.5, 0.5, 0.5, 0.5)
ZERO, ONE = (0.0,) * 4, (1.0,) * 4
Place = tuple[float, ...]


class World:
    """A policy on a map whose places a test sets; the links of the pages wait in a frontier."""

    def __init__(self, seed: int = 0, **parameters: float) -> None:
        scorer = strategy("moaco").scorer
        assert isinstance(scorer, MappedTexts)
        self.map = scorer.map
        self.frontier = MemoryFrontier()
        self.policy = Differential(random.Random(seed), scorer, **parameters)  # type: ignore[arg-type]
        self.scorer = scorer
        self.places: dict[str, Place] = {}
        self.map.objectives = self._objectives  # type: ignore[method-assign]

    def _objectives(self, numbers: Numbers) -> Reals:
        rows = [self.places.get(url, MIDDLE) for url in self.map.urls(numbers.tolist())]
        return np.array(rows).reshape(-1, 4)

    def fetch(self, url: str, links: Iterable[str] = ()) -> None:
        self.map.add_page(url, 0.5, dict.fromkeys(links, (0.5, 0.5)))
        self.frontier.add([Sighting(link, 1, Inlink(1, Score(0.5))) for link in links])
        self.policy.answered(url)

    def choose(self) -> str:
        candidate = self.policy.choose(self.frontier, 0.0)
        return "" if candidate is None else candidate.url

    def generation(self) -> list[str]:
        """All that is wanted until something has to be answered."""
        return list(iter(self.choose, ""))

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


def test_mutant_by_hand() -> None:
    """0.2 + 0.5 x 0.8 + 0.25 x (0.9 - 0.1) = 0.8; 1 + 0.5 x 0 + 0.25 x (0 - 0.4) = 0.9."""
    own, first, second = np.array([0.2, 1.0]), np.array([0.9, 0.0]), np.array([0.1, 0.4])
    assert mutant(own, first, second, 0.5, 0.25).tolist() == pytest.approx([0.8, 0.9])
    assert mutant(own, first, second, 0.0, 0.0).tolist() == own.tolist()
    assert mutant(own, first, second, 1.0, 0.0).tolist() == [1.0, 1.0]


def test_crossed_takes_some_coordinates_and_stays_within_bounds() -> None:
    own, other = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.9, 1.7, -0.5, 0.8])
    assert crossed(own, other, [True, False, False, True]).tolist() == [0.9, 0.2, 0.3, 0.8]
    assert crossed(own, other, [False, True, True, False]).tolist() == [0.1, 1.0, 0.0, 0.4]


@pytest.mark.parametrize(("fetched", "wanted"), [("a", 2), ("ab", 1)])
def test_begins_from_the_front_until_there_are_three_pages(fetched: str, wanted: int) -> None:
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


def test_reason_tells_the_front_it_begins_from() -> None:
    world = begun("xy", pages="a")
    candidate = world.policy.choose(world.frontier, 0.0)
    assert candidate is not None
    assert candidate.chosen.startswith("generation 1: to begin with: best ")


def test_nothing_waits() -> None:
    assert begun("").choose() == "" == World().choose()


def test_nearest_waiting_link_to_the_place_of_each() -> None:
    """Nothing pulls and no difference counts: a trial is where its individual is."""
    world = begun("wxyz", pull=0.0, factor=0.0, crossover=1.0)
    world.places = {
        "a": ZERO, "b": ONE, "c": (0.0, 1.0, 0.0, 1.0), "w": MIDDLE, "x": (0.9, 1.0, 1.0, 0.9),
        "y": (0.1, 0.9, 0.1, 0.9), "z": (0.2, 0.1, 0.0, 0.0),
    }  # fmt: skip
    assert world.generation() == ["z", "x", "y"]
    assert world.parents() == {"z": 0, "x": 1, "y": 2}


def test_nearest_to_the_ideal_where_all_are_pulled_there() -> None:
    world = begun("wxyz", pull=1.0, factor=0.0, crossover=1.0)
    world.places = {
        "a": ZERO, "b": ONE, "c": MIDDLE, "w": (0.6,) * 4, "x": (0.9,) * 4, "y": (0.7,) * 4,
        "z": (0.1,) * 4,
    }  # fmt: skip
    candidate = world.policy.choose(world.frontier, 0.0)
    assert candidate is not None and candidate.url == "x"
    assert "nearest to the trial of individual 1: 0.20" in candidate.chosen  # 4 times 0.1 squared
    assert world.generation() == ["y", "w"]


@pytest.mark.parametrize("seed", range(5))
def test_without_crossover_one_objective_is_that_of_the_mutant(seed: int) -> None:
    """All are at 0, the mutant at 1: the trial is 1 in one objective, where a link waits."""
    world = begun("uvwxyz", seed, pages="abc", pull=1.0, factor=0.0, crossover=0.0)
    world.places |= {**dict.fromkeys("abcy", ZERO), "z": ONE}
    for at, url in enumerate("uvwx"):
        world.places[url] = tuple(float(at == other) for other in range(4))
    assert world.choose() in set("uvwx")


@pytest.mark.parametrize(("waiting", "trials"), [("uvwxyz", 4), ("xy", 2), ("x", 1)])
def test_no_link_is_wanted_twice(waiting: str, trials: int) -> None:
    """All wait at the same place, which is nearest to every trial."""
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
    for url in children:
        world.fetch(url, [f"{url}{n}" for n in range(2)])
    assert world.choose()
    assert world.population() == ["a", same, other]


def test_children_join_while_there_is_room() -> None:
    """Room for two; the third, which its parent dominates, is not among the survivors."""
    world = begun("xyz", population=5)
    children = world.generation()
    world.places |= dict.fromkeys(children, (0.4,) * 4)
    for url in children:
        world.fetch(url, [f"{url}{n}" for n in range(2)])
    assert world.choose()
    assert world.population() == ["a", "b", "c", *children[:2]]


def test_child_that_was_never_found_changes_nothing() -> None:
    world = begun("xyz", population=3)
    children = world.generation()
    for url in children:
        world.map.close(world.map.graph.number(url))
        world.frontier.ack(url)
    assert world.choose() == ""
    assert world.population() == ["a", "b", "c"]


def test_of_more_pages_than_the_population_the_first() -> None:
    world = begun("xyz", pages="abcdefg", population=4)
    assert world.choose()
    assert world.population() == list("abcd")


def test_redirect_keeps_its_parent() -> None:
    world = begun("xyz", population=3)
    children = world.generation()
    place = world.parents()
    moved = children[1]
    world.frontier.redirect(moved, "new")
    world.policy.answered(moved)
    world.policy.redirected(moved, "new")
    assert world.parents() == {
        "new" if url == moved else url: place for url, place in place.items()
    }
    assert world.choose() == "new"
    world.places |= {children[0]: ZERO, children[2]: ZERO, "new": ONE}
    for url in (children[0], "new", children[2]):
        world.fetch(url, [f"{url}{n}" for n in range(2)])
    assert world.choose()
    expected = ["a", "b", "c"]
    expected[place[moved]] = "new"
    assert world.population() == expected


def order(world: World, pages: int) -> list[str]:
    """So many fetches, each page with three links more."""
    found = []
    for _ in range(pages):
        url = world.choose()
        found.append(url)
        grown = tuple(((len(url) * 7 + ord(url[-1])) * k % 10) / 10 for k in (1, 3, 7, 9))
        world.places |= {f"{url}{n}": (*grown[n:], *grown[:n]) for n in range(3)}
        world.fetch(url, [f"{url}{n}" for n in range(3)])
    return found


@pytest.mark.parametrize("stop", range(1, 12))
def test_goes_on_in_the_middle_of_a_generation(stop: int, tmp_path: Path) -> None:
    whole = order(begun("uvwxyz", population=5), 24)
    assert len(set(whole)) == 24
    world = begun("uvwxyz", population=5)
    first = order(world, stop)
    save_state(world.policy.state(), tmp_path / "state.npz")
    world.policy = Differential(random.Random(99), world.scorer, population=5)
    world.policy.restore(load_state(tmp_path / "state.npz"))
    assert first + order(world, 24 - stop) == whole


def test_seed_decides_the_order_and_nothing_else_does() -> None:
    orders = [tuple(order(begun("uvwxyz", seed), 24)) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]


def test_all_that_can_be_reached_is_fetched() -> None:
    made = walk(A, name="olmode", population=3, concepts=5)
    made.all_now()
    made.answer(page(A, *(f"{A}{n}" for n in range(5))))
    while found := made.all_now():
        made.answer(*(page(url, f"{A}{(int(url[-1]) + 4) % 9}") for url in found))
    assert {event.url for event in made.events} == {A, *(f"{A}{n}" for n in range(9))}


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"population": 2}, "population must be 3 or more, not 2"),
        ({"factor": 1.5}, "factor"),
        ({"crossover": -0.1}, "crossover"),
        ({"pull": 2.0}, "pull"),
    ],
)
def test_parameters_that_cannot_be(parameters: dict[str, Value], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        CATALOGUE["olmode"].build(ingredients(), parameters)


def test_page_that_two_trials_lead_to_is_one_individual() -> None:
    world = begun("xyz", population=3)
    x, y, z = world.generation()
    world.map.lead(x, y)
    world.policy.answered(x)
    world.fetch(y, "uvw")
    world.fetch(z)
    assert world.choose() and len(set(world.population())) == 3
