"""Models that are trained again as a crawl goes on, and the sample that they are trained on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import State
from scenthound.store.state import load_state, save_state
from scenthound.vectors import training_sample
from scenthound.vectors.protocols import WordVectors
from scenthound.vectors.training import Retrained
from scenthound.vectors.training_sample import PageSample
from scenthound.vectors.word2vec import TrainedWords, rebuild_word2vec, train_word2vec

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
    model.passages, model.seed = passages, seed  # type: ignore[assignment]
    return model


def page(number: int, words: int = 10) -> Page:
    return [[f"page{number}", *["word"] * (words - 1)]]


def retrained(**options: int) -> Retrained[Memory]:
    Memory.trainings = 0
    return Retrained(Memory, rebuild, [EXAMPLE], **options)


def test_the_first_model_is_of_the_example_pages() -> None:
    model = retrained(seed=5)
    assert Memory.trainings == 0
    assert model.newest().passages == EXAMPLE
    assert model.newest().seed == 5 and Memory.trainings == 1


def test_a_model_of_nothing() -> None:
    assert Retrained(Memory, rebuild).newest().passages == []


def test_fetched_pages_join_when_it_is_time() -> None:
    model = retrained(every=3)
    model.newest()
    for number in range(3):
        assert not model.is_due and not model.renew()
        model.add(page(number))
    assert model.is_due and model.renew() and not model.is_due
    assert model.newest().passages == EXAMPLE + page(0) + page(1) + page(2)
    assert (model.fetched, model.trained_at, Memory.trainings) == (3, 3, 2)


def test_trainings_grow_rare() -> None:
    model = retrained(every=5, most=50)
    due: list[int] = []
    for number in range(1, 200):
        model.add([["word"]])
        if model.renew():
            due.append(number)
    assert due == [*range(5, 61, 5), 66, 72, 79, 86, 94, 103, 113, 124, 136, 149, 163, 179, 196]


def test_a_page_without_words_counts_as_fetched() -> None:
    model = retrained(every=1)
    model.newest()
    model.add([])
    model.add([[], [""]])
    assert model.fetched == 2 and model.renew()
    assert model.newest().passages == EXAMPLE


def test_a_resumed_crawl_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    straight = retrained(every=4, most=60, seed=2)
    straight.newest()
    for number in range(20):
        straight.add(page(number))
        straight.renew()
    save_state(straight.state(), tmp_path / "state.npz")
    resumed = retrained(every=4, most=60, seed=2)
    resumed.restore(load_state(tmp_path / "state.npz"))
    assert Memory.trainings == 0
    for number in range(20, 60):
        for model in (straight, resumed):
            model.add(page(number))
            model.renew()
        assert resumed.newest().passages == straight.newest().passages
    assert resumed.trained_at == straight.trained_at


def test_a_crawl_that_asked_for_no_model_saves_none() -> None:
    first, second = retrained(), retrained()
    second.restore(first.state())
    assert first.state()["model"] is None
    assert second.newest().passages == EXAMPLE


def test_word2vec_comes_back_from_a_crawl_folder(tmp_path: Path) -> None:
    def train(passages: Sequence[Sequence[str]], seed: int) -> TrainedWords:
        return train_word2vec(passages, seed, dimensions=5)

    rng = random.Random(1)
    pages = [[rng.choices(["flood", "storm", "wind", "naïve"], k=50)] for _ in range(6)]
    model = Retrained(train, rebuild_word2vec, pages[:3], every=2)
    before = model.newest().name
    for fetched in pages[3:]:
        model.add(fetched)
    assert model.renew() and model.newest().name != before
    save_state(model.state(), tmp_path / "state.npz")
    back = Retrained(train, rebuild_word2vec, pages[:3], every=2)
    back.restore(load_state(tmp_path / "state.npz"))
    assert back.newest().name == model.newest().name
    resumed: WordVectors = back.newest()
    assert np.array_equal(resumed.look_up(["naïve"]), model.newest().look_up(["naïve"]))


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


def test_early_and_late_pages_have_the_same_chance() -> None:
    counts: Counter[bool] = Counter()
    for seed in range(400):
        sample = PageSample(100, seed)
        for number in range(40):
            sample.add(page(number))
        counts.update(int(kept[4:]) < 20 for kept in kept_pages(sample))
    assert 0.9 < counts[True] / counts[False] < 1.1


def test_one_page_is_read_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_sample, "LONGEST_PAGE", 4)
    sample = PageSample(100)
    sample.add([["a", "b", "c"], ["d", "e", "f"], ["g"]])
    assert list(sample.passages()) == [["a", "b", "c"], ["d"]]


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


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(SettingsError, match="every must be 1 page or more, not 0"):
        retrained(every=0)
    with pytest.raises(SettingsError, match="give 0 or more"):
        retrained(most=-1)
