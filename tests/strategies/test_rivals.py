"""Rivals of the ants: simulated annealing, and web space evolution with its bank."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from crawler.web_building import Plant
from crawler.web_building import page as archived
from scenthound.core.model import Inlink, Score, ScoredLink
from scenthound.frontier.memory import MemoryFrontier
from scenthound.papers.olmoaco import web_space_evolution
from scenthound.papers.olmoaco.annealing import Metropolis, acceptance, cooling_over
from scenthound.papers.olmoaco.link_graph import Numbers
from scenthound.papers.olmoaco.objectives import LinkMap
from scenthound.papers.olmoaco.selection import dominates
from scenthound.papers.olmoaco.web_space_evolution import LinkBank, evolve, mean_distance
from strategies.scoring import strategy, strategy_context
from strategies.walking import Walk, page, walk

pytestmark = pytest.mark.filterwarnings("ignore::scenthound.core.errors.ScenthoundWarning")
"""Models trained on a few words say that they know little; that has tests of its own."""


def frontier(*values: float) -> MemoryFrontier:
    made = MemoryFrontier()
    made.add([ScoredLink(f"u{n}", 1, Inlink(1, Score(v))) for n, v in enumerate(values)])
    return made


def test_worse_link_is_taken_as_often_as_the_rule_of_metropolis_says() -> None:
    """After one of 0.5 each of two is drawn first as often; the worse one is then taken 37 in 100
    times, the better one always: the worse is first in 0.184 / (1 - 0.316) of all cases."""
    for score, last, temperature, chance in [
        (0.5, 0.5, 0.1, 1.0),
        (0.9, 0.5, 0.005, 1.0),
        (0.4, 0.5, 0.1, math.exp(-1.0)),
        (0.0, 1.0, 0.15, math.exp(-1 / 0.15)),
        (0.0, 1.0, 0.001, 0.0),
    ]:
        assert acceptance(score, last, temperature) == pytest.approx(chance)
    taken: Counter[str] = Counter()
    for seed in range(1_500):
        policy = Metropolis(random.Random(seed), temperature=0.1, cooling=1.0)
        policy.restore({**policy.state(), "last": 0.5})
        chosen = policy.choose(frontier(0.4, 0.5), 0.0)
        assert chosen is not None
        taken[chosen.url] += 1
    worse = 0.5 * math.exp(-1.0)
    assert taken["u0"] / 1_500 == pytest.approx(worse / (0.5 + worse), abs=0.04)


def test_after_too_many_refusals_the_best_is_taken_and_what_waits_for_a_retry_is_not() -> None:
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


def test_temperature_falls_with_every_page_to_the_coldest() -> None:
    policy = Metropolis(random.Random(0), temperature=0.2, cooling=0.5, coldest=0.04)
    waiting = frontier(0.1, 0.2, 0.3, 0.4)
    found = []
    while policy.choose(waiting, 0.0) is not None:
        found.append(policy.state()["temperature"])
    assert found == pytest.approx([0.1, 0.05, 0.04, 0.04])


def test_pages_of_the_crawl_cool_unless_a_factor_is_given() -> None:
    """Four pages may be fetched: the temperature is at its coldest after the first."""
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


def test_dominance_and_mean_distance_of_all_pairs() -> None:
    """Sides 3, 4 and 5."""
    better, worse, other = np.array([0.5, 0.5]), np.array([0.5, 0.4]), np.array([0.1, 0.9])
    assert dominates(better, worse) and not dominates(worse, better)
    assert not dominates(better, other) and not dominates(other, better)
    assert not dominates(better, better)
    assert mean_distance(np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])) == pytest.approx(4.0)
    assert mean_distance(np.array([[1.0, 1.0]])) == mean_distance(np.empty((0, 2))) == 0.0


def test_near_a_member_a_link_takes_its_place_only_if_it_dominates_it() -> None:
    made = bank((0.2, 0.2), (0.9, 0.1))
    assert meet(made, 7, (0.3, 0.1), 0.5) == [0, 1]
    assert meet(made, 8, (0.2, 0.2), 0.5) == [0, 1]
    assert meet(made, 9, (0.3, 0.3), 0.5) == [9, 1]
    assert made.points.tolist() == [[0.3, 0.3], [0.9, 0.1]]
    assert list(made.whys) == [9] and made.whys[9].endswith("better in anchor and page")


def test_far_from_all_a_link_joins_also_if_it_is_dominated() -> None:
    made = bank((0.9, 0.9))
    assert meet(made, 9, (0.1, 0.1), 0.5) == [0, 9]
    assert made.whys == {9: f"far from all others: {0.8 * math.sqrt(2):.2f}, strongest in anchor"}
    assert meet(bank(), 9, (0.0, 0.0), 5.0) == [9]


def test_where_they_are_too_many_one_of_the_last_front_leaves() -> None:
    """Fronts: (0.9, 0.1), (0.1, 0.9); then (0.5, 0.05) and (0.05, 0.5); the smallest sum leaves."""
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


def test_bank_begins_with_the_seeds_and_is_filled_from_the_front() -> None:
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
    told = [why for _, why in chosen(made)]
    assert any(why.startswith("from the front: best") for why in told[1:])


def test_next_generation_begins_when_all_members_are_answered() -> None:
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
    """The radius is told to the bank as a part of the mean distance: a half, then the whole."""
    parts: list[float] = []

    def noted(links: LinkMap, members: Numbers, tests: Numbers, most: int, part: float) -> LinkBank:
        parts.append(part)
        return evolve(links, members, tests, most, part)

    monkeypatch.setattr(web_space_evolution, "evolve", noted)
    made = walk(A, name="wseo", growth=10)
    made.all_now()
    made.answer(page(A, f"{A}0"))
    for number in range(20):
        made.answer(page(made.next().url, f"{A}{number + 1}"))
    assert parts[0] == pytest.approx(0.55) and parts[-1] == 1.0
    assert parts == sorted(parts)
