"""Non-dominated links and nearest-farthest selection, by hand and against slow forms."""

from __future__ import annotations

import subprocess
import sys
from math import dist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.papers.olmoaco.selection import (
    first_front,
    fronts,
    normalised,
    select,
)

tables = st.integers(1, 4).flatmap(
    lambda columns: st.lists(
        st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.7, 1.0]), min_size=columns, max_size=columns),
        min_size=1,
        max_size=30,
    )
)


def dominates(one: list[float], other: list[float]) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))


def slow_front(rows: list[list[float]], among: list[int]) -> list[int]:
    return [n for n in among if not any(dominates(rows[other], rows[n]) for other in among)]


def test_fronts() -> None:
    """The third is beaten by the second, the fifth by all but the first; the fourth is equal."""
    rows = np.array([[0.9, 0.1], [0.5, 0.6], [0.5, 0.5], [0.5, 0.6], [0.2, 0.2]])
    assert first_front(rows).tolist() == [0, 1, 3]
    assert fronts(rows).tolist() == [0, 0, 1, 0, 2]
    # More than a few hundred go through another algorithm of the library.
    rows = np.random.default_rng(1).integers(0, 12, (1_500, 4)) / 11.0
    better = (rows[:, None] >= rows).all(axis=2) & (rows[:, None] > rows).any(axis=2)
    assert first_front(rows).tolist() == np.flatnonzero(~better.any(axis=0)).tolist()


@settings(max_examples=40)
@given(tables)
def test_as_every_pair_compared(rows: list[list[float]]) -> None:
    left = list(range(len(rows)))
    expected: dict[int, int] = {}
    for rank in range(len(rows)):
        front = slow_front(rows, left)
        expected |= dict.fromkeys(front, rank)
        left = [n for n in left if n not in front]
    table = np.array(rows)
    assert fronts(table).tolist() == [expected[n] for n in range(len(rows))]
    assert first_front(table).tolist() == [n for n in range(len(rows)) if not expected[n]]


def test_the_library_is_loaded_when_it_is_needed() -> None:
    code = "import sys, scenthound.papers.olmoaco.selection; sys.exit('moocore' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


FRONT = np.array([[0.0, 2.0], [0.1, 1.9], [0.5, 1.4], [0.8, 0.6], [1.0, 0.0]])
"""Normalised: (0, 1), (0.1, 0.95), (0.5, 0.7), (0.8, 0.3), (1, 0)."""
URLS = ("e", "d", "c", "b", "a")
weighed_tables = st.lists(
    st.tuples(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0]), min_size=3, max_size=3),
        st.sampled_from([0.1, 0.2]),
    ),
    min_size=1,
    max_size=25,
)


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


def test_worked_by_hand_selection() -> None:
    """Best page the first, best anchor the last.

    Then the third: 0.583 from the first and 0.860 from the last, while the second has only 0.112
    and the fourth 0.361. Then the fourth, 0.361 from the last (0.5 from the third).
    """
    found = select(FRONT, np.zeros(5), URLS, 4)
    assert list(found.items()) == [
        (4, "best anchor"),
        (0, "best page"),
        (2, "far from those chosen: 0.58, strongest in page"),
        (3, "far from those chosen: 0.36, strongest in anchor"),
    ]
    # one link is best in everything
    found = select(np.array([[1.0, 0.3], [0.2, 0.1]]), np.array([0.0, 1.0]), ["a", "b"], 5)
    assert found == {0: "best anchor, best page"}
    # rounding is no difference
    column = 0.15 + np.array([0.0, 3e-17, 6e-17])
    assert normalised(column[:, None]).tolist() == [[0.0]] * 3
    assert normalised(np.array([[0.0], [1e-20]])).tolist() == [[0.0], [1.0]]


def test_what_ties_are_broken_by() -> None:
    rows = np.full((4, 2), 0.5)
    found = select(rows, np.array([0.1, 0.3, 0.1, 0.1]), ["c", "d", "b", "a"], 4)
    assert list(found) == [1, 3, 2, 0]
    assert found[1] == "best priority"
    assert found[3] == "far from those chosen: 0.00, strongest in anchor"
    # The two in the middle are 0.354 from the nearer end, each from another.
    for priorities, third in [((0, 0, 1, 2), 3), ((0, 0, 2, 1), 2)]:
        rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.75, 0.25], [0.25, 0.75]])
        for urls in (list("abcd"), list("dcba")):
            found = select(rows, np.array(priorities), urls, 3)
            assert list(found) == [0, 1, third]
    # of those best in an objective that of the larger priority
    for best in [0, 1]:
        rows = np.array([[1.0, 0.5, 0.0], [1.0, 0.0, 0.5], [0.0, 0.5, 0.5]])
        larger = [float(best == 0), float(best == 1), 0.5]
        for urls in (list("abc"), list("cba")):
            assert list(select(rows, np.array(larger), urls, 1)) == [best]


@settings(max_examples=40)
@given(weighed_tables, st.integers(1, 12))
def test_as_the_slow_form(links: list[tuple[list[float], float]], most: int) -> None:
    rows, priorities = [row for row, _ in links], [priority for _, priority in links]
    urls = [f"u{number % 7}{number}" for number in range(len(links))]
    table = np.array(rows).reshape(-1, 3)
    found = select(table, np.array(priorities), urls, most)
    front = slow_front(rows, list(range(len(rows))))
    chosen = slow(
        [rows[n] for n in front], [priorities[n] for n in front], [urls[n] for n in front], most
    )
    expected = [(front[place], far) for place, far in chosen]
    assert list(found) == [place for place, _ in expected]
    for reason, (_, far) in zip(found.values(), expected, strict=True):
        if far is None:
            assert reason.startswith("best ")
        else:
            assert float(reason.split(",")[0].rpartition(" ")[2]) == pytest.approx(far, abs=0.0051)
    # the order of the links does not matter
    back = select(table[::-1], np.array(priorities[::-1]), urls[::-1], most)
    assert [urls[place] for place in found] == [urls[::-1][place] for place in back]
    assert len(found) <= most
