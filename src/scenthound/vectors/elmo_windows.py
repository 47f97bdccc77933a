"""Passages of any length as windows of so many words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Items = TypeVar("Items", Sequence[str], npt.NDArray[np.int64], npt.NDArray[np.float32])
Places = npt.NDArray[np.int64]

BEGIN, END, FIRST_WORD = 0, 1, 2
"""Numbers of the marks around a sentence, and of the first word."""


@dataclass(frozen=True, slots=True)
class Window:
    """Words ``start`` to ``end`` of a passage."""

    passage: int
    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, passages: Sequence[Items]) -> Items:
        """The words of the window, or whatever else ``passages`` hold of each word."""
        return passages[self.passage][self.start : self.end]


def windows_of(lengths: Sequence[int], most: int) -> list[Window]:
    """Passages of these lengths cut into as few windows of at most ``most`` words as can be.

    The windows of a passage are of one length, give or take a word, so that no word stands with
    next to no company. An empty passage has none.
    """
    return [
        Window(passage, start, end)
        for passage, length in enumerate(lengths)
        for start, end in _cuts(length, -(-length // most))
    ]


def numbered(sentences: Sequence[Places]) -> tuple[Places, Places]:
    """Sentences of word numbers with the marks around them, a row each, and their lengths.

    After the end of a sentence its row holds the mark that ends it, which nobody reads.
    """
    lengths = np.array([len(sentence) + 2 for sentence in sentences], np.int64)
    rows = np.full((len(sentences), int(lengths.max(initial=0))), END, np.int64)
    rows[:, :1] = BEGIN
    for row, sentence in zip(rows, sentences, strict=True):
        row[1 : len(sentence) + 1] = sentence
    return rows, lengths


def _cuts(length: int, count: int) -> list[tuple[int, int]]:
    edges = [length * i // count for i in range(count + 1)] if count else []
    return list(pairwise(edges))
