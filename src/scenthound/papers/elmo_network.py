"""ELMo (Peters et al. 2018) in PyTorch: the sizes of a model, words as characters, the network.

Peters et al., Deep contextualized word representations, 2018. Names of options and of
weights are those of the files published with it, but for one thing: the weights of the two
directions of a layer are one array here, forward first. They are worked with together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import AliasPath, BaseModel, Field, ValidationError

from scenthound.core.errors import SettingsError

CHARACTERS = 261
"""Rows of ``char_embed``: 256 bytes, and five marks."""
MAX_SIZE = 100_000
"""No size of a model is larger."""
_MANY = 64
"""No model has more filter widths, layers or highways."""
Sizes = tuple[int, ...]
_Size = Annotated[int, Field(ge=1, le=MAX_SIZE)]
_Count = Annotated[int, Field(ge=0, le=_MANY)]
_Clip = Annotated[float | None, Field(ge=0.0, le=MAX_SIZE)]
_Filters = Annotated[tuple[tuple[_Size, _Size], ...], Field(min_length=1, max_length=_MANY)]


def _at(*path: str) -> Any:
    """Where the published options have a field."""
    return Field(validation_alias=AliasPath(*path))


class ElmoOptions(BaseModel, frozen=True, strict=True, populate_by_name=True):
    """How an ELMo model is built, as the published options say it.

    Parameters
    ----------
    filters : width in characters and number, for each kind of filter.
    character_dimensions : of the vector of a character.
    longest_word : characters that are read of a word, the two marks around it included.
    activation : after the filters, ``relu`` or ``tanh``.
    highways : number of highway layers.
    cells : of an LSTM layer in one direction.
    projection : dimensions of a word, and of what a layer gives in one direction.
    layers : number of LSTM layers.
    cell_clip, projection_clip : bounds of a cell and of what a layer gives; 0 or None for none.
    skip : does a layer after the first add what goes into it to what comes out?
    """

    filters: Annotated[_Filters, _at("char_cnn", "filters")]
    character_dimensions: Annotated[_Size, _at("char_cnn", "embedding", "dim")]
    longest_word: Annotated[
        int, Field(ge=3, le=MAX_SIZE), _at("char_cnn", "max_characters_per_token")
    ]
    activation: Annotated[Literal["relu", "tanh"], _at("char_cnn", "activation")]
    highways: Annotated[_Count, _at("char_cnn", "n_highway")] = 0
    cells: Annotated[_Size, _at("lstm", "dim")]
    projection: Annotated[_Size, _at("lstm", "projection_dim")]
    layers: Annotated[_Count, Field(ge=1), _at("lstm", "n_layers")] = 1
    cell_clip: Annotated[_Clip, _at("lstm", "cell_clip")] = None
    projection_clip: Annotated[_Clip, _at("lstm", "proj_clip")] = None
    skip: Annotated[bool | None, _at("lstm", "use_skip_connections")] = None

    @property
    def features(self) -> int:
        """Numbers that the filters give of a word."""
        return sum(number for _, number in self.filters)

    @property
    def dimensions(self) -> int:
        """Of the vector of a word: both directions."""
        return 2 * self.projection


def shapes(options: ElmoOptions) -> dict[str, Sizes]:
    """Return the name of every array of weights, and its shape.

    The arrays of an LSTM layer begin with an axis of two: forward and backward. A model whose
    filters give just as many numbers as a word has dimensions has no projection after them.
    """
    features, word, cells = options.features, options.projection, options.cells
    found: dict[str, Sizes] = {"char_embed": (CHARACTERS, options.character_dimensions)}
    for i, (width, number) in enumerate(options.filters):
        found[f"CNN/W_cnn_{i}"] = (1, width, options.character_dimensions, number)
        found[f"CNN/b_cnn_{i}"] = (number,)
    for i in range(options.highways):
        for part in ("carry", "transform"):
            found[f"CNN_high_{i}/W_{part}"] = (features, features)
            found[f"CNN_high_{i}/b_{part}"] = (features,)
    if features != word:
        found |= {"CNN_proj/W_proj": (features, word), "CNN_proj/b_proj": (word,)}
    for i in range(options.layers):
        found[f"Cell{i}/W_0"] = (2, 2 * word, 4 * cells)
        found[f"Cell{i}/B"] = (2, 4 * cells)
        found[f"Cell{i}/W_P_0"] = (2, cells, word)
    return found


SMALL = ElmoOptions(
    filters=((1, 16), (2, 16), (3, 32), (4, 64)), character_dimensions=16, longest_word=50,
    activation="relu", highways=1, cells=128, projection=64, layers=2, cell_clip=3.0,
    projection_clip=3.0, skip=True,
)  # fmt: skip
"""The model that we train ourselves."""


def options_from(published: str | bytes) -> ElmoOptions:
    """Return what an options file says; keys that only matter in training are ignored.

    SettingsError names the key that is missing or whose value cannot be.
    """
    try:
        options = ElmoOptions.model_validate_json(published)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            raise SettingsError("it is not JSON; give options.json.") from None
        place = ".".join(map(str, first["loc"])) or "the file"
        raise SettingsError(f"{place}: {first['msg']}.") from None
    if any(width > options.longest_word for width, _ in options.filters):
        raise SettingsError(f"filters are wider than a word of {options.longest_word} characters.")
    return options


def published_options(options: ElmoOptions) -> dict[str, object]:
    """Return what :func:`options_from` reads, as the published files have it."""
    return {
        "char_cnn": {
            "activation": options.activation,
            "embedding": {"dim": options.character_dimensions},
            "filters": [list(pair) for pair in options.filters],
            "max_characters_per_token": options.longest_word,
            "n_characters": CHARACTERS + 1,
            "n_highway": options.highways,
        },
        "lstm": {
            "cell_clip": options.cell_clip or 0.0,
            "dim": options.cells,
            "n_layers": options.layers,
            "proj_clip": options.projection_clip or 0.0,
            "projection_dim": options.projection,
            "use_skip_connections": bool(options.skip),
        },
    }


# Words as the published ELMo models read them: the bytes of their UTF-8, with marks around.
#
# A byte is its own number; the five marks come after the bytes. All numbers are raised by one, as
# in the published files: 0 is no character at all, for places where there is no word.


Characters = npt.NDArray[np.int64]
"""A row for each word, as many columns as characters are read of it."""
SENTENCE_BEGINS, SENTENCE_ENDS, WORD_BEGINS, WORD_ENDS, PADDING = range(257, 262)


def characters_of(words: Sequence[str], longest: int = 50) -> Characters:
    """Return a row for each word: mark, bytes, mark, padding.

    A word with too many bytes is cut, perhaps inside a character, as in the published models. Of
    what cannot be written in UTF-8 nothing is read.
    """
    rows = np.full((len(words), longest), PADDING, np.int64)
    for row, word in zip(rows, words, strict=True):
        content = np.frombuffer(word.encode("utf-8", "ignore")[: longest - 2], np.uint8)
        row[0], row[len(content) + 1] = WORD_BEGINS, WORD_ENDS
        row[1 : len(content) + 1] = content
        row[1 : len(content) + 1] += 1
    return rows


def marked_characters(words: Sequence[str], longest: int = 50) -> Characters:
    """Return the two marks around every sentence, which are words of their own, then the words."""
    marks = characters_of(["?", "?"], longest)
    marks[:, 1] = SENTENCE_BEGINS, SENTENCE_ENDS
    return np.concatenate([marks, characters_of(words, longest)])


def without_padding(characters: Characters, width: int) -> Characters:
    """Cut what is padding in every row, but for the last ``width`` columns of it.

    The maximum over the places of a filter stays the same where no filter is wider than that: one
    of its places lies in nothing but padding, and further ones give the same number.
    """
    written = (characters != PADDING).any(axis=0)
    used = int(np.flatnonzero(written)[-1]) + 1 if written.any() else 0
    return characters[:, : used + width]


# ELMo in PyTorch: a character CNN and a stack of LSTM layers in both directions.
#
# Peters et al. 2018, section 3; Jozefowicz et al. 2016 for the CNN; Sak et al. 2014 for LSTM
# layers with projection. Both directions are worked out together, the backward one on sentences
# turned round. A sentence ends with its padding in either, which therefore touches no word of it.
#
# In the published programs a layer begins where it ended with the sentences before; here every
# sentence begins at zero, so that its vectors do not depend on what was read earlier.


if TYPE_CHECKING:
    from torch import Tensor

    Weights = Mapping[str, Tensor]
    """By the names of :func:`~scenthound.papers.elmo_network.shapes`."""


_FORGET_BIAS = 1.0
"""Added to the bias of the forget gate; the published weights are without it."""


def word_layer(options: ElmoOptions, weights: Weights, characters: Tensor) -> Tensor:
    """Return the vector of each word by itself, from its characters: words x projection."""
    import torch

    # 0 stands for no character; the weights begin with the first real one.
    rows = torch.nn.functional.pad(weights["char_embed"], (0, 0, 1, 0))
    letters = torch.nn.functional.embedding(characters, rows).transpose(1, 2)
    highest = []
    for i in range(len(options.filters)):  # the highest answer of a filter at any place of a word
        kernel = weights[f"CNN/W_cnn_{i}"].squeeze(0).permute(2, 1, 0)
        answers = torch.nn.functional.conv1d(letters, kernel, weights[f"CNN/b_cnn_{i}"])
        highest.append(answers.amax(-1))
    found = torch.cat(highest, 1)
    found = found.relu() if options.activation == "relu" else found.tanh()
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
    between: Callable[[Tensor], Tensor] = lambda values: values,
) -> list[Tensor]:
    """Return what each LSTM layer gives for each word: sentences x places x 2 projections.

    What the mark that a direction ends with would get is left out: it may be zeros.

    Parameters
    ----------
    words : sentences x places x projection, from :func:`word_layer`, marks of the sentence
        included; whatever stands after the end of a sentence.
    lengths : of the sentences, marks included.
    between : applied to the words and to what a layer gives before the next one reads it: dropout.
    """
    import torch

    backwards = _reversed_places(lengths, words.shape[1])
    inputs = between(torch.stack([words, _take_places(words, backwards)])).transpose(1, 2)
    inputs = inputs[:, :-1]  # nothing is read on from the last mark: for short texts, much work
    found = []
    for i in range(options.layers):
        outputs = _lstm_layer(options, weights, f"Cell{i}", inputs)
        inputs = outputs + inputs if options.skip and i else outputs
        forward, backward = torch.nn.functional.pad(inputs, (0, 0, 0, 0, 0, 1)).transpose(1, 2)
        found.append(torch.cat([forward, _take_places(backward, backwards)], -1))
        inputs = between(inputs)
    return found


def all_layers(
    options: ElmoOptions, weights: Weights, words: Tensor, lengths: Tensor
) -> list[Tensor]:
    """Return the words by themselves, twice beside each other, and then each LSTM layer."""
    import torch

    return [torch.cat([words, words], -1), *sentence_layers(options, weights, words, lengths)]


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
    raised = inputs.new_zeros(4)
    raised[2] = _FORGET_BIAS
    bias = weights[f"{name}/B"] + torch.repeat_interleave(raised, options.cells)
    # What the gates get of the inputs, for all places at once.
    flat = torch.baddbmm(bias[:, None], inputs.flatten(1, 2), of_input)
    from_input = flat.reshape(*inputs.shape[:3], -1)
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


def _clipped(values: Tensor, bound: float | None) -> Tensor:
    return values.clamp(-bound, bound) if bound else values


def _reversed_places(lengths: Tensor, places: int) -> Tensor:
    """Which place of its sentence stands where once it is turned round; padding stays in place."""
    import torch

    place = torch.arange(places, device=lengths.device)[None]
    return torch.where(place < lengths[:, None], lengths[:, None] - 1 - place, place)


def _take_places(values: Tensor, places: Tensor) -> Tensor:
    return values.gather(1, places[..., None].expand(values.shape))
