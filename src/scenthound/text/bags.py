"""Bags of words: which terms a text has, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from scenthound.text.vocabulary import Numbers, Weights


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """How often each term occurs in a text; ``ids`` are distinct and ascending."""

    ids: Numbers
    counts: Numbers

    def __len__(self) -> int:
        """Number of distinct terms."""
        return len(self.ids)


EMPTY = Bag(np.empty(0, np.int32), np.empty(0, np.int32))


class Bags:
    """The bags of several texts, end to end, so that all of them are weighed in one go.

    Parameters
    ----------
    bags : one for each text, in order.
    """

    def __init__(self, bags: Sequence[Bag]) -> None:
        self._bags = bags
        parts = bags or [EMPTY]
        self.ids: Numbers = np.concatenate([bag.ids for bag in parts])
        self.counts: Numbers = np.concatenate([bag.counts for bag in parts])
        lengths = [len(bag) for bag in parts]
        self._rows = np.repeat(np.arange(len(parts)), lengths)
        self.bounds: npt.NDArray[np.int64] = np.cumsum([0, *lengths])
        """Where the entries of each text begin, and where those of the last one end."""

    def __len__(self) -> int:
        """Number of texts."""
        return len(self._bags)

    def __getitem__(self, row: int) -> Bag:
        return self._bags[row]

    def of_texts(self, chosen: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Which entries belong to a chosen text?"""
        return np.asarray(chosen, np.bool_)[self._rows]

    def sums(self, values: npt.NDArray[np.float64]) -> Weights:
        """Sum over each text of one value for each of its terms; 0 for an empty text."""
        sums = np.bincount(self._rows, weights=values, minlength=len(self))[: len(self)]
        return sums.astype(np.float64, copy=False)  # without entries numpy gives whole numbers


def gathered(keys: npt.NDArray[np.int64], rows: int, terms: int) -> list[Bag]:
    """The bags of ``rows`` texts from one key ``row * terms + term`` for every occurrence."""
    keys = np.sort(keys)
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(first, append=len(keys)).astype(np.int32)
    return _cut(keys[first], counts, rows, terms)


def gathered_counts(
    keys: npt.NDArray[np.int64], counts: Numbers, rows: int, terms: int
) -> list[Bag]:
    """The same from keys with a count each; counts of the same key are added."""
    if not len(keys):
        return [EMPTY] * rows
    order = np.argsort(keys)
    keys = keys[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    sums = np.add.reduceat(counts[order], first, dtype=np.int32)
    return _cut(keys[first], sums, rows, terms)


def _cut(distinct: npt.NDArray[np.int64], counts: Numbers, rows: int, terms: int) -> list[Bag]:
    bounds = np.searchsorted(distinct, np.arange(rows + 1) * terms).tolist()
    ids = (distinct % terms).astype(np.int32)
    for shared in (ids, counts):
        shared.setflags(write=False)  # bags are remembered, and handed to several readers
    return [Bag(ids[start:end], counts[start:end]) for start, end in pairwise(bounds)]
