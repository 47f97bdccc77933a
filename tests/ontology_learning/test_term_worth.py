"""How much a term says, worked out by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from scenthound.lexicon.wordnet import shipped
from scenthound.ontology_learning.worth import (
    name_shares,
    shares_of,
    specificities,
    specificity_of,
    worth,
)


def test_worth_by_hand() -> None:
    """In 3 abstracts; 12 times in 4 texts; half specific; every second time a name."""
    one = [np.array([value]) for value in (3.0, 12.0, 4.0, 0.5, 0.5)]
    assert worth(*one).tolist() == pytest.approx([log(4) * log(4) * 0.5 * 0.625])


def test_a_term_that_is_nowhere_is_worth_nothing() -> None:
    assert worth(*(np.zeros(1) for _ in range(5))).tolist() == [0.0]


def test_specificity_by_hand() -> None:
    assert specificity_of([0.8, 0.6], 2) == pytest.approx(0.7 / (1 + log(4)))
    assert specificity_of([1.0], 0) == 1.0
    assert specificity_of([], 3) == 0.5


def test_particular_words_come_before_those_of_every_text() -> None:
    terms = ["hurricane", "locomotive", "storm", "name", "form", "part"]
    found = specificities(terms, shipped()).tolist()
    assert min(found[:2]) > found[2] > max(found[3:])


def test_without_a_wordnet_all_are_alike() -> None:
    assert specificities(["a", "b"], None).tolist() == [0.5, 0.5]


def test_names_are_told_by_their_capitals_inside_a_sentence() -> None:
    text = "Storms of Texas. Texas has storms; Storms come from the Gulf.\nTexas"
    shares = name_shares([text], shipped())
    assert (shares["storm"], shares["texas"], shares["gulf"]) == (0.0, 1.0, 1.0)
    assert shares_of(["gulf", "gulf storm", "sea"], shares).tolist() == [1.0, 0.5, 0.0]
