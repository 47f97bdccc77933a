"""Memberships and inference on numbers that can be worked out by hand."""

from __future__ import annotations

import math

import pytest

from scenthound.core.errors import InputError, UnknownNameError
from scenthound.papers.ambiguity import RULES
from scenthound.papers.fuzzy import (
    Falling,
    FuzzySystem,
    Gaussian,
    Labels,
    Rising,
    Rule,
    bisector,
    centroid,
    inferred,
    maximum_membership,
    output_shape,
)

OUTPUT: Labels = {"L": Falling(10.0, 20.0), "H": Rising(10.0, 20.0)}
UNIT: Labels = {"L": Falling(0.0, 1.0), "H": Rising(0.0, 1.0)}
INTERVAL = (10.0, 20.0)
FIGURE_3 = [{"L": low, "H": 1.0 - low} for low in (0.7, 0.575, 0.7)]


def test_piecewise_linear_labels() -> None:
    """Between 2 and 6: a quarter of the way at 3."""
    x = [-5.0, 2.0, 3.0, 4.0, 6.0, 99.0]
    assert Falling(2.0, 6.0).degree(x).tolist() == [1.0, 1.0, 0.75, 0.5, 0.0, 0.0]
    assert Rising(2.0, 6.0).degree(x).tolist() == [0.0, 0.0, 0.25, 0.5, 1.0, 1.0]


def test_bell() -> None:
    assert Gaussian(1.0, 2.0).degree([1, 3, -1]) == pytest.approx([1.0, *[math.exp(-0.5)] * 2])


def test_the_way_back() -> None:
    cases: list[tuple[Falling | Gaussian, float, float]] = [
        (Falling(10.0, 20.0), 0.3, 17.0),
        (Falling(10.0, 20.0), 0.0, 20.0),
        (Falling(10.0, 20.0), 1.0, 10.0),
        (Rising(10.0, 20.0), 0.575, 15.75),
        (Rising(10.0, 20.0), 0.0, 10.0),
        (Rising(10.0, 20.0), 1.0, 20.0),
        (Gaussian(4.0, 1.0), 0.2, 4.0),
    ]
    for label, degree, number in cases:
        assert label.inverse(degree) == pytest.approx(number)


def test_the_strongest_rule_counts() -> None:
    """sdvsm Fig. 3, Eq. 13: minimum of each rule, maximum over the rules of a result."""
    assert inferred(FIGURE_3, RULES) == pytest.approx({"H": 0.575, "L": 0.3})


def test_larsen_multiplies() -> None:
    """H: the first rule, 0.7 * 0.575 * 0.7. L: the others hold two highs; 0.7 * 0.425 * 0.3."""
    support = inferred(FIGURE_3, RULES, "larsen")
    assert support == pytest.approx({"H": 0.7 * 0.575 * 0.7, "L": 0.7 * 0.425 * 0.3})


def test_figure_3_of_the_paper() -> None:
    """av_L = 20 - 0.3 * 10 = 17, av_H = 10 + 0.575 * 10 = 15.75, mean 16.375."""
    assert maximum_membership(OUTPUT, {"L": 0.3, "H": 0.575}) == pytest.approx(16.375)
    system = FuzzySystem((UNIT,) * 3, RULES, OUTPUT, INTERVAL)
    assert system.value((0.3, 0.425, 0.3)) == pytest.approx(16.375)


def test_centroid_and_bisector_of_a_triangle() -> None:
    """Low alone, in full: a third of the way, and where (20 - x)^2 is half of 100."""
    grid, height = output_shape(OUTPUT, {"L": 1.0, "H": 0.0}, INTERVAL, "mamdani")
    assert centroid(grid, height) == pytest.approx(10.0 + 10.0 / 3.0, abs=1e-4)
    assert bisector(grid, height) == pytest.approx(20.0 - math.sqrt(50.0), abs=1e-4)


def test_sets_are_cut_off_or_scaled() -> None:
    """Low at 0.5: a plateau up to 15, then the slope; or the whole slope at half its height."""
    degrees = {"L": 0.5}
    _, cut = output_shape(OUTPUT, degrees, INTERVAL, "mamdani")
    _, scaled = output_shape(OUTPUT, degrees, INTERVAL, "larsen")
    assert cut[[0, 250, 500, 750, 1000]] == pytest.approx([0.5, 0.5, 0.5, 0.25, 0.0])
    assert scaled[[0, 250, 500, 750, 1000]] == pytest.approx([0.5, 0.375, 0.25, 0.125, 0.0])


def test_what_cannot_be_used_is_said_at_once() -> None:
    labels: Labels = {"L": Falling(0.0, 1.0)}
    rule = Rule(("L",), "L")
    with pytest.raises(InputError, match="a <= b"):
        Rising(2.0, 1.0)
    with pytest.raises(InputError, match="a <= b"):
        Falling(math.nan, 1.0)
    with pytest.raises(InputError, match="width above 0"):
        Gaussian(0.0, 0.0)
    with pytest.raises(UnknownNameError, match="mamdani"):
        FuzzySystem((labels,), (rule,), OUTPUT, INTERVAL, "mamdami")
    with pytest.raises(UnknownNameError, match="centroid"):
        FuzzySystem((labels,), (rule,), OUTPUT, INTERVAL, defuzzification="centroids")
