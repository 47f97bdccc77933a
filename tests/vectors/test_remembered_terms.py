"""Terms that come again are looked up, and what is remembered stays bounded."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.vectors.remembered_terms import RememberedTerms
from scenthound.vectors.static import load_static, load_static_terms
from vectors.told_vectors import Compass


def test_each_term_is_asked_for_once() -> None:
    compass = Compass()
    terms = RememberedTerms(compass)
    for _ in range(2):
        found = terms.encode(["east", "north", "east"])
        assert found == pytest.approx(np.array([(1, 0), (0, 1), (1, 0)], np.float32))
    assert compass.asked == ["east", "north"]
    assert terms.encode([]).shape == (0, 2)


def test_where_there_are_too_many_it_begins_anew() -> None:
    compass = Compass()
    terms = RememberedTerms(compass, most=2)
    for asked in (["east", "north"], ["west", "east"], ["east"], ["east", "north", "west"]):
        assert terms.encode(asked) == pytest.approx(Compass().encode(asked))
    assert compass.asked == ["east", "north", "west", "east", "east", "north", "west"]


def test_the_static_vectors_of_terms_are_those_of_texts() -> None:
    words = ["storm", "tropical cyclone", "zzyzx", ""]
    assert load_static_terms().encode(words).tolist() == load_static().encode(words).tolist()
    assert load_static_terms() is load_static_terms()
