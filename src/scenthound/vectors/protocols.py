"""What a model of words or texts gives, and what it may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""A row for each word or text."""


class TextEncoder(Protocol):
    """Makes one vector of a whole text."""

    dimensions: int

    @property
    def name(self) -> str:
        """Model, weights and way of reading: by name, vectors are the same up to rounding."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text, in order; zeros for a text without a token.

        A text longer than the model takes is read up to there.
        """
        ...


class WordEncoder(Protocol):
    """Makes a vector of every word, in the company it stands in."""

    dimensions: int

    @property
    def name(self) -> str:
        """As for a :class:`TextEncoder`."""
        ...

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        """For each passage a row for each of its words, in order, not brought to length 1.

        A passage of any length is read in windows of what the model takes. A word that the model
        has no piece of gets zeros; an empty passage gets no row.
        """
        ...


class WordVectors(Protocol):
    """One vector for each word of a list, whatever company it stands in."""

    dimensions: int

    @property
    def name(self) -> str:
        """As for a :class:`TextEncoder`."""
        ...

    def look_up(self, words: Sequence[str]) -> Vectors:
        """A row for each word, not brought to length 1; zeros for a word it does not have."""
        ...


class VectorCache(Protocol):
    """Vectors that were worked out before, by model and by a hash of what was read."""

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, npt.NDArray[np.float16]]:
        """Those of the keys that are known; a vector, or several as the rows of a table."""
        ...

    def keep(self, model: str, found: Mapping[bytes, npt.NDArray[np.float16]]) -> None:
        """Remember them for other runs."""
        ...


class NothingKept:
    """No cache. Vectors are rounded all the same, so that a crawl is that with an empty one."""

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, npt.NDArray[np.float16]]:
        """Nothing is known."""
        return {}

    def keep(self, model: str, found: Mapping[bytes, npt.NDArray[np.float16]]) -> None:
        """Nothing is kept."""


def unheard(_: str) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """What encoders work with.

    Parameters
    ----------
    cache : vectors of earlier runs; None to remember none.
    device : "auto" for the GPU where there is one, "cpu", "cuda", "cuda:1", "mps", ...
    threads : of the processor that a model may use; 0 for as many as there are cores, at most 8.
    warn : hears of fallbacks, a sentence each.
    """

    cache: VectorCache | None = None
    device: str = "auto"
    threads: int = 0
    warn: Callable[[str], None] = unheard
