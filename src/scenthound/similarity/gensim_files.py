"""Word vectors that gensim reads or wrote: fastText ``.bin`` files, and ``KeyedVectors.save``.

Also what the readers of all formats have in common: :class:`FileVectors`, their result, and the
error for a damaged file. The formats that need no gensim are in ``vector_files``.
"""

from __future__ import annotations

import os
import pickle
import struct
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from scenthound.core.errors import SettingsError, silent_loggers
from scenthound.similarity.encoders import Vectors, require
from scenthound.similarity.word2vec import OutOfVocabulary, no_vector

MAX_DIMENSIONS = 10_000
"""Vectors have some hundred dimensions; a header that announces more is not one of vectors."""


class FileVectors(NamedTuple):
    """The words of a file, a vector for each, and what gives vectors to other words."""

    words: list[str]
    vectors: Vectors
    guess: OutOfVocabulary = no_vector


def damaged_file(path: Path, what: str) -> SettingsError:
    """The error for a file that has to be copied or downloaded again."""
    return SettingsError(
        f"the word vectors {path} cannot be used: the file {what}; copy or download it again."
    )


def all_finite(vectors: Vectors) -> bool:
    """Asked of the extremes: a table of booleans would take memory."""
    return not vectors.size or bool(np.isfinite(vectors.min()) and np.isfinite(vectors.max()))


# fastText ``.bin`` files, read by gensim once their sizes are checked.

_FASTTEXT_DAMAGE = (
    ValueError, AssertionError, IndexError, KeyError, EOFError, OverflowError, struct.error,
)  # fmt: skip
"""What gensim raises on a file that is not what it should be."""
_FASTTEXT_HEADER = struct.Struct("<2i12id3i2q")
_FASTTEXT_MATRIX = struct.Struct("<?2q")
_AFTER_WORD = 9
"""Bytes that follow a word: how often it occurred, and what it is."""
_LONGEST_FASTTEXT_WORD = 10_000


def read_fasttext(file: BinaryIO, path: Path) -> FileVectors:
    """All its words; the vector of another word is the mean of those of its pieces."""
    try:
        _check_fasttext(file, path)
        with silent_loggers("gensim"):
            library = require("gensim.models.fasttext", f"the fastText file {path}")
            found = library.load_facebook_vectors(str(path.resolve()))
    except _FASTTEXT_DAMAGE as error:
        raise damaged_file(path, f"is no fastText model, or not all of it ({error})") from None
    vectors = np.asarray(found.vectors, np.float32)
    if not (all_finite(vectors) and all_finite(found.vectors_ngrams)):
        raise damaged_file(path, "has numbers that are not finite")
    return FileVectors(
        list(found.index_to_key), vectors, found.get_vector if found.bucket else no_vector
    )


def _check_fasttext(file: BinaryIO, path: Path) -> None:
    """Raise what is wrong: gensim reads a file that was cut off without end."""
    fields = _FASTTEXT_HEADER.unpack(file.read(_FASTTEXT_HEADER.size))
    dimensions, pieces = fields[2], fields[10]
    entries, words, labels, _, pruned = fields[15:]
    other_model = SettingsError(
        f"{path} holds a classifier or quantised vectors; give the .bin or .vec file of "
        "vectors that fastText trained with skipgram or cbow."
    )
    if labels > 0 or pruned > 0:
        raise other_model
    for _ in range(entries):
        length = 0
        while (letter := file.read(1)) != b"\0":
            length += 1
            if not letter or length > _LONGEST_FASTTEXT_WORD:
                raise EOFError("its list of words has no end")
        file.seek(_AFTER_WORD, os.SEEK_CUR)
    quantised, rows, columns = _FASTTEXT_MATRIX.unpack(file.read(_FASTTEXT_MATRIX.size))
    if quantised:
        raise other_model
    if not 1 <= dimensions == columns <= MAX_DIMENSIONS or not 0 < words <= rows == words + pieces:
        raise ValueError("its sizes do not fit together")
    if os.fstat(file.fileno()).st_size - file.tell() < 4 * rows * columns:
        raise EOFError("it ends too early")


