"""Vectors of texts, and of words in context, by BERT and models like it, within the memory of the
device.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import chain

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.similarity.bert_model import (
    MODULE,
    BertFiles,
    Extract,
    Network,
    Pieces,
    Rows,
    find_bert,
    load_network,
    load_pieces,
    piece_vectors,
    text_vectors,
)
from scenthound.similarity.encoders import (
    AUTO,
    ModelRuntime,
    Vectors,
    chosen_device,
    require,
    thread_count,
    threads,
    token_batches,
    word_windows,
)

PROCESSOR = "cpu"
_ON_PROCESSOR = (2048, 64)
_ON_GPU = (1 << 15, 1 << 12)
"""Pieces of a batch, and how much of it may be padding: more gained nothing where we measured."""


class MemorySafeNetwork:
    """Runs a network in smaller batches, or on the processor, where memory runs out.

    The network is loaded when it is first needed: with a warm cache a crawl may need none.
    """

    def __init__(self, files: BertFiles, exact: bool, runtime: ModelRuntime) -> None:
        self._files, self._exact, self._runtime = files, exact, runtime
        self._known: Network | None = None
        self._limits = (0, 0)

    @property
    def limits(self) -> tuple[int, int]:
        """Pieces of a batch, and how much of it may be padding."""
        self._network()
        return self._limits

    def read(self, rows: Rows, take: Extract) -> list[Vectors]:
        """What ``take`` makes of the last hidden layer, for each row."""
        import torch

        pieces = len(rows) * max(map(len, rows), default=0)
        if len(rows) == 1 or pieces <= self.limits[0]:
            # The retry comes after the block: until it ends, the error holds on to memory.
            with suppress(torch.OutOfMemoryError):
                return self._network().read(rows, take)
            self._reduce_batches(len(rows), pieces)
        if len(rows) == 1:
            return self.read(rows, take)
        middle = len(rows) // 2
        return self.read(rows[:middle], take) + self.read(rows[middle:], take)

    def _reduce_batches(self, rows: int, pieces: int) -> None:
        """Take less at once from now on; where one text is too much, leave the GPU."""
        import torch

        if rows > 1:
            self._limits = pieces // 2, self._limits[1]
        elif self._network().device == PROCESSOR:
            raise SettingsError(f"There is no memory left to read a text of {pieces} pieces.")
        else:
            self._known = self._on_processor(self._network().device)
        torch.cuda.empty_cache()  # nothing where there is no GPU

    def _network(self) -> Network:
        for library in ("torch", "transformers"):  # a damaged one gets a sentence
            require(library, "BERT")
        import torch

        if self._known is None:
            device = chosen_device(self._runtime.device)
            self._limits = _ON_PROCESSOR if device == PROCESSOR else _ON_GPU
            with suppress(torch.OutOfMemoryError):  # which only a GPU raises
                self._known = load_network(self._files, self._exact, device)
            if self._known is None:
                torch.cuda.empty_cache()  # nothing where there is no GPU
                self._known = self._on_processor(device)
        return self._known

    def _on_processor(self, device: str) -> Network:
        self._runtime.warn(f"The memory of {device} does not do for BERT; the processor goes on.")
        self._limits = _ON_PROCESSOR
        self._known = None
        load_network.cache_clear()  # or the cache would hold on to the memory of the GPU
        return load_network(self._files, self._exact, PROCESSOR)


# The encoder: texts and words in, vectors out.

LONGEST = 256
"""Pieces of a text that are read; MiniLM was trained for so many."""
NEURAL_VARIABLE = "SCENTHOUND_NEURAL"
"""With the value "no" in the environment, neural models are used only where they are asked for."""


class BertEncoder:
    """Encodes whole texts (a ``TextEncoder``), or words in context (a ``WordEncoder``).

    ``name``: of the model and its settings; the device changes the fourth decimal of a vector, and
    is not part of the name.
    """

    def __init__(
        self, name: str, pieces: Pieces, network: MemorySafeNetwork, *, longest: int, threads: int
    ) -> None:
        self.name, self.dimensions = name, pieces.dimensions
        self._pieces, self._network = pieces, network
        self._longest, self._threads = longest, threads

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text, in order; zeros for a text without a known piece.

        It is the mean over the last layer. Of a long text the first ``longest`` pieces are read.
        """
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        pieces = [self._pieces.of_text(text, self._longest) for text in texts]
        places = [place for place, row in enumerate(pieces) if row]
        found = self._run([pieces[place] for place in places], text_vectors)
        if places:
            vectors[places] = found
        return vectors

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        """For each passage a row for each word: the mean over its pieces in the last layer.

        A passage is read in windows of whole words, as many as the model takes. A word without a
        known piece gets zeros; of a very long one the first pieces count.
        """
        room = self._pieces.takes - self._pieces.marks
        words = [self._pieces.of_words(passage, room) for passage in passages]
        windows = [
            (passage, start, end)
            for passage, pieces in enumerate(words)
            for start, end in word_windows([len(word) for word in pieces], room)
            if any(map(self._pieces.known, pieces[start:end]))
        ]
        rows = [
            self._pieces.framed(list(chain.from_iterable(words[passage][start:end])))
            for passage, start, end in windows
        ]
        vectors = [np.zeros((len(pieces), self.dimensions), np.float32) for pieces in words]
        for (passage, start, end), found in zip(
            windows, self._run(rows, piece_vectors), strict=True
        ):
            counts = [len(word) for word in words[passage][start:end]]
            first = len(self._pieces.before)
            vectors[passage][start:end] = word_means(found[first : first + sum(counts)], counts)
        for pieces, table in zip(words, vectors, strict=True):
            table[[not self._pieces.known(word) for word in pieces]] = 0
        return vectors

    def _run(self, rows: Sequence[Sequence[int]], take: Extract) -> list[Vectors]:
        """What the network makes of each row, in order, asked in batches of like lengths."""
        found: dict[int, Vectors] = {}
        if not rows:
            return []
        limits = self._network.limits
        with threads(self._threads):
            for batch in token_batches([len(row) for row in rows], *limits):
                answers = self._network.read([rows[place] for place in batch], take)
                found.update(zip(batch, answers, strict=True))
        return [found[place] for place in range(len(rows))]


