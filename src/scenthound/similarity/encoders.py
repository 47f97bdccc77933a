"""Interfaces of the models of words and texts, and encoders that look up in a cache first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""A row for each word or text."""

CachedArray = npt.NDArray[np.float16]
"""A vector, or a table of them, as a cache holds it."""


class TextEncoder(Protocol):
    """Makes one vector of a whole text."""

    dimensions: int

    @property
    def name(self) -> str:
        """Model, weights and settings: two of one name give the same vectors but for rounding."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row of length 1 for each text, in order; zeros for a text without a token.

        A text longer than the model takes is read up to there.
        """
        ...


class WordEncoder(Protocol):
    """Makes a vector of every word in its context."""

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
    """One vector for each word of a list, whatever its context."""

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

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, CachedArray]:
        """Those of the keys that are known; a vector, or several as the rows of a table."""
        ...

    def keep(self, model: str, found: Mapping[bytes, CachedArray]) -> None:
        """Store them for other runs."""
        ...


class NoCache:
    """No cache. Vectors are rounded all the same, so that a crawl is that with an empty one."""

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, CachedArray]:
        """Find nothing."""
        return {}

    def keep(self, model: str, found: Mapping[bytes, CachedArray]) -> None:
        """Store nothing."""


def ignore_message(_: str) -> None:
    """Drop a warning."""


@dataclass(frozen=True, slots=True)
class ModelRuntime:
    """What encoders work with.

    Parameters
    ----------
    cache : vectors of earlier runs; None for no cache.
    device : "auto" for the GPU where there is one, "cpu", "cuda", "cuda:1", "mps", ...
    threads : of the processor that a model may use; 0 for as many as there are cores, at most 8.
    warn : called with a sentence about each fallback.
    """

    cache: VectorCache | None = None
    device: str = "auto"
    threads: int = 0
    warn: Callable[[str], None] = ignore_message


# Vectors of length 1, so that a product of two is the cosine of the angle between them.


def unit_rows(vectors: Vectors) -> Vectors:
    """Each row divided by its length; zeros stay zeros, and no row gives no row."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def row_sums(
    counts: Vectors, places: npt.NDArray[Any], bounds: npt.NDArray[np.int64], table: Vectors
) -> Vectors:
    """For each text the sum of the rows of its terms, as often as it has them.

    Parameters
    ----------
    counts : of the terms of all texts, end to end.
    places : their rows in the table.
    bounds : where each text begins, and where the last one ends.
    table : the vectors; none are needed where no text has a term.
    """
    from scipy.sparse import csr_array

    shape = (len(bounds) - 1, len(table))
    found: Vectors = csr_array((counts, places, bounds), shape=shape) @ table
    return found


# Encoders with a cache: known vectors are looked up, the others are encoded in one go.
#
# The cache holds float16. What was just encoded is rounded likewise, so that a run with a full
# cache gives the very numbers of the run that filled it.


Content = TypeVar("Content")

_LARGEST = float(np.finfo(np.float16).max)


class CachedEncoder:
    """A ``TextEncoder`` that reads no text twice.

    Parameters
    ----------
    encoder : makes the vectors.
    cache : holds them, under the encoder's name.
    """

    def __init__(self, encoder: TextEncoder, cache: VectorCache) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self._encoder, self._cache = encoder, cache

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A row for each text, in order, of length 1 up to the rounding; no text gives no row."""
        keys = [content_key(text) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        known = cached_vectors(
            self._cache, self.name, wanted, lambda _: (self.dimensions,), self._encoder.encode
        )
        vectors = np.empty((len(keys), self.dimensions), np.float32)
        for row, key in zip(vectors, keys, strict=True):
            row[:] = known[key]
        return vectors


class CachedWords:
    """A ``WordEncoder`` that reads no passage twice.

    Parameters
    ----------
    encoder : makes the vectors.
    cache : holds a table for each passage, under the encoder's name.
    """

    def __init__(self, encoder: WordEncoder, cache: VectorCache) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self._encoder, self._cache = encoder, cache

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        """For each passage a row for each of its words, in order."""
        # The key of a passage is never that of a text, whose vector is another one.
        keys = [content_key("\0".join(passage), b"words") for passage in passages]
        wanted = {key: words for key, words in zip(keys, passages, strict=True) if words}

        def shape(key: bytes) -> tuple[int, ...]:
            return len(wanted[key]), self.dimensions

        encode = self._encoder.encode_words
        known = cached_vectors(self._cache, self.name, wanted, shape, encode)
        nothing = np.zeros((0, self.dimensions), np.float32)
        return [known[key].astype(np.float32) if key in known else nothing for key in keys]


def cached_vectors(
    cache: VectorCache,
    model: str,
    wanted: Mapping[bytes, Content],
    shape: Callable[[bytes], tuple[int, ...]],
    encode: Callable[[Sequence[Content]], Iterable[Vectors]],
) -> dict[bytes, CachedArray]:
    """A vector or table for each key of ``wanted``, from the cache where it has it.

    What is missing is encoded in one go, and stored. Nothing wanted gives nothing.

    Parameters
    ----------
    cache : of earlier runs.
    model : the name that the vectors are stored under.
    wanted : what is to be encoded, by key.
    shape : of the array of a key; another one, of a damaged cache, is worked out again.
    encode : an array for each of those it is given, in order.
    """
    if not wanted:
        return {}
    found = cache.find(model, list(wanted))
    known = {key: array for key, array in found.items() if array.shape == shape(key)}
    missing = {key: content for key, content in wanted.items() if key not in known}
    if missing:
        arrays = encode(list(missing.values()))
        fresh = {k: round_vectors(array) for k, array in zip(missing, arrays, strict=True)}
        cache.keep(model, fresh)
        known |= fresh
    return known


def round_vectors(vectors: Vectors) -> CachedArray:
    """As a cache holds them; a number too large for float16 becomes the largest."""
    return np.clip(vectors, -_LARGEST, _LARGEST).astype(np.float16)


def content_key(text: str, kind: bytes = b"") -> bytes:
    """The key of a text in a cache; equal texts of two kinds have two keys."""
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16, person=kind).digest()
