"""Models that come inside a Python package: where their files lie, and whether they are whole."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from scenthound.core.errors import SettingsError


def package_folder(module: str, missing: str) -> Path:
    """Folder of an installed package. The package is not imported.

    Parameters
    ----------
    module : its name for ``import``.
    missing : the sentence of the SettingsError where it is not installed.
    """
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise SettingsError(missing)
    return Path(spec.submodule_search_locations[0])


def check_files(folder: Path, pinned: Mapping[str, str], package: str) -> None:
    """Nothing, where every file is the one we pinned; once in a process for each folder.

    Parameters
    ----------
    folder : where they lie.
    pinned : SHA-256 of the content, in hexadecimal digits, by path inside the folder.
    package : its name and version for ``pip``, named in the SettingsError about a file that is
        missing, cut short or another one.
    """
    _check_files(folder, tuple(pinned.items()), package)


def file_digest(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal digits. OSError where it cannot be read."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=8)
def _check_files(folder: Path, pinned: tuple[tuple[str, str], ...], package: str) -> None:
    for name, expected in pinned:
        problem = _problem(folder / name, expected)
        if problem:
            raise SettingsError(
                f"{folder / name} {problem}; install it again with: "
                f"pip install --force-reinstall {package}."
            )


def _problem(path: Path, expected: str) -> str:
    try:
        found = file_digest(path)
    except OSError:
        return "is missing or cannot be read"
    return "" if found == expected else "is damaged, or not the file we know"
