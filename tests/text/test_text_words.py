"""Text to words of any script."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.words import words

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
