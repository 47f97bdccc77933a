"""Runs are put together by unit, and units by what is independent."""

from __future__ import annotations

import pytest

from scenthound.comparison.model import Cell, Unit
from scenthound.comparison.pairing import (
    Topic,
    draw_of,
    group_means,
    grouping,
    paired_differences,
    seed_deviation,
    topic_of,
    unit_figures,
)


def cell(topic: str, strategy: str = "vsm", draw: int = 0, random_seed: int = 0) -> Cell:
    return Cell("web", topic, strategy, draw=draw, random_seed=random_seed)


def unit(topic: str, draw: int = 0, seeds: str = "given", web: str = "web") -> Unit:
    return Unit(web, topic, seeds, draw)


def test_random_seeds_of_a_unit_are_one_figure() -> None:
    figures = unit_figures([(cell("a", random_seed=0), 0.2), (cell("a", random_seed=1), 0.4)])
    assert figures == {"vsm": {unit("a"): pytest.approx(0.3)}}


def test_strategies_and_draws_stay_apart() -> None:
    figures = unit_figures(
        [(cell("a"), 0.1), (cell("a", "bfs"), 0.2), (cell("a", draw=1), 0.3)]
    )  # fmt: skip
    assert figures == {"vsm": {unit("a"): 0.1, unit("a", 1): 0.3}, "bfs": {unit("a"): 0.2}}


def test_several_topics_are_what_is_independent() -> None:
    assert grouping([unit("a"), unit("b"), unit("a", 1)]) is topic_of


def test_one_topic_leaves_its_draws() -> None:
    assert grouping([unit("a"), unit("a", 1)]) is draw_of
    assert grouping([]) is draw_of


def test_topics_of_one_name_in_two_webs_are_two() -> None:
    assert grouping([unit("a"), unit("a", web="other")]) is topic_of


def test_both_seed_conditions_of_a_draw_count_once() -> None:
    figures = {unit("a", 1, "relevant"): 0.4, unit("a", 1, "irrelevant"): 0.2, unit("a", 2): 0.5}
    assert group_means(figures, draw_of) == {1: pytest.approx(0.3), 2: 0.5}


def test_a_topic_of_many_draws_weighs_no_more_than_one_of_few() -> None:
    figures = {unit("a", draw): 0.0 for draw in range(9)} | {unit("b"): 1.0}
    assert group_means(figures, topic_of) == {Topic("web", "a"): 0.0, Topic("web", "b"): 1.0}


def test_only_units_that_both_have_are_compared() -> None:
    own = {unit("a"): 0.5, unit("a", 1): 0.7, unit("b"): 0.9}
    base = {unit("a"): 0.4, unit("c"): 0.1}
    found = paired_differences(own, base, topic_of)
    assert found == {Topic("web", "a"): pytest.approx(0.1)}


def test_nothing_shared_is_no_difference_at_all() -> None:
    assert paired_differences({unit("a"): 0.5}, {}, topic_of) == {}


def test_arithmetic_makes_no_difference_of_equals() -> None:
    """0.1 + 0.2 is not 0.3 in binary; the difference has to be nothing all the same."""
    found = paired_differences({unit("a"): 0.1 + 0.2}, {unit("a"): 0.3}, topic_of)
    assert list(found.values()) == [0.0]


def test_deviation_over_random_seeds_is_pooled_over_units() -> None:
    """Variances of {0.1, 0.3} and {0.2, 0.2, 0.2} are 0.02 and 0: the root of 0.01 is 0.1."""
    figures = [(cell("a", random_seed=k), value) for k, value in enumerate((0.1, 0.3))]
    figures += [(cell("b", random_seed=k), 0.2) for k in range(3)]
    assert seed_deviation(figures) == pytest.approx(0.1)


def test_one_random_seed_has_no_deviation() -> None:
    assert seed_deviation([(cell("a"), 0.1), (cell("b"), 0.9)]) is None
    assert seed_deviation([]) is None
