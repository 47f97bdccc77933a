"""Where terms stand: the same terms as the bag has, each at its words."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.analyzer import Analyzer

ANALYZER = Analyzer(phrases=["severe weather"])
WORDS = st.sampled_from("the storm surges surge of severe weather front door 7 a".split())


def places(text: str) -> set[tuple[str, str]]:
    """Each term with the words it stands at."""
    found = ANALYZER.occurrences(text)
    spans = zip(found.terms, found.starts, found.lengths, strict=True)
    return {
        (ANALYZER.vocabulary.term(term), " ".join(found.words[start : start + length]))
        for term, start, length in spans
    }


def test_a_phrase_stands_beside_its_words() -> None:
    assert places("The severe weather, and floods.") == {
        ("severe", "severe"),
        ("weather", "weather"),
        ("severe weather", "severe weather"),
        ("flood", "floods"),
    }


def test_stop_words_are_words_and_no_terms() -> None:
    found = ANALYZER.occurrences("The flood of the year")
    assert found.words == ["the", "flood", "of", "the", "year"]
    assert sorted(found.starts.tolist()) == [1, 4]


def test_nothing_stands_in_an_empty_text() -> None:
    found = ANALYZER.occurrences("")
    assert (found.words, found.terms.tolist(), found.lengths.tolist()) == ([], [], [])


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_as_often_as_the_bag_counts_them(text: str) -> None:
    found = ANALYZER.occurrences(text)
    counted = Counter(ANALYZER.vocabulary.term(term) for term in found.terms)
    assert counted == ANALYZER.count(text)


def test_a_cut_keeps_the_terms_that_lie_wholly_before_it() -> None:
    whole = ANALYZER.occurrences("flood and severe weather")
    cut = whole.within(3)
    assert cut.words == ["flood", "and", "severe"]
    assert {ANALYZER.vocabulary.term(term) for term in cut.terms} == {"flood", "severe"}
    assert whole.within(4) is whole
