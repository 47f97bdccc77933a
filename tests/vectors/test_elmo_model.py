"""The fast form against the slow one, on tiny models in the published layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.vectors import elmo_encoder
from scenthound.vectors.elmo_encoder import WINDOW, ElmoEncoder
from scenthound.vectors.elmo_loading import load_elmo
from scenthound.vectors.elmo_model import word_layer
from scenthound.vectors.elmo_options import ElmoOptions
from scenthound.vectors.protocols import Equipment
from vectors.elmo_published import random_weights, tiny, write_published
from vectors.elmo_reference import sentence_vectors

CPU = Equipment(device="cpu", threads=1)
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


@pytest.mark.parametrize(
    ("scale", "changes"),
    [
        (0.7, {}),
        (0.7, {"activation": "tanh", "n_highway": 1}),
        (0.7, {"use_skip_connections": False, "n_layers": 3}),
        (0.7, {"n_highway": 0, "filters": [[2, 4]]}),
        (0.7, {"n_layers": 1, "max_characters_per_token": 8}),
        (0.7, {"cell_clip": 0.5, "proj_clip": 0.3}),
    ],
    ids=["published", "tanh", "no skip", "no projection", "short words", "clipping"],
)
def test_the_fast_form_equals_the_slow_one(
    tmp_path: Path, scale: float, changes: dict[str, Any]
) -> None:
    options = tiny(**changes)
    weights = random_weights(options, scale=scale)
    found = loaded(tmp_path, scale=scale, **changes).encode_words(SENTENCES)
    top = loaded(tmp_path, scale=scale, layer="top", **changes).encode_words(SENTENCES)
    for sentence, rows, last in zip(SENTENCES, found, top, strict=True):
        layers = sentence_vectors(sentence, options, weights)
        assert rows == pytest.approx(np.mean(layers, axis=0), abs=1e-5, rel=1e-5)
        assert last == pytest.approx(layers[-1], abs=1e-5, rel=1e-5)


def test_clipping_is_felt(tmp_path: Path) -> None:
    """Otherwise the comparison above would not show that it is done."""
    free = loaded(tmp_path, layer="top", cell_clip=None, proj_clip=None)
    bound = loaded(tmp_path, layer="top", cell_clip=0.5, proj_clip=0.3, n_layers=1)
    assert np.abs(free.encode_words(SENTENCES)[0]).max() > 1.0
    assert np.abs(bound.encode_words(SENTENCES)[0]).max() == np.float32(0.3)


def test_a_word_has_another_vector_in_other_company(tmp_path: Path) -> None:
    encoder = loaded(tmp_path)
    river, money, alone = encoder.encode_words([["river", "bank"], ["money", "bank"], ["bank"]])
    assert np.abs(river[1] - money[1]).max() > 1e-3
    assert np.abs(river[1] - alone[0]).max() > 1e-3


def test_a_vector_does_not_depend_on_the_batch(tmp_path: Path) -> None:
    encoder = loaded(tmp_path)
    together = encoder.encode_words(SENTENCES * 3)
    for sentence, rows in zip(SENTENCES * 3, together, strict=True):
        assert rows == pytest.approx(encoder.encode_words([sentence])[0], abs=1e-6)


def test_long_passages_are_read_in_windows(tmp_path: Path) -> None:
    encoder = loaded(tmp_path)
    words = [f"w{i}" for i in range(2 * WINDOW + 1)]
    (rows,) = encoder.encode_words([words])
    thirds = encoder.encode_words([words[:67], words[67:134], words[134:]])
    assert len(rows) == len(words)
    assert rows == pytest.approx(np.concatenate(thirds), abs=1e-6)


def test_nothing_to_read(tmp_path: Path) -> None:
    encoder = loaded(tmp_path)
    assert encoder.encode_words([]) == []
    empty, full = encoder.encode_words([[], ["", "rain", "\ud800"]])
    assert empty.shape == (0, encoder.dimensions) == (0, 8)
    assert np.abs(full).max(axis=1).astype(bool).tolist() == [False, True, False]


def test_the_name_tells_models_and_layers_apart(tmp_path: Path) -> None:
    names = {
        loaded(tmp_path).name,
        loaded(tmp_path, layer="top").name,
        loaded(tmp_path, scale=0.6).name,
        loaded(tmp_path, cell_clip=2).name,
    }
    assert len(names) == 4
    assert loaded(tmp_path).name in names


def test_unknown_layers_and_devices_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown layer of ELMo 'tip'.*'top'"):
        loaded(tmp_path, layer="tip")
    options = tiny()
    paths = write_published(tmp_path, options, random_weights(options))
    with pytest.raises(SettingsError, match="no device 'abacus'"):
        load_elmo(*paths, equipment=Equipment(device="abacus"))


def test_where_a_gpu_has_no_room_the_processor_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device without memory stands for the GPU; a word there is one too many."""
    import torch

    expected = loaded(tmp_path).encode_words(SENTENCES)

    def full(options: ElmoOptions, weights: Any, characters: Any) -> Any:
        if characters.device.type == "meta":
            raise torch.OutOfMemoryError
        return word_layer(options, weights, characters)

    monkeypatch.setattr(elmo_encoder, "chosen_device", lambda asked: asked)
    monkeypatch.setattr(elmo_encoder, "word_layer", full)
    heard: list[str] = []
    paths = tmp_path / "options.json", tmp_path / "weights.hdf5"
    encoder = load_elmo(*paths, equipment=Equipment(device="meta", warn=heard.append))
    for _ in range(2):
        for rows, wanted in zip(encoder.encode_words(SENTENCES), expected, strict=True):
            assert rows == pytest.approx(wanted, abs=1e-6)
    assert heard == ["The memory of meta does not do for ELMo; the processor goes on."]
