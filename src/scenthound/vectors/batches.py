"""Texts in batches: those of like lengths together, so that little of a batch is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


def token_batches(lengths: Sequence[int], most: int, spare: int) -> Iterator[list[int]]:
    """Places in ``lengths``, each in one batch, the longest first.

    Parameters
    ----------
    lengths : tokens of each text; none gives no batch.
    most : tokens of a batch, padding included. A longer text is a batch by itself.
    spare : padding that a batch may have: about what a further batch would cost.
    """
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    start = 0
    while start < len(order):
        ordered = [lengths[place] for place in order[start : start + most]]
        count = _fitting(ordered, most, spare)
        yield order[start : start + count]
        start += count


def _fitting(lengths: Sequence[int], most: int, spare: int) -> int:
    """How many of the texts, the longest first, make one batch; at least one."""
    longest, padding = lengths[0], 0
    for count, length in enumerate(lengths):
        padding += longest - length
        if count and (padding > spare or (count + 1) * longest > most):
            return count
    return len(lengths)


def padded(rows: Sequence[Sequence[int]], padding: int) -> tuple[Integers, Integers]:
    """Rows of tokens as a table, and 1 where it holds a token, 0 where ``padding``."""
    lengths = np.array([len(row) for row in rows], np.int64)
    mask = np.arange(lengths.max(initial=0)) < lengths[:, np.newaxis]
    table = np.full(mask.shape, padding, np.int64)
    table[mask] = [token for row in rows for token in row]
    return table, mask.astype(np.int64)


def word_windows(pieces: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """First word, and the one after the last, of each window of a passage.

    A window is filled with whole words up to ``room`` pieces.

    Parameters
    ----------
    pieces : of each word, none more than ``room``; no word gives no window.
    """
    start = filled = 0
    for word, count in enumerate(pieces):
        if filled + count > room:
            yield start, word
            start, filled = word, 0
        filled += count
    if start < len(pieces):
        yield start, len(pieces)
