"""Word vectors that gensim's ``KeyedVectors.save`` wrote.

Such a file is a pickle, and a pickle can run anything. Here it makes nothing but stand-ins, which
keep what they are given, for the few things that word vectors consist of. (numpy's own are not
safe either: a pickle can spoil a number type for the whole process.)
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.vectors.vector_file_rows import Words, all_finite, damaged

_DAMAGE = (
    pickle.UnpicklingError, EOFError, AttributeError, LookupError, TypeError, ValueError,
    OverflowError, ImportError,
)  # fmt: skip
_SIDE = ".vectors.npy"
"""Large vectors lie in a file of their own, with this after the name."""
_KINDS = ("f2", "f4", "f8")


class _StandIn:
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


class _ForeignError(Exception):
    """The pickle asks for something that word vectors do not consist of."""


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise _ForeignError(repr(f"{module}.{name}"))
        return _StandIn


def side_files(path: Path) -> list[Path]:
    """The files that gensim wrote beside this one."""
    side = path.with_name(path.name + _SIDE)
    return [side] if side.is_file() else []


def read_saved(path: Path, file: BinaryIO, most: int) -> Words:
    """The first ``most`` words of what gensim saved.

    Parameters
    ----------
    path : its place: large vectors lie beside it.
    file : at its beginning.
    most : words that are read.
    """
    try:
        saved = _Unpickler(file, encoding="latin1").load()
        if not (isinstance(saved, _StandIn) and isinstance(saved.state, dict)):
            raise _ForeignError("something else")
        words, vectors = saved.state["index_to_key"], _vectors(path, saved.state)
        return _checked(path, words, vectors, most)
    except _ForeignError as error:
        raise SettingsError(
            f"{path} holds {error}, not word vectors alone; save them in gensim with "
            "model.wv.save, or of fastText with save_facebook_model."
        ) from None
    except _DAMAGE as error:
        raise damaged(path, f"is not what gensim saves ({error})") from None


def _vectors(path: Path, state: dict[str, Any]) -> Any:
    if state.get("vectors") is not None:
        return _array(state["vectors"])
    beside = side_files(path)
    if not beside:
        raise SettingsError(f"{path.name}{_SIDE} is not beside {path}; copy that file as well.")
    return np.load(beside[0], mmap_mode="r", allow_pickle=False)


def _array(saved: _StandIn) -> Any:
    """The array that numpy would have made of this: version, shape, type, order, bytes."""
    _, shape, kind, by_columns, numbers = saved.state
    if kind.made_of[0] not in _KINDS or not isinstance(numbers, bytes):
        raise ValueError("no floating-point numbers")
    dtype = kind.state[1] + kind.made_of[0]
    return np.frombuffer(numbers, dtype).reshape(shape, order="F" if by_columns else "C")


def _checked(path: Path, words: Any, vectors: Any, most: int) -> Words:
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise damaged(path, "has no list of words")
    if vectors.dtype.kind != "f" or vectors.ndim != 2 or not vectors.shape[1]:
        raise damaged(path, "has no table of numbers")
    if not 0 < len(words) == len(vectors):
        raise damaged(path, f"has {len(words)} words and {len(vectors)} vectors")
    with np.errstate(over="ignore"):  # too large a number is not finite, which is said below
        read = np.array(vectors[:most], np.float32)
    if not all_finite(read):
        raise damaged(path, "has numbers that are not finite")
    return Words(words[:most], read)
