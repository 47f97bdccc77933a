"""Intrinsic information content on numbers that come out in quarters."""

from __future__ import annotations

import math

import pytest

from scenthound.similarity.concept_similarity import information_content
from similarity.farm import concept, farm


def test_information_by_hand() -> None:
    for name, expected in [
        ("entity", 0.0),
        ("object", 1 - math.log2(10) / 4),
        ("animal", 0.25),
        ("pet", 0.5),
        ("dog", 0.75),
        ("stone", 1.0),
    ]:
        taxonomy = farm()
        value = information_content(taxonomy)[concept(taxonomy, name)]
        assert value == pytest.approx(expected, abs=1e-12)
