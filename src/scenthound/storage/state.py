"""What a crawl has learned and what it knows, in its folder: the state of the strategy, the topic
profile, the concepts of the judge. Each file is written whole or not at all.
"""

from __future__ import annotations

import io
import json
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import Field, TypeAdapter, ValidationError

from scenthound.core.errors import FolderError
from scenthound.core.model import TopicProfile
from scenthound.core.protocols import State, StateValue
from scenthound.storage.files import os_errors_as, write_bytes, write_json

# Learned state on disk: one ``.npz`` file, JSON for the tree and arrays for the leaves.
#
# Nothing is pickled, so a state file from elsewhere can run no code.


_TREE = "tree"
_ARRAY = "__array__"
_DICT = "__dict__"
"""Wraps a dict of the user's that looks like one of the two markers."""
_DAMAGE = (
    OSError, ValueError, KeyError, TypeError, EOFError, RuntimeError, SyntaxError, MemoryError,
    zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip
"""What zipfile, zlib, json and numpy raise on a file that is not what it should be. MemoryError is
among them: a damaged header may ask for an array of any size."""


def save_state(state: State, path: Path) -> None:
    """Replace the file at ``path`` in one step; a kill leaves the old one or the new one.

    An array of Python objects is refused with TypeError: it would have to be pickled.
    """
    arrays: list[npt.NDArray[np.generic]] = []
    tree = json.dumps(_without_arrays(state, arrays)).encode("ascii")
    buffer = io.BytesIO()
    named = {f"array_{i}": array for i, array in enumerate(arrays)}
    np.savez(buffer, **{_TREE: np.frombuffer(tree, np.uint8)}, **named)  # type: ignore[arg-type]
    with os_errors_as(FolderError, f"{path} cannot be written"):
        write_bytes(path, buffer.getvalue())


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


# What a crawl knows of its topic, and the concepts that it is judged by. They are stored because
# example pages and an ontology may change after the crawl, and a learned ontology takes long to
# learn again.

TOPIC_NAME, CONCEPTS_NAME = "topic.json", "concepts.json"
_PROFILE = TypeAdapter(TopicProfile)
_CONCEPTS: TypeAdapter[dict[str, float]] = TypeAdapter(
    Annotated[dict[str, Annotated[float, Field(ge=0.0, le=1.0)]], Field(min_length=1)]
)
_Stored = TypeVar("_Stored")


def write_topic_profile(folder: Path, profile: TopicProfile) -> None:
    """Write the profile in one step."""
    with os_errors_as(FolderError, f"{folder / TOPIC_NAME} cannot be written"):
        write_json(folder / TOPIC_NAME, asdict(profile))


def read_topic_profile(folder: Path) -> TopicProfile | None:
    """The stored profile; None where there is none, FolderError where the file is damaged."""
    return _read_json(folder / TOPIC_NAME, _PROFILE)


def write_concepts(folder: Path, concepts: Mapping[str, float]) -> None:
    """Write the weight of each concept in one step."""
    with os_errors_as(FolderError, f"{folder / CONCEPTS_NAME} cannot be written"):
        write_json(folder / CONCEPTS_NAME, dict(concepts))


def read_concepts(folder: Path) -> dict[str, float] | None:
    """The stored weights by concept; None where there are none, FolderError where damaged."""
    return _read_json(folder / CONCEPTS_NAME, _CONCEPTS)


def _read_json(path: Path, kind: TypeAdapter[_Stored]) -> _Stored | None:
    try:
        return kind.validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise FolderError(f"{path} is damaged: {why}; start a new crawl.") from None
