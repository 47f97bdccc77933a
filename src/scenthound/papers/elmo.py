"""ELMo models in their two published files, options and weights, and the encoder of words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import check_name
from scenthound.core.protocols import State
from scenthound.papers.elmo_network import (
    PADDING,
    WORD_ENDS,
    Characters,
    ElmoOptions,
    Sizes,
    all_layers,
    marked_characters,
    options_from,
    published_options,
    shapes,
    without_padding,
    word_layer,
)
from scenthound.similarity.encoders import (
    ModelRuntime,
    Vectors,
    chosen_device,
    padded,
    require,
    thread_count,
    threads,
    token_batches,
)

if TYPE_CHECKING:
    import h5py
    from torch import Tensor


_LARGEST_OPTIONS = 1 << 20
_TOGETHER = "give the two files that were published together"


def read_options(path: Path) -> ElmoOptions:
    """Read the options file; SettingsError names it where it cannot be used."""
    try:
        with path.open("rb") as file:
            return options_from(file.read(_LARGEST_OPTIONS))
    except OSError as error:
        raise SettingsError(f"the ELMo options {path} cannot be read: {error.strerror}.") from None
    except SettingsError as error:
        raise SettingsError(f"the ELMo options {path} cannot be used: {error}") from None


def read_weights(path: Path, options: ElmoOptions) -> dict[str, Vectors]:
    """Read all weights of a model of these options, by the names of ``shapes``.

    Other datasets of the file are ignored. SettingsError names the file, and the dataset that is
    missing, damaged or of another shape than the options say.
    """
    hdf5 = require("h5py", "ELMo")
    if not path.is_file():
        raise SettingsError(f"the ELMo weights {path} are not there; give weights.hdf5.")
    try:
        file = hdf5.File(path, "r")
    except OSError:
        raise SettingsError(
            f"{path} is not an HDF5 file, or is cut short; get the ELMo weights again."
        ) from None
    with file:
        return {name: _array(file, path, name, shape) for name, shape in shapes(options).items()}


def dataset_names(name: str) -> list[str]:
    """Return the published datasets that an array of ours is made of, one or a pair."""
    if not name.startswith("Cell"):
        return [name]
    cell, _, kind = name.partition("/")
    return [f"RNN_{direction}/RNN/MultiRNNCell/{cell}/LSTMCell/{kind}" for direction in (0, 1)]


def _array(file: h5py.File, path: Path, name: str, shape: Sizes) -> Vectors:
    names = dataset_names(name)
    wanted = shape[len(names) - 1 :]
    for dataset in names:  # before room is made: options can ask for any size
        found = file.get(dataset)
        there, kind = getattr(found, "shape", None), getattr(found, "dtype", None)
        if there is None:  # a group has none
            raise SettingsError(f"{path} has no dataset {dataset!r}: {_TOGETHER}.")
        if there != wanted or getattr(kind, "kind", "") != "f":
            raise SettingsError(
                f"the dataset {dataset!r} of {path} holds {kind} {there}, and by the options it "
                f"should hold float32 {wanted}: {_TOGETHER}."
            )
    array = np.empty(shape, np.float32)
    for dataset, part in zip(names, array if len(names) == 2 else [array], strict=True):
        try:
            file[dataset].read_direct(part)
        except OSError:
            raise SettingsError(
                f"the dataset {dataset!r} of {path} is damaged; get it again."
            ) from None
        if not np.isfinite(part).all():
            raise SettingsError(f"the dataset {dataset!r} of {path} holds what is no number.")
    return array


def fingerprint(options: ElmoOptions, weights: Mapping[str, Vectors]) -> str:
    """Return sixteen hexadecimal digits that identify this model."""
    found = hashlib.blake2b(json.dumps(published_options(options)).encode(), digest_size=8)
    for name in shapes(options):
        found.update(np.ascontiguousarray(weights[name]).data)
    return found.hexdigest()


Places = npt.NDArray[np.int64]
BEGIN, END, FIRST_WORD = 0, 1, 2
"""Numbers of the marks around a sentence, and of the first word."""


def windows_of(lengths: Sequence[int], most: int) -> list[tuple[int, slice]]:
    """Cut passages of these lengths into as few windows of at most ``most`` words as can be.

    The number of a passage and its words, for each window. Those of a passage are of one length,
    give or take a word, so that every word has context.
    """
    found = []
    for passage, length in enumerate(lengths):
        count = -(-length // most)
        edges = (length * i // count for i in range(count + 1 if count else 0))
        found += [(passage, slice(start, end)) for start, end in pairwise(edges)]
    return found


def padded_sentences(sentences: Sequence[Places]) -> tuple[Places, Places]:
    """Return sentences of word numbers with the marks around them, a row each, and their lengths.

    After the end of a sentence its row holds the mark that ends it, which is not read.
    """
    rows, mask = padded([[BEGIN, *sentence.tolist(), END] for sentence in sentences], END)
    return rows, mask.sum(axis=1)


LAYERS = ("mean", "top")
PROCESSOR = "cpu"
WINDOW = 100
"""Words of a window. Published models were trained on sentences; few are longer."""
_GATE_NUMBERS = 1 << 26
"""Numbers that the gates of a batch hold at most: 256 MiB."""
_MAX_PLACES, _SPARE = 1 << 14, 1 << 10
"""Places of a batch, and how many of them may be padding."""
_WORD_BATCH = 256
_SMALL = 1024
"""A model with fewer cells works on one thread: more would mostly wait for each other."""


class ElmoEncoder:
    """Makes a vector of every word in its context (a ``WordEncoder``).

    ``layer`` is the ``mean`` of the words by themselves and of all LSTM layers, which is the
    published mix before training, or ``top``, the last layer alone. ``reason`` says why the model
    was not trained.
    """

    def __init__(
        self,
        options: ElmoOptions,
        weights: Mapping[str, Vectors],
        *,
        equipment: ModelRuntime | None = None,
        layer: str = "mean",
        reason: str = "",
    ) -> None:
        require("torch", "ELMo")
        check_name("layer of ELMo", layer, LAYERS)
        self.options, self.weights, self.layer, self.reason = options, weights, layer, reason
        self.name = f"elmo-{layer}-{fingerprint(options, weights)}"
        self.dimensions = options.dimensions
        self._runtime = equipment or ModelRuntime()
        self._threads = 1 if options.cells < _SMALL else thread_count(self._runtime.threads)
        self._device = chosen_device(self._runtime.device)
        self._tensors: dict[str, Tensor] = {}
        """The weights on the device, from the first passages on."""

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        """Return for each passage a row for each of its words, in order; zeros for an empty word.

        A long passage is read in windows of ``WINDOW`` words. Where a GPU has no room for it, the
        processor does this and all further work.
        """
        import torch

        with threads(self._threads), torch.inference_mode():
            if self._device != PROCESSOR:
                with suppress(torch.OutOfMemoryError):
                    return self._encoded(passages)
                memory = f"The memory of {self._device} does not do for ELMo"
                self._runtime.warn(f"{memory}; the processor goes on.")
                self._device, self._tensors = PROCESSOR, {}
            return self._encoded(passages)

    def state(self) -> State:
        """Return the model, for :func:`rebuild_elmo`."""
        return {
            "options": json.dumps(published_options(self.options)),
            "weights": dict(self.weights),
            "layer": self.layer,
            "reason": self.reason,
        }

    def _encoded(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        import torch

        self._tensors = self._tensors or {
            name: torch.from_numpy(array).to(self._device) for name, array in self.weights.items()
        }
        distinct = dict.fromkeys(chain.from_iterable(passages))
        numbers = {word: FIRST_WORD + i for i, word in enumerate(distinct)}
        characters = marked_characters(list(numbers), self.options.longest_word)
        table = self._word_table(characters)
        lines = [np.array([numbers[word] for word in passage], np.int64) for passage in passages]
        found = [np.zeros((len(line), self.dimensions), np.float32) for line in lines]
        cuts = windows_of([len(line) for line in lines], WINDOW)
        most = min(_MAX_PLACES, _GATE_NUMBERS // (8 * self.options.cells))
        texts = [lines[passage][cut] for passage, cut in cuts]
        for batch in token_batches([len(text) + 2 for text in texts], most, _SPARE):
            rows = self._rows(table, [texts[place] for place in batch])
            for place, row in zip(batch, rows, strict=True):
                passage, cut = cuts[place]
                found[passage][cut] = row[: len(texts[place])]
        for line, vectors in zip(lines, found, strict=True):
            vectors[characters[line, 1] == WORD_ENDS] = 0.0
        return found

    def _word_table(self, characters: Characters) -> Tensor:
        """Each word by itself; those of like lengths are worked out together."""
        import torch

        widest = max(width for width, _ in self.options.filters)
        order = np.argsort((characters != PADDING).sum(axis=1), kind="stable")
        table = torch.empty(len(order), self.options.projection, device=self._device)
        for chosen in np.split(order, range(_WORD_BATCH, len(order), _WORD_BATCH)):
            some = torch.from_numpy(without_padding(characters[chosen], widest)).to(self._device)
            table[torch.from_numpy(chosen)] = word_layer(self.options, self._tensors, some)
        return table

    def _rows(self, table: Tensor, sentences: Sequence[Places]) -> Vectors:
        """Sentences x places x dimensions, without the marks."""
        import torch

        places, lengths = (
            torch.from_numpy(a).to(self._device) for a in padded_sentences(sentences)
        )
        layers = all_layers(self.options, self._tensors, table[places], lengths)
        found = layers[-1] if self.layer == "top" else torch.stack(layers).mean(0)
        rows: Vectors = found[:, 1:-1].cpu().numpy()
        return rows


def rebuild_elmo(state: State, *, equipment: ModelRuntime | None = None) -> ElmoEncoder:
    """Return the encoder that gave ``state``."""
    options = options_from(str(state["options"]))
    arrays = {name: np.asarray(state["weights"][name], np.float32) for name in shapes(options)}
    layer, reason = str(state["layer"]), str(state["reason"])
    return ElmoEncoder(options, arrays, equipment=equipment, layer=layer, reason=reason)


def load_elmo(
    options: Path, weights: Path, *, equipment: ModelRuntime | None = None, layer: str = "mean"
) -> ElmoEncoder:
    """Return the encoder of a model in two files, ``options.json`` and ``weights.hdf5``.

    SettingsError where a file is not there or cannot be used.
    """
    require("torch", "ELMo")
    read = read_options(options)
    return ElmoEncoder(read, read_weights(weights, read), equipment=equipment, layer=layer)
