"""Strong pairs: worked by hand, and equal to counting."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError
from scenthound.ontology_learning.association import Pair, strong_pairs, support_with_pairs

SETS = [
    ("storm", "wind", "rain"),
    ("storm", "wind"),
    ("storm", "coast"),
    ("rain", "river"),
]


def test_pairs_worked_out_by_hand() -> None:
    # storm and wind: 2 of 4 sets; of the 2 sets with wind both have storm, of the 3 with storm two
    # have wind. No other pair is in more than one set.
    assert strong_pairs(SETS, 0.5, 0.6) == [Pair("wind", "storm", 0.5, 1.0)]
    assert strong_pairs(SETS, 0.51, 0.6) == []


def test_a_pair_needs_confidence_too() -> None:
    sets = [("a", "b"), ("a",), ("a",), ("b",), ("b",)]
    assert strong_pairs(sets, 0.2, 0.34) == []
    assert strong_pairs(sets, 0.2, 0.33) == [Pair("a", "b", 0.2, 1 / 3)]


@pytest.mark.parametrize("sets", [[], [()], [("storm",), ("wind",)], [("storm", "storm")]])
def test_no_two_words_no_pair(sets: list[tuple[str, ...]]) -> None:
    assert strong_pairs(sets) == []
    assert support_with_pairs(sets) is None


def slow_pairs(sets: list[set[str]], support: float, confidence: float) -> set[Pair]:
    """By counting every pair of words."""
    found = set()
    for first, second in combinations(sorted(set().union(*sets)), 2):
        both = sum({first, second} <= words for words in sets)
        if both / len(sets) < support or not both:
            continue
        rules = [
            (both / sum(one in words for words in sets), one, other)
            for one, other in ((first, second), (second, first))
        ]
        best, one, other = max(rules, key=lambda rule: rule[0])
        if best >= confidence:
            found.add(Pair(one, other, both / len(sets), best))
    return found


@given(
    st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), min_size=1, max_size=12),
    st.sampled_from([0.1, 0.3, 0.5, 0.9]),
    st.sampled_from([0.2, 0.6, 1.0]),
)
def test_equal_to_counting(sets: list[set[str]], support: float, confidence: float) -> None:
    found = strong_pairs(sets, support, confidence)
    assert len(found) == len(set(found))
    assert set(found) == slow_pairs(sets, support, confidence)
    assert [pair.support for pair in found] == sorted((p.support for p in found), reverse=True)


def test_where_the_first_pairs_would_be() -> None:
    assert support_with_pairs(SETS) == 0.5
    assert support_with_pairs(SETS[1:]) is None
    sets = [("a", "b"), ("a", "b"), ("c", "d")]
    assert support_with_pairs(sets) == 0.66
    assert strong_pairs(sets, 0.66)


@pytest.mark.parametrize("value", [0, -0.1, 1.1, float("nan"), True, "0.5"])
def test_a_part_out_of_range(value: float) -> None:
    with pytest.raises(SettingsError, match=r"support takes a part above 0 and up to 1"):
        strong_pairs(SETS, value)
    with pytest.raises(SettingsError, match=r"confidence takes a part above 0 and up to 1"):
        strong_pairs(SETS, 0.5, value)
