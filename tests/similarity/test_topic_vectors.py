"""What WordNet knows of a topic's words."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, TopicProfile
from scenthound.similarity.text_models import TOPIC_TERMS, TopicVectors, keyword_text
from scenthound.similarity.topic_senses import (
    MAX_SHOWN,
    KeywordSenses,
    known_share,
    nouns_among,
    read_keyword,
    senses_of,
    shortened,
    topic_terms,
)
from scenthound.storage.files import load_state, save_state
from scenthound.text.analyzer import Analyzer, DocumentFrequencies


def test_a_keyword_as_wordnet_reads_it() -> None:
    cases: list[tuple[str, bool, tuple[str, ...], tuple[str, ...]]] = [
        ("storm", True, ("storm",), ()),
        ("Storms", True, ("storm",), ()),
        ("dust storms", True, ("dust", "storm", "dust storm"), ()),
        ("tropical cyclone", False, ("cyclone",), ("tropical",)),
        ("severe dust storm", False, ("dust", "storm", "dust storm"), ("severe",)),
        ("Wirbelsturm", False, (), ("wirbelsturm",)),
        ("the", False, (), ()),
        ("", False, (), ()),
    ]
    for keyword, is_noun, nouns, others in cases:
        analyzer = Analyzer(phrases=[keyword])
        assert read_keyword(keyword, analyzer) == KeywordSenses(keyword, is_noun, nouns, others)


def test_a_language_that_wordnet_is_not_for_has_no_senses() -> None:
    assert senses_of("storm", Analyzer("de")) == 0 < senses_of("storm", Analyzer("en-GB"))
    assert read_keyword("storm", Analyzer("de")).others == ("storm",)


def test_the_share_of_the_weight_that_is_known() -> None:
    analyzer = Analyzer()
    assert known_share({"storm": 1.0, "xylofrob": 3.0}, analyzer) == 0.25
    assert (
        known_share({"storm": 0.3, "hail": 0.3, "xylofrob": 0.3, "derecho": 0.3}, analyzer) == 0.5
    )
    assert known_share({}, analyzer) == known_share({"xylofrob": 1.0}, analyzer) == 0.0
    assert nouns_among(["storm", "xylofrob", "hail"], analyzer) == 2


def test_a_long_text_is_cut_where_it_is_shown() -> None:
    assert shortened("x" * MAX_SHOWN) == "x" * 60
    assert shortened("x" * 61) == "x" * 57 + "..."


def test_topic_terms_come_heaviest_first_then_by_the_alphabet() -> None:
    briefing = TopicProfile("t", ("hail", "gale"), (Document(text="gale gale wind"),))
    terms = topic_terms(briefing, Analyzer())
    assert list(terms) == ["gale", "hail", "wind"]
    assert list(terms.values()) == sorted(terms.values(), reverse=True)
    assert list(topic_terms(briefing, Analyzer(), most=1)) == ["gale"]


# The topic as vectors, worked out by hand.


def briefing(keywords: tuple[str, ...] = (), *examples: str) -> TopicProfile:
    return TopicProfile("t", keywords, tuple(Document(text=text) for text in examples))


class Collection:
    """An analyzer and the frequencies over its terms."""

    def __init__(self, *texts: str) -> None:
        self.analyzer = Analyzer()
        self.frequencies = DocumentFrequencies(self.analyzer.vocabulary)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self.frequencies.add(self.analyzer.bag(text))

    def topic(self, of: TopicProfile, most: int = TOPIC_TERMS, by: str = "merged") -> TopicVectors:
        return TopicVectors(of, self.analyzer, self.frequencies, most, by)


def topic(of: TopicProfile, most: int = TOPIC_TERMS, by: str = "merged") -> TopicVectors:
    return Collection().topic(of, most, by)


def columns(of: Collection, vectors: TopicVectors) -> list[dict[str, float]]:
    """Each column by term, without the zeros."""
    terms = of.analyzer.vocabulary.terms(vectors.ids.tolist())
    assert vectors.weights.shape[0] == len(terms) == len(set(terms))
    return [
        {term: weight for term, weight in zip(terms, column, strict=True) if weight}
        for column in vectors.weights.T.tolist()
    ]


def test_keywords_and_examples_are_added_as_unit_vectors() -> None:
    """N = 2, idf(storm) = ln(3/2) + 1 = 1.405465, idf(flood) = ln(3/3) + 1 = 1.

    keywords (1, 0); first example (1.405465, 1) / 1.724915; second example (0, 1).
    """
    vector = topic(briefing(("storm",), "storm flood", "floods")).vector
    assert vector == pytest.approx({"storm": 1.814803, "flood": 1.579739}, abs=1e-6)


def test_no_phrase_runs_from_one_keyword_into_the_next() -> None:
    """A rain forest is a term; rain and a forest are two."""
    assert sorted(topic(briefing(("rain", "forest"))).vector) == ["forest", "rain"]
    assert sorted(topic(briefing(("rain forest",))).vector) == ["forest", "rain", "rain forest"]
    assert Analyzer().count(keyword_text([])) == {}


def test_a_topic_without_terms_is_empty_in_one_column() -> None:
    cases_1: list[tuple[str, ...]] = [(), ("the of and",)]
    for by in ["merged", "pages"]:
        for examples in cases_1:
            empty = topic(briefing((), *examples), by=by)
            assert empty.vector == {}
            assert empty.ids.shape == (0,) and empty.weights.shape == (0, 1)


def test_by_pages_keywords_and_each_example_have_a_column_of_their_own() -> None:
    """As above, N = 2: keywords (1, 0), (1.405465, 1) / 1.724915, (0, 1)."""
    collection = Collection()
    by_pages = collection.topic(briefing(("storm",), "storm flood", "floods"), by="pages")
    keywords, first, second = columns(collection, by_pages)
    assert keywords == pytest.approx({"storm": 1.0})
    assert first == pytest.approx({"storm": 0.814803, "flood": 0.579739}, abs=1e-6)
    assert second == pytest.approx({"flood": 1.0})
    assert by_pages.vector == pytest.approx({"storm": 1.0, "flood": 1.0})


def test_by_pages_a_text_without_terms_has_no_column() -> None:
    cases: list[tuple[TopicProfile, list[list[str]]]] = [
        (briefing(("storm", "flood")), [["flood", "storm"]]),
        (briefing((), "storm", "flood"), [["storm"], ["flood"]]),
        (briefing(("hail",), "storm"), [["hail"], ["storm"]]),
        (briefing(("hail",), "the of and", "storm"), [["hail"], ["storm"]]),
        (briefing(("the",), "storm", ""), [["storm"]]),
    ]
    for of, expected in cases:
        collection = Collection()
        found = columns(collection, collection.topic(of, by="pages"))
        assert [sorted(column) for column in found] == expected


def test_by_pages_the_strongest_terms_of_each_are_kept() -> None:
    collection = Collection()
    of = briefing((), "storm storm flood", "cake cake cake bread tea")
    found = columns(collection, collection.topic(of, most=1, by="pages"))
    assert found == [
        {"storm": pytest.approx(2 / math.sqrt(5))},
        {"cake": pytest.approx(3 / math.sqrt(11))},
    ]


def test_a_topic_keeps_a_term_at_least() -> None:
    for most in [0, -1]:
        with pytest.raises(SettingsError, match=f"a topic of {most} terms is none; give 1 or more"):
            topic(briefing(("storm",)), most=most)


def test_vector_is_worked_out_again_when_the_collection_has_grown_by_a_tenth() -> None:
    for by in ["merged", "pages"]:
        for start, refreshed_at in [(1, 2), (9, 10), (10, 11), (20, 22), (25, 28)]:
            collection = Collection(*["other"] * (start - 1))
            vectors = collection.topic(briefing(("storm",), "storm flood"), by=by)
            first = vectors.vector
            changed = []
            while collection.frequencies.documents < refreshed_at:
                assert vectors.vector == first
                collection.add("flood")
                changed.append(vectors.refresh())
            assert changed == [False] * (refreshed_at - start - 1) + [True]
            assert vectors.vector != first


def test_restored_vector_is_as_old_as_the_saved_one(tmp_path: Path) -> None:
    """Saved between two refreshes: it must not be fresher afterwards, whatever the numbers are."""
    for by in ["merged", "pages"]:
        for known in ["", "other flood words"]:
            collection = Collection(*["other"] * 20)
            saved = collection.topic(briefing(("storm",), "storm flood", "storm"), by=by)
            collection.add("flood")
            assert not saved.refresh()
            save_state(saved.state(), tmp_path / "state.npz")
            fresh = Collection(known)
            restored = fresh.topic(briefing(("storm",), "storm flood", "storm"), by=by)
            restored.restore(load_state(tmp_path / "state.npz"))
            assert restored.vector == saved.vector
            assert columns(fresh, restored) == columns(collection, saved)
            assert restored.state()["fresh_until"] == saved.state()["fresh_until"]
            assert np.array_equal(restored.weights, saved.weights)
