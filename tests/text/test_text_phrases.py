"""Phrases found by pairs of numbers, against a search of every phrase at every place."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.lexicon.wordnet import shipped
from scenthound.text.phrases import Phrases
from text.slow_terms import longest_at, noun_phrases


def base(word: str) -> str:
    """The rule of these tests: a capital is a form of its small letter."""
    return word.lower()


def starts(phrases: Phrases, text: str, fold: Callable[[str], str] = base) -> list[int]:
    numbers = [(phrases.word_number(w), phrases.word_number(fold(w))) for w in text.split()]
    own, of_base = np.array(numbers, np.int32).reshape(-1, 2).T
    return phrases.starts(own, of_base)


def at(phrases: Phrases, text: str) -> list[str | None]:
    """The phrase at every place of the text."""
    words = text.split()
    return [phrases.at(words, place) for place in range(len(words))]


def test_a_phrase_is_found_where_it_begins() -> None:
    phrases = Phrases(["a b", "c d e"], base)
    assert at(phrases, "x a b c d e") == [None, "a b", None, "c d e", None, None]
    assert starts(phrases, "x a b c d e") == [1, 3]


def test_the_longest_of_those_that_begin_at_a_place() -> None:
    phrases = Phrases(["a b", "a b c", "a b c d e"], base)
    assert phrases.at(["a", "b", "c", "d", "e"], 0) == "a b c d e"
    assert phrases.at(["a", "b", "c", "d", "x"], 0) == "a b c"
    assert phrases.at(["a", "b", "d"], 0) == "a b"


def test_long_is_a_matter_of_words_not_of_letters() -> None:
    """ "trades union movement": of the movement, not of the trades union."""
    assert Phrases(["AAAA bbbb", "aaaa bbbb c"], base).at(["AAAA", "bbbb", "c"], 0) == "aaaa bbbb c"
    assert Phrases(["a b CCCC", "a b cccc d"], base).at(["a", "b", "CCCC", "d"], 0) == "a b cccc d"


def test_overlapping_phrases_are_found_each_at_its_place() -> None:
    """Which of them counts is the reader's business."""
    assert at(Phrases(["a b", "b c"], base), "a b c") == ["a b", "b c", None]


def test_every_word_stands_for_its_base_form() -> None:
    phrases = Phrases(["a b c"], base)
    for text in ("A b c", "a B c", "a b C", "A B C"):
        assert phrases.at(text.split(), 0) == "a b c"
        assert starts(phrases, text) == [0]


def test_a_phrase_may_hold_a_form_that_is_no_base() -> None:
    """Found as written, and not in its base form: the united states, not a united state."""
    phrases = Phrases(["a B"], base)
    assert (phrases.at(["a", "B"], 0), phrases.at(["A", "B"], 0)) == ("a B", "a B")
    assert phrases.at(["a", "b"], 0) is None


def test_of_equally_long_phrases_the_one_as_written() -> None:
    phrases = Phrases(["a b", "a B", "A b"], base)
    assert phrases.at(["a", "B"], 0) == "a B"
    assert phrases.at(["A", "b"], 0) == "A b"
    assert phrases.at(["A", "B"], 0) == "A b"


@pytest.mark.parametrize("text", ["", "a", "a b", "x a b"])
def test_a_text_that_ends_before_the_phrase_does(text: str) -> None:
    assert set(at(Phrases(["a b c"], base), text)) <= {None}


def test_an_empty_table_finds_nothing() -> None:
    for phrases in (Phrases([], base), Phrases(["single", "words"], base)):
        assert len(phrases) == 0
        assert starts(phrases, "single words") == starts(phrases, "") == []
        assert phrases.at(["single", "words"], 0) is None


def test_words_beyond_the_first_three_have_no_number() -> None:
    """They are compared only where three words have been found."""
    phrases = Phrases(["a b c d"], base)
    assert sorted(phrases.word_number(word) for word in "abcdx") == [0, 0, 1, 2, 3]
    assert starts(phrases, "a b x a b c") == [3]


LETTERS = st.sampled_from("abcABC")
TEXT = st.lists(LETTERS, max_size=10).map(" ".join)
PHRASES = st.lists(st.lists(LETTERS, min_size=1, max_size=4).map(" ".join), max_size=12)


@given(PHRASES, TEXT)
def test_phrases_and_places_are_those_of_the_slow_search(given_: list[str], text: str) -> None:
    phrases = Phrases(given_, base)
    split = {tuple(phrase.split()) for phrase in given_ if " " in phrase}
    words = text.split()
    expected = [longest_at(words, place, split, base) for place in range(len(words))]
    found = at(phrases, text)
    assert [f and f.count(" ") for f in found] == [e and e.count(" ") for e in expected]
    assert all(f is None or tuple(f.split()) in split for f in found)
    assert {place for place, e in enumerate(expected) if e} <= set(starts(phrases, text))


OF_WORDNET = sorted(noun_phrases())


@cache
def of_wordnet() -> Phrases:
    return Phrases(map(" ".join, OF_WORDNET), shipped().base)


@given(st.sampled_from(OF_WORDNET), st.booleans(), st.booleans(), st.sampled_from(OF_WORDNET))
@example(("trade", "union", "movement"), True, False, ("rain", "forest"))
@example(("united", "states"), False, False, ("of", "america"))
def test_phrases_of_wordnet_with_inflections(
    phrase: tuple[str, ...], first: bool, last: bool, following: tuple[str, ...]
) -> None:
    words = [phrase[0] + "s" * first, *phrase[1:-1], phrase[-1] + "s" * last, *following][:9]
    fold = shipped().base
    for place in range(len(words)):
        expected = longest_at(words, place, noun_phrases(), fold)
        assert of_wordnet().at(words, place) == expected
        assert expected is None or place in starts(of_wordnet(), " ".join(words), fold)
