"""How links compete for a place in the bank of web space evolution, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scenthound.strategies.bank import Bank, dominates, generation, mean_distance
from scenthound.strategies.link_map import LinkMap


def bank(*points: tuple[float, float], most: int = 3) -> Bank:
    return Bank(most, range(len(points)), np.array(points).reshape(-1, 2))


def meet(into: Bank, number: int, point: tuple[float, float], radius: float) -> list[int]:
    into.meet(number, np.array(point), radius)
    return into.numbers


def test_dominance() -> None:
    better, worse, other = np.array([0.5, 0.5]), np.array([0.5, 0.4]), np.array([0.1, 0.9])
    assert dominates(better, worse) and not dominates(worse, better)
    assert not dominates(better, other) and not dominates(other, better)
    assert not dominates(better, better)


def test_mean_distance_is_that_of_all_pairs() -> None:
    """Sides 3, 4 and 5."""
    assert mean_distance(np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])) == pytest.approx(4.0)
    assert mean_distance(np.array([[1.0, 1.0]])) == mean_distance(np.empty((0, 2))) == 0.0


def test_near_a_member_a_link_takes_its_place_only_if_it_dominates_it() -> None:
    made = bank((0.2, 0.2), (0.9, 0.1))
    assert meet(made, 7, (0.3, 0.1), 0.5) == [0, 1]
    assert meet(made, 8, (0.2, 0.2), 0.5) == [0, 1]
    assert meet(made, 9, (0.3, 0.3), 0.5) == [9, 1]
    assert made.points.tolist() == [[0.3, 0.3], [0.9, 0.1]]
    assert list(made.whys) == [9] and made.whys[9].endswith("better in anchor and page")


def test_only_the_nearest_member_is_fought() -> None:
    made = bank((0.5, 0.5), (0.0, 0.0))
    assert meet(made, 9, (0.4, 0.4), 1.0) == [0, 1]  # it would dominate the other one


def test_far_from_all_a_link_joins_also_if_it_is_dominated() -> None:
    made = bank((0.9, 0.9))
    assert meet(made, 9, (0.1, 0.1), 0.5) == [0, 9]
    assert made.whys == {9: f"far from all others: {0.8 * math.sqrt(2):.2f}, strongest in anchor"}


def test_at_the_radius_is_far() -> None:
    assert meet(bank((0.0, 0.0)), 9, (0.0, 0.5), 0.5) == [0, 9]


def test_where_they_are_too_many_one_of_the_last_front_leaves() -> None:
    """Fronts: (0.9, 0.1), (0.1, 0.9); then (0.5, 0.05) and (0.05, 0.5); the smallest sum leaves."""
    made = bank((0.9, 0.1), (0.5, 0.05), (0.05, 0.51))
    assert meet(made, 9, (0.1, 0.9), 0.2) == [0, 2, 9]
    assert made.points.tolist() == [[0.9, 0.1], [0.05, 0.51], [0.1, 0.9]]


def test_link_that_is_worst_itself_leaves_again() -> None:
    made = bank((0.9, 0.9), (0.8, 0.5), (0.5, 0.8))
    assert meet(made, 9, (0.0, 0.0), 0.2) == [0, 1, 2]
    assert made.whys == {}


def test_first_link_of_an_empty_bank_joins() -> None:
    assert meet(bank(), 9, (0.0, 0.0), 5.0) == [9]


def mapped() -> LinkMap:
    links = LinkMap()
    links.add_page("a", 0.9, {"near": (0.9, 0.9), "far": (0.1, 0.1)})
    links.add_page("b", 0.1, {"near": (0.8, 0.1), "poor": (0.0, 0.0)})
    return links


def test_generation_has_all_test_links_meet_the_bank() -> None:
    links = mapped()
    members = np.array(links.pages(), np.int32)
    made = generation(links, members, links.waiting(), 2, 0.5)
    assert len(made.numbers) == 2
    assert links.graph.number("near") in made.numbers
    assert set(made.whys) <= set(made.numbers)


@pytest.mark.parametrize(("part", "joins"), [(0.5, True), (0.7, True), (0.8, False), (1.0, False)])
def test_radius_is_a_part_of_the_mean_distance_of_the_members(
    monkeypatch: pytest.MonkeyPatch, part: float, joins: bool
) -> None:
    """Members at (0, 1) and (0, 0.1), 0.9 apart; the link at (0.7, 0) is 0.707 from the nearer one,
    which it does not dominate; that at (1, 1) is far from both in any case."""
    links = LinkMap()
    rows = np.array([[0.0, 1.0], [0.0, 0.1], [0.7, 0.0], [1.0, 1.0]])
    monkeypatch.setattr(links, "objectives", lambda numbers: rows[numbers])
    members, tests = np.array([0, 1], np.int32), np.array([2, 3], np.int32)
    made = generation(links, members, tests, 9, part)
    assert made.numbers == ([0, 1, 2, 3] if joins else [0, 1, 3])
