"""Non-dominated links, against every pair compared."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.linkgraph.pareto import first_front, fronts

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


def test_worked_by_hand() -> None:
    """The third is beaten by the second, the fifth by all but the first; the fourth is equal."""
    rows = np.array([[0.9, 0.1], [0.5, 0.6], [0.5, 0.5], [0.5, 0.6], [0.2, 0.2]])
    assert first_front(rows).tolist() == [0, 1, 3]
    assert fronts(rows).tolist() == [0, 0, 1, 0, 2]


def test_one_objective() -> None:
    rows = np.array([[0.2], [0.7], [0.7], [0.1]])
    assert first_front(rows).tolist() == [1, 2]
    assert fronts(rows).tolist() == [1, 0, 0, 2]


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


@pytest.mark.parametrize("seed", range(3))
def test_many_links(seed: int) -> None:
    """More than a few hundred go through another algorithm of the library."""
    rows = np.random.default_rng(seed).integers(0, 12, (1_500, 4)) / 11.0
    better = (rows[:, None] >= rows).all(axis=2) & (rows[:, None] > rows).any(axis=2)
    assert first_front(rows).tolist() == np.flatnonzero(~better.any(axis=0)).tolist()


def test_no_links() -> None:
    assert first_front(np.empty((0, 4))).tolist() == []
    assert fronts(np.empty((0, 4))).tolist() == []


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused(value: float) -> None:
    for sort in (first_front, fronts):
        with pytest.raises(ValueError, match="finite"):
            sort(np.array([[0.1, 0.2], [0.3, value]]))


def test_what_is_no_table_is_refused() -> None:
    for shape in ((3,), (3, 0)):
        with pytest.raises(ValueError, match="a column for each objective"):
            first_front(np.ones(shape))


def test_the_library_is_loaded_when_it_is_needed() -> None:
    code = "import sys, scenthound.linkgraph.nfcs; sys.exit('moocore' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
