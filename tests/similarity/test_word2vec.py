"""word2vec vectors trained on a collection."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import InputError
from scenthound.similarity.encoders import Vectors
from scenthound.similarity.word2vec import (
    MIN_WORDS,
    TrainedWords,
    WordTable,
    rebuild_word2vec,
    suitable_epochs,
    train_word2vec,
)

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


def test_words_of_one_company_are_alike() -> None:
    for architecture in ["skip-gram", "cbow"]:
        table = train_word2vec(passages(), 1, dimensions=20, architecture=architecture)
        assert table.reason is None and table.dimensions == 20
        assert sorted(table.words) == sorted(GROUPS[0] + GROUPS[1])
        assert cosine(table, "planet", "moon") > 0.5 > 0 > cosine(table, "planet", "train")


def test_the_seed_decides() -> None:
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


def test_too_little_text_is_vectors_of_nothing() -> None:
    cases: list[list[list[str]]] = [[], [[]], [["flood"]], [["each", "word", "once"]]]
    for texts in cases:
        table = train_word2vec(texts, 1)
        assert table.look_up(["flood"]).shape == (1, 100) and not table.look_up(["flood"]).any()
        assert table.reason is not None and str(MIN_WORDS) in table.reason


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
        assert (back.name, back.reason, list(back.words)) == (
            table.name,
            table.reason,
            list(table.words),
        )
        assert np.array_equal(back.vectors, table.vectors)


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(InputError, match="did you mean 'skip-gram'"):
        train_word2vec([], 1, architecture="skipgram")
    with pytest.raises(InputError, match="must be at least 1"):
        train_word2vec([], 1, dimensions=0)


def test_without_gensim_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim.models.word2vec", None)
    with pytest.raises(InputError, match=r"word2vec needs gensim; .*scenthound\[neural\]"):
        train_word2vec(passages(), 1)


# How a term finds its vector.

WORDS = ("flood", "climate_change", "climate", "change", "London", "LONDON", "NASA", "X-ray")


def row(place: int) -> list[float]:
    return [float(place == other) for other in range(len(WORDS))]


@pytest.fixture
def table() -> WordTable:
    return WordTable("eight words", WORDS, np.eye(len(WORDS), dtype=np.float32))


@pytest.mark.parametrize(
    ("term", "found"),
    [
        ("flood", 0),
        ("climate change", 1),
        ("london", 4),  # the first of the two
        ("LONDON", 5),  # as it is goes before all else
        ("nasa", 6),
        ("x ray", 7),
        ("Flood", 0),
    ],
)
def test_a_term_is_found_by_its_spelling(table: WordTable, term: str, found: int) -> None:
    assert table.look_up([term])[0].tolist() == row(found)


def test_a_phrase_is_the_mean_of_its_known_words(table: WordTable) -> None:
    both, one, none = table.look_up(["climate flood", "flood unheard", "unheard words"])
    assert both.tolist() == [0.5, 0, 0.5, 0, 0, 0, 0, 0]
    assert one.tolist() == row(0)
    assert not none.any()


def test_a_guess_is_asked_last_and_only_for_words() -> None:
    asked: list[str] = []

    def guess(word: str) -> Vectors | None:
        asked.append(word)
        return np.full(2, 3.0, np.float32)

    table = WordTable("guessing", ["flood"], np.ones((1, 2), np.float32), guess)
    found = table.look_up(["flood", "flooded", "flood plain", ""])
    assert found.tolist() == [[1, 1], [3, 3], [2, 2], [0, 0]]
    assert asked == ["flooded", "plain"]


@given(st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=8))
def test_every_word_of_the_table_finds_its_own_row(words: list[str]) -> None:
    vectors = np.arange(1, len(words) + 1, dtype=np.float32)[:, None]
    assert np.array_equal(WordTable("any", words, vectors).look_up(words), vectors)
