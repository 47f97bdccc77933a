"""Verdicts, records and who is best."""

from __future__ import annotations

import pytest

from scenthound.comparison.bootstrap import Interval
from scenthound.comparison.model import Unit
from scenthound.comparison.pairing import Topic, draw_of, topic_of
from scenthound.comparison.wins import Record, best_groups, best_of, record, verdict


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.01, 0.2, "better"),
        (-0.2, -0.01, "worse"),
        (-0.1, 0.1, "no difference"),
        (0.0, 0.2, "no difference"),
        (-0.2, 0.0, "no difference"),
        (0.0, 0.0, "no difference"),
    ],
)
def test_the_interval_decides(low: float, high: float, words: str) -> None:
    assert verdict(Interval(low, high), 6) == words


def test_of_errors_the_lower_is_the_better() -> None:
    assert verdict(Interval(0.01, 0.2), 6, lower_is_better=True) == "worse"
    assert verdict(Interval(-0.2, -0.01), 6, lower_is_better=True) == "better"


@pytest.mark.parametrize("groups", [0, 1, 2, 5])
def test_few_topics_never_make_a_claim(groups: int) -> None:
    assert verdict(Interval(0.1, 0.2), groups) == "too few topics to tell"
    assert verdict(None, groups) == "too few topics to tell"


def test_few_draws_of_one_topic_are_called_so() -> None:
    assert verdict(Interval(0.1, 0.2), 5, of_draws=True) == "too few draws to tell"
    assert verdict(None, 1, of_draws=True) == "too few draws to tell"


def test_a_record_counts_signs() -> None:
    assert record([0.1, 0.2, -0.1, 0.0, 1e-12]) == Record(wins=2, ties=2, losses=1)
    assert record([0.1, 0.2, -0.1], lower_is_better=True) == Record(wins=1, ties=0, losses=2)
    assert record([]) == Record(0, 0, 0)


def unit(topic: str, draw: int = 0) -> Unit:
    return Unit("web", topic, "given", draw)


A, B = Topic("web", "a"), Topic("web", "b")


def test_equals_are_all_best() -> None:
    figures = {"x": {unit("a"): 0.3, unit("b"): 0.1}, "y": {unit("a"): 0.3, unit("b"): 0.2}}
    assert best_groups(figures, topic_of) == {"x": {A}, "y": {A, B}}
    assert best_groups(figures, topic_of, lower_is_better=True) == {"x": {A, B}, "y": {A}}


def test_who_failed_in_a_draw_is_not_best_for_the_others() -> None:
    """y has only the easy draw of the topic."""
    figures = {
        "x": {unit("a", 1): 0.1, unit("a", 2): 0.5},
        "y": {unit("a", 2): 0.5},
        "z": {unit("a", 1): 0.2, unit("a", 2): 0.3},
    }
    assert best_groups(figures, topic_of) == {"x": {A}, "y": set(), "z": set()}
    assert best_groups(figures, draw_of) == {"x": {2}, "y": {2}, "z": {1}}


def test_who_is_left_is_best() -> None:
    assert best_of({"x": 0.3}) == ["x"] and best_of({}) == []
    assert best_groups({"x": {unit("a"): 0.3}}, topic_of) == {"x": {A}}
