"""Published files: read, written, and refused with a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from scenthound.core.errors import SettingsError
from scenthound.vectors.elmo_files import read_options, read_weights, write_model
from scenthound.vectors.elmo_loading import load_elmo
from scenthound.vectors.elmo_options import ElmoOptions, options_from, published_options, shapes
from vectors.elmo_published import TINY, random_weights, tiny, write_published

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


def test_both_directions_are_read(paths: tuple[Path, Path]) -> None:
    published = random_weights(TINY)
    weights = read_weights(paths[1], read_options(paths[0]))
    assert weights["Cell0/W_0"][1].tolist() == published[f"{CELL}/W_0"].tolist()
    assert weights["char_embed"].tolist() == published["char_embed"].tolist()


def test_what_is_written_is_read_again(paths: tuple[Path, Path], tmp_path: Path) -> None:
    options = read_options(paths[0])
    weights = read_weights(paths[1], options)
    again = tmp_path / "again.json", tmp_path / "again.hdf5"
    write_model(*again, options, weights)
    assert read_options(again[0]) == options
    assert load_elmo(*again).name == load_elmo(*paths).name
    with h5py.File(paths[1]) as first, h5py.File(again[1]) as second:
        assert _datasets(first) == _datasets(second)


def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    before = load_elmo(*write_published(tmp_path, TINY, random_weights(TINY, seed=1)))
    after = load_elmo(*write_published(tmp_path, TINY, random_weights(TINY, seed=2)))
    assert before.name != after.name


def test_a_folder_that_is_not_there_cannot_be_written_to(tmp_path: Path) -> None:
    options = ElmoOptions()
    weights = {name: np.zeros(shape, np.float32) for name, shape in shapes(options).items()}
    with pytest.raises(SettingsError, match="cannot be written"):
        write_model(tmp_path / "no" / "o.json", tmp_path / "no" / "w.hdf5", options, weights)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"dim": 0}, "dim must be a whole number from 1 to 100000, not 0"),
        ({"dim": 10**9}, "not 1000000000"),
        ({"projection_dim": "512"}, "projection_dim must be a whole number"),
        ({"projection_dim": True}, "not True"),
        ({"n_layers": 65}, "n_layers must be a whole number from 1 to 64"),
        ({"cell_clip": "three"}, "cell_clip must be a number"),
        ({"cell_clip": -1}, "cell_clip must be a number"),
        ({"activation": "gelu"}, "activation must be relu or tanh, not 'gelu'"),
        ({"n_characters": 60}, "n_characters must be 261 or 262, not 60"),
        ({"filters": []}, "filters must be a list of"),
        ({"filters": [[1]]}, "filters must be a list of"),
        ({"filters": [[1, 2.5]]}, "filters must be a whole number"),
        ({"filters": [[51, 2]]}, "wider than a word of 50"),
        ({"embedding": 4}, "embedding is missing"),
        ({"max_characters_per_token": 2}, "from 3 to"),
    ],
)
def test_options_that_cannot_be(tmp_path: Path, changes: dict[str, Any], sentence: str) -> None:
    path = tmp_path / "options.json"
    path.write_text(json.dumps(tiny(**changes)))
    with pytest.raises(SettingsError, match=sentence) as caught:
        read_options(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it is not JSON"),
        (b"\x89HDF\xff", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"[]", "char_cnn is missing"),
        (b'{"char_cnn": {}}', "lstm is missing"),
    ],
)
def test_options_of_another_kind(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "options.json"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=sentence):
        read_options(path)


def test_options_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        read_options(tmp_path / "options.json")


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


def test_weights_that_are_not_there(paths: tuple[Path, Path]) -> None:
    paths[1].unlink()
    with pytest.raises(SettingsError, match=r"are not there; give weights\.hdf5"):
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


@pytest.mark.parametrize("library", ["torch", "h5py"])
def test_a_missing_library(
    paths: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(SettingsError, match=rf"ELMo needs {library}; .*scenthound\[neural\]"):
        load_elmo(*paths)


def test_heavy_libraries_are_left_alone_until_they_are_needed() -> None:
    modules = "elmo_loading elmo_training elmo_learning elmo_model elmo_files".split()
    program = "".join(f"import scenthound.vectors.{module}\n" for module in modules)
    program += "import sys; sys.exit('torch' in sys.modules or 'h5py' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_options_are_written_as_published() -> None:
    assert published_options(options_from(TINY)) == TINY


def _datasets(file: h5py.File) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    file.visititems(lambda name, item: found.__setitem__(name, getattr(item, "shape", ())))
    return found
