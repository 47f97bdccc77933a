"""Intrinsic information content on numbers that come out in quarters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scenthound.lexicon.taxonomy import build_taxonomy
from scenthound.semantics.information import information_content
from semantics.farm import concept, farm


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("entity", 0.0),
        ("object", 1 - math.log2(10) / 4),
        ("animal", 0.25),
        ("pet", 0.5),
        ("dog", 0.75),
        ("stone", 1.0),
    ],
)
def test_information_by_hand(name: str, expected: float) -> None:
    taxonomy = farm()
    value = information_content(taxonomy)[concept(taxonomy, name)]
    assert value == pytest.approx(expected, abs=1e-12)


def test_root_and_leaf_are_exact() -> None:
    taxonomy = farm()
    information = information_content(taxonomy)
    assert information[concept(taxonomy, "entity")] == 0.0
    assert information[concept(taxonomy, "puppy")] == 1.0


def test_every_concept_tells_more_than_what_it_is_a_kind_of() -> None:
    taxonomy = farm()
    information = information_content(taxonomy)
    for child in range(1, len(taxonomy)):
        assert np.all(information[taxonomy.parents[child]] < information[child])


def test_a_single_concept_is_a_root_and_tells_nothing() -> None:
    assert information_content(build_taxonomy({"all": [5]}, {5: []})).tolist() == [0.0]
