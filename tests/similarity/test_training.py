"""A small ELMo trained on a collection: it learns, repeats itself, and comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document
from scenthound.core.protocols import State
from scenthound.papers import elmo_training
from scenthound.papers.elmo import ElmoEncoder, rebuild_elmo
from scenthound.papers.elmo_network import SMALL
from scenthound.papers.elmo_training import (
    prediction_targets,
    shuffled,
    train_elmo,
    trained_weights,
    training_batch,
    vocabulary,
)
from scenthound.similarity.training import PageSample, RetrainedModel
from scenthound.storage.state import load_state, save_state

OPTIONS = SMALL.model_copy(
    update={"filters": ((1, 4), (2, 8)), "character_dimensions": 4, "cells": 16, "projection": 8}
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
    return train_elmo(passages, seed, options=OPTIONS, steps=steps)


def test_the_loss_falls_and_training_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    _, losses = trained_weights(text(), 0, OPTIONS, 90)
    first, last = np.mean(losses[:5]), np.mean(losses[-5:])
    assert first == pytest.approx(np.log(22), abs=0.5)  # 21 words and the edge, all as likely
    assert last < 0.75 * first
    assert len(trained_weights(text(), 0, OPTIONS, 3)[1]) == 3
    monkeypatch.setattr(elmo_training, "EPOCHS", 2)  # two lessons of 48 windows, twice
    assert len(trained_weights(text(96), 0, OPTIONS, 300)[1]) == 4


def test_with_too_little_text_every_word_is_zero_and_nonsense_is_refused() -> None:
    cases: list[tuple[list[list[str]], str]] = [
        ([], "300 words of text or more, and there are 0"),
        ([["cat"] * 299], "and there are 299"),
        ([["cat"] * 300], "needs 20 words that come twice, and there are 1"),
        ([[f"w{i}" for i in range(400)]], "and there are 0"),
    ]
    for passages, reason in cases:
        encoder = small(passages)
        assert reason in encoder.reason
        (rows,) = encoder.encode_words([["cat", "dog"]])
        assert rows.tolist() == np.zeros((2, encoder.dimensions)).tolist()
        assert rebuild_elmo(encoder.state()).reason == encoder.reason
    with pytest.raises(SettingsError, match="every must be at least 1, not 0"):
        retrained(every=0)
    with pytest.raises(SettingsError, match="most must be at least 0"):
        retrained(most=-1)


def test_the_state_gives_the_same_encoder_again(tmp_path: Path) -> None:
    encoder = train_elmo(text(), options=OPTIONS, steps=3, layer="top")
    save_state(encoder.state(), tmp_path / "state")
    again = rebuild_elmo(load_state(tmp_path / "state"))
    assert (again.name, again.layer, again.dimensions) == (encoder.name, "top", 16)
    for rows, wanted in zip(
        again.encode_words(text(5)), encoder.encode_words(text(5)), strict=True
    ):
        assert rows.tolist() == wanted.tolist()


def test_lessons_by_hand() -> None:
    passages = [["b", "a", "c", "a"], ["b", "d"], ["a"]]
    assert vocabulary(passages, 9) == {"a": 1, "b": 2}
    assert vocabulary(passages, 1) == {"a": 1}
    assert vocabulary([], 9) == {}
    # Rows 0 and 1 are the marks; ``d`` is read, and nobody is asked for it.
    found = training_batch([["a", "d"], ["b"]], {"a": 1, "b": 2}, OPTIONS)
    assert found.words.tolist() == [[0, 2, 3, 1], [0, 4, 1, 1]]
    assert found.lengths.tolist() == [4, 3]
    assert found.answers.tolist() == [[0, 1, -1, 0], [0, 2, 0, -1]]
    assert len(found.characters) == 5


def test_guesses_by_hand() -> None:
    """One sentence <S> a </S>; a place is its number, forward as it is, backward negative."""
    import torch

    top = torch.tensor([[[0.0, -0.5], [1.0, -1.0], [2.0, -2.0]]])
    seen, asked = prediction_targets(top, torch.tensor([[0, 7, 0]]))
    assert seen.tolist() == [[0.0], [1.0], [-1.0], [-2.0]]
    assert asked.tolist() == [7, 0, 0, 7]


def test_all_windows_come_once_those_of_one_length_together() -> None:
    texts = [["x"] * 2, ["x"] * 3, ["y"] * 2, ["z"] * 2]
    groups = list(shuffled(texts, 3, np.random.default_rng(0)))
    assert sorted(map(tuple, (w for group in groups for w in group))) == sorted(map(tuple, texts))
    assert sorted([[len(w) for w in group] for group in groups]) == [[2, 2, 2], [3]]


# Models that are trained again as a crawl goes on, and the sample that they are trained on.

Page = list[list[str]]
EXAMPLE: Page = [["an", "example"], ["of", "two", "passages"]]


class Memory:
    """A model that knows what it was trained on, and how often there was a training."""

    trainings = 0

    def __init__(self, passages: Sequence[Sequence[str]], seed: int) -> None:
        type(self).trainings += 1
        self.passages = [list(passage) for passage in passages]
        self.seed = seed

    def state(self) -> State:
        return {"passages": [list(passage) for passage in self.passages], "seed": self.seed}


def rebuild(state: State) -> Memory:
    passages, seed = state["passages"], state["seed"]
    assert isinstance(passages, list) and isinstance(seed, int)
    model = object.__new__(Memory)
    model.passages, model.seed = passages, seed
    return model


def page(number: int, words: int = 10) -> Page:
    return [[f"page{number}", *["word"] * (words - 1)]]


def document(number: int) -> Document:
    return Document(text=" ".join(*page(number)))


def retrained(**options: Any) -> RetrainedModel:
    Memory.trainings = 0
    return RetrainedModel(
        Memory, rebuild, [EXAMPLE], passages=lambda page: [page.text.split()], **options
    )


def test_the_first_model_is_of_the_example_pages() -> None:
    model = retrained(seed=5)
    assert Memory.trainings == 0
    assert model.newest().passages == EXAMPLE
    assert model.newest().seed == 5 and Memory.trainings == 1
    model = retrained(every=3)
    model.newest()
    assert [model.learn(document(number)) for number in range(3)] == [False, False, True]
    assert model.newest().passages == EXAMPLE + page(0) + page(1) + page(2)
    assert (model.fetched, model.trained_at, Memory.trainings) == (3, 3, 2)


def test_trainings_grow_rare() -> None:
    model = retrained(every=5, most=50)
    due = [number for number in range(1, 200) if model.learn(document(number))]
    assert due == [*range(5, 61, 5), 66, 72, 79, 86, 94, 103, 113, 124, 136, 149, 163, 179, 196]


def test_a_resumed_crawl_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    straight = retrained(every=4, most=60, seed=2)
    straight.newest()
    for number in range(20):
        straight.learn(document(number))
    save_state(straight.state(), tmp_path / "state.npz")
    resumed = retrained(every=4, most=60, seed=2)
    resumed.restore(load_state(tmp_path / "state.npz"))
    assert Memory.trainings == 0
    for number in range(20, 60):
        for model in (straight, resumed):
            model.learn(document(number))
        assert resumed.newest().passages == straight.newest().passages
    assert resumed.trained_at == straight.trained_at


@given(st.lists(st.integers(0, 30), max_size=60), st.integers(0, 80), st.integers(0, 3))
def test_a_sample_never_holds_more_than_it_may(sizes: list[int], most: int, seed: int) -> None:
    sample = PageSample(most, seed)
    for number, size in enumerate(sizes):
        sample.add([[str(number)] * size])
        kept = list(sample.passages())
        assert sample.words == sum(map(len, kept)) <= most
    assert not most or sample.seen == sum(size > 0 for size in sizes)
    assert sum(min(size, most) for size in sizes) > most or len(kept_pages(sample)) == sum(
        size > 0 for size in sizes if most
    )


def kept_pages(sample: PageSample) -> set[str]:
    return {passage[0] for passage in sample.passages()}


def test_long_and_short_pages_have_the_same_chance() -> None:
    counts: Counter[str] = Counter()
    for seed in range(400):
        sample = PageSample(100, seed)
        for number in range(40):
            sample.add(page(number, words=5 if number % 2 else 15))
        counts.update("short" if int(kept[4:]) % 2 else "long" for kept in kept_pages(sample))
    assert 0.9 < counts["short"] / counts["long"] < 1.1


def test_words_with_control_characters_are_left_out() -> None:
    sample = PageSample(100)
    sample.add([["a\nb", "c\x1ed", "e\x1df", "climate change", "g"], ["\x1e"]])
    again = PageSample(100)
    again.restore(sample.state())
    assert list(again.passages()) == [["climate change", "g"]] and again.words == 2


@given(st.lists(st.lists(st.lists(st.text(), max_size=4), max_size=3), max_size=6))
def test_a_sample_comes_back_from_its_state(pages: list[Page]) -> None:
    sample, again = PageSample(12, 1), PageSample(12, 1)
    for each in pages:
        sample.add(each)
    again.restore(sample.state())
    for each in [[["one", "more"]], [["and", "another"]]]:
        assert list(again.passages()) == list(sample.passages())
        sample.add(each)
        again.add(each)
    assert (again.seen, again.words) == (sample.seen, sample.words)
