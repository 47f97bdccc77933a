"""Vectors of words in their sentences, by an ELMo model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from scenthound.core.errors import UnknownNameError
from scenthound.core.protocols import State
from scenthound.vectors.batches import token_batches
from scenthound.vectors.elmo_characters import (
    PADDING,
    WORD_ENDS,
    Characters,
    marked_characters,
    without_padding,
)
from scenthound.vectors.elmo_model import all_layers, word_layer
from scenthound.vectors.elmo_options import ElmoOptions, options_from, published_options, shapes
from scenthound.vectors.elmo_windows import FIRST_WORD, Places, numbered, windows_of
from scenthound.vectors.extra import require
from scenthound.vectors.protocols import Equipment, Vectors
from scenthound.vectors.torch_device import chosen_device, thread_count, threads

if TYPE_CHECKING:
    from torch import Tensor

LAYERS = ("mean", "top")
PROCESSOR = "cpu"
WINDOW = 100
"""Words of a window. Published models were trained on sentences; few are longer."""
_GATE_NUMBERS = 1 << 26
"""Numbers that the gates of a batch hold at most: 256 MiB."""
_MOST_PLACES, _SPARE = 1 << 14, 1 << 10
"""Places of a batch, and how many of them may be padding."""
_WORDS_AT_ONCE = 256
_SMALL = 1024
"""A model with fewer cells works on one thread: more of them wait for each other longer than
they work."""


class ElmoEncoder:
    """Makes a vector of every word, in the company it stands in (a ``WordEncoder``).

    Parameters
    ----------
    options, weights : the model, by the names of ``elmo_options.shapes``.
    equipment : device and threads, and who hears of a GPU that has no room.
    layer : ``mean`` of the words by themselves and of all LSTM layers, which is the published mix
        before anything is learnt about it; ``top``, the last layer alone.
    reason : why the model has not learnt anything; empty where it has.
    """

    def __init__(
        self,
        options: ElmoOptions,
        weights: Mapping[str, Vectors],
        *,
        equipment: Equipment | None = None,
        layer: str = "mean",
        reason: str = "",
    ) -> None:
        require("torch", "ELMo")
        check_layer(layer)
        self.options, self.weights, self.layer, self.reason = options, weights, layer, reason
        self.name = f"elmo-{layer}-{fingerprint(options, weights)}"
        self.dimensions = options.dimensions
        equipment = equipment or Equipment()
        self._warn = equipment.warn
        self._threads = 1 if options.cells < _SMALL else thread_count(equipment.threads)
        self._go_to(chosen_device(equipment.device))

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        """For each passage a row for each of its words, in order; zeros for an empty word.

        A long passage is read in windows of ``WINDOW`` words. Where a GPU has no room for it, the
        processor does this and all further work.
        """
        import torch

        with threads(self._threads), torch.inference_mode():
            try:
                return self._encoded(passages)
            except torch.OutOfMemoryError:
                if self._device == PROCESSOR:
                    raise
            # Not inside the handler: the error would hold on to the memory.
            self._leave_gpu()
            return self._encoded(passages)

    def state(self) -> State:
        """The model, to make the same encoder of with :func:`rebuild_elmo`."""
        return {
            "options": json.dumps(published_options(self.options)),
            "weights": dict(self.weights),
            "layer": self.layer,
            "reason": self.reason,
        }

    def _go_to(self, device: str) -> None:
        import torch

        self._device = device
        try:
            self._tensors = {
                name: torch.from_numpy(array).to(device) for name, array in self.weights.items()
            }
        except torch.OutOfMemoryError:
            if device == PROCESSOR:
                raise
            self._leave_gpu()

    def _leave_gpu(self) -> None:
        self._warn(f"The memory of {self._device} does not do for ELMo; the processor goes on.")
        self._go_to(PROCESSOR)

    def _encoded(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        numbers = _numbers(passages)
        characters = marked_characters(list(numbers), self.options.longest_word)
        table = self._word_table(characters)
        lines = [np.array([numbers[word] for word in passage], np.int64) for passage in passages]
        found = [np.zeros((len(line), self.dimensions), np.float32) for line in lines]
        cuts = windows_of([len(line) for line in lines], WINDOW)
        most = min(_MOST_PLACES, _GATE_NUMBERS // (8 * self.options.cells))
        for batch in token_batches([len(cut) + 2 for cut in cuts], most, _SPARE):
            windows = [cuts[place] for place in batch]
            rows = self._rows(table, [window.of(lines) for window in windows])
            for window, row in zip(windows, rows, strict=True):
                window.of(found)[:] = row[: len(window)]
        for line, vectors in zip(lines, found, strict=True):
            vectors[characters[line, 1] == WORD_ENDS] = 0.0
        return found

    def _word_table(self, characters: Characters) -> Tensor:
        """Each word by itself; those of like lengths are worked out together."""
        import torch

        widest = max(width for width, _ in self.options.filters)
        order = np.argsort((characters != PADDING).sum(axis=1), kind="stable")
        table = torch.empty(len(order), self.options.projection, device=self._device)
        for chosen in np.split(order, range(_WORDS_AT_ONCE, len(order), _WORDS_AT_ONCE)):
            some = torch.from_numpy(without_padding(characters[chosen], widest)).to(self._device)
            table[torch.from_numpy(chosen)] = word_layer(self.options, self._tensors, some)
        return table

    def _rows(self, table: Tensor, sentences: Sequence[Places]) -> Vectors:
        """Sentences x places x dimensions, without the marks."""
        import torch

        places, lengths = (torch.from_numpy(a).to(self._device) for a in numbered(sentences))
        layers = all_layers(self.options, self._tensors, table[places], lengths)
        found = layers[-1] if self.layer == "top" else torch.stack(layers).mean(0)
        rows: Vectors = found[:, 1:-1].cpu().numpy()
        return rows


def check_layer(name: str) -> None:
    """UnknownNameError for what is not one of ``LAYERS``."""
    if name not in LAYERS:
        raise UnknownNameError("layer of ELMo", name, LAYERS)


def rebuild_elmo(state: State, *, equipment: Equipment | None = None) -> ElmoEncoder:
    """The encoder that gave ``state``."""
    weights = state["weights"]
    assert isinstance(weights, dict)
    options = options_from(json.loads(str(state["options"])))
    arrays = {name: np.asarray(weights[name], np.float32) for name in shapes(options)}
    layer, reason = str(state["layer"]), str(state["reason"])
    return ElmoEncoder(options, arrays, equipment=equipment, layer=layer, reason=reason)


def fingerprint(options: ElmoOptions, weights: Mapping[str, Vectors]) -> str:
    """Sixteen hexadecimal digits that tell this model from others."""
    found = hashlib.blake2b(json.dumps(published_options(options)).encode(), digest_size=8)
    for name in shapes(options):
        found.update(np.ascontiguousarray(weights[name]).data)
    return found.hexdigest()


def _numbers(passages: Sequence[Sequence[str]]) -> dict[str, int]:
    """Every distinct word, in order, and its row in the table of words."""
    distinct = dict.fromkeys(word for passage in passages for word in passage)
    return {word: FIRST_WORD + i for i, word in enumerate(distinct)}
