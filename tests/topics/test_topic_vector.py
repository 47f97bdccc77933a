"""The topic as vectors, worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing, Document
from scenthound.store.state import load_state, save_state
from scenthound.text.analyzer import Analyzer
from scenthound.text.weights import DocumentFrequencies
from scenthound.topics.model import TOPIC_TERMS, TopicVectors, keyword_text, merged_vector


def briefing(keywords: tuple[str, ...] = (), *examples: str) -> Briefing:
    return Briefing("t", keywords, tuple(Document(text=text) for text in examples))


class Collection:
    """An analyzer and the frequencies over its terms."""

    def __init__(self, *texts: str) -> None:
        self.analyzer = Analyzer()
        self.frequencies = DocumentFrequencies(self.analyzer.vocabulary)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self.frequencies.add(self.analyzer.bag(text))

    def topic(self, of: Briefing, most: int = TOPIC_TERMS, by: str = "merged") -> TopicVectors:
        return TopicVectors(of, self.analyzer, self.frequencies, most, by)


def topic(of: Briefing, most: int = TOPIC_TERMS, by: str = "merged") -> TopicVectors:
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


def test_several_keywords_make_one_unit_vector() -> None:
    vector = topic(briefing(("storm", "tropical flood"))).vector
    assert vector == pytest.approx(dict.fromkeys(("storm", "tropical", "flood"), 1 / math.sqrt(3)))


def test_no_phrase_runs_from_one_keyword_into_the_next() -> None:
    """A rain forest is a term; rain and a forest are two."""
    assert sorted(topic(briefing(("rain", "forest"))).vector) == ["forest", "rain"]
    assert sorted(topic(briefing(("rain forest",))).vector) == ["forest", "rain", "rain forest"]
    assert Analyzer().count(keyword_text([])) == {}


def test_frequent_terms_of_an_example_weigh_more() -> None:
    vector = topic(briefing((), "storm storm storm flood")).vector
    assert vector == pytest.approx({"storm": 3 / math.sqrt(10), "flood": 1 / math.sqrt(10)})


def test_title_of_an_example_counts() -> None:
    titled = Briefing("t", (), (Document(title="Storm", text="flood"),))
    assert sorted(topic(titled).vector) == ["flood", "storm"]


@pytest.mark.parametrize("by", ["merged", "pages"])
@pytest.mark.parametrize("examples", [(), ("the of and",)])
def test_a_topic_without_terms_is_empty_in_one_column(by: str, examples: tuple[str, ...]) -> None:
    empty = topic(briefing((), *examples), by=by)
    assert empty.vector == {}
    assert empty.ids.shape == (0,) and empty.weights.shape == (0, 1)


def test_only_the_strongest_terms_are_kept() -> None:
    words = " ".join(f"word{n:03}" for n in range(300))
    vector = topic(briefing(("word299",), words)).vector
    assert len(vector) == TOPIC_TERMS == 200
    assert next(iter(vector)) == "word299"
    assert "word000" in vector and "word250" not in vector  # ties: the alphabet


def test_kept_terms_keep_the_weights_they_had_among_all() -> None:
    """(2, 1, 1) / sqrt 6, two terms kept: they are not made a unit vector again."""
    vector = topic(briefing((), "storm storm flood rain"), most=2).vector
    expected = {"storm": 2 / math.sqrt(6), "flood": 1 / math.sqrt(6)}
    assert vector == pytest.approx(expected)


def test_by_pages_keywords_and_each_example_have_a_column_of_their_own() -> None:
    """As above, N = 2: keywords (1, 0), (1.405465, 1) / 1.724915, (0, 1)."""
    collection = Collection()
    by_pages = collection.topic(briefing(("storm",), "storm flood", "floods"), by="pages")
    keywords, first, second = columns(collection, by_pages)
    assert keywords == pytest.approx({"storm": 1.0})
    assert first == pytest.approx({"storm": 0.814803, "flood": 0.579739}, abs=1e-6)
    assert second == pytest.approx({"flood": 1.0})
    assert by_pages.vector == pytest.approx({"storm": 1.0, "flood": 1.0})


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (briefing(("storm", "flood")), [["flood", "storm"]]),
        (briefing((), "storm", "flood"), [["storm"], ["flood"]]),
        (briefing(("hail",), "storm"), [["hail"], ["storm"]]),
        (briefing(("hail",), "the of and", "storm"), [["hail"], ["storm"]]),
        (briefing(("the",), "storm", ""), [["storm"]]),
    ],
)
def test_by_pages_a_text_without_terms_has_no_column(
    of: Briefing, expected: list[list[str]]
) -> None:
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


def test_merged_there_is_one_column() -> None:
    assert topic(briefing(("hail",), "storm", "flood")).weights.shape == (3, 1)


@pytest.mark.parametrize("by", ["", "page", "MERGED"])
def test_a_topic_is_taken_in_two_ways(by: str) -> None:
    with pytest.raises(SettingsError, match=f"'merged' or by 'pages', not '{by}'"):
        topic(briefing(("storm",)), by=by)


@pytest.mark.parametrize("most", [0, -1])
def test_a_topic_keeps_a_term_at_least(most: int) -> None:
    with pytest.raises(SettingsError, match=f"a topic of {most} terms is none; give 1 or more"):
        topic(briefing(("storm",)), most=most)


def test_example_pages_enter_the_collection() -> None:
    collection = Collection()
    collection.topic(briefing(("hail",), "storm", "storm flood"))
    frequencies = collection.frequencies
    assert frequencies.documents == 2
    assert (frequencies["storm"], frequencies["flood"], frequencies["hail"]) == (2, 1, 0)


@pytest.mark.parametrize("by", ["merged", "pages"])
@pytest.mark.parametrize(("start", "refreshed_at"), [(1, 2), (9, 10), (10, 11), (20, 22), (25, 28)])
def test_vector_is_worked_out_again_when_the_collection_has_grown_by_a_tenth(
    start: int, refreshed_at: int, by: str
) -> None:
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


def test_refreshed_vector_is_that_of_the_new_frequencies() -> None:
    collection = Collection()
    vectors = collection.topic(briefing(("storm",), "storm flood"))
    before = vectors.vector["flood"]
    for _ in range(3):
        collection.add("flood")
        vectors.refresh()
    analyzer = collection.analyzer
    bags = [analyzer.bag(text) for text in ("storm", "storm flood")]
    ids, weights = merged_vector(bags, collection.frequencies, 200, analyzer.vocabulary)
    expected = dict(zip(analyzer.vocabulary.terms(ids.tolist()), weights, strict=True))
    assert vectors.vector == expected
    assert vectors.vector["flood"] < before


def test_first_document_of_a_topic_without_examples_refreshes_the_vector() -> None:
    collection = Collection()
    vectors = collection.topic(briefing(("storm", "flood")))
    collection.add("flood")
    assert vectors.refresh()
    assert vectors.vector["storm"] > vectors.vector["flood"]


@pytest.mark.parametrize("by", ["merged", "pages"])
@pytest.mark.parametrize("known", ["", "other flood words"])
def test_restored_vector_is_as_old_as_the_saved_one(by: str, known: str, tmp_path: Path) -> None:
    """Saved between two refreshes: it must not be fresher afterwards, whatever the numbers are."""
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
