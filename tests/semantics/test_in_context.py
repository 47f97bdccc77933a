"""Terms as a page means them: sums over their places, by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from scenthound.semantics.in_context import InContext, term_means
from scenthound.text.analyzer import Analyzer
from scenthound.vectors.protocols import NothingKept
from semantics.told_vectors import ToldReader

WORDS = {"river": (1.0, 0.0), "money": (0.0, 1.0), "bank": (0.0, 0.0), "crane": (1.0, 1.0)}
ANALYZER = Analyzer(phrases=["river bank"])


def context(page: str, *topic: str, most: int = 100) -> InContext:
    found = InContext(ToldReader(WORDS), ANALYZER.vocabulary, most, NothingKept())
    found.read_topic([ANALYZER.occurrences(text) for text in topic])
    found.read_page(ANALYZER.occurrences(page))
    return found


def test_the_mean_over_places_and_a_phrase_as_the_mean_of_its_words() -> None:
    """Banks: (0.5, 0) after river, (0, 0.5) after money. The phrase: ((1, 0) + (0.5, 0)) / 2."""
    text = ANALYZER.occurrences("river bank money bank")
    (words,) = ToldReader(WORDS).encode_words([text.words])
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


def test_all_texts_of_the_topic_say_what_it_means() -> None:
    """(0.5, 0) and twice (0, 0.5) sum to (0.5, 1): cosine with (1, 0) is 1 / sqrt(5)."""
    found = context("river", "river bank", "money bank", "money bank")
    assert found.similarities(["river"], ["bank"])[0, 0] == pytest.approx(5**-0.5)


def test_a_term_that_was_not_read_is_read_alone() -> None:
    """The end of an endless page, or the text of a picture: crane alone is (1, 1), river (1, 0)."""
    found = context("money bank", "river")
    assert found.similarities(["crane"], ["river"])[0, 0] == pytest.approx(2**-0.5, abs=1e-3)


def test_a_term_without_a_vector_is_similar_to_itself_alone() -> None:
    found = context("river", "money")
    assert found.similarities(["bank", "river"], ["bank", "money"]).tolist() == [[1, 0], [0, 0]]


def test_a_term_as_often_as_it_stands_and_without_end() -> None:
    """A mean does not grow with the page: 16 bits would not hold a sum."""
    found = context("crane " * 900, "river", most=1_000)
    large = InContext(
        ToldReader({"crane": (90.0, 90.0), "river": (1.0, 0.0)}), ANALYZER.vocabulary, 1_000,
        NothingKept(),
    )  # fmt: skip
    large.read_topic([ANALYZER.occurrences("river")])
    large.read_page(ANALYZER.occurrences("crane " * 900))
    for each in (found, large):
        value = each.similarities(["crane"], ["river"])[0, 0]
        assert value == pytest.approx(2**-0.5, abs=1e-3)


def test_topic_terms_among_themselves() -> None:
    found = context("crane", "river", "money", "crane")
    half = 2**-0.5
    table = found.among(["river", "money", "crane", "unread"])
    assert np.diag(table).tolist() == pytest.approx([1.0] * 4)
    assert table[2, :2].tolist() == pytest.approx([half, half], abs=1e-6)
    assert table[3, :3].tolist() == [0.0] * 3


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
    for kept, before in ((cache, ""), (cache, "zebra crane bank yak"), (NothingKept(), "")):
        reader, analyzer = ToldReader(WORDS), Analyzer(phrases=["river bank"])
        analyzer.bag(before)
        found = InContext(reader, analyzer.vocabulary, 100, kept)
        found.read_topic([analyzer.occurrences("money bank")])
        found.read_page(analyzer.occurrences("river bank crane"))
        tables.append(found.similarities(["bank", "crane", "river"], ["bank", "money"]).tolist())
        read.append(len(reader.read))
    assert tables[0] == tables[1] == tables[2]
    assert read == [2, 0, 2]


def test_a_table_of_another_shape_is_not_used() -> None:
    cache = Kept()
    for _ in range(2):
        found = InContext(ToldReader(WORDS), ANALYZER.vocabulary, 100, cache)
        found.read_topic([ANALYZER.occurrences("money")])
        found.read_page(ANALYZER.occurrences("money"))
        assert found.similarities(["money"], ["money"]).tolist() == [[1.0]]
        cache.tables = {key: np.ones((1, 7), np.float16) for key in cache.tables}
        assert cache.tables


def test_an_empty_page_and_an_empty_topic() -> None:
    assert context("").similarities(["river"], ["river", "money"]).tolist() == [[1.0, 0.0]]
    assert context("").similarities([], []).shape == (0, 0)
