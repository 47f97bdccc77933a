"""fastText ``.bin`` files, which know the vectors of pieces of words as well."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import BinaryIO

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.vectors.protocols import Vectors
from scenthound.vectors.vector_file_rows import MOST_DIMENSIONS, Words, all_finite, damaged
from scenthound.vectors.word2vec_gensim import gensim
from scenthound.vectors.word2vec_table import no_guess

_DAMAGE = (ValueError, AssertionError, IndexError, KeyError, EOFError, OverflowError, struct.error)
"""What gensim raises on a file that is not what it should be."""
_HEADER = struct.Struct("<2i12id3i2q")
_MATRIX = struct.Struct("<?2q")
_AFTER_WORD = 9
"""Bytes that follow a word: how often it occurred, and what it is."""
_LONGEST_WORD = 10_000


def read_fasttext(file: BinaryIO, path: Path) -> Words:
    """All its words; the vector of another word is the mean of those of its pieces.

    Parameters
    ----------
    file : at its beginning.
    path : its place.
    """
    try:
        _check(file, path)
        with gensim("models.fasttext", f"the fastText file {path}") as library:
            found = library.load_facebook_vectors(str(path.resolve()))
    except _DAMAGE as error:
        raise damaged(path, f"is no fastText model, or not all of it ({error})") from None
    vectors = np.asarray(found.vectors, np.float32)
    if not (all_finite(vectors) and all_finite(found.vectors_ngrams)):
        raise damaged(path, "has numbers that are not finite")

    def by_pieces(word: str) -> Vectors | None:
        vector: Vectors = found.get_vector(word)
        return vector

    return Words(list(found.index_to_key), vectors, by_pieces if found.bucket else no_guess)


def _check(file: BinaryIO, path: Path) -> None:
    """Raise what is wrong: gensim reads a file that was cut off without end."""
    fields = _HEADER.unpack(file.read(_HEADER.size))
    dimensions, pieces = fields[2], fields[10]
    entries, words, labels, _, pruned = fields[15:]
    if labels > 0 or pruned > 0:
        raise _other_model(path)
    for _ in range(entries):
        _skip_word(file)
    quantised, rows, columns = _MATRIX.unpack(file.read(_MATRIX.size))
    if quantised:
        raise _other_model(path)
    if not 1 <= dimensions == columns <= MOST_DIMENSIONS or not 0 < words <= rows == words + pieces:
        raise ValueError("its sizes do not fit together")
    if os.fstat(file.fileno()).st_size - file.tell() < 4 * rows * columns:
        raise EOFError("it ends too early")


def _skip_word(file: BinaryIO) -> None:
    length = 0
    while (letter := file.read(1)) != b"\0":
        length += 1
        if not letter or length > _LONGEST_WORD:
            raise EOFError("its list of words has no end")
    file.seek(_AFTER_WORD, os.SEEK_CUR)


def _other_model(path: Path) -> SettingsError:
    return SettingsError(
        f"{path} holds a classifier or quantised vectors; give the .bin or .vec file of "
        "vectors that fastText trained with skipgram or cbow."
    )
