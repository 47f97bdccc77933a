"""A BERT network on one device: pieces in, vectors out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scenthound.vectors.batches import padded
from scenthound.vectors.protocols import Vectors

if TYPE_CHECKING:
    from torch import Tensor

Rows = Sequence[Sequence[int]]
"""Pieces of some texts, by number."""
Take = Callable[["Tensor", "Tensor"], Sequence[Vectors]]
"""Makes something for each row out of its hidden layer and its mask."""


@dataclass(frozen=True, slots=True)
class Network:
    """A network and the device it stands on.

    Parameters
    ----------
    model : of transformers, with its weights, not to be trained.
    device : as PyTorch names it.
    precision : of the multiplications, as PyTorch names it.
    padding : number of the piece that fills up a row.
    """

    model: Any
    device: str
    precision: str
    padding: int

    def ask(self, rows: Rows, take: Take) -> list[Vectors]:
        """What ``take`` makes of the last hidden layer, for each row."""
        import torch

        tables = padded(rows, self.padding)
        pieces, mask = (torch.from_numpy(table).to(self.device) for table in tables)
        with torch.inference_mode():
            return list(take(self._hidden(pieces, mask), mask))

    def _hidden(self, pieces: Tensor, mask: Tensor) -> Tensor:
        import torch

        if self.precision != "float16":
            return self._last_layer(pieces, mask)
        with torch.autocast("cuda", dtype=torch.float16):
            found = self._last_layer(pieces, mask)
        if bool(found.isfinite().all()):
            return found
        return self._last_layer(pieces, mask)  # too large for float16, as in a few models

    def _last_layer(self, pieces: Tensor, mask: Tensor) -> Tensor:
        found: Tensor = self.model(input_ids=pieces, attention_mask=mask).last_hidden_state
        return found.float()


def text_vectors(hidden: Tensor, mask: Tensor) -> Sequence[Vectors]:
    """Mean over the pieces of each row, brought to length 1, as MiniLM was trained."""
    import torch

    weights = mask.unsqueeze(-1).float()
    means = (hidden * weights).sum(1) / weights.sum(1)
    found: Vectors = torch.nn.functional.normalize(means, dim=1).cpu().numpy()
    return list(found)


def piece_vectors(hidden: Tensor, mask: Tensor) -> Sequence[Vectors]:
    """For each row a table: a vector for each piece."""
    found: Vectors = hidden.cpu().numpy()
    lengths: list[int] = mask.sum(1).tolist()
    return [table[:length] for table, length in zip(found, lengths, strict=True)]
