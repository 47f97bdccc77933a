"""The merged topic vector, worked out by hand."""

from __future__ import annotations

import math

import pytest

from scenthound.core.model import Briefing, Document
from scenthound.text.terms import Analyzer
from scenthound.text.weights import DocumentFrequencies
from scenthound.topics.model import TOPIC_TERMS, TopicVector, merged_vector


def briefing(keywords: tuple[str, ...] = (), *examples: str) -> Briefing:
    return Briefing("t", keywords, tuple(Document(text=text) for text in examples))


def topic_vector(
    of: Briefing, frequencies: DocumentFrequencies | None = None, most: int = TOPIC_TERMS
) -> TopicVector:
    known = DocumentFrequencies() if frequencies is None else frequencies
    return TopicVector(of, Analyzer(), known, most)


def test_keywords_and_examples_are_added_as_unit_vectors() -> None:
    """N = 2, idf(storm) = ln(3/2) + 1 = 1.405465, idf(flood) = ln(3/3) + 1 = 1.

    keywords (1, 0); first example (1.405465, 1) / 1.724915; second example (0, 1).
    """
    vector = topic_vector(briefing(("storm",), "storm flood", "floods")).vector
    assert vector == pytest.approx({"storm": 1.814803, "flood": 1.579739}, abs=1e-6)


def test_several_keywords_make_one_unit_vector() -> None:
    vector = topic_vector(briefing(("storm", "tropical flood"))).vector
    assert vector == pytest.approx(dict.fromkeys(("storm", "tropical", "flood"), 1 / math.sqrt(3)))


def test_frequent_terms_of_an_example_weigh_more() -> None:
    vector = topic_vector(briefing((), "storm storm storm flood")).vector
    assert vector == pytest.approx({"storm": 3 / math.sqrt(10), "flood": 1 / math.sqrt(10)})


def test_title_of_an_example_counts() -> None:
    assert Document(title="Storm", text="flood").full == "Storm\nflood"


def test_examples_without_terms_and_no_keywords_give_an_empty_vector() -> None:
    topic = topic_vector(briefing((), "the of and"))
    assert (topic.vector, topic.norm) == ({}, 0.0)


def test_only_the_strongest_terms_are_kept() -> None:
    words = " ".join(f"word{n:03}" * 1 for n in range(300))
    topic = topic_vector(briefing(("word299",), words))
    assert len(topic.vector) == 200
    assert next(iter(topic.vector)) == "word299"
    assert "word000" in topic.vector and "word250" not in topic.vector  # ties: the alphabet


def test_the_length_of_the_vector_is_that_of_the_kept_terms() -> None:
    topic = topic_vector(briefing((), "storm storm flood rain"), most=2)
    assert topic.norm == pytest.approx(math.sqrt(5 / 6))


def test_example_pages_enter_the_collection() -> None:
    frequencies = DocumentFrequencies()
    topic_vector(briefing(("hail",), "storm", "storm flood"), frequencies)
    assert frequencies.documents == 2
    assert (frequencies["storm"], frequencies["flood"], frequencies["hail"]) == (2, 1, 0)


@pytest.mark.parametrize(("start", "refreshed_at"), [(1, 2), (9, 10), (10, 11), (20, 22), (25, 28)])
def test_vector_is_worked_out_again_when_the_collection_has_grown_by_a_tenth(
    start: int, refreshed_at: int
) -> None:
    frequencies = DocumentFrequencies()
    for _ in range(start - 1):
        frequencies.add(["other"])
    topic = topic_vector(briefing(("storm",), "storm flood"), frequencies)
    first = topic.vector
    changed = []
    while frequencies.documents < refreshed_at:
        assert topic.vector is first
        frequencies.add(["flood"])
        topic.refresh()
        changed.append(topic.vector is not first)
    assert changed == [False] * (refreshed_at - start - 1) + [True]


def test_refreshed_vector_is_that_of_the_new_frequencies() -> None:
    frequencies = DocumentFrequencies()
    topic = topic_vector(briefing(("storm",), "storm flood"), frequencies)
    before = topic.vector["flood"]
    for _ in range(3):
        frequencies.add(["flood"])
        topic.refresh()
    counts = {"storm": 1, "flood": 1}
    assert topic.vector == merged_vector({"storm": 1}, [counts], frequencies, 200)
    assert topic.vector["flood"] < before


def test_first_document_of_a_topic_without_examples_refreshes_the_vector() -> None:
    frequencies = DocumentFrequencies()
    topic = topic_vector(briefing(("storm", "flood")), frequencies)
    frequencies.add(["flood"])
    topic.refresh()
    assert topic.vector["storm"] > topic.vector["flood"]


def test_restored_vector_is_as_old_as_the_saved_one() -> None:
    """Saved between two refreshes: it must not be fresher afterwards."""
    frequencies = DocumentFrequencies()
    for _ in range(20):
        frequencies.add(["other"])
    saved = topic_vector(briefing(("storm",), "storm flood"), frequencies)
    frequencies.add(["flood"])
    saved.refresh()
    restored = topic_vector(briefing(("storm",), "storm flood"))
    restored.restore(saved.state())
    assert (restored.vector, restored.norm) == (saved.vector, saved.norm)
    assert restored.state() == saved.state()
