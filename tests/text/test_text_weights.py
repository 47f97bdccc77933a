"""TF-IDF over document frequencies that grow, with numbers worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from scenthound.store.state import load_state, save_state
from scenthound.text.weights import DocumentFrequencies, norm, smooth_idf, strongest, tf_idf, unit


@pytest.fixture
def three_documents() -> DocumentFrequencies:
    frequencies = DocumentFrequencies()
    for terms in (["storm", "wind"], ["storm", "café"], ["storm"]):
        frequencies.add(terms)
    return frequencies


def test_documents_are_counted(three_documents: DocumentFrequencies) -> None:
    assert three_documents.documents == 3
    assert [three_documents[t] for t in ("storm", "wind", "unseen")] == [3, 1, 0]


def test_idf_by_hand(three_documents: DocumentFrequencies) -> None:
    assert three_documents.idf("storm") == 1.0  # log(4 / 4) + 1
    assert three_documents.idf("wind") == pytest.approx(math.log(2) + 1)  # 4 / 2
    assert three_documents.idf("unseen") == pytest.approx(math.log(4) + 1)  # 4 / 1


def test_idf_of_many_terms_at_once(three_documents: DocumentFrequencies) -> None:
    terms = ["unseen", "storm", "wind"]
    assert three_documents.idfs(terms) == pytest.approx([three_documents.idf(t) for t in terms])
    assert three_documents.idfs([]) == []


def test_before_the_first_document_all_terms_weigh_the_same() -> None:
    assert DocumentFrequencies().idf("storm") == smooth_idf(0, 0) == 1.0


def test_tf_idf_by_hand() -> None:
    counts = {"storm": 4, "wind": 2, "rain": 1}
    idf = {"storm": 1.0, "wind": 3.0, "rain": 2.0}.__getitem__
    assert tf_idf(counts, idf) == {"storm": 1.0, "wind": 1.5, "rain": 0.5}


def test_an_empty_text_weighs_nothing() -> None:
    assert tf_idf({}, lambda term: 1.0) == {}
    assert unit({}) == {} and norm({}) == 0.0 and strongest({}, 5) == {}


def test_length_and_unit_of_a_3_4_5_triangle() -> None:
    assert norm({"a": 3.0, "b": 4.0}) == 5.0
    assert unit({"a": 3.0, "b": 4.0}) == {"a": 0.6, "b": 0.8}


def test_a_zero_vector_has_no_direction() -> None:
    assert unit({"a": 0.0}) == {}


def test_the_strongest_terms_with_ties_in_alphabetical_order() -> None:
    vector = {"wind": 1.0, "rain": 1.0, "storm": 2.0, "hail": 0.5}
    assert list(strongest(vector, 3)) == ["storm", "rain", "wind"]
    assert strongest(vector, 0) == {}


def test_restored_frequencies_go_on_alike(three_documents: DocumentFrequencies) -> None:
    restored = DocumentFrequencies()
    restored.restore(three_documents.state())
    for frequencies in (three_documents, restored):
        frequencies.add(["wind", "hail"])
    assert restored.documents == 4
    for term in ("storm", "wind", "café", "hail", "unseen"):
        assert restored.idf(term) == three_documents.idf(term)
        assert restored.idfs([term]) == three_documents.idfs([term])


def test_frequencies_survive_the_disk(three_documents: DocumentFrequencies, tmp_path: Path) -> None:
    save_state(three_documents.state(), tmp_path / "state.npz")
    restored = DocumentFrequencies()
    restored.restore(load_state(tmp_path / "state.npz"))
    assert [restored[t] for t in ("storm", "wind", "café")] == [3, 1, 1]


def test_empty_frequencies_survive_too(tmp_path: Path) -> None:
    save_state(DocumentFrequencies().state(), tmp_path / "state.npz")
    restored = DocumentFrequencies()
    restored.restore(load_state(tmp_path / "state.npz"))
    assert restored.documents == 0 and restored["storm"] == 0