# Word vectors that gensim's ``KeyedVectors.save`` wrote.
#
# Such a file is a pickle, and a pickle can run anything. Here it makes nothing but stand-ins,
# which keep what they are given, for the few things that word vectors consist of. (numpy's own
# are not safe either: a pickle can spoil a number type for the whole process.)

_PICKLE_DAMAGE = (
    *_FASTTEXT_DAMAGE, pickle.UnpicklingError, AttributeError, TypeError, ImportError,
)  # fmt: skip
_SIDE = ".vectors.npy"
"""Large vectors lie in a file of their own, with this after the name."""
_KINDS = ("f2", "f4", "f8")


class _Placeholder:
    """Keeps what it is made of and the state that it is given."""

    made_of: tuple[Any, ...] = ()
    state: Any = None

    def __init__(self, *made_of: Any) -> None:
        self.made_of = made_of

    def __setstate__(self, state: Any) -> None:
        self.state = state


_ALLOWED = {
    ("gensim.models.keyedvectors", "KeyedVectors"),
    ("gensim.models.keyedvectors", "Word2VecKeyedVectors"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "_reconstruct"),
}


class _ForbiddenClassError(Exception):
    """The pickle asks for something that word vectors do not consist of."""


class _Unpickler(pickle.Unpickler):
    """Makes placeholders of the allowed classes, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise _ForbiddenClassError(repr(f"{module}.{name}"))
        return _Placeholder


def side_files(path: Path) -> list[Path]:
    """The files that gensim wrote beside this one."""
    side = path.with_name(path.name + _SIDE)
    return [side] if side.is_file() else []


def read_saved(path: Path, file: BinaryIO, most: int) -> FileVectors:
    """The first ``most`` words of what gensim saved; large vectors lie beside the file."""
    try:
        saved = _Unpickler(file, encoding="latin1").load()
        if not (isinstance(saved, _Placeholder) and isinstance(saved.state, dict)):
            raise _ForbiddenClassError("something else")
        if saved.state.get("vectors") is not None:
            vectors = _array(saved.state["vectors"])
        elif beside := side_files(path):
            vectors = np.load(beside[0], mmap_mode="r", allow_pickle=False)
        else:
            raise SettingsError(f"{path.name}{_SIDE} is not beside {path}; copy that file as well.")
        return _checked(path, saved.state["index_to_key"], vectors, most)
    except _ForbiddenClassError as error:
        raise SettingsError(
            f"{path} holds {error}, not word vectors alone; save them in gensim with "
            "model.wv.save, or of fastText with save_facebook_model."
        ) from None
    except _PICKLE_DAMAGE as error:
        raise damaged_file(path, f"is not what gensim saves ({error})") from None


def _array(saved: _Placeholder) -> Any:
    """The array that numpy would have made of this: version, shape, type, order, bytes."""
    _, shape, kind, by_columns, numbers = saved.state
    if kind.made_of[0] not in _KINDS or not isinstance(numbers, bytes):
        raise ValueError("no floating-point numbers")
    dtype = kind.state[1] + kind.made_of[0]
    return np.frombuffer(numbers, dtype).reshape(shape, order="F" if by_columns else "C")


def _checked(path: Path, words: Any, vectors: Any, most: int) -> FileVectors:
    are_words = isinstance(words, list) and all(isinstance(word, str) for word in words)
    are_numbers = vectors.dtype.kind == "f" and vectors.ndim == 2 and vectors.shape[1]
    if not are_words or not are_numbers or not 0 < len(words) == len(vectors):
        raise damaged_file(path, "has no list of words with a vector for each")
    with np.errstate(over="ignore"):  # too large a number is not finite, which is said below
        read = np.array(vectors[:most], np.float32)
    if not all_finite(read):
        raise damaged_file(path, "has numbers that are not finite")
    return FileVectors(words[:most], read)
