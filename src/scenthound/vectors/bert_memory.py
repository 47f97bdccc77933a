"""A network that goes on where the memory of a GPU ends."""

from __future__ import annotations

from collections.abc import Callable

from scenthound.core.errors import SettingsError
from scenthound.vectors.bert_network import Network, Rows, Take
from scenthound.vectors.protocols import Vectors

PROCESSOR = "cpu"
_ON_PROCESSOR = (2048, 64)
_ON_GPU = (1 << 15, 1 << 12)
"""Pieces of a batch, and how much of it may be padding: more gained nothing where we measured."""


class SteadyNetwork:
    """Asks a network; in smaller batches, or on the processor, where there is no room.

    Parameters
    ----------
    load : the network on a device, by the device's name.
    device : where to begin.
    warn : hears once that the processor goes on alone.
    """

    def __init__(
        self, load: Callable[[str], Network], device: str, warn: Callable[[str], None]
    ) -> None:
        self._load, self._warn = load, warn
        self.most, self.spare = _ON_PROCESSOR if device == PROCESSOR else _ON_GPU
        self._network = self._loaded(device)

    @property
    def precision(self) -> str:
        """Of the multiplications, as PyTorch names it."""
        return self._network.precision

    def ask(self, rows: Rows, take: Take) -> list[Vectors]:
        """What ``take`` makes of the last hidden layer, for each row."""
        pieces = len(rows) * max(map(len, rows), default=0)
        if len(rows) == 1 or pieces <= self.most:
            found = self._attempt(rows, take)
            if found is not None:
                return found
            self._give_way(len(rows), pieces)
        if len(rows) == 1:
            return self.ask(rows, take)
        middle = len(rows) // 2
        return self.ask(rows[:middle], take) + self.ask(rows[middle:], take)

    def _attempt(self, rows: Rows, take: Take) -> list[Vectors] | None:
        import torch

        try:
            return self._network.ask(rows, take)
        except torch.OutOfMemoryError:
            return None  # whoever tries again does so without this error, which holds on to memory

    def _give_way(self, rows: int, pieces: int) -> None:
        """Take less at once from now on; where one text is too much, leave the GPU."""
        import torch

        if rows > 1:
            self.most = pieces // 2
        elif self._network.device == PROCESSOR:
            raise SettingsError(f"There is no memory left to read a text of {pieces} pieces.")
        else:
            self._network = self._on_processor(self._network.device)
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _loaded(self, device: str) -> Network:
        import torch

        try:
            return self._load(device)
        except torch.OutOfMemoryError:
            if device == PROCESSOR:
                raise
        return self._on_processor(device)

    def _on_processor(self, device: str) -> Network:
        self._warn(f"The memory of {device} does not do for BERT; the processor goes on.")
        self.most, self.spare = _ON_PROCESSOR
        return self._load(PROCESSOR)
