"""Vectors of words: trained on a collection, found by spelling, and compared on a page."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import InputError
from scenthound.core.model import Document, TopicProfile
from scenthound.similarity import vector_similarity
from scenthound.similarity.encoders import Vectors
from scenthound.similarity.vector_similarity import (
    ContextualSimilarity,
    IsolatedWords,
    VectorSimilarity,
    clipped_cosines,
    term_means,
)
from scenthound.similarity.word2vec import (
    MIN_WORDS,
    TrainedWords,
    WordTable,
    rebuild_word2vec,
    suitable_epochs,
    train_word2vec,
)
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import unit_rows
from similarity.fixed_vectors import FixedReader, FixedWords, MemoryCache

GROUPS = (
    ("planet", "star", "orbit", "moon", "comet", "galaxy"),
    ("railway", "train", "engine", "station", "track", "steam"),
)
ALIKE = f"""
from {train_word2vec.__module__} import train_word2vec
words = [str(number) for number in range(40)]
print(train_word2vec([words[n:] + words[:n] for n in range(40)], 3, dimensions=8).name)
"""


def passages(count: int = 120) -> list[list[str]]:
    rng = random.Random(7)
    return [rng.choices(GROUPS[place % 2], k=10) for place in range(count)]


def cosine(table: TrainedWords, first: str, second: str) -> float:
    a, b = table.look_up([first, second])
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_words_of_one_company_are_alike_and_the_seed_decides() -> None:
    for architecture in ["skip-gram", "cbow"]:
        table = train_word2vec(passages(), 1, dimensions=20, architecture=architecture)
        assert table.reason is None and table.dimensions == 20
        assert sorted(table.words) == sorted(GROUPS[0] + GROUPS[1])
        assert cosine(table, "planet", "moon") > 0.5 > 0 > cosine(table, "planet", "train")
    first, again, other = (train_word2vec(passages(), seed, dimensions=8) for seed in (1, 1, 2))
    assert np.array_equal(first.vectors, again.vectors) and first.name == again.name
    assert first.name != other.name
    assert train_word2vec(passages(), -(2**40), dimensions=8).reason is None


def test_two_processes_train_the_same_vectors() -> None:
    words = [str(number) for number in range(40)]
    here = train_word2vec([words[n:] + words[:n] for n in range(40)], 3, dimensions=8).name
    environment = {**os.environ, "PYTHONHASHSEED": "1"}  # that of this process is another
    command = [sys.executable, "-c", ALIKE]
    there = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert there.stdout.strip() == here and here.startswith("word2vec-")


def test_what_cannot_be_trained_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    cases: list[list[list[str]]] = [[], [[]], [["flood"]], [["each", "word", "once"]]]
    for texts in cases:
        table = train_word2vec(texts, 1)
        assert table.look_up(["flood"]).shape == (1, 100) and not table.look_up(["flood"]).any()
        assert table.reason is not None and str(MIN_WORDS) in table.reason
    with pytest.raises(InputError, match="did you mean 'skip-gram'"):
        train_word2vec([], 1, architecture="skipgram")
    with pytest.raises(InputError, match="must be at least 1"):
        train_word2vec([], 1, dimensions=0)
    monkeypatch.setitem(sys.modules, "gensim.models.word2vec", None)
    with pytest.raises(InputError, match=r"word2vec needs gensim; .*scenthound\[neural\]"):
        train_word2vec(passages(), 1)


def test_small_collections_are_read_more_often() -> None:
    for words, architecture, epochs in [
        (0, "skip-gram", 50),
        (1_000, "skip-gram", 50),
        (50_000, "skip-gram", 10),
        (50_000, "cbow", 20),
        (10_000_000, "skip-gram", 3),
    ]:
        assert suitable_epochs(words, architecture) == epochs


def test_a_model_comes_back_from_its_state() -> None:
    for table in (train_word2vec(passages(), 1, dimensions=8), train_word2vec([], 1)):
        back = rebuild_word2vec(table.state())
        assert (back.name, back.reason) == (table.name, table.reason)
        assert list(back.words) == list(table.words)
        assert np.array_equal(back.vectors, table.vectors)


# How a term finds its vector.

WORDS = ("flood", "climate_change", "climate", "change", "London", "LONDON", "NASA", "X-ray")


def test_a_term_is_found_by_its_spelling_and_a_phrase_is_the_mean_of_its_words() -> None:
    """Of two that differ in case the first is taken; a term as it stands goes before all else."""
    table = WordTable("eight words", WORDS, np.eye(len(WORDS), dtype=np.float32))
    terms = ("flood", "climate change", "london", "LONDON", "nasa", "x ray", "Flood")
    rows = table.look_up(terms)
    assert rows.argmax(axis=1).tolist() == [0, 1, 4, 5, 6, 7, 0]
    assert rows.sum(axis=1).tolist() == rows.max(axis=1).tolist() == [1.0] * len(terms)
    both, one, none = table.look_up(["climate flood", "flood unheard", "unheard words"])
    assert both.tolist() == [0.5, 0, 0.5, 0, 0, 0, 0, 0]
    assert one.tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    assert not none.any()


def test_a_guess_is_asked_last_and_only_for_words() -> None:
    asked: list[str] = []

    def guess(word: str) -> Vectors | None:
        asked.append(word)
        return np.full(2, 3.0, np.float32)

    table = WordTable("guessing", ["flood"], np.ones((1, 2), np.float32), guess)
    found = table.look_up(["flood", "flooded", "flood plain", ""])
    # A word without a vector is similar to itself alone.
    assert found.tolist() == [[1, 1], [3, 3], [2, 2], [0, 0]]
    assert asked == ["flooded", "plain"]


@given(st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=8))
def test_every_word_of_the_table_finds_its_own_row(words: list[str]) -> None:
    vectors = np.arange(1, len(words) + 1, dtype=np.float32)[:, None]
    assert np.array_equal(WordTable("any", words, vectors).look_up(words), vectors)


# Terms as a page means them: sums over their places, by hand.

READ_WORDS = {"river": (1.0, 0.0), "money": (0.0, 1.0), "bank": (0.0, 0.0), "crane": (1.0, 1.0)}
ANALYZER = Analyzer(phrases=["river bank"])


def context(
    page: str,
    *topic: str,
    most: int = 100,
    words: Mapping[str, tuple[float, float]] = READ_WORDS,
    cache: MemoryCache | None = None,
) -> ContextualSimilarity:
    profile = TopicProfile("topic", (), tuple(Document(text=text) for text in topic))
    found = ContextualSimilarity(FixedReader(words), profile, ANALYZER, most, cache)
    assert found.read(Document(text=page))
    return found


def test_the_mean_over_places_and_a_phrase_as_the_mean_of_its_words() -> None:
    """Banks: (0.5, 0) after river, (0, 0.5) after money. The phrase: ((1, 0) + (0.5, 0)) / 2."""
    text = ANALYZER.occurrences("river bank money bank")
    (words,) = FixedReader(READ_WORDS).encode_words([text.words])
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
    # The end of an endless page, or the text of a picture: crane alone is (1, 1), river (1, 0).
    alone = context("money bank", "river")
    assert alone.similarities(["crane"], ["river"])[0, 0] == pytest.approx(2**-0.5, abs=1e-3)
    # After crane money would be (0.5, 1.5); it is beyond the cut, and read alone.
    cut = context("river crane money", "money", most=2)
    assert cut.similarities(["crane"], ["money"])[0, 0] > 0.0
    assert cut.similarities(["money"], ["money"]).tolist() == [[1.0]]


def test_a_term_as_often_as_it_stands_and_without_end() -> None:
    """A mean does not grow with the page: 16 bits would not hold a sum."""
    for length in (1.0, 90.0):
        words = READ_WORDS | {"crane": (length, length)}
        found = context("crane " * 900, "river", most=1_000, words=words)
        value = found.similarities(["crane"], ["river"])[0, 0]
        assert value == pytest.approx(2**-0.5, abs=1e-3)


def test_what_was_read_before_is_not_read_again_and_means_the_same() -> None:
    """Also by a run that met its words in another order."""
    cache, tables, read = MemoryCache(), [], []
    for kept, before in ((cache, ""), (cache, "zebra crane bank yak"), (None, "")):
        reader, analyzer = FixedReader(READ_WORDS), Analyzer(phrases=["river bank"])
        analyzer.bag(before)
        profile = TopicProfile("topic", ("money bank",), ())
        found = ContextualSimilarity(reader, profile, analyzer, 100, kept)
        found.read(Document(text="river bank crane"))
        tables.append(found.similarities(["bank", "crane", "river"], ["bank", "money"]).tolist())
        read.append(len(reader.read))
    assert tables[0] == tables[1] == tables[2]
    assert read == [2, 0, 2]


def test_a_table_of_another_shape_is_not_used() -> None:
    cache = MemoryCache()
    for _ in range(2):
        found = context("money", "money", cache=cache)
        assert found.similarities(["money"], ["money"]).tolist() == [[1.0]]
        cache.rows = {key: np.ones((1, 7), np.float16) for key in cache.rows}
        assert cache.rows


# Clipped cosines of vectors: by hand, and with words the model does not have.

VECTOR_WORDS = {
    "east": (2.0, 0.0),
    "north": (0.0, 1.0),
    "northeast": (3.0, 3.0),
    "west": (-1.0, 0.0),
}


def test_clipped_cosines_by_hand() -> None:
    """East and north are 90 degrees apart, northeast is 45 from both; east and west are opposed."""
    similarity, half = VectorSimilarity(FixedWords(VECTOR_WORDS)), 2**-0.5
    found = similarity.similarities(["east", "north", "west"], ["east", "northeast"])
    assert found == pytest.approx(np.array([[1.0, half], [0.0, half], [0.0, 0.0]]), abs=1e-3)
    found = similarity.similarities(["up", "east"], ["up", "down", "east"])
    assert found.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    # bsvsm-ha Fig. 2: (0.26, 0.34) and (1.91, 0.71) give 0.85 (0.846).
    rows = unit_rows(np.array([[0.26, 0.34]], np.float32))
    columns = unit_rows(np.array([[1.91, 0.71]], np.float32))
    assert clipped_cosines(rows, columns)[0, 0] == pytest.approx(0.846, abs=5e-4)


def test_it_goes_on_when_more_words_are_met_than_it_remembers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = [f"word{n}" for n in range(20)]
    vectors = {word: (float(n), 1.0) for n, word in enumerate(many)}
    expected = VectorSimilarity(FixedWords(vectors)).similarities(many, ["word3"])
    remembers_few = VectorSimilarity(FixedWords(vectors))
    monkeypatch.setattr(vector_similarity, "_CACHED_TERMS", 5)
    for word, row in zip(many, expected, strict=True):
        assert remembers_few.similarities([word], ["word3"])[0] == pytest.approx(row)


def test_a_phrase_that_stands_alone_is_the_mean_of_its_words() -> None:
    """ "north east" is read as (0, 1) and (2, 0) + (0, 1) / 2; their mean is (1, 0.75)."""
    words = IsolatedWords(FixedReader(VECTOR_WORDS))
    assert words.look_up(["north east", "up", ""]).tolist() == [[1.0, 0.75], [0.0, 0.0], [0.0, 0.0]]
