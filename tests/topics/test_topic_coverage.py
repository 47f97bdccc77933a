"""What WordNet knows of a topic's words."""

from __future__ import annotations

import pytest

from scenthound.core.model import Briefing, Document
from scenthound.text.analyzer import Analyzer
from scenthound.topics.coverage import (
    KeywordReading,
    nothing_known,
    read_keyword,
    senses_of,
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


def test_topic_terms_come_heaviest_first_then_by_the_alphabet() -> None:
    briefing = Briefing("t", ("hail", "gale"), (Document(text="gale gale wind"),))
    terms = topic_terms(briefing, Analyzer())
    assert list(terms) == ["gale", "hail", "wind"]
    assert list(terms.values()) == sorted(terms.values(), reverse=True)
    assert list(topic_terms(briefing, Analyzer(), most=1)) == ["gale"]
