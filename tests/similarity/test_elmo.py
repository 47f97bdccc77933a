"""ELMo: words as numbers of characters, vectors beside a slow reference, published files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.papers import elmo
from scenthound.papers.elmo import (
    WINDOW,
    ElmoEncoder,
    load_elmo,
    padded_sentences,
    read_options,
    windows_of,
)
from scenthound.papers.elmo_network import (
    ElmoOptions,
    characters_of,
    marked_characters,
    without_padding,
    word_layer,
)
from scenthound.similarity.encoders import (
    ModelRuntime,
)
from similarity.elmo_published import TINY, random_weights, sentence_vectors, tiny, write_published

PADDING = 261


def test_characters_by_hand() -> None:
    """Begin of word 258, c a t = 99 97 116, end of word 259, padding 260, each raised by one."""
    (row,) = characters_of(["cat"]).tolist()
    assert row == [259, 100, 98, 117, 260] + [PADDING] * 45
    begin, end, only = marked_characters(["a"], 5).tolist()
    assert begin == [259, 257, 260, PADDING, PADDING]
    assert end == [259, 258, 260, PADDING, PADDING]
    assert only == [259, 98, 260, PADDING, PADDING]
    cases: list[tuple[str, list[int]]] = [
        ("", [259, 260, 261, 261, 261]),
        ("\ud800", [259, 260, 261, 261, 261]),
        ("é", [259, 0xC3 + 1, 0xA9 + 1, 260, 261]),
        ("abcdef", [259, 98, 99, 100, 260]),
        ("éé", [259, 0xC3 + 1, 0xA9 + 1, 0xC3 + 1, 260]),
        ("\x00\xff", [259, 1, 0xC3 + 1, 0xBF + 1, 260]),
    ]
    for word, row in cases:
        assert characters_of([word], 5).tolist() == [row]


def test_padding_is_cut_but_for_a_filter_width() -> None:
    rows = characters_of(["a", "abc"], 50)
    assert without_padding(rows, 4).tolist() == rows[:, :9].tolist()
    assert without_padding(characters_of(["a" * 60], 50), 7).shape == (1, 50)
    padded, lengths = padded_sentences([np.array([5, 6]), np.array([7])])
    assert padded.tolist() == [[0, 5, 6, 1], [0, 7, 1, 1]]
    assert lengths.tolist() == [4, 3]


@given(st.lists(st.integers(0, 40), max_size=6), st.integers(1, 12))
def test_windows_cover_every_word_once(lengths: list[int], most: int) -> None:
    windows = windows_of(lengths, most)
    words = [(passage, n) for passage, cut in windows for n in range(cut.start, cut.stop)]
    assert words == [(p, place) for p, length in enumerate(lengths) for place in range(length)]
    for passage in range(len(lengths)):
        sizes = [cut.stop - cut.start for number, cut in windows if number == passage]
        assert all(0 < size <= most for size in sizes)
        assert not sizes or max(sizes) - min(sizes) <= 1


# Published files: read, written, and refused with a sentence.

CELL = "RNN_1/RNN/MultiRNNCell/Cell0/LSTMCell"


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    return write_published(tmp_path, TINY, random_weights(TINY))


def test_options_are_read_as_published(paths: tuple[Path, Path]) -> None:
    assert read_options(paths[0]) == ElmoOptions(
        filters=((1, 3), (2, 4), (5, 2)),
        character_dimensions=3,
        longest_word=50,
        activation="relu",
        highways=2,
        cells=6,
        projection=4,
        layers=2,
        cell_clip=3.0,
        projection_clip=3.0,
        skip=True,
    )


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    before = load_elmo(*write_published(tmp_path, TINY, random_weights(TINY, seed=1)))
    after = load_elmo(*write_published(tmp_path, TINY, random_weights(TINY, seed=2)))
    assert before.name != after.name


def test_options_that_cannot_be(tmp_path: Path) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"dim": 0}, "dim: Input should be greater than or equal to 1"),
        ({"projection_dim": "512"}, "lstm.projection_dim: Input should be a valid integer"),
        ({"n_layers": 65}, "lstm.n_layers: Input should be less than or equal to 64"),
        ({"cell_clip": "three"}, "lstm.cell_clip: Input should be a valid number"),
        ({"activation": "gelu"}, "char_cnn.activation: Input should be 'relu' or 'tanh'"),
        ({"filters": []}, "char_cnn.filters: Tuple should have at least 1 item"),
        ({"filters": [[1, 2.5]]}, "char_cnn.filters.0.1: Input should be a valid integer"),
        ({"filters": [[51, 2]]}, "wider than a word of 50"),
        ({"embedding": 4}, "char_cnn.embedding.dim: "),
        ({"max_characters_per_token": 2}, "greater than or equal to 3"),
    ]
    for changes, sentence in cases:
        path = tmp_path / "options.json"
        path.write_text(json.dumps(tiny(**changes)))
        with pytest.raises(SettingsError, match=sentence) as caught:
            read_options(path)
        assert str(path) in str(caught.value)


def test_options_of_another_kind(tmp_path: Path) -> None:
    for content, sentence in [
        (b"", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"[]", "cannot be used: the file: Input should be"),
        (b'{"char_cnn": {}}', "char_cnn.filters: Field required"),
    ]:
        path = tmp_path / "options.json"
        path.write_bytes(content)
        with pytest.raises(SettingsError, match=sentence):
            read_options(path)


def _without(file: h5py.File) -> None:
    del file[f"{CELL}/W_P_0"]


def _reshaped(file: h5py.File) -> None:
    del file["CNN/b_cnn_1"]
    file["CNN/b_cnn_1"] = np.zeros(5, np.float32)


def _a_group(file: h5py.File) -> None:
    del file["char_embed"]
    file.create_group("char_embed")


def _of_text(file: h5py.File) -> None:
    del file["CNN/b_cnn_1"]
    file["CNN/b_cnn_1"] = np.array([b"a", b"b", b"c", b"d"])


def _not_finite(file: h5py.File) -> None:
    file[f"{CELL}/B"][3] = np.nan


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_without, f"has no dataset '{CELL}/W_P_0'"),
        (_reshaped, r"'CNN/b_cnn_1' of .* holds float32 \(5,\), .* hold float32 \(4,\)"),
        (_a_group, "has no dataset 'char_embed'"),
        (_of_text, r"'CNN/b_cnn_1' of .* holds \|S1 \(4,\)"),
        (_not_finite, f"'{CELL}/B' of .* holds what is no number"),
    ],
)
def test_weights_that_do_not_fit(
    paths: tuple[Path, Path], damage: Callable[[h5py.File], None], sentence: str
) -> None:
    with h5py.File(paths[1], "r+") as file:
        damage(file)
    with pytest.raises(SettingsError, match=sentence) as caught:
        load_elmo(*paths)
    assert str(paths[1]) in str(caught.value)


def test_options_of_another_model_take_no_memory(paths: tuple[Path, Path]) -> None:
    """They ask for terabytes; the file is held against them before room is made."""
    options = json.dumps(tiny(projection_dim=100_000, dim=100_000))
    paths[0].write_text(options)
    with pytest.raises(SettingsError, match="give the two files that were published together"):
        load_elmo(*paths)


@pytest.mark.parametrize("kept", [0, 100, 4000])
def test_a_file_cut_short(paths: tuple[Path, Path], kept: int) -> None:
    paths[1].write_bytes(paths[1].read_bytes()[:kept])
    with pytest.raises(SettingsError, match="not an HDF5 file, or is cut short"):
        load_elmo(*paths)


def test_a_damaged_dataset(tmp_path: Path) -> None:
    """Its checksum is wrong."""
    paths = write_published(tmp_path, TINY, random_weights(TINY))
    with h5py.File(paths[1], "r+") as file:
        values = file["char_embed"][...]
        del file["char_embed"]
        made = file.create_dataset("char_embed", data=values, chunks=values.shape, fletcher32=True)
        place = made.id.get_chunk_info(0).byte_offset
    content = bytearray(paths[1].read_bytes())
    content[place : place + 4] = b"\x00\x00\x00\x00"
    paths[1].write_bytes(content)
    with pytest.raises(SettingsError, match=r"'char_embed' of .* is damaged"):
        load_elmo(*paths)


def test_weights_need_a_library(paths: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(SettingsError, match=r"ELMo needs h5py; .*scenthound\[neural\]"):
        load_elmo(*paths)


# The fast form against the slow one, on tiny models in the published layout.

CPU = ModelRuntime(device="cpu", threads=1)
SENTENCES = [
    "the flood came down the valley".split(),
    ["rain"],
    "Überschwemmung 洪水 наводнение a".split(),
    ["x" * 80, "short", "x" * 80 + "y"],
    "it rained and it rained".split(),
]


def loaded(folder: Path, *, layer: str = "mean", scale: float = 0.7, **changes: Any) -> ElmoEncoder:
    options = tiny(**changes)
    paths = write_published(folder, options, random_weights(options, scale=scale))
    return load_elmo(*paths, equipment=CPU, layer=layer)


def test_the_fast_form_equals_the_slow_one(tmp_path: Path) -> None:
    cases: list[dict[str, Any]] = [
        {},
        {"activation": "tanh", "n_highway": 1},
        {"use_skip_connections": False, "n_layers": 3},
        {"n_highway": 0, "filters": [[2, 4]]},
        {"n_layers": 1, "max_characters_per_token": 8},
        {"cell_clip": 0.5, "proj_clip": 0.3},
    ]
    for changes in cases:
        options = tiny(**changes)
        weights = random_weights(options)
        found = loaded(tmp_path, **changes).encode_words(SENTENCES)
        top = loaded(tmp_path, layer="top", **changes).encode_words(SENTENCES)
        for sentence, rows, last in zip(SENTENCES, found, top, strict=True):
            layers = sentence_vectors(sentence, options, weights)
            assert rows == pytest.approx(np.mean(layers, axis=0), abs=1e-5, rel=1e-5)
            assert last == pytest.approx(layers[-1], abs=1e-5, rel=1e-5)


def test_long_passages_are_read_in_windows(tmp_path: Path) -> None:
    encoder = loaded(tmp_path)
    words = [f"w{i}" for i in range(2 * WINDOW + 1)]
    (rows,) = encoder.encode_words([words])
    thirds = encoder.encode_words([words[:67], words[67:134], words[134:]])
    assert len(rows) == len(words)
    assert rows == pytest.approx(np.concatenate(thirds), abs=1e-6)


def test_the_name_tells_models_and_layers_apart(tmp_path: Path) -> None:
    names = {
        loaded(tmp_path).name,
        loaded(tmp_path, layer="top").name,
        loaded(tmp_path, scale=0.6).name,
        loaded(tmp_path, cell_clip=2).name,
    }
    assert len(names) == 4
    assert loaded(tmp_path).name in names
    with pytest.raises(UnknownNameError, match=r"unknown layer of ELMo 'tip'.*'top'"):
        loaded(tmp_path, layer="tip")


def test_where_a_gpu_has_no_room_the_processor_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warned: list[str]
) -> None:
    """A device without memory stands for the GPU; a word there is one too many."""
    import torch

    expected = loaded(tmp_path).encode_words(SENTENCES)

    def full(options: ElmoOptions, weights: Any, characters: Any) -> Any:
        if characters.device.type == "meta":
            raise torch.OutOfMemoryError
        return word_layer(options, weights, characters)

    monkeypatch.setattr(elmo, "chosen_device", lambda asked: asked)
    monkeypatch.setattr(elmo, "word_layer", full)
    paths = tmp_path / "options.json", tmp_path / "weights.hdf5"
    encoder = load_elmo(*paths, equipment=ModelRuntime(device="meta"))
    for _ in range(2):
        for rows, wanted in zip(encoder.encode_words(SENTENCES), expected, strict=True):
            assert rows == pytest.approx(wanted, abs=1e-6)
    assert warned == ["The memory of meta does not do for ELMo; the processor goes on."]
