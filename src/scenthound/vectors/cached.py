"""Encoders that remember: what was read before is looked up, the rest encoded in one go.

The cache holds float16. What was just encoded is rounded likewise, so that a run with a full cache
gives the very numbers of the run that filled it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from scenthound.vectors.protocols import TextEncoder, VectorCache, Vectors, WordEncoder

Content = TypeVar("Content")
Remembered = npt.NDArray[np.float16]

_KEY_BYTES = 16
_BETWEEN_WORDS = "\0"
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
        keys = [text_key(text) for text in texts]
        known = remembered(
            self._cache,
            self.name,
            dict(zip(keys, texts, strict=True)),
            lambda _: (self.dimensions,),
            lambda missing: list(self._encoder.encode(missing)),
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
        keys = [passage_key(passage) for passage in passages]
        wanted = {key: words for key, words in zip(keys, passages, strict=True) if words}
        known = remembered(
            self._cache,
            self.name,
            wanted,
            lambda key: (len(wanted[key]), self.dimensions),
            self._encoder.encode_words,
        )
        nothing = np.zeros((0, self.dimensions), np.float32)
        return [known[key].astype(np.float32) if key in known else nothing for key in keys]


def remembered(
    cache: VectorCache,
    model: str,
    wanted: Mapping[bytes, Content],
    shape: Callable[[bytes], tuple[int, ...]],
    encode: Callable[[Sequence[Content]], Sequence[Vectors]],
) -> dict[bytes, Remembered]:
    """A vector or table for each key of ``wanted``, from the cache where it has it.

    What is missing is encoded in one go, and kept. Nothing wanted gives nothing, and asks nobody.

    Parameters
    ----------
    cache : of earlier runs.
    model : what the vectors are kept under.
    wanted : what is to be read, by what it is remembered by.
    shape : of the array of a key; another one, of a damaged cache, is worked out again.
    encode : an array for each of those it is given, in order.
    """
    if not wanted:
        return {}
    found = cache.find(model, list(wanted))
    known = {key: array for key, array in found.items() if array.shape == shape(key)}
    missing = {key: content for key, content in wanted.items() if key not in known}
    if missing:
        arrays = map(rounded, encode(list(missing.values())))
        fresh = dict(zip(missing, arrays, strict=True))
        cache.keep(model, fresh)
        known |= fresh
    return known


def rounded(vectors: Vectors) -> Remembered:
    """As a cache holds them; a number too large for float16 becomes the largest."""
    return np.clip(vectors, -_LARGEST, _LARGEST).astype(np.float16)


def text_key(text: str) -> bytes:
    """What a text is remembered by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()


def passage_key(words: Sequence[str]) -> bytes:
    """What a passage is remembered by; never that of a text, whose vector is another one."""
    content = _BETWEEN_WORDS.join(words).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=_KEY_BYTES, person=b"words").digest()