def word_means(pieces: Vectors, counts: Sequence[int]) -> Vectors:
    """The mean over each word's pieces; zeros for a word that has none."""
    numbers = np.array(counts, np.int64)
    means = np.zeros((len(numbers), pieces.shape[1]), np.float32)
    present = numbers > 0
    if present.any():
        starts = (np.cumsum(numbers) - numbers)[present]
        sums = np.add.reduceat(pieces, starts, axis=0)
        means[present] = sums / numbers[present, np.newaxis]
    return means


def load_bert(
    model: str = "", *, equipment: ModelRuntime | None = None, exact: bool = False
) -> BertEncoder:
    """An encoder by ``model``; weights are loaded once in a process, MiniLM's when first needed.

    Parameters
    ----------
    model : a folder with ``config.json``, ``model.safetensors`` and ``tokenizer.json``, or a name
        on the hub; empty for MiniLM, which comes with the extra ``neural``.
    equipment : device and threads.
    exact : multiply in float32 even where the device is faster in 16 bits, which moves a vector by
        about a hundredth of its length.

    SettingsError: the extra, the model or the device is missing, or a file of the model cannot be
    used.
    """
    equipment = equipment or ModelRuntime()
    for library in ("torch", "transformers"):
        if find_spec(library) is None:
            require(library, "BERT")
    if equipment.device != AUTO:
        chosen_device(equipment.device)
    files = find_bert(model, equipment)
    pieces = load_pieces(files)
    longest = min(LONGEST, pieces.takes)
    count = thread_count(equipment.threads)
    network = MemorySafeNetwork(files, exact, equipment)
    if model:  # the files of MiniLM were checked; those of another model may be damaged
        network.limits  # noqa: B018  loads the network, so that an error is raised now
    name = f"bert-{files.fingerprint}-{'exact-' if exact else ''}{longest}"
    return BertEncoder(name, pieces, network, longest=longest, threads=count)


def is_switched_off(environment: Mapping[str, str] = os.environ) -> bool:
    """Does ``SCENTHOUND_NEURAL=no`` in the environment switch off neural defaults?"""
    return environment.get(NEURAL_VARIABLE, "").strip().lower() in ("no", "off", "0", "false")


def is_minilm_there(environment: Mapping[str, str] = os.environ) -> bool:
    """Is all that MiniLM needs installed, and not switched off? Nothing is loaded."""
    libraries = ("torch", "transformers", MODULE)
    return not is_switched_off(environment) and all(map(find_spec, libraries))
