"""Text to terms: Unicode words, stop words dropped, inflection folded, counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import MutableMapping
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.terms import LONGEST_WORD, Analyzer, words

_LATIN = st.text(st.characters(max_codepoint=0x24F) | st.sampled_from("–—‘’“”…•\u2003€"))


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_words_are_runs_of_letters_and_digits(text: str) -> None:
    assert words(text) == re.findall(r"[a-z0-9]+", text.lower())


@given(_LATIN)
def test_latin_words_are_runs_of_letters_and_digits(text: str) -> None:
    visible = text.replace("\xad", "").replace("İ", "I")
    assert words(text) == re.findall(r"[^\W_]+", visible.lower())


@given(st.text(st.characters(exclude_categories=())))
def test_every_word_starts_with_a_letter_or_digit(text: str) -> None:
    assert all(word[0].isalnum() and not re.search(r"\s", word) for word in words(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café-Besitzer’s", ["café", "besitzer", "s"]),
        ("Ураган, буря", ["ураган", "буря"]),
        ("Καταιγίδα!", ["καταιγίδα"]),
        ("台風。暴風", ["台風", "暴風"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("cafe\u0301", ["café"]),
        ("hurri\u00adcane", ["hurricane"]),
        ("snake_case", ["snake", "case"]),
        ("⚡️ 1️⃣", ["1"]),
        ("a\u00a0b\u2003c\u200bd", ["a", "b", "c", "d"]),
        ("storm\ud800surge", ["storm", "surge"]),
        ("", []),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_terms_are_folded_and_in_order() -> None:
    assert Analyzer().terms("The Storms of 1987 hit two Cities: storms!") == [
        "storm", "hit", "city", "storm",
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["the", "1987", "x", "٣", "a" * (LONGEST_WORD + 1)])
def test_words_that_are_no_terms(word: str) -> None:
    assert Analyzer().terms(word) == []


def test_one_character_is_a_word_in_other_scripts() -> None:
    assert Analyzer().terms("雨 é") == ["雨", "é"]


def test_a_plural_of_a_stop_word_is_none_either() -> None:
    assert Analyzer().terms("ones") == []


def test_other_languages_keep_inflections_and_small_words() -> None:
    assert Analyzer("fr").terms("les tempêtes") == ["les", "tempêtes"]


@given(st.lists(st.sampled_from("storm storms The cities 12 café x – é.".split())).map(" ".join))
def test_counts_are_the_counted_terms(text: str) -> None:
    analyzer = Analyzer()
    assert analyzer.count(text) == Counter(analyzer.terms(text))
    assert analyzer.count(text * 200) == Counter(analyzer.terms(text * 200))


@pytest.mark.parametrize("text", ["storm", "storm " * 500])
def test_remembered_counts_cannot_be_changed(text: str) -> None:
    analyzer = Analyzer()
    counts = cast(MutableMapping[str, int], analyzer.count(text))
    with pytest.raises(TypeError):
        counts["storm"] = 99
    assert analyzer.count(text) == Counter(text.split())


def test_remembered_counts_do_not_leak_between_texts() -> None:
    analyzer = Analyzer()
    texts = [f"{word} " * 500 for word in "alpha bravo delta echo golf hotel".split()]
    for text in texts + texts[::-1]:
        assert analyzer.count(text) == {text.split()[0]: 500}


def test_an_empty_text_has_no_terms() -> None:
    assert Analyzer().count("") == {} and Analyzer().terms(" \n") == []
