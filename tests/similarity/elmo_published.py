"""A tiny ELMo in the layout of the published files, and ELMo as it is written down."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
TINY: dict[str, Any] = {
    "lstm": {
        "use_skip_connections": True,
        "projection_dim": 4,
        "cell_clip": 3,
        "proj_clip": 3,
        "dim": 6,
        "n_layers": 2,
    },
    "char_cnn": {
        "activation": "relu",
        "filters": [[1, 3], [2, 4], [5, 2]],
        "n_highway": 2,
        "embedding": {"dim": 3},
        "n_characters": 262,
        "max_characters_per_token": 50,
    },
}


def tiny(**changes: Any) -> dict[str, Any]:
    """The options with some of them changed, in whichever section they stand."""
    options: dict[str, Any] = json.loads(json.dumps(TINY))
    for key, value in changes.items():
        section = next(s for s in options.values() if key in s)
        section[key] = value
    return options


def random_weights(options: dict[str, Any], seed: int = 0, scale: float = 0.7) -> dict[str, Array]:
    """A number for every weight, by the published names of the datasets."""
    rng = np.random.default_rng(seed)
    cnn, lstm = options["char_cnn"], options["lstm"]
    features = sum(number for _, number in cnn["filters"])
    word, cells, letter = lstm["projection_dim"], lstm["dim"], cnn["embedding"]["dim"]
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (261, letter)}
    for i, (width, number) in enumerate(cnn["filters"]):
        shapes |= {f"CNN/W_cnn_{i}": (1, width, letter, number), f"CNN/b_cnn_{i}": (number,)}
    for i in range(cnn["n_highway"]):
        for part in ("carry", "transform"):
            shapes[f"CNN_high_{i}/W_{part}"] = (features, features)
            shapes[f"CNN_high_{i}/b_{part}"] = (features,)
    if features != word:
        shapes |= {"CNN_proj/W_proj": (features, word), "CNN_proj/b_proj": (word,)}
    for direction in (0, 1):
        for i in range(lstm["n_layers"]):
            name = f"RNN_{direction}/RNN/MultiRNNCell/Cell{i}/LSTMCell"
            shapes |= {
                f"{name}/W_0": (2 * word, 4 * cells),
                f"{name}/B": (4 * cells,),
                f"{name}/W_P_0": (cells, word),
            }
    return {
        name: rng.normal(0.0, scale, shape).astype(np.float32).astype(np.float64)
        for name, shape in shapes.items()
    }


def write_published(
    folder: Path, options: dict[str, Any], weights: dict[str, Array]
) -> tuple[Path, Path]:
    """Both files; ``options.json`` and ``weights.hdf5``."""
    paths = folder / "options.json", folder / "weights.hdf5"
    paths[0].write_text(json.dumps(options))
    with h5py.File(paths[1], "w") as file:
        for name, array in weights.items():
            file.create_dataset(name, data=array.astype(np.float32))
    return paths


# In numpy: one word, one direction and one place at a time. It reads the weights by the names of
# the published files, and shares nothing with what it checks.

BEGIN, END = 256, 257


def sentence_vectors(
    words: Sequence[str], options: Mapping[str, Any], weights: Mapping[str, Array]
) -> list[Array]:
    """A table for each layer, words x dimensions; the first one is the words by themselves."""
    longest = options["char_cnn"]["max_characters_per_token"]
    rows = [_mark(BEGIN, longest), *(_bytes(word, longest) for word in words), _mark(END, longest)]
    tokens = [_word_vector(row, options["char_cnn"], weights) for row in rows]
    layers = [[np.concatenate([token, token]) for token in tokens]]
    ways: list[list[Array]] = [tokens, tokens[::-1]]
    for layer in range(options["lstm"]["n_layers"]):
        for direction in (0, 1):
            outputs = _lstm(ways[direction], direction, layer, options["lstm"], weights)
            if layer > 0 and options["lstm"]["use_skip_connections"]:
                outputs = [o + i for o, i in zip(outputs, ways[direction], strict=True)]
            ways[direction] = outputs
        pairs = zip(ways[0], ways[1][::-1], strict=True)
        layers.append([np.concatenate(pair) for pair in pairs])
    return [np.array(layer[1:-1]).reshape(len(words), -1) for layer in layers]


def _mark(mark: int, longest: int) -> list[int]:
    return [258, mark, 259] + [260] * (longest - 3)


def _bytes(word: str, longest: int) -> list[int]:
    content = list(word.encode())[: longest - 2]
    return ([258, *content, 259] + [260] * longest)[:longest]


def _word_vector(
    row: Sequence[int], options: Mapping[str, Any], weights: Mapping[str, Array]
) -> Array:
    letters = weights["char_embed"][np.array(row)]
    features: list[float] = []
    for i, (width, number) in enumerate(options["filters"]):
        kernel, bias = weights[f"CNN/W_cnn_{i}"][0], weights[f"CNN/b_cnn_{i}"]
        for k in range(number):
            answers = [
                float((letters[at : at + width] * kernel[:, :, k]).sum() + bias[k])
                for at in range(len(row) - width + 1)
            ]
            best = max(answers)
            features.append(max(best, 0.0) if options["activation"] == "relu" else np.tanh(best))
    vector = np.array(features)
    for i in range(options["n_highway"]):
        high = {key: weights[f"CNN_high_{i}/{key}"] for key in _HIGHWAY}
        carry = _sigmoid(vector @ high["W_carry"] + high["b_carry"])
        made = np.maximum(vector @ high["W_transform"] + high["b_transform"], 0.0)
        vector = carry * made + (1.0 - carry) * vector
    if "CNN_proj/W_proj" in weights:
        vector = vector @ weights["CNN_proj/W_proj"] + weights["CNN_proj/b_proj"]
    return vector


def _lstm(
    inputs: Sequence[Array],
    direction: int,
    layer: int,
    options: Mapping[str, Any],
    weights: Mapping[str, Array],
) -> list[Array]:
    name = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
    matrix, bias, down = (weights[f"{name}/{key}"] for key in ("W_0", "B", "W_P_0"))
    state, cell = np.zeros(options["projection_dim"]), np.zeros(options["dim"])
    outputs = []
    for value in inputs:
        i, j, f, o = np.split(np.concatenate([value, state]) @ matrix + bias, 4)
        cell = _sigmoid(f + 1.0) * cell + _sigmoid(i) * np.tanh(j)
        cell = np.clip(cell, -options["cell_clip"], options["cell_clip"])
        state = (_sigmoid(o) * np.tanh(cell)) @ down
        state = np.clip(state, -options["proj_clip"], options["proj_clip"])
        outputs.append(state)
    return outputs


_HIGHWAY = ("W_carry", "b_carry", "W_transform", "b_transform")


def _sigmoid(values: Array) -> Array:
    return 0.5 * (1.0 + np.tanh(values / 2.0))
