""""""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from scenthound.core.errors import SettingsError
from scenthound.similarity.bert import MemorySafeNetwork
from scenthound.similarity.bert_model import Network, piece_vectors, text_vectors
from scenthound.similarity.encoders import chosen_device, chosen_precision, thread_count

if TYPE_CHECKING:
    from torch import Tensor

GPU = "meta:9"


class Cramped:
    """A model that has room for so many pieces at once; its layer is the pieces' numbers."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.asked: list[tuple[int, int]] = []

    def __call__(self, input_ids: Tensor, attention_mask: Tensor) -> Any:
        self.asked.append((input_ids.shape[0], input_ids.shape[1]))
        if input_ids.numel() > self.room:
            raise torch.OutOfMemoryError("no room")

        class Answer:
            last_hidden_state = input_ids.float().unsqueeze(-1)

        return Answer


class Machine:
    """A GPU of little room, which in truth is the processor, and the processor."""

    def __init__(self, gpu: int, processor: int = 10**9) -> None:
        self.models = {GPU: Cramped(gpu), "cpu": Cramped(processor)}
        self.heard: list[str] = []

    def load(self, device: str) -> Network:
        return _Here(self.models[device], device, "float32", 0)

    def steady(self, device: str = GPU) -> MemorySafeNetwork:
        return MemorySafeNetwork(self.load, lambda: device, self.heard.append, _nothing_held)


def _nothing_held() -> None:
    """``Machine`` holds its models itself."""


class _Here(Network):
    def ask(self, rows: Any, take: Any) -> Any:
        return Network(self.model, "cpu", self.precision, self.padding).ask(rows, take)


ROWS: Sequence[Sequence[int]] = [[1, 2, 3, 4], [5, 6, 7], [8, 9], [3]]


def contents(tables: Sequence[Any]) -> list[list[float]]:
    return [table[:, 0].tolist() for table in tables]


def test_batches_are_halved_until_they_fit_and_stay_small() -> None:
    machine = Machine(gpu=8)
    network = machine.steady()
    assert contents(network.ask(ROWS, piece_vectors)) == ROWS
    assert machine.models[GPU].asked == [(4, 4), (2, 4), (2, 2)]
    assert network.limits[0] == 8
    assert contents(network.ask(ROWS, piece_vectors)) == ROWS
    assert machine.models[GPU].asked[3:] == [(2, 4), (2, 2)]
    assert machine.heard == []


def test_the_processor_goes_on_where_one_text_is_too_much() -> None:
    machine = Machine(gpu=3)
    network = machine.steady()
    assert contents(network.ask(ROWS, piece_vectors)) == ROWS
    assert contents(network.ask(ROWS, piece_vectors)) == ROWS
    assert machine.heard == [f"The memory of {GPU} does not do for BERT; the processor goes on."]
    assert machine.models["cpu"].asked[-1] == (4, 4)


def test_a_model_that_does_not_fit_at_all_begins_on_the_processor() -> None:
    machine = Machine(gpu=100)

    def load(device: str) -> Network:
        if device == GPU:
            raise torch.OutOfMemoryError("no room")
        return machine.load(device)

    network = MemorySafeNetwork(load, lambda: GPU, machine.heard.append, _nothing_held)
    assert contents(network.ask(ROWS, piece_vectors)) == ROWS
    assert len(machine.heard) == 1


def test_memory_goes_back_once_the_processor_goes_on() -> None:
    @lru_cache
    def load(device: str) -> Network:
        gpu = device == GPU
        return _Here(Cramped(3 if gpu else 10**9), device, "float32" if gpu else "bfloat16", 0)

    network = MemorySafeNetwork(load, lambda: GPU, lambda _: None, load.cache_clear)
    on_gpu = weakref.ref(load(GPU).model)
    network.ask(ROWS, piece_vectors)
    assert on_gpu() is None
    assert load.cache_info().currsize == 1  # that of the processor, for the next who asks


def test_a_processor_without_memory_is_one_sentence() -> None:
    machine = Machine(gpu=3, processor=3)
    with pytest.raises(SettingsError, match=r"^There is no memory left to read a text of 4 pieces"):
        machine.steady().ask(ROWS, piece_vectors)


def test_other_errors_are_not_swallowed() -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("shapes do not match")

    def load(device: str) -> Network:
        return Network(broken, device, "float32", 0)

    network = MemorySafeNetwork(load, lambda: "cpu", print, _nothing_held)
    with pytest.raises(RuntimeError, match="shapes"):
        network.ask(ROWS, text_vectors)


def test_padding_does_not_count_in_a_mean() -> None:
    hidden = torch.tensor([[[3.0, 4.0], [100.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]])
    found = text_vectors(hidden, torch.tensor([[1, 0], [1, 1]]))
    assert np.allclose(found, [[0.6, 0.8], [0.5**0.5, 0.5**0.5]])


def test_the_gpu_is_taken_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert chosen_device("auto") == "cpu"
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert chosen_device("auto") == "mps"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert chosen_device("auto") == "cuda"


@pytest.mark.parametrize(
    ("device", "has", "expected"),
    [
        ("cpu", "avx512_bf16", "bfloat16"),
        ("cpu", "amx_bf16", "bfloat16"),
        ("cpu", "avx2", "float32"),
        ("mps", "avx512_bf16", "float32"),
        ("cuda:1", "avx2", "float16"),
    ],
)
def test_precision_is_what_the_device_is_fast_in(
    device: str, has: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {has: True}, raising=False)
    assert chosen_precision(device) == expected
    assert chosen_precision(device, exact=True) == "float32"


@pytest.mark.parametrize(("cores", "expected"), [(64, 8), (2, 2)])
def test_threads_are_as_many_as_asked_for_or_as_cores_may_be_used(
    cores: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 99)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert (thread_count(3), thread_count(0)) == (3, expected)
