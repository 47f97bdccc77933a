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

    It is loaded when it is first asked, or told to: with a warm cache a crawl may need none.

    Parameters
    ----------
    load : the network on a device, by the device's name.
    device : names the device where to begin.
    warn : hears once that the processor goes on alone.
    forget : lets go of networks that ``load`` holds for the next who asks, so that the GPU gets
        its memory back.
    """

    def __init__(
        self,
        load: Callable[[str], Network],
        device: Callable[[], str],
        warn: Callable[[str], None],
        forget: Callable[[], None],
    ) -> None:
        self._load, self._device, self._warn, self._forget = load, device, warn, forget
        self._known: Network | None = None
        self._limits = (0, 0)

    def load(self) -> None:
        """Now, so that what is wrong with it is told."""
        self._network()

    @property
    def limits(self) -> tuple[int, int]:
        """Pieces of a batch, and how much of it may be padding."""
        self._network()
        return self._limits

    def ask(self, rows: Rows, take: Take) -> list[Vectors]:
        """What ``take`` makes of the last hidden layer, for each row."""
        pieces = len(rows) * max(map(len, rows), default=0)
        if len(rows) == 1 or pieces <= self.limits[0]:
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
            return self._network().ask(rows, take)
        except torch.OutOfMemoryError:
            return None  # whoever tries again does so without this error, which holds on to memory

    def _give_way(self, rows: int, pieces: int) -> None:
        """Take less at once from now on; where one text is too much, leave the GPU."""
        if rows > 1:
            self._limits = pieces // 2, self._limits[1]
        elif self._network().device == PROCESSOR:
            raise SettingsError(f"There is no memory left to read a text of {pieces} pieces.")
        else:
            self._known = self._on_processor(self._network().device)
        _return_memory()

    def _network(self) -> Network:
        if self._known is None:
            device = self._device()
            self._limits = _ON_PROCESSOR if device == PROCESSOR else _ON_GPU
            self._known = self._loaded(device)
        return self._known

    def _loaded(self, device: str) -> Network:
        import torch

        try:
            return self._load(device)
        except torch.OutOfMemoryError:
            if device == PROCESSOR:
                raise
        _return_memory()
        return self._on_processor(device)

    def _on_processor(self, device: str) -> Network:
        self._warn(f"The memory of {device} does not do for BERT; the processor goes on.")
        self._limits = _ON_PROCESSOR
        self._known = None
        self._forget()
        return self._load(PROCESSOR)


def _return_memory() -> None:
    """What PyTorch holds of a GPU and does not use goes back to it."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
