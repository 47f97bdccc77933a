"""Phrases found by pairs of numbers, against a search of every phrase at every place."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.text.analyzer import LONGEST_WORD, Analyzer, Phrases
from scenthound.text.rules import is_english, stop_words
from scenthound.text.terms import (
    Bags,
    Column,
    DocumentFrequencies,
    Vocabulary,
    bags_from_keys,
    strongest,
)
from scenthound.text.wordnet_files import shipped
from similarity.bag_building import bag, numbers
from text.slow_terms import longest_at, noun_phrases


def base(word: str) -> str:
    """The rule of these tests: a capital is a form of its small letter."""
    return word.lower()


def starts(phrases: Phrases, text: str, fold: Callable[[str], str] = base) -> list[int]:
    number = phrases.word_numbers
    return phrases.starts(np.array([number.get(fold(w), 0) for w in text.split()], np.int32))


def at(phrases: Phrases, text: str) -> list[str | None]:
    """The phrase at every place of the text."""
    words = text.split()
    return [phrases.at(words, place) for place in range(len(words))]


def test_a_phrase_as_written_comes_before_its_base_forms() -> None:
    # Found as written, and not in its base form: the united states, not a united state.
    phrases = Phrases(["a B"], base)
    assert (phrases.at(["a", "B"], 0), phrases.at(["A", "B"], 0)) == ("a B", "a B")
    assert phrases.at(["a", "b"], 0) is None
    phrases = Phrases(["a b", "a B", "A b"], base)
    assert phrases.at(["a", "B"], 0) == "a B"
    assert phrases.at(["A", "b"], 0) == "A b"
    assert phrases.at(["A", "B"], 0) == "A b"


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


# Text to terms: stop words dropped, inflection folded, phrases found, counted.


def test_terms_are_folded_counted_and_numbered_in_order_of_appearance() -> None:
    assert Analyzer().count("The Storms of 1987 hit two Cities: storms!") == {
        "storm": 2, "hit": 1, "city": 1,
    }  # fmt: skip
    analyzer = Analyzer()
    analyzer.bag("the storms hit two cities, rain forests and storms")
    assert analyzer.vocabulary.terms() == ["storm", "hit", "city", "rain", "forest", "rain forest"]
    for word in ["the", "1987", "x", "٣", "a" * (LONGEST_WORD + 1)]:
        analyzer = Analyzer()
        assert analyzer.count(word) == {}
        assert len(analyzer.vocabulary) == 0
    assert Analyzer().count("雨 é") == {"雨": 1, "é": 1}
    for form in ["ones", "used", "makes", "went"]:
        assert Analyzer().count(form) == {}


def test_english_by_any_code_and_languages_that_nothing_is_known_of() -> None:
    for language in ["en", "EN", "en-GB"]:
        assert is_english(language)
        assert Analyzer(language).count("the storms") == {"storm": 1}
        assert "the" in stop_words(language)
    for language in ["eng", "", "tlh"]:
        analyzer = Analyzer(language)
        assert analyzer.wordnet is None and not is_english(language)
        assert analyzer.count("les tempêtes storms") == {"les": 1, "tempêtes": 1, "storms": 1}
        assert analyzer.count("rain forest") == {"rain": 1, "forest": 1}


def test_counts_are_remembered_and_cannot_be_changed() -> None:
    for text in ["storm", "storm " * 500]:
        analyzer = Analyzer()
        analyzer.count(text)["storm"] = 99
        bag = analyzer.bag(text)
        for values in (bag.ids, bag.counts):
            with pytest.raises(ValueError, match="read-only"):
                values[0] = 99
        assert analyzer.count(text) == Counter(text.split())
    analyzer = Analyzer()
    text = "storm " * 500
    assert analyzer.bag(text) is analyzer.bag(text)
    assert analyzer.bags([text, "storm"])[0] is analyzer.bag(text)


# Bags one by one and end to end, against plain counting.

TEXTS = st.lists(st.lists(st.integers(0, 6), max_size=8), max_size=6)
"""Texts as the numbers of their terms; some are empty."""


def keys(texts: list[list[int]], terms: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([row * terms + term for row, text in enumerate(texts) for term in text], int)


@given(TEXTS, st.integers(7, 20))
def test_gathered_bags_are_the_counted_texts(texts: list[list[int]], terms: int) -> None:
    shuffled = np.random.default_rng(terms).permutation(keys(texts, terms))
    found = bags_from_keys(shuffled, len(texts), terms)
    counted = [dict(zip(b.ids.tolist(), b.counts.tolist(), strict=True)) for b in found]
    assert counted == [Counter(text) for text in texts]
    assert all(np.all(np.diff(b.ids) > 0) for b in found)


@given(TEXTS)
def test_sums_are_taken_text_by_text(texts: list[list[int]]) -> None:
    bags = Bags(bags_from_keys(keys(texts, 7), len(texts), 7))
    values = bags.ids.astype(np.float64) * 10.0 + bags.counts
    expected = [sum(10.0 * term + n for term, n in Counter(text).items()) for text in texts]
    assert bags.sums(values).tolist() == expected


# Terms as numbers, and columns of what is known about them.


@given(st.lists(st.text(max_size=3)))
def test_a_vocabulary_numbers_terms_in_order_of_appearance(terms: list[str]) -> None:
    vocabulary = Vocabulary()
    numbers = [vocabulary.number(term) for term in terms]
    distinct = list(dict.fromkeys(terms))
    assert numbers == [distinct.index(term) for term in terms]
    assert vocabulary.terms() == vocabulary.terms(range(len(distinct))) == distinct
    assert vocabulary.terms(numbers) == terms
    assert [vocabulary.term(number) for number in numbers] == terms
    assert len(vocabulary) == len(distinct)


def test_values_stay_when_the_column_grows() -> None:
    column = Column(np.float64, 0.5)
    assert column.upto(0).tolist() == [] and column.upto(2).tolist() == [0.5, 0.5]
    column.upto(3 + 1)[3] = 2.0
    column.upto(5)[4] = 3.0
    column.upto(100_000 + 1)[100_000] = 4.0
    values = column.upto(100_002)
    assert (values[3], values[4], values[100_000]) == (2.0, 3.0, 4.0)
    assert np.count_nonzero(values != 0.5) == 3


# TF-IDF over document frequencies that grow, with numbers worked out by hand.


def counted(vocabulary: Vocabulary, *texts: str) -> DocumentFrequencies:
    """The frequencies after these documents."""
    frequencies = DocumentFrequencies(vocabulary)
    for text in texts:
        frequencies.add(bag(text, vocabulary))
    return frequencies


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary()


@pytest.fixture
def three_documents(vocabulary: Vocabulary) -> DocumentFrequencies:
    return counted(vocabulary, "storm wind wind", "storm café", "storm")


def test_idf_by_hand(three_documents: DocumentFrequencies, vocabulary: Vocabulary) -> None:
    """N = 3: log(4 / 4) + 1, log(4 / 2) + 1, log(4 / 1) + 1, in the order asked for."""
    idf = three_documents.idf(numbers("storm wind unseen storm", vocabulary))
    assert idf == pytest.approx([1.0, math.log(2) + 1, math.log(4) + 1, 1.0])


def test_terms_met_after_the_last_document_are_unseen(vocabulary: Vocabulary) -> None:
    """Thousands of them, so that the counts need more room than they began with."""
    frequencies = counted(vocabulary, "storm")
    late = numbers(" ".join(f"word{n}" for n in range(3000)), vocabulary)
    assert frequencies.idf(late) == pytest.approx(math.log(2) + 1)
    assert frequencies["word2999"] == frequencies["nowhere"] == 0
    frequencies.add(bag("word2999", vocabulary))
    assert (frequencies["word2999"], frequencies["storm"]) == (1, 1)


TIED = st.lists(st.integers(0, 4), max_size=9)


@given(TIED, st.integers(0, 10))
def test_strongest_is_the_head_of_the_sorted_terms(weights: list[int], most: int) -> None:
    vocabulary = Vocabulary()
    names = "delta echo alpha golf bravo hotel foxtrot india charlie".split()[: len(weights)]
    ids = numbers(" ".join(names), vocabulary)
    expected = sorted(range(len(names)), key=lambda i: (-weights[i], names[i]))[:most]
    found = strongest(ids, np.array(weights, np.float64), most, vocabulary)
    assert found.tolist() == expected
