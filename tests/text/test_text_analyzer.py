"""The analyzer against counting word by word, on texts of all kinds of words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text import terms as module
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet_files import load_wordnet
from text.slow_terms import counted
from text.wordnet_building import write

PHRASES = """tropical rain forests | Rain Forest | united states | United States of America |
world war ii | World Wars | trades union movement | prisoners of war | heat waves | wave equations |
second world war | take off""".replace("\n", " ").split(" | ")
"""Of WordNet, whole and in part, inflected, overlapping; the last two begin with a stop word."""
WORDS = """storm Storms flooded the of and ones used 1987 2 x é 雨 café zzyzx podcasts ii world war
states union rain tropical wave mice running""".split()
LONG = ["a" * 40, "b" * 41, "hurricane" * 10]
TEXTS = st.lists(st.sampled_from([*PHRASES, *WORDS, *LONG]), max_size=12).flatmap(
    lambda parts: st.sampled_from([" ", ", ", "-", "\n"]).map(lambda sign: sign.join(parts))
)
CYCLONE = ("tropical", "cyclone")


@given(TEXTS)
def test_counts_are_those_of_the_slow_reference(text: str) -> None:
    assert Analyzer().count(text) == counted(text)


@given(st.lists(TEXTS | TEXTS.map(lambda text: f"{text} storm " * 150), max_size=5))
def test_many_texts_at_once_are_counted_like_one_by_one(texts: list[str]) -> None:
    together, alone = Analyzer(), Analyzer()
    bags = together.bags(texts)
    assert len(bags) == len(texts)
    for row, text in enumerate(texts):
        terms = together.vocabulary.terms(bags[row].ids.tolist())
        found = dict(zip(terms, bags[row].counts.tolist(), strict=True))
        assert found == alone.count(text)


def test_no_phrase_runs_from_one_text_into_the_next() -> None:
    analyzer = Analyzer()
    analyzer.bags(["a rain", "forest", "", "world", "war ii"])
    assert "rain forest" not in analyzer.vocabulary.terms()
    assert "world war" not in analyzer.vocabulary.terms()


def test_phrases_that_wordnet_does_not_have_are_found_when_given() -> None:
    expected = {"tropical": 1, "cyclone": 1}
    assert Analyzer().count("tropical cyclones") == expected
    given_ = Analyzer(phrases=["Tropical Cyclones", "storm"])
    assert given_.count("A tropical-cyclone!") == {**expected, "tropical cyclone": 1}


@given(TEXTS.map(lambda text: f"tropical cyclone {text} tropical cyclones"))
def test_given_phrases_are_searched_apart(text: str) -> None:
    """So a phrase of WordNet that overlaps them is found as well."""
    own = [CYCLONE, ("cyclone", "rain")]
    analyzer = Analyzer(phrases=map(" ".join, own))
    assert analyzer.count(text) == counted(text, own)


def test_a_given_phrase_is_found_though_wordnet_has_it_only_among_those_left_out() -> None:
    """The one begins with a stop word, and the other is a verb that does."""
    for phrase in ["second world war", "take off"]:
        assert phrase not in Analyzer().count(phrase)
        assert Analyzer(phrases=[phrase]).count(phrase)[phrase] == 1


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_a_table_of_forms_that_is_full_is_begun_anew(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CACHED_FORMS", 2)
        narrow = Analyzer(phrases=["tropical cyclone"])
        found = [narrow.count(text) for text in texts * 2]
    wide = Analyzer(phrases=["tropical cyclone"])
    assert found == [wide.count(text) for text in texts * 2]
    assert narrow.vocabulary.terms() == wide.vocabulary.terms()


def test_a_wordnet_of_ones_own(tmp_path: Path) -> None:
    """It knows wolves, dogs and tropical storms, and no forest of rain."""
    analyzer = Analyzer(wordnet=load_wordnet(write(tmp_path)))
    assert analyzer.count("Wolves, tropical storms, rain forest") == {
        "wolf": 1, "tropical": 1, "storm": 1, "tropical storm": 1, "rain": 1, "forest": 1,
    }  # fmt: skip
