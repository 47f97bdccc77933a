"""TF-IDF over document frequencies that grow, with numbers worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.store.state import load_state, save_state
from scenthound.text.bags import EMPTY
from scenthound.text.vocabulary import Vocabulary
from scenthound.text.weights import DocumentFrequencies, smooth_idf, strongest, unit
from topics.bag_building import bag, numbers


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


def test_documents_are_counted(three_documents: DocumentFrequencies) -> None:
    assert three_documents.documents == 3
    assert [three_documents[t] for t in ("storm", "wind", "unseen")] == [3, 1, 0]


def test_looking_a_term_up_does_not_make_it_known(
    three_documents: DocumentFrequencies, vocabulary: Vocabulary
) -> None:
    before = len(vocabulary)
    assert three_documents["unseen"] == 0
    assert len(vocabulary) == before


def test_idf_by_hand(three_documents: DocumentFrequencies, vocabulary: Vocabulary) -> None:
    """N = 3: log(4 / 4) + 1, log(4 / 2) + 1, log(4 / 1) + 1, in the order asked for."""
    idf = three_documents.idf(numbers("storm wind unseen storm", vocabulary))
    assert idf == pytest.approx([1.0, math.log(2) + 1, math.log(4) + 1, 1.0])


def test_idf_of_no_terms(three_documents: DocumentFrequencies) -> None:
    assert len(three_documents.idf(EMPTY.ids)) == 0


@given(st.integers(0, 50), st.lists(st.integers(0, 50), max_size=5))
def test_idf_is_the_smoothed_formula(documents: int, containing: list[int]) -> None:
    expected = [math.log((documents + 1) / (n + 1)) + 1 for n in containing]
    assert smooth_idf(documents, np.array(containing, np.int32)) == pytest.approx(expected)


def test_before_the_first_document_all_terms_weigh_the_same(vocabulary: Vocabulary) -> None:
    idf = DocumentFrequencies(vocabulary).idf(numbers("storm wind", vocabulary))
    assert idf.tolist() == [1.0, 1.0]


def test_terms_met_after_the_last_document_are_unseen(vocabulary: Vocabulary) -> None:
    """Thousands of them, so that the counts need more room than they began with."""
    frequencies = counted(vocabulary, "storm")
    late = numbers(" ".join(f"word{n}" for n in range(3000)), vocabulary)
    assert frequencies.idf(late) == pytest.approx(math.log(2) + 1)
    assert frequencies["word2999"] == 0
    frequencies.add(bag("word2999", vocabulary))
    assert (frequencies["word2999"], frequencies["storm"]) == (1, 1)


def test_an_empty_text_weighs_nothing(vocabulary: Vocabulary) -> None:
    nothing = np.empty(0)
    assert len(unit(nothing)) == 0
    assert len(strongest(EMPTY.ids, nothing, 5, vocabulary)) == 0


def test_unit_of_a_3_4_5_triangle() -> None:
    assert unit(np.array([3.0, 4.0])) == pytest.approx([0.6, 0.8])


def test_a_zero_vector_has_no_direction() -> None:
    assert unit(np.zeros(2)).tolist() == [0.0, 0.0]


def test_the_strongest_terms_with_ties_in_alphabetical_order(vocabulary: Vocabulary) -> None:
    ids = numbers("wind rain storm hail", vocabulary)
    weights = np.array([1.0, 1.0, 2.0, 0.5])

    def heaviest(most: int) -> list[str]:
        return vocabulary.terms(ids[strongest(ids, weights, most, vocabulary)].tolist())

    assert heaviest(3) == ["storm", "rain", "wind"]
    assert heaviest(2) == ["storm", "rain"]  # the tie is cut through
    assert heaviest(4) == heaviest(9) == ["storm", "rain", "wind", "hail"]
    assert heaviest(0) == []


TIED = st.lists(st.integers(0, 4), max_size=9)


@given(TIED, st.integers(0, 10))
def test_strongest_is_the_head_of_the_sorted_terms(weights: list[int], most: int) -> None:
    vocabulary = Vocabulary()
    names = "delta echo alpha golf bravo hotel foxtrot india charlie".split()[: len(weights)]
    ids = numbers(" ".join(names), vocabulary)
    expected = sorted(range(len(names)), key=lambda i: (-weights[i], names[i]))[:most]
    found = strongest(ids, np.array(weights, np.float64), most, vocabulary)
    assert found.tolist() == expected


def restored(frequencies: DocumentFrequencies, known: str = "") -> DocumentFrequencies:
    """What its state gives, where other words may be ``known`` before."""
    vocabulary = Vocabulary()
    numbers(known, vocabulary)
    fresh = DocumentFrequencies(vocabulary)
    fresh.restore(frequencies.state())
    return fresh


@pytest.mark.parametrize("known", ["", "other café"])
def test_restored_frequencies_are_the_saved_ones(
    three_documents: DocumentFrequencies, known: str
) -> None:
    """Terms may have other numbers than they had: the counts go by the terms."""
    fresh = restored(three_documents, known)
    assert fresh.documents == 3
    assert [fresh[t] for t in ("storm", "wind", "café", "other")] == [3, 1, 1, 0]


def test_restored_frequencies_go_on_alike(vocabulary: Vocabulary) -> None:
    other = Vocabulary()
    numbers("unseen hail", other)
    saved, fresh = counted(vocabulary, "storm wind", "storm"), DocumentFrequencies(other)
    fresh.restore(saved.state())
    for frequencies, known in ((saved, vocabulary), (fresh, other)):
        frequencies.add(bag("wind hail", known))
    assert fresh.documents == saved.documents == 3
    terms = "storm wind hail unseen"
    there, here = saved.idf(numbers(terms, vocabulary)), fresh.idf(numbers(terms, other))
    assert there.tolist() == here.tolist()


def test_a_saved_state_does_not_change_as_the_crawl_goes_on(vocabulary: Vocabulary) -> None:
    frequencies = counted(vocabulary, "storm")
    state = frequencies.state()
    frequencies.add(bag("storm", vocabulary))
    fresh = DocumentFrequencies(Vocabulary())
    fresh.restore(state)
    assert (fresh.documents, fresh["storm"]) == (1, 1)


def test_frequencies_survive_the_disk(three_documents: DocumentFrequencies, tmp_path: Path) -> None:
    save_state(three_documents.state(), tmp_path / "state.npz")
    fresh = DocumentFrequencies(Vocabulary())
    fresh.restore(load_state(tmp_path / "state.npz"))
    assert [fresh[t] for t in ("storm", "wind", "café")] == [3, 1, 1]


def test_empty_frequencies_survive_too(vocabulary: Vocabulary, tmp_path: Path) -> None:
    save_state(DocumentFrequencies(vocabulary).state(), tmp_path / "state.npz")
    fresh = DocumentFrequencies(Vocabulary())
    fresh.restore(load_state(tmp_path / "state.npz"))
    assert fresh.documents == 0 and fresh["storm"] == 0
