"""Vectors of texts, and of words in their company, by BERT and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.vectors.batches import token_batches, word_windows
from scenthound.vectors.bert_files import find_bert
from scenthound.vectors.bert_loading import Reading, load_network, load_reading
from scenthound.vectors.bert_memory import SteadyNetwork
from scenthound.vectors.bert_network import Take, piece_vectors, text_vectors
from scenthound.vectors.extra import require
from scenthound.vectors.protocols import Equipment, Vectors
from scenthound.vectors.torch_device import chosen_device, thread_count, threads

LONGEST = 256
"""Pieces of a text that are read; MiniLM was trained for so many."""


class BertEncoder:
    """Reads whole texts (a ``TextEncoder``), or words in their company (a ``WordEncoder``).

    Parameters
    ----------
    name : model, precision and ``longest``.
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
        """A row of length 1 for each text, in order; zeros for a text without a piece.

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
        piece gets zeros; of a very long one the first pieces count.
        """
        room = self._takes - self._pieces.marks
        words = [self._pieces.of_words(passage, room) for passage in passages]
        windows = [
            (passage, start, end)
            for passage, pieces in enumerate(words)
            for start, end in word_windows([len(word) for word in pieces], room)
        ]
        rows = [self._row(words[passage][start:end]) for passage, start, end in windows]
        vectors = [np.zeros((len(pieces), self.dimensions), np.float32) for pieces in words]
        for (passage, start, end), found in zip(
            windows, self._ask(rows, piece_vectors), strict=True
        ):
            counts = [len(word) for word in words[passage][start:end]]
            first = len(self._pieces.before)
            vectors[passage][start:end] = word_means(found[first : first + sum(counts)], counts)
        return vectors

    def _row(self, words: Sequence[Sequence[int]]) -> list[int]:
        return self._pieces.framed([piece for word in words for piece in word])

    def _ask(self, rows: Sequence[Sequence[int]], take: Take) -> list[Vectors]:
        """What the network makes of each row, in order, asked in batches of like lengths."""
        found: dict[int, Vectors] = {}
        with threads(self._threads):
            lengths = [len(row) for row in rows]
            for batch in token_batches(lengths, self._network.most, self._network.spare):
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
    """An encoder by ``model``; its weights are loaded once in a process.

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
    for library in ("torch", "transformers", "tokenizers", "safetensors"):
        require(library, "BERT")
    equipment = equipment or Equipment()
    device = chosen_device(equipment.device)
    files = find_bert(model)
    reading = load_reading(files)
    if longest <= reading.pieces.marks:
        raise SettingsError(f"longest must be more than {reading.pieces.marks}, not {longest}.")
    longest = min(longest, reading.takes)
    network = SteadyNetwork(partial(load_network, files, exact), device, equipment.warn)
    name = f"bert-{files.fingerprint}-{network.precision}-{longest}"
    count = thread_count(equipment.threads)
    return BertEncoder(name, reading, network, longest=longest, threads=count)
