"""Vectors of texts, and of words in their company, by BERT and its kin."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.util import find_spec

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.vectors.batches import token_batches, word_windows
from scenthound.vectors.bert_files import MODULE, find_bert
from scenthound.vectors.bert_loading import Reading, load_network, load_reading
from scenthound.vectors.bert_memory import SteadyNetwork
from scenthound.vectors.bert_network import Take, piece_vectors, text_vectors
from scenthound.vectors.extra import require
from scenthound.vectors.protocols import Equipment, Vectors
from scenthound.vectors.torch_device import AUTO, chosen_device, thread_count, threads

LONGEST = 256
"""Pieces of a text that are read; MiniLM was trained for so many."""
SWITCH = "SCENTHOUND_NEURAL"
"""With the value "no" in the environment, nothing neural is used that nobody asks for."""


class BertEncoder:
    """Reads whole texts (a ``TextEncoder``), or words in their company (a ``WordEncoder``).

    Parameters
    ----------
    name : of the model and its way of reading; the device leaves its mark on the fourth decimal
        of a vector, and is not named.
    reading : tokenizer, dimensions, and what the model takes.
    network : makes vectors of pieces.
    longest : pieces of a text that are read, marks included.
    threads : of the processor, while this works.
    """

    def __init__(
        self, name: str, reading: Reading, network: SteadyNetwork, *, longest: int, threads: int
    ) -> None:
        self.name, self.dimensions = name, reading.dimensions
        self._pieces, self._takes = reading.pieces, reading.takes
        self._network, self._longest, self._threads = network, longest, threads

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text, in order; zeros for a text without a known piece.

        It is the mean over the last layer. Of a long text the first ``longest`` pieces are read.
        """
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        pieces = [self._pieces.of_text(text, self._longest) for text in texts]
        places = [place for place, row in enumerate(pieces) if row]
        found = self._ask([pieces[place] for place in places], text_vectors)
        if places:
            vectors[places] = found
        return vectors

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        """For each passage a row for each word: the mean over its pieces in the last layer.

        A passage is read in windows of whole words, as many as the model takes. A word without a
        known piece gets zeros; of a very long one the first pieces count.
        """
        room = self._takes - self._pieces.marks
        words = [self._pieces.of_words(passage, room) for passage in passages]
        windows = [
            (passage, start, end)
            for passage, pieces in enumerate(words)
            for start, end in word_windows([len(word) for word in pieces], room)
            if any(map(self._pieces.known, pieces[start:end]))
        ]
        rows = [self._row(words[passage][start:end]) for passage, start, end in windows]
        vectors = [np.zeros((len(pieces), self.dimensions), np.float32) for pieces in words]
        for (passage, start, end), found in zip(
            windows, self._ask(rows, piece_vectors), strict=True
        ):
            counts = [len(word) for word in words[passage][start:end]]
            first = len(self._pieces.before)
            vectors[passage][start:end] = word_means(found[first : first + sum(counts)], counts)
        for pieces, table in zip(words, vectors, strict=True):
            table[[not self._pieces.known(word) for word in pieces]] = 0
        return vectors

    def _row(self, words: Sequence[Sequence[int]]) -> list[int]:
        return self._pieces.framed([piece for word in words for piece in word])

    def _ask(self, rows: Sequence[Sequence[int]], take: Take) -> list[Vectors]:
        """What the network makes of each row, in order, asked in batches of like lengths."""
        found: dict[int, Vectors] = {}
        if not rows:
            return []
        limits = self._network.limits
        with threads(self._threads):
            for batch in token_batches([len(row) for row in rows], *limits):
                answers = self._network.ask([rows[place] for place in batch], take)
                found.update(zip(batch, answers, strict=True))
        return [found[place] for place in range(len(rows))]


def word_means(pieces: Vectors, counts: Sequence[int]) -> Vectors:
    """The mean over each word's pieces; zeros for a word that has none.

    Parameters
    ----------
    pieces : vectors of all pieces, in order.
    counts : how many of them each word has.
    """
    numbers = np.array(counts, np.int64)
    means = np.zeros((len(numbers), pieces.shape[1]), np.float32)
    present = numbers > 0
    if present.any():
        starts = (np.cumsum(numbers) - numbers)[present]
        sums = np.add.reduceat(pieces, starts, axis=0)
        means[present] = sums / numbers[present, np.newaxis]
    return means


def load_bert(
    model: str = "",
    *,
    equipment: Equipment | None = None,
    longest: int = LONGEST,
    exact: bool = False,
) -> BertEncoder:
    """An encoder by ``model``; weights are loaded once in a process, MiniLM's when first needed.

    Parameters
    ----------
    model : a folder with ``config.json``, ``model.safetensors`` and ``tokenizer.json``, or a name
        on the hub; empty for MiniLM, which comes with the extra ``neural``.
    equipment : device and threads, and who hears of a GPU that has no room.
    longest : pieces of a text that are read; at most what the model takes.
    exact : multiply in float32 even where the device is faster in 16 bits, which moves a vector by
        about a hundredth of its length.

    Raises
    ------
    SettingsError
        The extra, the model or the device is missing, or a file of the model cannot be used.
    """
    equipment = equipment or Equipment()
    for library in ("torch", "transformers"):
        if find_spec(library) is None:
            require(library, "BERT")
    if equipment.device != AUTO:
        chosen_device(equipment.device)
    files = find_bert(model, equipment.warn)
    reading = load_reading(files)
    if longest <= reading.pieces.marks:
        raise SettingsError(f"longest must be more than {reading.pieces.marks}, not {longest}.")
    longest = min(longest, reading.takes)
    count = thread_count(equipment.threads)
    network = SteadyNetwork(
        partial(load_network, files, exact), partial(_device, equipment.device), equipment.warn,
        load_network.cache_clear,
    )  # fmt: skip
    if model:  # nobody knows its files as we do those of MiniLM: what is wrong is told now
        network.load()
    name = f"bert-{files.fingerprint}-{'exact-' if exact else ''}{longest}"
    return BertEncoder(name, reading, network, longest=longest, threads=count)


def is_switched_off(environment: Mapping[str, str] = os.environ) -> bool:
    """Does ``SCENTHOUND_NEURAL=no`` in the environment say to do without what nobody asks for?"""
    return environment.get(SWITCH, "").strip().lower() in ("no", "off", "0", "false")


def is_minilm_there(environment: Mapping[str, str] = os.environ) -> bool:
    """Is all that MiniLM needs installed, and nobody says to do without? Nothing is loaded.

    Parameters
    ----------
    environment : ``SCENTHOUND_NEURAL=no`` in it says to do without.
    """
    if is_switched_off(environment):
        return False
    return all(find_spec(library) is not None for library in ("torch", "transformers", MODULE))


def _device(asked: str) -> str:
    """The device; the libraries are loaded by now, and one that cannot be says so."""
    for library in ("torch", "transformers"):
        require(library, "BERT")
    return chosen_device(asked)
