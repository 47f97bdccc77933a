"""Models of words that are given: every vector can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.similarity.encoders import CachedArray, Vectors


class FixedWords:
    """Vectors of two numbers by word; zeros for all others."""

    name = "told"
    dimensions = 2

    def __init__(self, vectors: Mapping[str, tuple[float, float]]) -> None:
        self.vectors = vectors
        self.asked: list[str] = []

    def look_up(self, words: Sequence[str]) -> Vectors:
        self.asked += words
        return np.array([self.vectors.get(w, (0.0, 0.0)) for w in words], np.float32).reshape(-1, 2)


class FixedReader:
    """The vector of a word is its own, plus half of that of the word before it."""

    name = "told reader"
    dimensions = 2

    def __init__(self, vectors: Mapping[str, tuple[float, float]]) -> None:
        self._words = FixedWords(vectors)
        self.read: list[list[str]] = []

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        self.read += [list(passage) for passage in passages]
        return [self._passage(passage) for passage in passages]

    def _passage(self, passage: Sequence[str]) -> Vectors:
        own = self._words.look_up(passage)
        found = own.copy()
        found[1:] += own[:-1] / 2
        return found


# Vectors of texts that are given: the direction that the words of a text lead to.

WAYS = {"east": (1.0, 0.0), "north": (0.0, 1.0), "west": (-1.0, 0.0)}


class Compass:
    """The vector of a text is the direction its words lead to."""

    name = "compass"
    dimensions = 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        rows = [self._way(text) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), 2)

    def _way(self, text: str) -> tuple[float, float]:
        ways = [WAYS[w] for w in text.replace(",", " ").replace(".", " ").split() if w in WAYS]
        x, y = sum(way[0] for way in ways), sum(way[1] for way in ways)
        length = (x * x + y * y) ** 0.5 or 1.0
        return x / length, y / length


class MemoryCache:
    """A cache that holds everything."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, bytes], CachedArray] = {}

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, CachedArray]:
        return {key: self.rows[model, key] for key in keys if (model, key) in self.rows}

    def keep(self, model: str, found: Mapping[bytes, CachedArray]) -> None:
        self.rows |= {(model, key): row for key, row in found.items()}
