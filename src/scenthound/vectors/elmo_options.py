"""The sizes of an ELMo model, and what its weights are called.

ELMo: Peters et al., Deep contextualized word representations, 2018. Names of options and of
weights are those of the files published with it, but for one thing: the weights of the two
directions of a layer are one array here, forward first. They are worked with together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.core.errors import SettingsError

CHARACTERS = 261
"""Rows of ``char_embed``: 256 bytes, and five marks."""
ACTIVATIONS = ("relu", "tanh")
MOST = 100_000
"""No size of a model is larger."""
_NO_CLIP = 0.0
_MANY = 64
"""No model has more filter widths, layers or highways."""

Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ElmoOptions:
    """How an ELMo model is built; the defaults are the small one we train ourselves.

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
    cell_clip, projection_clip : bounds of a cell and of what a layer gives; 0 for none.
    skip : does a layer after the first add what goes into it to what comes out?
    """

    filters: tuple[tuple[int, int], ...] = ((1, 16), (2, 16), (3, 32), (4, 64))
    character_dimensions: int = 16
    longest_word: int = 50
    activation: str = "relu"
    highways: int = 1
    cells: int = 128
    projection: int = 64
    layers: int = 2
    cell_clip: float = 3.0
    projection_clip: float = 3.0
    skip: bool = True

    @property
    def features(self) -> int:
        """Numbers that the filters give of a word."""
        return sum(number for _, number in self.filters)

    @property
    def dimensions(self) -> int:
        """Of the vector of a word: both directions."""
        return 2 * self.projection


def shapes(options: ElmoOptions) -> dict[str, Sizes]:
    """The name of every array of weights, and its shape.

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


def options_from(published: object) -> ElmoOptions:
    """What an options file says, read as JSON; keys that only matter in training are left alone.

    Raises
    ------
    SettingsError
        A key is missing or its value cannot be; the sentence names it.
    """
    characters, lstm = _section(published, "char_cnn"), _section(published, "lstm")
    options = ElmoOptions(
        filters=_filters(characters),
        character_dimensions=_whole(_section(characters, "embedding"), "dim"),
        longest_word=_whole(characters, "max_characters_per_token", least=3),
        activation=str(characters.get("activation")),
        highways=_whole(characters, "n_highway", least=0, most=_MANY, default=0),
        cells=_whole(lstm, "dim"),
        projection=_whole(lstm, "projection_dim"),
        layers=_whole(lstm, "n_layers", most=_MANY, default=1),
        cell_clip=_clip(lstm, "cell_clip"),
        projection_clip=_clip(lstm, "proj_clip"),
        skip=bool(lstm.get("use_skip_connections")),
    )
    _check(options, _whole(characters, "n_characters", default=CHARACTERS))
    return options


def published_options(options: ElmoOptions) -> dict[str, object]:
    """What :func:`options_from` reads, as the published files have it."""
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
            "cell_clip": options.cell_clip,
            "dim": options.cells,
            "n_layers": options.layers,
            "proj_clip": options.projection_clip,
            "projection_dim": options.projection,
            "use_skip_connections": options.skip,
        },
    }


def _check(options: ElmoOptions, characters: int) -> None:
    if options.activation not in ACTIVATIONS:
        raise SettingsError(f"activation must be relu or tanh, not {options.activation!r}.")
    if characters not in (CHARACTERS, CHARACTERS + 1):  # the latter counts the mask
        raise SettingsError(f"n_characters must be 261 or 262, not {characters}.")
    if any(width > options.longest_word for width, _ in options.filters):
        raise SettingsError(f"filters are wider than a word of {options.longest_word} characters.")


def _section(published: object, key: str) -> Mapping[str, object]:
    found = published.get(key) if isinstance(published, dict) else None
    if not isinstance(found, dict):
        raise SettingsError(f"{key} is missing, or not an object.")
    return found


def _whole(
    section: Mapping[str, object],
    key: str,
    *,
    least: int = 1,
    most: int = MOST,
    default: int | None = None,
) -> int:
    value = section.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise SettingsError(f"{key} must be a whole number from {least} to {most}, not {value!r}.")
    return value


def _clip(section: Mapping[str, object], key: str) -> float:
    value = section.get(key) or _NO_CLIP
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= MOST:
        raise SettingsError(f"{key} must be a number from 0 to {MOST}, or null, not {value!r}.")
    return float(value)


def _filters(section: Mapping[str, object]) -> tuple[tuple[int, int], ...]:
    """Pairs of a width and a number."""
    value = section.get("filters")
    if not isinstance(value, list) or not 1 <= len(value) <= _MANY:
        raise SettingsError("filters must be a list of [width, number].")
    return tuple(_filter(pair) for pair in value)


def _filter(pair: object) -> tuple[int, int]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise SettingsError("filters must be a list of [width, number].")
    width, number = (_whole({"filters": value}, "filters") for value in pair)
    return width, number
