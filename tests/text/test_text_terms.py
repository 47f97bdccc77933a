"""Text to terms: stop words dropped, inflection folded, phrases found, counted."""

from __future__ import annotations

from collections import Counter

import pytest

from scenthound.text.analyzer import Analyzer
from scenthound.text.forms import LONGEST_WORD
from scenthound.text.rules import is_english
from scenthound.text.stopwords import stop_words


def test_terms_are_folded_and_counted() -> None:
    assert Analyzer().count("The Storms of 1987 hit two Cities: storms!") == {
        "storm": 2, "hit": 1, "city": 1,
    }  # fmt: skip


def test_terms_are_numbered_in_order_of_appearance() -> None:
    analyzer = Analyzer()
    analyzer.bag("the storms hit two cities, rain forests and storms")
    assert analyzer.vocabulary.terms() == ["storm", "hit", "city", "rain", "forest", "rain forest"]


@pytest.mark.parametrize("word", ["the", "1987", "x", "٣", "a" * (LONGEST_WORD + 1)])
def test_words_that_are_no_terms(word: str) -> None:
    analyzer = Analyzer()
    assert analyzer.count(word) == {}
    assert len(analyzer.vocabulary) == 0


def test_the_longest_word_is_a_term() -> None:
    assert Analyzer().count("a" * LONGEST_WORD) == {"a" * LONGEST_WORD: 1}


def test_one_character_is_a_word_in_other_scripts() -> None:
    assert Analyzer().count("雨 é") == {"雨": 1, "é": 1}


@pytest.mark.parametrize("form", ["ones", "used", "makes", "went"])
def test_a_form_of_a_stop_word_is_none_either(form: str) -> None:
    assert Analyzer().count(form) == {}


BASES = {
    "storms": "storm", "cities": "city", "wolves": "wolf", "mens": "man", "lenses": "lens",
    "flooded": "flood", "written": "write", "news": "news", "physics": "physics", "café": "café",
}  # fmt: skip


@pytest.mark.parametrize("form", BASES)
def test_a_word_counts_as_its_base_form(form: str) -> None:
    assert Analyzer().count(form) == {BASES[form]: 1}


def test_forms_of_one_word_are_one_term() -> None:
    assert Analyzer().count("ran runs Run") == {"run": 3}


@pytest.mark.parametrize("language", ["en", "EN", "en-GB"])
def test_english_by_any_code(language: str) -> None:
    assert is_english(language)
    assert Analyzer(language).count("the storms") == {"storm": 1}
    assert "the" in stop_words(language)


@pytest.mark.parametrize("language", ["eng", "", "tlh"])
def test_a_language_that_nothing_is_known_of_keeps_its_words_as_they_are(
    language: str,
) -> None:
    analyzer = Analyzer(language)
    assert analyzer.wordnet is None and not is_english(language)
    assert analyzer.count("les tempêtes storms") == {"les": 1, "tempêtes": 1, "storms": 1}
    assert analyzer.count("rain forest") == {"rain": 1, "forest": 1}


def test_a_language_without_stop_words_has_none() -> None:
    assert stop_words("tlh") == frozenset()


def test_such_a_language_finds_the_phrases_it_is_given_as_written() -> None:
    analyzer = Analyzer("tlh", phrases=["cyclone tropical", "tempête"])
    assert analyzer.count("Cyclone Tropical") == {
        "cyclone": 1, "tropical": 1, "cyclone tropical": 1,
    }  # fmt: skip
    assert "cyclone tropical" not in analyzer.count("cyclones tropicaux")
    assert analyzer.count("tempête") == {"tempête": 1}


@pytest.mark.parametrize("text", ["storm", "storm " * 500])
def test_counts_that_are_remembered_cannot_be_changed(text: str) -> None:
    analyzer = Analyzer()
    analyzer.count(text)["storm"] = 99
    bag = analyzer.bag(text)
    for values in (bag.ids, bag.counts):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 99
    assert analyzer.count(text) == Counter(text.split())


def test_remembered_counts_do_not_leak_between_texts() -> None:
    analyzer = Analyzer()
    texts = [f"{word} " * 500 for word in "alpha bravo delta echo golf hotel".split()]
    for text in texts + texts[::-1]:
        assert analyzer.count(text) == {text.split()[0]: 500}


def test_a_long_text_is_read_once_for_several_readers() -> None:
    analyzer = Analyzer()
    text = "storm " * 500
    assert analyzer.bag(text) is analyzer.bag(text)
    assert analyzer.bags([text, "storm"])[0] is analyzer.bag(text)


def test_an_empty_text_has_no_terms() -> None:
    analyzer = Analyzer()
    assert analyzer.count("") == analyzer.count(" \n") == analyzer.count("—!") == {}
    assert [len(analyzer.bags(texts)) for texts in ([], [""], ["", " "])] == [0, 1, 2]
    assert len(analyzer.bag("")) == 0
