"""What WordNet knows of a topic's words."""

from __future__ import annotations

import pytest

from scenthound.core.model import Briefing, Document
from scenthound.text.analyzer import Analyzer
from scenthound.topics.coverage import (
    LONGEST_SHOWN,
    KeywordReading,
    known_share,
    nothing_known,
    nouns_among,
    read_keyword,
    senses_of,
    shown,
    topic_terms,
    unknown_terms,
)


@pytest.mark.parametrize(
    ("keyword", "is_noun", "nouns", "others"),
    [
        ("storm", True, ("storm",), ()),
        ("Storms", True, ("storm",), ()),
        ("dust storms", True, ("dust", "storm", "dust storm"), ()),
        ("tropical cyclone", False, ("cyclone",), ("tropical",)),
        ("severe dust storm", False, ("dust", "storm", "dust storm"), ("severe",)),
        ("Wirbelsturm", False, (), ("wirbelsturm",)),
        ("the", False, (), ()),
        ("", False, (), ()),
    ],
)
def test_a_keyword_as_wordnet_reads_it(
    keyword: str, is_noun: bool, nouns: tuple[str, ...], others: tuple[str, ...]
) -> None:
    analyzer = Analyzer(phrases=[keyword])
    assert read_keyword(keyword, analyzer) == KeywordReading(keyword, is_noun, nouns, others)


def test_a_phrase_has_several_words() -> None:
    assert read_keyword("tropical cyclone", Analyzer()).is_phrase
    assert not read_keyword("storm", Analyzer()).is_phrase


def test_a_language_that_wordnet_is_not_for_has_no_senses() -> None:
    assert senses_of("storm", Analyzer("de")) == 0 < senses_of("storm", Analyzer("en-GB"))
    assert read_keyword("storm", Analyzer("de")).others == ("storm",)


def test_unknown_terms_keep_their_order() -> None:
    analyzer = Analyzer()
    assert unknown_terms(["xylofrob", "storm", "derecho"], analyzer) == ("xylofrob", "derecho")
    assert not nothing_known(["xylofrob", "storm"], analyzer)
    assert nothing_known(["xylofrob", "derecho"], analyzer) and nothing_known([], analyzer)


def test_the_share_of_the_weight_that_is_known() -> None:
    analyzer = Analyzer()
    assert known_share({"storm": 1.0, "xylofrob": 3.0}, analyzer) == 0.25
    assert (
        known_share({"storm": 0.3, "hail": 0.3, "xylofrob": 0.3, "derecho": 0.3}, analyzer) == 0.5
    )
    assert known_share({}, analyzer) == known_share({"xylofrob": 1.0}, analyzer) == 0.0
    assert nouns_among(["storm", "xylofrob", "hail"], analyzer) == 2


def test_a_long_text_is_cut_where_it_is_shown() -> None:
    assert shown("x" * LONGEST_SHOWN) == "x" * 60
    assert shown("x" * 61) == "x" * 57 + "..."


def test_topic_terms_come_heaviest_first_then_by_the_alphabet() -> None:
    briefing = Briefing("t", ("hail", "gale"), (Document(text="gale gale wind"),))
    terms = topic_terms(briefing, Analyzer())
    assert list(terms) == ["gale", "hail", "wind"]
    assert list(terms.values()) == sorted(terms.values(), reverse=True)
    assert list(topic_terms(briefing, Analyzer(), most=1)) == ["gale"]
