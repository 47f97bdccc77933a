"""Learned state on disk: one ``.npz`` file, JSON for the tree and arrays for the leaves.

Nothing is pickled, so a state file from elsewhere can run no code.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import FolderError
from scenthound.core.protocols import State, StateValue
from scenthound.store.atomic import write_bytes

_TREE = "tree"
_ARRAY = "__array__"


def save_state(state: State, path: Path) -> None:
    """Replace the file at ``path`` in one step; a kill leaves the old one or the new one."""
    arrays: list[npt.NDArray[np.generic]] = []
    tree = json.dumps(_without_arrays(state, arrays))
    buffer = io.BytesIO()
    named = {f"array_{i}": array for i, array in enumerate(arrays)}
    np.savez_compressed(buffer, **{_TREE: np.array(tree)}, **named)  # type: ignore[arg-type]
    write_bytes(path, buffer.getvalue())


def load_state(path: Path) -> State:
    """What :func:`save_state` wrote."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            tree = json.loads(str(stored[_TREE]))
            found = _with_arrays(tree, stored)
    except FileNotFoundError:
        raise FolderError(f"{path} is not there: the crawl saved no state.") from None
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise FolderError(f"{path} is not a state file, or is damaged: {error}.") from None
    if not isinstance(found, dict):
        raise FolderError(f"{path} is not a state file.")
    return found


def _without_arrays(value: StateValue, arrays: list[npt.NDArray[np.generic]]) -> object:
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {_ARRAY: len(arrays) - 1}
    if isinstance(value, dict):
        return {key: _without_arrays(item, arrays) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_arrays(item, arrays) for item in value]
    return value


def _with_arrays(value: object, stored: np.lib.npyio.NpzFile) -> StateValue:
    if isinstance(value, dict):
        if set(value) == {_ARRAY}:
            array: npt.NDArray[np.generic] = stored[f"array_{value[_ARRAY]}"]
            return array
        return {str(key): _with_arrays(item, stored) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_arrays(item, stored) for item in value]
    assert value is None or isinstance(value, bool | int | float | str)
    return value
