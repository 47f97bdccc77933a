"""ELMo models as published: options (JSON) and weights (HDF5), read from their two files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.papers.elmo_network import (
    ElmoOptions,
    Sizes,
    options_from,
    published_options,
    shapes,
)
from scenthound.similarity.encoders import Vectors, require

if TYPE_CHECKING:
    import h5py


_LARGEST_OPTIONS = 1 << 20

_TOGETHER = "give the two files that were published together"


def read_options(path: Path) -> ElmoOptions:
    """Read the options file; SettingsError names it where it cannot be used."""
    try:
        with path.open("rb") as file:
            return options_from(file.read(_LARGEST_OPTIONS))
    except OSError as error:
        raise SettingsError(f"the ELMo options {path} cannot be read: {error.strerror}.") from None
    except SettingsError as error:
        raise SettingsError(f"the ELMo options {path} cannot be used: {error}") from None


def read_weights(path: Path, options: ElmoOptions) -> dict[str, Vectors]:
    """Read all weights of a model of these options, by the names of ``shapes``.

    Other datasets of the file are ignored. SettingsError names the file, and the dataset that is
    missing, damaged or of another shape than the options say.
    """
    hdf5 = require("h5py", "ELMo")
    if not path.is_file():
        raise SettingsError(f"the ELMo weights {path} are not there; give weights.hdf5.")
    try:
        file = hdf5.File(path, "r")
    except OSError:
        raise SettingsError(
            f"{path} is not an HDF5 file, or is cut short; get the ELMo weights again."
        ) from None
    with file:
        return {name: _array(file, path, name, shape) for name, shape in shapes(options).items()}


def dataset_names(name: str) -> list[str]:
    """Return the published datasets that an array of ours is made of, one or a pair."""
    if not name.startswith("Cell"):
        return [name]
    cell, _, kind = name.partition("/")
    return [f"RNN_{direction}/RNN/MultiRNNCell/{cell}/LSTMCell/{kind}" for direction in (0, 1)]


def _array(file: h5py.File, path: Path, name: str, shape: Sizes) -> Vectors:
    names = dataset_names(name)
    wanted = shape[len(names) - 1 :]
    for dataset in names:  # before room is made: options can ask for any size
        found = file.get(dataset)
        there, kind = getattr(found, "shape", None), getattr(found, "dtype", None)
        if there is None:  # a group has none
            raise SettingsError(f"{path} has no dataset {dataset!r}: {_TOGETHER}.")
        if there != wanted or getattr(kind, "kind", "") != "f":
            raise SettingsError(
                f"the dataset {dataset!r} of {path} holds {kind} {there}, and by the options it "
                f"should hold float32 {wanted}: {_TOGETHER}."
            )
    array = np.empty(shape, np.float32)
    for dataset, part in zip(names, array if len(names) == 2 else [array], strict=True):
        try:
            file[dataset].read_direct(part)
        except OSError:
            raise SettingsError(
                f"the dataset {dataset!r} of {path} is damaged; get it again."
            ) from None
        if not np.isfinite(part).all():
            raise SettingsError(f"the dataset {dataset!r} of {path} holds what is no number.")
    return array


def fingerprint(options: ElmoOptions, weights: Mapping[str, Vectors]) -> str:
    """Return sixteen hexadecimal digits that identify this model."""
    found = hashlib.blake2b(json.dumps(published_options(options)).encode(), digest_size=8)
    for name in shapes(options):
        found.update(np.ascontiguousarray(weights[name]).data)
    return found.hexdigest()


def read_model(options: Path, weights: Path) -> tuple[ElmoOptions, dict[str, Vectors]]:
    """Read both files, once for as long as they stay what they are.

    The crawls of one process share the weights, which take some hundred megabytes.
    """
    return _model(options, weights, *_stamp(options), *_stamp(weights))


@lru_cache(maxsize=1)
def _model(options: Path, weights: Path, *_: int) -> tuple[ElmoOptions, dict[str, Vectors]]:
    read = read_options(options)
    return read, read_weights(weights, read)


def _stamp(path: Path) -> tuple[int, int]:
    """Size and time of a file, which change when it does; zeros where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_size, found.st_mtime_ns
