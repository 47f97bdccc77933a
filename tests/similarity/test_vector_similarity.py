"""Terms as a page means them: sums over their places, by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from scenthound.similarity.encoders import NoCache
from scenthound.similarity.vector_similarity import ContextualSimilarity, term_means
from scenthound.text.analyzer import Analyzer
from similarity.fixed_vectors import FixedReader

WORDS = {"river": (1.0, 0.0), "money": (0.0, 1.0), "bank": (0.0, 0.0), "crane": (1.0, 1.0)}
ANALYZER = Analyzer(phrases=["river bank"])


def context(page: str, *topic: str, most: int = 100) -> ContextualSimilarity:
    found = ContextualSimilarity(FixedReader(WORDS), ANALYZER.vocabulary, most, NoCache())
    found.read_topic([ANALYZER.occurrences(text) for text in topic])
    found.read_page(ANALYZER.occurrences(page))
    return found


def test_the_mean_over_places_and_a_phrase_as_the_mean_of_its_words() -> None:
    """Banks: (0.5, 0) after river, (0, 0.5) after money. The phrase: ((1, 0) + (0.5, 0)) / 2."""
    text = ANALYZER.occurrences("river bank money bank")
    (words,) = FixedReader(WORDS).encode_words([text.words])
    names = ANALYZER.vocabulary.terms(np.unique(text.terms).tolist())
    found = dict(zip(names, term_means(text, words).tolist(), strict=True))
    assert found["bank"] == [0.25, 0.25]
    assert found["river bank"] == [0.75, 0.0]


def test_the_same_word_may_mean_something_else() -> None:
    """Bank is (0.5, 0) on a page about rivers, (0, 0.5) in a topic of money."""
    other = context("river bank", "money bank")
    same = context("money bank", "money bank")
    assert other.similarities(["bank"], ["bank"]).tolist() == [[0.0]]
    assert same.similarities(["bank"], ["bank"]).tolist() == [[1.0]]


def test_a_term_that_was_not_read_is_read_alone() -> None:
    """The end of an endless page, or the text of a picture: crane alone is (1, 1), river (1, 0)."""
    found = context("money bank", "river")
    assert found.similarities(["crane"], ["river"])[0, 0] == pytest.approx(2**-0.5, abs=1e-3)


def test_a_term_as_often_as_it_stands_and_without_end() -> None:
    """A mean does not grow with the page: 16 bits would not hold a sum."""
    found = context("crane " * 900, "river", most=1_000)
    large = ContextualSimilarity(
        FixedReader({"crane": (90.0, 90.0), "river": (1.0, 0.0)}), ANALYZER.vocabulary, 1_000,
        NoCache(),
    )  # fmt: skip
    large.read_topic([ANALYZER.occurrences("river")])
    large.read_page(ANALYZER.occurrences("crane " * 900))
    for each in (found, large):
        value = each.similarities(["crane"], ["river"])[0, 0]
        assert value == pytest.approx(2**-0.5, abs=1e-3)


def test_only_so_many_words_of_a_page_are_read_in_company() -> None:
    """After crane money would be (0.5, 1.5); it is beyond the cut, and read alone."""
    found = context("river crane money", "money", most=2)
    assert found.similarities(["crane"], ["money"])[0, 0] > 0.0
    assert found.similarities(["money"], ["money"]).tolist() == [[1.0]]


class Kept:
    """A cache that notes what it was asked."""

    def __init__(self) -> None:
        self.tables: dict[tuple[str, bytes], npt.NDArray[np.float16]] = {}

    def find(self, model: str, keys: Sequence[bytes]) -> dict[bytes, npt.NDArray[np.float16]]:
        return {key: self.tables[model, key] for key in keys if (model, key) in self.tables}

    def keep(self, model: str, found: Mapping[bytes, npt.NDArray[np.float16]]) -> None:
        self.tables |= {(model, key): table for key, table in found.items()}


def test_what_was_read_before_is_not_read_again_and_means_the_same() -> None:
    """Also by a run that met its words in another order."""
    cache, tables, read = Kept(), [], []
    for kept, before in ((cache, ""), (cache, "zebra crane bank yak"), (NoCache(), "")):
        reader, analyzer = FixedReader(WORDS), Analyzer(phrases=["river bank"])
        analyzer.bag(before)
        found = ContextualSimilarity(reader, analyzer.vocabulary, 100, kept)
        found.read_topic([analyzer.occurrences("money bank")])
        found.read_page(analyzer.occurrences("river bank crane"))
        tables.append(found.similarities(["bank", "crane", "river"], ["bank", "money"]).tolist())
        read.append(len(reader.read))
    assert tables[0] == tables[1] == tables[2]
    assert read == [2, 0, 2]


def test_a_table_of_another_shape_is_not_used() -> None:
    cache = Kept()
    for _ in range(2):
        found = ContextualSimilarity(FixedReader(WORDS), ANALYZER.vocabulary, 100, cache)
        found.read_topic([ANALYZER.occurrences("money")])
        found.read_page(ANALYZER.occurrences("money"))
        assert found.similarities(["money"], ["money"]).tolist() == [[1.0]]
        cache.tables = {key: np.ones((1, 7), np.float16) for key in cache.tables}
        assert cache.tables
