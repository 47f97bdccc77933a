"""Rows of a sparse matrix that grows at its end: to what each page passes on, and how much."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.linkgraph.graph import Numbers, Reals

Places = npt.NDArray[np.intp]
"""Which items of an array."""


def grown(array: npt.NDArray[Any], size: int, fill: float = 0.0) -> npt.NDArray[Any]:
    """``array`` with room for ``size`` items at least, the new ones ``fill``.

    It is doubled, so that appending costs the same however long it is; with room enough it is
    given back as it is.
    """
    if size <= len(array):
        return array
    larger = np.full(max(size, 2 * len(array)), fill, array.dtype)
    larger[: len(array)] = array
    return larger


class Rows:
    """Row after row in two arrays, as in a CSR matrix; a row belongs to a page."""

    def __init__(self) -> None:
        self._pages: Numbers = np.empty(0, np.int32)
        self._ends: npt.NDArray[np.int64] = np.zeros(1, np.int64)
        self._targets: Numbers = np.empty(0, np.int32)
        self._shares: Reals = np.empty(0)
        self._count = 0

    def __len__(self) -> int:
        """Number of rows."""
        return self._count

    @property
    def pages(self) -> Numbers:
        """The page of each row."""
        return self._pages[: self._count]

    def append(self, page: int, targets: Numbers, shares: Reals) -> int:
        """Add a row: the columns where it is not zero, and what stands there. The place of it."""
        place, start = self._count, int(self._ends[self._count])
        end = start + len(targets)
        self._pages = grown(self._pages, place + 1)
        self._ends = grown(self._ends, place + 2)
        self._targets = grown(self._targets, end)
        self._shares = grown(self._shares, end)
        self._pages[place], self._ends[place + 1] = page, end
        self._targets[start:end], self._shares[start:end] = targets, shares
        self._count += 1
        return place

    def carried(self, places: Places, amounts: Reals) -> tuple[Numbers, Reals]:
        """Where something arrives, and what, if the rows at ``places`` pass on ``amounts``.

        Costs as much as these rows are long. Several amounts for one target are not yet added.
        """
        starts = self._ends[places]
        sizes = self._ends[places + 1] - starts
        before = np.cumsum(sizes) - sizes
        at = np.arange(sizes.sum()) + np.repeat(starts - before, sizes)
        return self._targets[at], self._shares[at] * np.repeat(amounts, sizes)

    def stored(self) -> tuple[Reals, Numbers, npt.NDArray[np.int64]]:
        """Shares, targets and where each row begins, for a CSR matrix; copies of nothing."""
        end = self._ends[self._count]
        return self._shares[:end], self._targets[:end], self._ends[: self._count + 1]
