"""ELMo in PyTorch: a character CNN and a stack of LSTM layers in both directions.

Peters et al. 2018, section 3; Jozefowicz et al. 2016 for the CNN; Sak et al. 2014 for LSTM layers
with projection. Both directions are worked out together, the backward one on sentences turned
round. A sentence ends with its padding in either, which therefore touches no word of it.

In the published programs a layer begins where it ended with the sentences before; here every
sentence begins at zero, so that its vectors do not depend on what was read earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from scenthound.vectors.elmo_options import ElmoOptions

if TYPE_CHECKING:
    from torch import Tensor

    Weights = Mapping[str, Tensor]
    """By the names of :func:`~scenthound.vectors.elmo_options.shapes`."""

_FORGET_BIAS = 1.0
"""Added to the bias of the forget gate; the published weights are without it."""


def _unchanged(values: Tensor) -> Tensor:
    return values


def word_layer(options: ElmoOptions, weights: Weights, characters: Tensor) -> Tensor:
    """The vector of each word by itself, from its characters: words x projection."""
    import torch

    # 0 stands for no character; the weights begin with the first real one.
    rows = torch.nn.functional.pad(weights["char_embed"], (0, 0, 1, 0))
    letters = torch.nn.functional.embedding(characters, rows).transpose(1, 2)
    kinds = range(len(options.filters))
    found = torch.cat([_filtered(options, weights, i, letters) for i in kinds], 1)
    for i in range(options.highways):
        found = _highway(weights, f"CNN_high_{i}", found)
    if options.features != options.projection:
        found = torch.addmm(weights["CNN_proj/b_proj"], found, weights["CNN_proj/W_proj"])
    return found


def sentence_layers(
    options: ElmoOptions,
    weights: Weights,
    words: Tensor,
    lengths: Tensor,
    between: Callable[[Tensor], Tensor] = _unchanged,
) -> list[Tensor]:
    """What each LSTM layer gives for each word: sentences x places x 2 projections.

    What the mark that a direction ends with would get is left out: it may be zeros.

    Parameters
    ----------
    words : sentences x places x projection, from :func:`word_layer`, marks of the sentence
        included; whatever stands after the end of a sentence.
    lengths : of the sentences, marks included.
    between : what becomes of the words and of what a layer gives before the next one reads it;
        in training some of it is dropped.
    """
    import torch

    turned = _turned(lengths, words.shape[1])
    inputs = between(torch.stack([words, _taken(words, turned)])).transpose(1, 2)
    inputs = inputs[:, :-1]  # nothing is read on from the last mark: for short texts, much work
    found = []
    for i in range(options.layers):
        outputs = _lstm_layer(options, weights, f"Cell{i}", inputs)
        inputs = outputs + inputs if options.skip and i else outputs
        forward, backward = torch.nn.functional.pad(inputs, (0, 0, 0, 0, 0, 1)).transpose(1, 2)
        found.append(torch.cat([forward, _taken(backward, turned)], -1))
        inputs = between(inputs)
    return found


def all_layers(
    options: ElmoOptions, weights: Weights, words: Tensor, lengths: Tensor
) -> list[Tensor]:
    """The words by themselves, twice beside each other, and then each LSTM layer."""
    import torch

    return [torch.cat([words, words], -1), *sentence_layers(options, weights, words, lengths)]


def _filtered(options: ElmoOptions, weights: Weights, i: int, letters: Tensor) -> Tensor:
    """The highest answer of each filter of a kind to any place of a word: words x filters."""
    import torch

    kernel = weights[f"CNN/W_cnn_{i}"].squeeze(0).permute(2, 1, 0)
    answers = torch.nn.functional.conv1d(letters, kernel, weights[f"CNN/b_cnn_{i}"])
    highest = answers.amax(-1)
    return highest.relu() if options.activation == "relu" else highest.tanh()


def _highway(weights: Weights, name: str, values: Tensor) -> Tensor:
    """Some of what a layer makes of the values, and the rest of the values as they are."""
    import torch

    carry, transform = (
        torch.addmm(weights[f"{name}/b_{part}"], values, weights[f"{name}/W_{part}"])
        for part in ("carry", "transform")
    )
    return torch.lerp(values, transform.relu(), carry.sigmoid())


def _lstm_layer(options: ElmoOptions, weights: Weights, name: str, inputs: Tensor) -> Tensor:
    """What one layer gives: directions x places x sentences x projection, as its inputs."""
    import torch

    matrix, down = weights[f"{name}/W_0"], weights[f"{name}/W_P_0"]
    of_input, of_state = matrix[:, : options.projection], matrix[:, options.projection :]
    directions, _, sentences, _ = inputs.shape
    from_input = _from_input(inputs, of_input, _bias(options, weights[f"{name}/B"]))
    state = inputs.new_zeros(directions, sentences, options.projection)
    cell = inputs.new_zeros(directions, sentences, options.cells)
    states = []
    for place in from_input.unbind(1):
        sums = torch.baddbmm(place, state, of_state)
        write, content, keep, show = sums.chunk(4, -1)  # the order of TensorFlow
        cell = keep.sigmoid() * cell + write.sigmoid() * content.tanh()
        cell = _clipped(cell, options.cell_clip)
        state = _clipped(torch.bmm(show.sigmoid() * cell.tanh(), down), options.projection_clip)
        states.append(state)
    return torch.stack(states, 1)


def _from_input(inputs: Tensor, matrix: Tensor, bias: Tensor) -> Tensor:
    """What the gates get of the inputs, for all places at once."""
    import torch

    flat = torch.baddbmm(bias[:, None], inputs.flatten(1, 2), matrix)
    return flat.reshape(*inputs.shape[:3], -1)


def _bias(options: ElmoOptions, bias: Tensor) -> Tensor:
    import torch

    raised = bias.new_zeros(4)
    raised[2] = _FORGET_BIAS
    return bias + torch.repeat_interleave(raised, options.cells)


def _clipped(values: Tensor, bound: float) -> Tensor:
    return values.clamp(-bound, bound) if bound else values


def _turned(lengths: Tensor, places: int) -> Tensor:
    """Which place of its sentence stands where once it is turned round; padding stays in place."""
    import torch

    place = torch.arange(places, device=lengths.device)[None]
    return torch.where(place < lengths[:, None], lengths[:, None] - 1 - place, place)


def _taken(values: Tensor, places: Tensor) -> Tensor:
    return values.gather(1, places[..., None].expand(values.shape))
