"""A small ELMo trained on a collection: it learns, repeats itself, and comes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.store.state import load_state, save_state
from scenthound.vectors.elmo_encoder import ElmoEncoder, rebuild_elmo
from scenthound.vectors.elmo_files import write_model
from scenthound.vectors.elmo_learning import guesses
from scenthound.vectors.elmo_lessons import lesson, shuffled, vocabulary, windows
from scenthound.vectors.elmo_loading import load_elmo
from scenthound.vectors.elmo_options import ElmoOptions
from scenthound.vectors.elmo_training import learnt, train_elmo, why_not
from scenthound.vectors.training import Retrained

SMALL = ElmoOptions(
    filters=((1, 4), (2, 8)), character_dimensions=4, cells=16, projection=8, highways=1
)
ANIMALS, ACTS = ["cat", "dog", "cow", "horse"], ["eats", "sees", "likes"]


def text(sentences: int = 200, seed: int = 0) -> list[list[str]]:
    """``the cat sees a dog``: after an article an animal, after the first one an act."""
    rng = np.random.default_rng(seed)
    names = [f"{word}{ending}" for word in ANIMALS for ending in ("", "s", "let", "like")]
    return [
        ["the", str(rng.choice(names)), str(rng.choice(ACTS)), "a", str(rng.choice(names))]
        for _ in range(sentences)
    ]


def small(passages: Sequence[Sequence[str]], seed: int = 0, steps: int = 10) -> ElmoEncoder:
    return train_elmo(passages, seed, options=SMALL, steps=steps)


def test_the_loss_falls() -> None:
    _, losses = learnt(text(), 0, SMALL, 120, lambda done, of: None)
    first, last = np.mean(losses[:5]), np.mean(losses[-5:])
    assert first == pytest.approx(np.log(22), abs=0.5)  # 21 words and the edge, all as likely
    assert last < 0.75 * first


def test_the_same_seed_gives_the_same_model() -> None:
    passages = text()
    assert small(passages).name == small(passages).name
    assert small(passages).name != small(passages, seed=1).name


def test_training_is_heard_of_and_bounded() -> None:
    heard: list[tuple[int, int]] = []
    train_elmo(text(), options=SMALL, steps=3, heard=lambda done, of: heard.append((done, of)))
    assert heard == [(1, 3), (2, 3), (3, 3)]
    heard.clear()
    train_elmo(text(96), options=SMALL, heard=lambda done, of: heard.append((done, of)))
    assert heard[-1] == (60, 60)  # thirty times two lessons of 48 windows


@pytest.mark.parametrize(
    ("passages", "reason"),
    [
        ([], "300 words of text or more, and there are 0"),
        ([["cat"] * 299], "and there are 299"),
        ([["cat"] * 300], "needs 20 words that come twice, and there are 1"),
        ([[f"w{i}" for i in range(400)]], "and there are 0"),
    ],
)
def test_with_too_little_text_every_word_is_zero(passages: list[list[str]], reason: str) -> None:
    encoder = small(passages)
    assert reason in encoder.reason
    (rows,) = encoder.encode_words([["cat", "dog"]])
    assert rows.tolist() == np.zeros((2, encoder.dimensions)).tolist()
    assert rebuild_elmo(encoder.state()).reason == encoder.reason


def test_enough_text_has_no_reason() -> None:
    assert why_not(text()) == ""
    assert small(text()).reason == ""


def test_what_cannot_be_is_refused_before_the_training() -> None:
    heard: list[int] = []
    with pytest.raises(SettingsError, match="steps must be 1 or more, not 0"):
        small(text(), steps=0)
    with pytest.raises(UnknownNameError, match="unknown layer of ELMo 'tip'"):
        train_elmo(text(), options=SMALL, layer="tip", heard=lambda done, of: heard.append(done))
    assert heard == []


def test_the_state_gives_the_same_encoder_again(tmp_path: Path) -> None:
    encoder = train_elmo(text(), options=SMALL, steps=3, layer="top")
    save_state(encoder.state(), tmp_path / "state")
    again = rebuild_elmo(load_state(tmp_path / "state"))
    assert (again.name, again.layer, again.dimensions) == (encoder.name, "top", 16)
    for rows, wanted in zip(
        again.encode_words(text(5)), encoder.encode_words(text(5)), strict=True
    ):
        assert rows.tolist() == wanted.tolist()


def test_a_trained_model_is_written_as_the_published_ones(tmp_path: Path) -> None:
    encoder = small(text())
    paths = tmp_path / "options.json", tmp_path / "weights.hdf5"
    write_model(*paths, encoder.options, encoder.weights)
    assert load_elmo(*paths).name == encoder.name


def test_it_is_trained_again_as_a_crawl_goes_on() -> None:
    crawl = Retrained(small, rebuild_elmo, [text(100)], every=1)
    first = crawl.newest().name
    crawl.add(text(100, seed=1))
    assert crawl.renew()
    assert crawl.newest().name != first
    other = Retrained(small, rebuild_elmo, [text(100)], every=1)
    other.restore(crawl.state())
    assert other.newest().name == crawl.newest().name


def test_vocabulary_by_hand() -> None:
    passages = [["b", "a", "c", "a"], ["b", "d"], ["a"]]
    assert vocabulary(passages, 9) == {"a": 1, "b": 2}
    assert vocabulary(passages, 1) == {"a": 1}
    assert vocabulary([], 9) == {}


def test_a_lesson_by_hand() -> None:
    """Rows 0 and 1 are the marks; ``d`` is read, and nobody is asked for it."""
    found = lesson([["a", "d"], ["b"]], {"a": 1, "b": 2}, SMALL)
    assert found.words.tolist() == [[0, 2, 3, 1], [0, 4, 1, 1]]
    assert found.lengths.tolist() == [4, 3]
    assert found.answers.tolist() == [[0, 1, -1, 0], [0, 2, 0, -1]]
    assert len(found.characters) == 5


def test_guesses_by_hand() -> None:
    """One sentence <S> a </S>; a place is its number, forward as it is, backward negative."""
    import torch

    top = torch.tensor([[[0.0, -0.5], [1.0, -1.0], [2.0, -2.0]]])
    seen, asked = guesses(top, torch.tensor([[0, 7, 0]]))
    assert seen.tolist() == [[0.0], [1.0], [-1.0], [-2.0]]
    assert asked.tolist() == [7, 0, 0, 7]


def test_all_windows_come_once_those_of_one_length_together() -> None:
    texts = windows([["x"] * 5, ["y"] * 2, ["z"] * 2, []], 3)
    assert [len(window) for window in texts] == [2, 3, 2, 2]
    groups = list(shuffled(texts, 3, np.random.default_rng(0)))
    assert sorted(map(tuple, (w for group in groups for w in group))) == sorted(map(tuple, texts))
    assert sorted([[len(w) for w in group] for group in groups]) == [[2, 2, 2], [3]]
