"""word2vec vectors trained on a collection."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from scenthound.core.errors import InputError
from scenthound.vectors.word2vec import (
    LEAST_WORDS,
    TrainedWords,
    rebuild_word2vec,
    suitable_epochs,
    train_word2vec,
)

GROUPS = (
    ("planet", "star", "orbit", "moon", "comet", "galaxy"),
    ("railway", "train", "engine", "station", "track", "steam"),
)
ALIKE = """
from scenthound.vectors.word2vec import train_word2vec
words = [str(number) for number in range(40)]
print(train_word2vec([words[n:] + words[:n] for n in range(40)], 3, dimensions=8).name)
"""


def passages(count: int = 120) -> list[list[str]]:
    rng = random.Random(7)
    return [rng.choices(GROUPS[place % 2], k=10) for place in range(count)]


def cosine(table: TrainedWords, first: str, second: str) -> float:
    a, b = table.look_up([first, second])
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize("architecture", ["skip-gram", "cbow"])
def test_words_of_one_company_are_alike(architecture: str) -> None:
    table = train_word2vec(passages(), 1, dimensions=20, architecture=architecture)
    assert table.reason is None and table.dimensions == 20
    assert sorted(table.words) == sorted(GROUPS[0] + GROUPS[1])
    assert cosine(table, "planet", "moon") > 0.5 > 0 > cosine(table, "planet", "train")


def test_the_mean_of_the_vectors_is_taken_away() -> None:
    table = train_word2vec(passages(), 1, dimensions=20)
    assert np.allclose(table.vectors.mean(axis=0), 0, atol=1e-6)


def test_the_seed_decides() -> None:
    first, again, other = (train_word2vec(passages(), seed, dimensions=8) for seed in (1, 1, 2))
    assert np.array_equal(first.vectors, again.vectors) and first.name == again.name
    assert first.name != other.name
    assert train_word2vec(passages(), -(2**40), dimensions=8).reason is None


def test_two_processes_train_the_same_vectors() -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", ALIKE], env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE, text=True,
        )
        for seed in ("1", "2")
    ]  # fmt: skip
    first, second = (process.communicate(timeout=120)[0] for process in started)
    assert first == second and first.startswith("word2vec-")


@pytest.mark.parametrize("texts", [[], [[]], [["flood"]], [["each", "word", "once"]]])
def test_too_little_text_is_vectors_of_nothing(texts: list[list[str]]) -> None:
    table = train_word2vec(texts, 1)
    assert table.look_up(["flood"]).shape == (1, 100) and not table.look_up(["flood"]).any()
    assert table.reason is not None and str(LEAST_WORDS) in table.reason


def test_rare_words_have_no_vector() -> None:
    texts = [*passages(), ["nebula", "planet"], ["quasar", "quasar"]]
    assert not train_word2vec(texts, 1).look_up(["nebula"]).any()
    assert train_word2vec(texts, 1).look_up(["quasar"]).any()
    assert not train_word2vec(texts, 1, least=3).look_up(["quasar"]).any()


def test_a_passage_of_any_length_is_read_to_its_end() -> None:
    rng = random.Random(1)
    long = [*rng.choices(GROUPS[0], k=10_000), *rng.choices(GROUPS[1], k=200)]
    assert set(train_word2vec([long], 1, epochs=1).words) == {*GROUPS[0], *GROUPS[1]}


@pytest.mark.parametrize(
    ("words", "architecture", "epochs"),
    [
        (0, "skip-gram", 50),
        (1_000, "skip-gram", 50),
        (50_000, "skip-gram", 10),
        (50_000, "cbow", 20),
        (10_000_000, "skip-gram", 3),
    ],
)
def test_small_collections_are_read_more_often(words: int, architecture: str, epochs: int) -> None:
    assert suitable_epochs(words, architecture) == epochs


def test_the_number_of_epochs_is_heeded() -> None:
    names = {train_word2vec(passages(), 1, dimensions=8, epochs=n).name for n in (1, 2)}
    names |= {train_word2vec(passages(), 1, dimensions=8, epochs=1, window=2).name}
    assert len(names) == 3


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
    for wrong in ({"dimensions": 0}, {"window": 0}, {"epochs": 0}, {"least": 0}):
        with pytest.raises(InputError, match="must be 1 or more"):
            train_word2vec([], 1, **wrong)  # type: ignore[arg-type]


def test_without_gensim_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gensim.models.word2vec", None)
    with pytest.raises(InputError, match=r"word2vec needs gensim; .*scenthound\[neural\]"):
        train_word2vec(passages(), 1)
