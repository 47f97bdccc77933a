"""Nearest-farthest selection: by hand, and against a slow form that looks at every pair."""

from __future__ import annotations

from math import dist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.linkgraph.nfcs import Chosen, nearest_farthest, normalised, select

NAMES = ("anchor", "rank")
FRONT = np.array([[0.0, 2.0], [0.1, 1.9], [0.5, 1.4], [0.8, 0.6], [1.0, 0.0]])
"""Normalised: (0, 1), (0.1, 0.95), (0.5, 0.7), (0.8, 0.3), (1, 0)."""
URLS = ("e", "d", "c", "b", "a")
tables = st.lists(
    st.tuples(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0]), min_size=3, max_size=3),
        st.sampled_from([0.1, 0.2]),
    ),
    max_size=25,
)
THREE = ("one", "two", "three")


def slow(
    rows: list[list[float]], priorities: list[float], urls: list[str], most: int
) -> list[tuple[int, float | None]]:
    """Places, and for those that are best in nothing how far they were."""
    low, high = ([pick(column) for column in zip(*rows, strict=True)] for pick in (min, max))
    points = [
        tuple((v - a) / (b - a) if b > a else 0.0 for v, a, b in zip(row, low, high, strict=True))
        for row in rows
    ]
    first = sorted(range(len(rows)), key=lambda n: (-priorities[n], urls[n]))
    chosen: list[tuple[int, float | None]] = []
    for column in range(len(rows[0]) if rows else 0):
        best = max(first, key=lambda n: points[n][column])
        if best not in [place for place, _ in chosen]:
            chosen.append((best, None))
    while len(chosen) < min(most, len(rows)):
        taken = [place for place, _ in chosen]
        left = [n for n in first if n not in taken]
        far = {n: min(dist(points[n], points[t]) for t in taken) for n in left}
        best = max(left, key=lambda n: round(far[n], 9))
        chosen.append((best, far[best]))
    return chosen[:most]


def test_worked_by_hand() -> None:
    """Best rank the first, best anchor the last.

    Then the third: 0.583 from the first and 0.860 from the last, while the second has only 0.112
    and the fourth 0.361. Then the fourth, 0.361 from the last (0.5 from the third).
    """
    found = nearest_farthest(FRONT, NAMES, np.zeros(5), URLS, 4)
    assert found == [
        Chosen(4, "best anchor"),
        Chosen(0, "best rank"),
        Chosen(2, "far from those chosen: 0.58, strongest in rank"),
        Chosen(3, "far from those chosen: 0.36, strongest in anchor"),
    ]


def test_all_of_a_small_front_each_with_its_reason() -> None:
    found = nearest_farthest(FRONT, NAMES, np.zeros(5), URLS, 30)
    assert [each.place for each in found] == [4, 0, 2, 3, 1]
    assert found[-1].reason == "far from those chosen: 0.11, strongest in rank"


def test_one_link_best_in_everything() -> None:
    found = select(np.array([[1.0, 0.3], [0.2, 0.1]]), NAMES, [0.0, 1.0], ["a", "b"], 5)
    assert found == [Chosen(0, "best anchor, best rank")]


def test_best_in_several_objectives() -> None:
    rows = np.array([[1.0, 0.9, 0.0], [0.0, 0.1, 1.0]])
    found = nearest_farthest(rows, THREE, np.zeros(2), ["a", "b"], 5)
    assert found == [Chosen(0, "best one, best two"), Chosen(1, "best three")]


def test_equals_by_priority_then_url() -> None:
    rows = np.full((4, 2), 0.5)
    found = nearest_farthest(rows, NAMES, np.array([0.1, 0.3, 0.1, 0.1]), ["c", "d", "b", "a"], 4)
    assert [each.place for each in found] == [1, 3, 2, 0]
    assert found[0].reason == "best priority"
    assert found[1].reason == "far from those chosen: 0.00, strongest in anchor"


