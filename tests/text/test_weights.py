"""TF-IDF over document frequencies that grow, with numbers worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.storage.files import load_state, save_state
from scenthound.text.analyzer import DocumentFrequencies, smooth_idf, strongest
from scenthound.text.terms import Vocabulary
from similarity.bag_building import bag, numbers


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


@given(st.integers(0, 50), st.lists(st.integers(0, 50), max_size=5))
def test_idf_is_the_smoothed_formula(documents: int, containing: list[int]) -> None:
    expected = [math.log((documents + 1) / (n + 1)) + 1 for n in containing]
    assert smooth_idf(documents, np.array(containing, np.int32)) == pytest.approx(expected)


def test_terms_met_after_the_last_document_are_unseen(vocabulary: Vocabulary) -> None:
    """Thousands of them, so that the counts need more room than they began with."""
    frequencies = counted(vocabulary, "storm")
    late = numbers(" ".join(f"word{n}" for n in range(3000)), vocabulary)
    assert frequencies.idf(late) == pytest.approx(math.log(2) + 1)
    assert frequencies["word2999"] == 0
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


def restored(frequencies: DocumentFrequencies, known: str = "") -> DocumentFrequencies:
    """What its state gives, where other words may be ``known`` before."""
    vocabulary = Vocabulary()
    numbers(known, vocabulary)
    fresh = DocumentFrequencies(vocabulary)
    fresh.restore(frequencies.state())
    return fresh


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


def test_frequencies_survive_the_disk(three_documents: DocumentFrequencies, tmp_path: Path) -> None:
    save_state(three_documents.state(), tmp_path / "state.npz")
    fresh = DocumentFrequencies(Vocabulary())
    fresh.restore(load_state(tmp_path / "state.npz"))
    assert [fresh[t] for t in ("storm", "wind", "café")] == [3, 1, 1]
