"""The files that ELMo models are published in: options as JSON, weights as HDF5."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.vectors.elmo_options import (
    ElmoOptions,
    Sizes,
    options_from,
    published_options,
    shapes,
)
from scenthound.vectors.extra import require
from scenthound.vectors.protocols import Vectors

if TYPE_CHECKING:
    import h5py

WHO = "ELMo"
_LARGEST_OPTIONS = 1 << 20
_TOGETHER = "give the two files that were published together"


def read_options(path: Path) -> ElmoOptions:
    """What the options file says; SettingsError with its name where it cannot be used."""
    try:
        with path.open("rb") as file:
            published = json.loads(file.read(_LARGEST_OPTIONS))
    except OSError as error:
        raise SettingsError(f"the ELMo options {path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise SettingsError(
            f"{path} is not a file of ELMo options: it is not JSON; give options.json."
        ) from None
    try:
        return options_from(published)
    except SettingsError as error:
        raise SettingsError(f"the ELMo options {path} cannot be used: {error}") from None


def read_weights(path: Path, options: ElmoOptions) -> dict[str, Vectors]:
    """All weights of a model of these options, by the names of ``shapes``.

    Other datasets of the file are left alone.

    Raises
    ------
    SettingsError
        The file is not there, is no HDF5 file, or a dataset is missing, damaged or of another
        shape than the options say; the sentence names file and dataset.
    """
    with _opened(path) as file:
        return {name: _array(file, path, name, shape) for name, shape in shapes(options).items()}


def write_model(
    options_path: Path, weights_path: Path, options: ElmoOptions, weights: Mapping[str, Vectors]
) -> None:
    """Write both files as they are published; what was there is replaced.

    SettingsError where they cannot be written.
    """
    hdf5 = require("h5py", WHO)
    try:
        options_path.write_text(json.dumps(published_options(options), indent=2) + "\n")
        with hdf5.File(weights_path, "w") as file:
            for name in shapes(options):
                for dataset, part in _parts(name, weights[name]):
                    file.create_dataset(dataset, data=part)
    except OSError as error:
        raise SettingsError(f"the ELMo model cannot be written: {error}.") from None


@contextmanager
def _opened(path: Path) -> Iterator[h5py.File]:
    hdf5 = require("h5py", WHO)
    if not path.is_file():
        raise SettingsError(f"the ELMo weights {path} are not there; give weights.hdf5.")
    try:
        file = hdf5.File(path, "r")
    except OSError:
        raise SettingsError(
            f"{path} is not an HDF5 file, or is cut short; get the ELMo weights again."
        ) from None
    with file:
        yield file


def _datasets(name: str) -> list[str]:
    """The published datasets that an array of ours is made of, one or a pair."""
    if not name.startswith("Cell"):
        return [name]
    cell, _, kind = name.partition("/")
    return [f"RNN_{direction}/RNN/MultiRNNCell/{cell}/LSTMCell/{kind}" for direction in (0, 1)]


def _parts(name: str, array: Vectors) -> Iterator[tuple[str, Vectors]]:
    names = _datasets(name)
    return zip(names, array if len(names) == 2 else [array], strict=True)


def _array(file: h5py.File, path: Path, name: str, shape: Sizes) -> Vectors:
    names = _datasets(name)
    for dataset in names:  # before room is made: options can ask for any size
        _check(file.get(dataset), path, dataset, shape[len(names) - 1 :])
    array = np.empty(shape, np.float32)
    for dataset, part in _parts(name, array):
        _read_into(part, file[dataset], path, dataset)
    return array


def _check(found: object, path: Path, name: str, shape: Sizes) -> None:
    there = getattr(found, "shape", None)  # a group has none
    if there is None:
        raise SettingsError(f"{path} has no dataset {name!r}: {_TOGETHER}.")
    kind = getattr(found, "dtype", None)
    if there != shape or getattr(kind, "kind", "") != "f":
        raise SettingsError(
            f"the dataset {name!r} of {path} holds {kind} {there}, and by the options it should "
            f"hold float32 {shape}: {_TOGETHER}."
        )


def _read_into(part: Vectors, found: h5py.Dataset, path: Path, name: str) -> None:
    try:
        found.read_direct(part)
    except OSError:
        raise SettingsError(f"the dataset {name!r} of {path} is damaged; get it again.") from None
    if not np.isfinite(part).all():
        raise SettingsError(f"the dataset {name!r} of {path} holds what is no number.")