@pytest.mark.parametrize(("priorities", "third"), [((0, 0, 1, 2), 3), ((0, 0, 2, 1), 2)])
def test_of_equally_far_ones_that_of_the_larger_priority(
    priorities: tuple[float, ...], third: int
) -> None:
    """The two in the middle are 0.354 from the nearer end, each from another."""
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.75, 0.25], [0.25, 0.75]])
    for urls in (list("abcd"), list("dcba")):
        found = select(rows, NAMES, priorities, urls, 3)
        assert [each.place for each in found] == [0, 1, third]


@pytest.mark.parametrize("best", [0, 1])
def test_of_those_best_in_an_objective_that_of_the_larger_priority(best: int) -> None:
    rows = np.array([[1.0, 0.5, 0.0], [1.0, 0.0, 0.5], [0.0, 0.5, 0.5]])
    priorities = [float(best == 0), float(best == 1), 0.5]
    for urls in (list("abc"), list("cba")):
        assert select(rows, THREE, priorities, urls, 1)[0].place == best


def test_an_objective_that_is_the_same_for_all_says_nothing() -> None:
    rows = np.array([[0.3, 0.0], [0.3, 0.5], [0.3, 1.0]])
    found = nearest_farthest(rows, NAMES, np.array([0.0, 9.0, 0.0]), ["a", "b", "c"], 3)
    assert found[:2] == [Chosen(1, "best priority"), Chosen(2, "best rank")]


def test_rounding_is_no_difference() -> None:
    column = 0.15 + np.array([0.0, 3e-17, 6e-17])
    assert normalised(column[:, None]).tolist() == [[0.0]] * 3
    assert normalised(np.array([[0.0], [1e-20]])).tolist() == [[0.0], [1.0]]


def test_fewer_wanted_than_objectives() -> None:
    assert [each.place for each in nearest_farthest(FRONT, NAMES, np.zeros(5), URLS, 1)] == [4]
    assert nearest_farthest(FRONT, NAMES, np.zeros(5), URLS, 0) == []


def test_no_links() -> None:
    assert select(np.empty((0, 2)), NAMES, [], [], 30) == []


def test_places_are_those_of_all_links() -> None:
    """The first and the fourth are dominated."""
    rows = np.array([[0.1, 0.1], [1.0, 0.0], [0.0, 1.0], [0.5, 0.4], [0.6, 0.6]])
    found = select(rows, NAMES, [0.0] * 5, list("abcde"), 30)
    assert [each.place for each in found] == [1, 2, 4]


def test_a_name_for_each_objective() -> None:
    with pytest.raises(ValueError, match="shorter"):
        select(FRONT, ["anchor"], np.zeros(5), URLS, 3)


@given(tables, st.integers(1, 12))
def test_as_the_slow_form(links: list[tuple[list[float], float]], most: int) -> None:
    rows, priorities = [row for row, _ in links], [priority for _, priority in links]
    urls = [f"u{number % 7}{number}" for number in range(len(links))]
    table = np.array(rows).reshape(-1, 3)
    found = nearest_farthest(table, THREE, np.array(priorities), urls, most)
    expected = slow(rows, priorities, urls, most)
    assert [each.place for each in found] == [place for place, _ in expected]
    for each, (_, far) in zip(found, expected, strict=True):
        if far is None:
            assert each.reason.startswith("best ")
        else:
            assert float(each.reason.split(",")[0].rpartition(" ")[2]) == pytest.approx(
                far, abs=0.0051
            )


@given(tables, st.integers(1, 12))
def test_the_order_of_the_links_does_not_matter(
    links: list[tuple[list[float], float]], most: int
) -> None:
    """Nor are any chosen twice, nor dominated ones."""
    urls = [f"u{number}" for number in range(len(links))]
    table = np.array([row for row, _ in links]).reshape(-1, 3)
    priorities = np.array([priority for _, priority in links])
    found = select(table, THREE, priorities, urls, most)
    back = select(table[::-1], THREE, priorities[::-1], urls[::-1], most)
    assert [urls[each.place] for each in found] == [urls[::-1][each.place] for each in back]
    places = [each.place for each in found]
    assert len(set(places)) == len(places) <= most
    for place in places:
        better = (table >= table[place]).all(axis=1) & (table > table[place]).any(axis=1)
        assert not better.any()
