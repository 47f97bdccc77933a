"""ELMo as it is written down, in numpy: one word, one direction and one place at a time.

It reads the weights by the names of the published files, and shares nothing with what it checks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
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
