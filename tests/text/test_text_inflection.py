"""Plurals folded to a word one can read."""

from __future__ import annotations

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.text.inflection import fold_english, folding
from scenthound.text.stopwords import stop_words

SINGULARS = {
    "storms": "storm", "hurricanes": "hurricane", "waves": "wave", "cities": "city",
    "ties": "tie", "movies": "movie", "churches": "church", "dishes": "dish", "boxes": "box",
    "classes": "class", "buses": "bus", "gases": "gas", "lenses": "lens", "houses": "house",
    "potatoes": "potato", "shoes": "shoe", "toes": "toe", "wolves": "wolf", "women": "woman",
    "mens": "man", "topics": "topic", "quizzes": "quiz", "analyses": "analysis",
}  # fmt: skip
UNCHANGED = "gas class bus analysis physics series species news texas as is storm café".split()


@pytest.mark.parametrize("plural", SINGULARS)
def test_plurals(plural: str) -> None:
    assert fold_english(plural) == SINGULARS[plural]


@pytest.mark.parametrize("word", UNCHANGED)
def test_words_that_are_no_plurals(word: str) -> None:
    assert fold_english(word) == word


_ENDINGS = st.sampled_from(["", "s", "es", "ies", "oes", "ches", "sses", "xes", "zzes", "us"])


@given(st.text(string.ascii_lowercase, max_size=5), _ENDINGS)
@example("children", "s")
def test_folding_twice_is_folding_once(stem: str, ending: str) -> None:
    once = fold_english(stem + ending)
    assert fold_english(once) == once


def test_other_languages_keep_their_words() -> None:
    assert folding("de")("haus") == "haus"
    assert folding("fr")("tempêtes") == "tempêtes"


@pytest.mark.parametrize("language", ["en", "EN", "en-GB"])
def test_english_by_any_code(language: str) -> None:
    assert folding(language)("storms") == "storm"
    assert "the" in stop_words(language)


def test_a_language_without_stop_words_has_none() -> None:
    assert stop_words("tlh") == frozenset()
