"""Encoders that remember: what was read before is looked up, the rest encoded in one go.

The cache holds float16. What was just encoded is rounded likewise, so that a run with a full cache
gives the very numbers of the run that filled it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scenthound.vectors.protocols import TextEncoder, VectorCache, Vectors, WordEncoder

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
        wanted = dict(zip(keys, texts, strict=True))
        known = _well_formed(
            self._cache.find(self.name, list(wanted)), lambda _: (self.dimensions,)
        )
        missing = {key: text for key, text in wanted.items() if key not in known}
        if missing:
            rows = self._encoder.encode(list(missing.values()))
            known |= _kept(self._cache, self.name, missing, list(rows))
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
        known = _well_formed(
            self._cache.find(self.name, list(wanted)),
            lambda key: (len(wanted[key]), self.dimensions),
        )
        missing = {key: words for key, words in wanted.items() if key not in known}
        if missing:
            tables = self._encoder.encode_words(list(missing.values()))
            known |= _kept(self._cache, self.name, missing, tables)
        nothing = np.zeros((0, self.dimensions), np.float32)
        return [known[key].astype(np.float32) if key in known else nothing for key in keys]


def text_key(text: str) -> bytes:
    """What a text is remembered by."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()


def passage_key(words: Sequence[str]) -> bytes:
    """What a passage is remembered by; never that of a text, whose vector is another one."""
    content = _BETWEEN_WORDS.join(words).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=_KEY_BYTES, person=b"words").digest()


def _well_formed(
    found: Mapping[bytes, Remembered], shape: Callable[[bytes], tuple[int, ...]]
) -> dict[bytes, Remembered]:
    """What has the shape it must have; the rest of a damaged cache is worked out again."""
    return {key: array for key, array in found.items() if array.shape == shape(key)}


def _kept(
    cache: VectorCache,
    model: str,
    keys: Sequence[bytes] | Mapping[bytes, object],
    rows: list[Vectors],
) -> dict[bytes, Remembered]:
    """Rows rounded as the cache holds them, after it was given them."""
    rounded = {
        key: np.clip(row, -_LARGEST, _LARGEST).astype(np.float16)
        for key, row in zip(keys, rows, strict=True)
    }
    cache.keep(model, rounded)
    return rounded
