"""Each measure by hand, on single numbers and on arrays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.similarity import concept_similarity as measures

SHARES = st.floats(0.0, 1.0)
COUNTS = st.integers(0, 40).map(float)


def test_lin() -> None:
    """Dog (0.75) and cat (1) under pet (0.5): 1 / 1.75."""
    assert measures.lin(0.5, 0.75, 1.0) == pytest.approx(4 / 7)
    assert measures.lin(0.0, 0.75, 1.0) == 0.0
    assert measures.lin(0.3, 0.3, 0.3) == 1.0


@given(SHARES, SHARES, SHARES)
def test_lin_equals_the_printed_quotient(lso: float, more: float, still_more: float) -> None:
    first, second = max(lso, more), max(lso, still_more)
    value = measures.lin(lso, first, second)
    assert 0.0 <= value <= 1.0
    assert value == measures.lin(lso, second, first)
    if first + second > 1e-300:
        assert value == pytest.approx(2 * lso / (first + second), abs=1e-12)


def test_jiang_conrath() -> None:
    """0.75 + 1 - 2 * 0.5 = 0.75; two leaves under the root are 2 apart."""
    assert measures.jiang_conrath(0.5, 0.75, 1.0) == pytest.approx(0.75)
    assert measures.jiang_conrath_similarity(0.5, 0.75, 1.0) == pytest.approx(0.625)
    assert measures.jiang_conrath(0.0, 1.0, 1.0) == 2.0
    assert measures.jiang_conrath_similarity(0.0, 1.0, 1.0) == 0.0


def test_wu_palmer() -> None:
    """Two edges apart under an ancestor at depth 3: 1 - 2 / 8, as 2 * 3 / (4 + 4)."""
    assert measures.wu_palmer(2.0, 3.0) == pytest.approx(0.75)
    assert measures.wu_palmer(0.0, 1.0) == 1.0


def test_leacock_chodorow() -> None:
    """Two edges, three concepts, five levels: -ln(3 / 10), of at most ln 10."""
    assert measures.leacock_chodorow(2.0, 5) == pytest.approx(1 - math.log10(3))
    assert measures.leacock_chodorow(0.0, 5) == 1.0


def test_li_bandar_mclean() -> None:
    """exp(-0.4) = 0.670320 and tanh(1.2) = 0.833655."""
    assert measures.li_bandar_mclean(2.0, 3.0) == pytest.approx(0.558815, abs=1e-6)
    assert measures.li_bandar_mclean(2.0, 1.0) == 0.0


def test_tversky_ratio() -> None:
    assert measures.tversky_ratio(4.0, 1.0, 1.0) == pytest.approx(0.8)
    assert measures.tversky_ratio(1.0, 5.0, 2.0) == pytest.approx(2 / 9)
    assert measures.tversky_ratio(1.0, 5.0, 2.0, 2.0, 0.1, 1.0) == pytest.approx(4 / 9)
    assert measures.tversky_ratio(3.0, 0.0, 0.0) == 1.0


@given(COUNTS, COUNTS, COUNTS)
def test_tversky_ratio_is_a_share(common: float, first: float, second: float) -> None:
    value = measures.tversky_ratio(common + 1.0, first, second)
    assert 0.0 < value <= 1.0
    assert value == measures.tversky_ratio(common + 1.0, second, first)


def test_arrays_give_what_single_numbers_give() -> None:
    lso, first, second = np.array([0.0, 0.2, 0.5]), np.array([0.0, 0.4, 0.5]), np.full(3, 0.75)
    length, depth = np.array([0.0, 3.0, 7.0]), np.array([1.0, 2.0, 5.0])
    assert measures.lin(lso, first, second).tolist() == [
        measures.lin(*row)
        for row in zip(lso.tolist(), first.tolist(), second.tolist(), strict=True)
    ]
    for measure in (measures.wu_palmer, measures.li_bandar_mclean):
        rows = zip(length.tolist(), depth.tolist(), strict=True)
        assert measure(length, depth) == pytest.approx([measure(*row) for row in rows])
    assert measures.leacock_chodorow(length, 9) == pytest.approx(
        [measures.leacock_chodorow(x, 9) for x in length.tolist()]
    )
