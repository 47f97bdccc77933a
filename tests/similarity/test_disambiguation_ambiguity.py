"""Which terms are ambiguous: the full engine against the majority of three midpoints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scenthound.core.errors import InputError, UnknownNameError
from scenthound.papers.ambiguity import RULES, FuzzyCriterion, PopularityCriterion, Thresholds

WAYS = [
    FuzzyCriterion(membership=membership, inference=inference, defuzzification=defuzzification)
    for membership in ("piecewise-linear", "gaussian")
    for inference in ("mamdani", "larsen")
    for defuzzification in ("maximum", "centroid", "bisector")
]
EIGHTHS = st.integers(-400, 400).map(lambda n: n / 8.0)
WIDTHS = st.sampled_from([0.25, 0.5, 1.0, 2.0, 8.0, 32.0])
NUMBERS = st.floats(-1e6, 1e6)


def majority(row: tuple[float, ...], thresholds: Thresholds) -> bool:
    """At least two indicators at or below their midpoint."""
    middles = [(a + b) / 2.0 for a, b in thresholds]
    return sum(x <= middle for x, middle in zip(row, middles, strict=True)) >= 2


def exact_pairs() -> st.SearchStrategy[Thresholds]:
    pair = st.tuples(EIGHTHS, WIDTHS).map(lambda start: (start[0], start[0] + start[1]))
    return st.tuples(pair, pair, pair)


@given(st.tuples(EIGHTHS, EIGHTHS, EIGHTHS), exact_pairs(), st.booleans())
def test_the_engine_is_a_majority_of_midpoints(
    row: tuple[float, ...], thresholds: Thresholds, in_the_middle: bool
) -> None:
    """Eighths and widths that are powers of two: every comparison at a midpoint is exact."""
    if in_the_middle:
        row = (row[0], *((a + b) / 2.0 for a, b in thresholds[1:]))
    flags = FuzzyCriterion(thresholds).judge(np.array([row])).flags
    assert flags.tolist() == [majority(row, thresholds)]


@given(st.tuples(NUMBERS, NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS, NUMBERS), st.data())
def test_so_it_is_for_numbers_of_any_kind(
    row: tuple[float, ...], starts: tuple[float, ...], data: st.DataObject
) -> None:
    """Away from the midpoints by more than rounding reaches; there the test above looks."""
    widths = data.draw(st.tuples(*[st.floats(1e-3, 1e6)] * 3))
    thresholds = tuple((a, a + width) for a, width in zip(starts, widths, strict=True))
    distances = [
        abs(x - (a + b) / 2.0) / (b - a) for x, (a, b) in zip(row, thresholds, strict=True)
    ]
    assume(min(distances) > 1e-6)  # 1e6 with a width of 1e-3 leaves nine digits
    flags = FuzzyCriterion(thresholds).judge(np.array([row])).flags
    assert flags.tolist() == [majority(row, thresholds)]


def test_every_way_of_inference_gives_the_same_terms() -> None:
    """All places of three indicators, midpoints and the outside included."""
    for way in WAYS:
        thresholds = ((0.0, 1.0), (2.0, 6.0), (-3.0, -2.0))
        steps = (-1.0, 0.0, 0.125, 0.5, 0.625, 1.0, 3.0)
        rows = np.array(
            [
                [a + (b - a) * step for (a, b), step in zip(thresholds, point, strict=True)]
                for point in np.array(np.meshgrid(steps, steps, steps)).reshape(3, -1).T.tolist()
            ]
        )
        criterion = FuzzyCriterion(
            thresholds,
            membership=way.membership,
            inference=way.inference,
            defuzzification=way.defuzzification,
        )
        flags = criterion.judge(rows).flags.tolist()
        assert flags == [majority(tuple(row), thresholds) for row in rows.tolist()]


def test_table_2() -> None:
    for rule in RULES:
        assert rule.result == ("H" if rule.conditions.count("L") >= 2 else "L")
    assert len({rule.conditions for rule in RULES}) == 8


def test_figure_3() -> None:
    """TR 7.1, TP 3.4, TI 5.7, with thresholds that give the degrees 0.7, 0.575 and 0.7."""
    thresholds = ((4.1, 14.1), (2.55, 4.55), (2.7, 12.7))
    values, flags = FuzzyCriterion(thresholds).judge(np.array([[7.1, 3.4, 5.7]]))
    assert values == pytest.approx([16.375])
    assert flags.tolist() == [True]


def test_popularity_asks_for_more_relevant_pages_than_irrelevant_ones() -> None:
    """3 and 3 pages: TP = 3/4, ambiguous. 3 and 2: TP = 1, clear. None of 4: TP = 0."""
    indicators = np.array([[9.0, 0.75, 9.0], [0.0, 1.0, 0.0], [9.0, 0.0, 9.0]])
    values, flags = PopularityCriterion().judge(indicators)
    assert flags.tolist() == [True, False, True]
    assert values == pytest.approx([1 / 1.75, 0.5, 1.0])


def test_what_cannot_be_used_is_said_at_once() -> None:
    with pytest.raises(InputError, match="interval"):
        FuzzyCriterion(output=(2.0, 2.0))
    with pytest.raises(InputError, match="three pairs"):
        FuzzyCriterion(((0.0, 1.0),))
    with pytest.raises(UnknownNameError, match="gaussian"):
        FuzzyCriterion(membership="gauss")
    with pytest.raises(UnknownNameError, match="larsen"):
        FuzzyCriterion(inference="larson")
