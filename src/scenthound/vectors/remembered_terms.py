"""Vectors of terms that come again and again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.vectors.protocols import TextEncoder, Vectors

MOST = 50_000
"""Terms that are remembered; where there are more, all are forgotten. They take 50 MB."""


class RememberedTerms:
    """A ``TextEncoder`` that remembers short texts, such as words, in memory.

    Parameters
    ----------
    encoder : makes the vectors.
    most : how many are remembered.
    """

    def __init__(self, encoder: TextEncoder, most: int = MOST) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self._encoder = encoder
        self._most = most
        self._known: dict[str, Vectors] = {}

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row for each text, in order; no text gives no row."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if len(self._known) + len(new) > self._most:
            self._known, new = {}, list(dict.fromkeys(texts))
        self._known.update(zip(new, self._encoder.encode(new), strict=True))
        rows = [self._known[text] for text in texts]
        return np.array(rows, np.float32).reshape(len(rows), self.dimensions)
