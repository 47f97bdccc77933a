"""Rows that are worked out as words are met equal those of a lexicon that knows them all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.similarity import word_similarity as term_tables
from scenthound.similarity.vector_similarity import Table
from scenthound.similarity.word_similarity import VectorSimilarityTable
from scenthound.text.terms import Vocabulary
from similarity.fixed_similarity import LEXICON, SIMILARITIES, FixedSimilarity


class Pairs:
    """The fixed similarities as a table, and what it was asked for."""

    def __init__(self, fixed: FixedSimilarity) -> None:
        self._told = fixed
        self.asked: list[tuple[Sequence[str], Sequence[str]]] = []

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        self.asked.append((terms, topic_terms))
        rows = [[self._told.of(term, other) for other in topic_terms] for term in terms]
        return np.array(rows, np.float32).reshape(len(terms), len(topic_terms))

    def among(self, topic_terms: Sequence[str]) -> Table:
        return self.similarities(topic_terms, topic_terms)


TOPIC = st.lists(st.sampled_from(LEXICON), unique=True, min_size=1)
STEPS = st.lists(st.tuples(TOPIC, st.lists(st.sampled_from(LEXICON), min_size=1)), max_size=5)


@given(SIMILARITIES, STEPS, st.sampled_from([0.0, 0.6]), st.sampled_from([1.0, 4.0]))
def test_as_a_lexicon_whatever_topics_and_words_come(
    fixed: FixedSimilarity, steps: list[tuple[list[str], list[str]]], floor: float, power: float
) -> None:
    vocabulary = Vocabulary()
    found = VectorSimilarityTable(Pairs(fixed), vocabulary, floor, power)
    expected = fixed.table(vocabulary, floor, power)
    for topic, words in steps:
        ids = np.array([vocabulary.number(word) for word in topic], np.int32)
        own = np.array([vocabulary.number(word) for word in words], np.int32)
        found.take(ids)
        expected.take(ids)
        assert found.rows(own) == pytest.approx(expected.rows(own), abs=1e-6)
        assert found.among() == pytest.approx(expected.among(), abs=1e-6)


def numbers(vocabulary: Vocabulary, words: str) -> np.typing.NDArray[np.int32]:
    return np.array([vocabulary.number(word) for word in words], np.int32)


def test_only_what_is_new_is_compared() -> None:
    vocabulary, pairs = Vocabulary(), Pairs(FixedSimilarity())
    table = VectorSimilarityTable(pairs, vocabulary)
    table.take(numbers(vocabulary, "ab"))
    table.rows(numbers(vocabulary, "cd"))
    table.rows(numbers(vocabulary, "dce"))
    table.take(numbers(vocabulary, "bf"))
    table.rows(numbers(vocabulary, "cde"))
    assert pairs.asked == [(["c", "d"], ["a", "b"]), (["e"], ["a", "b"]), (["c", "d", "e"], ["f"])]


def test_what_was_forgotten_is_compared_again() -> None:
    vocabulary, pairs = Vocabulary(), Pairs(FixedSimilarity(pairs={"ac": 0.5}))
    table = VectorSimilarityTable(pairs, vocabulary)
    table.take(numbers(vocabulary, "a"))
    table.rows(numbers(vocabulary, "c"))
    table.forget()
    assert table.rows(numbers(vocabulary, "c")).tolist() == [[0.5]]
    assert len(pairs.asked) == 2


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_tables, "_CACHED_TERMS", 3)
    vocabulary, fixed = Vocabulary(), FixedSimilarity(pairs={"ac": 0.5, "ae": 0.25})
    table = VectorSimilarityTable(Pairs(fixed), vocabulary)
    table.take(numbers(vocabulary, "a"))
    for words, rows in (("bc", [0.0, 0.5]), ("de", [0.0, 0.25]), ("cb", [0.5, 0.0])):
        assert table.rows(numbers(vocabulary, words))[:, 0].tolist() == rows
