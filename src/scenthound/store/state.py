"""Learned state on disk: one ``.npz`` file, JSON for the tree and arrays for the leaves.

Nothing is pickled, so a state file from elsewhere can run no code.
"""

from __future__ import annotations

import io
import json
import tokenize
import zipfile
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import FolderError
from scenthound.core.protocols import State, StateValue
from scenthound.store.atomic import write_bytes

_TREE = "tree"
_ARRAY = "__array__"
_DICT = "__dict__"
"""Wraps a dict of the user's that looks like one of the two markers."""
_DAMAGE = (
    OSError, ValueError, KeyError, TypeError, EOFError, RuntimeError, SyntaxError, MemoryError,
    zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip
"""What zipfile, zlib, json and numpy raise on a file that is not what it should be."""


def save_state(state: State, path: Path) -> None:
    """Replace the file at ``path`` in one step; a kill leaves the old one or the new one.

    An array of Python objects is refused with TypeError: it would have to be pickled.
    """
    arrays: list[npt.NDArray[np.generic]] = []
    tree = json.dumps(_without_arrays(state, arrays)).encode("ascii")
    buffer = io.BytesIO()
    named = {f"array_{i}": array for i, array in enumerate(arrays)}
    np.savez(buffer, **{_TREE: np.frombuffer(tree, np.uint8)}, **named)  # type: ignore[arg-type]
    try:
        write_bytes(path, buffer.getvalue())
    except OSError as error:
        raise FolderError(f"{path} cannot be written: {error.strerror}.") from None


def load_state(path: Path) -> State:
    """What :func:`save_state` wrote; FolderError for anything else."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            tree = json.loads(np.asarray(stored[_TREE]).tobytes())
            found = _with_arrays(tree, stored)
    except FileNotFoundError:
        raise FolderError(f"{path} is not there: the crawl saved no state.") from None
    except _DAMAGE as error:
        raise FolderError(f"{path} is not a state file, or is damaged: {error}.") from None
    if not isinstance(found, dict):
        raise FolderError(f"{path} is not a state file.")
    return found


def _without_arrays(value: StateValue, arrays: list[npt.NDArray[np.generic]]) -> object:
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise TypeError(f"an array of {value.dtype} cannot be saved without pickling it")
        arrays.append(value)
        return {_ARRAY: len(arrays) - 1}
    if isinstance(value, dict):
        tree = {key: _without_arrays(item, arrays) for key, item in value.items()}
        return {_DICT: tree} if set(value) in ({_ARRAY}, {_DICT}) else tree
    if isinstance(value, list):
        return [_without_arrays(item, arrays) for item in value]
    return value


def _with_arrays(value: object, stored: np.lib.npyio.NpzFile) -> StateValue:
    if isinstance(value, list):
        return [_with_arrays(item, stored) for item in value]
    if isinstance(value, dict):
        if set(value) == {_ARRAY}:
            array: npt.NDArray[np.generic] = stored[f"array_{value[_ARRAY]}"]
            return array
        tree = dict(value[_DICT]) if set(value) == {_DICT} else value
        return {str(key): _with_arrays(item, stored) for key, item in tree.items()}
    assert value is None or isinstance(value, bool | int | float | str)
    return value
