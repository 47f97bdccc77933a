"""Where an export goes: a file that is there whole or not at all, or standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from scenthound.core.errors import SettingsError
from scenthound.store.atomic import replacing

STDOUT = Path("-")


def default_target(folder: Path, format_: str) -> Path:
    """Beside the crawl folder, by its name: in it, a replay of the folder would read it too."""
    resolved = folder.resolve()
    return resolved.parent / f"{resolved.name}.{format_}"


def check_target(path: Path, force: bool) -> None:
    """Find out before the work that nothing could be written there.

    Raises
    ------
    SettingsError
        It is a folder, or in none, or is there and must not be overwritten.
    """
    if path == STDOUT:
        return
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; give --out the name of a file.")
    if not path.parent.is_dir():
        raise SettingsError(f"there is no folder {path.parent}; make it, or give another --out.")
    if path.is_file() and not force:
        raise SettingsError(f"{path} is there already; give another --out, or --force.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise SettingsError(f"{path} cannot be written: permission denied; give another --out.")


def check_outside(path: Path, folder: Path, archive: Path) -> None:
    """Find out that an export would overwrite or add to what it is made from.

    Parameters
    ----------
    path : the file to write.
    folder : of the crawl; a replay of it would read a web archive in it as well.
    archive : that was replayed; an empty path for none.

    Raises
    ------
    SettingsError
        The file is in the folder, or is the archive.
    """
    if path == STDOUT:
        return
    target = path.resolve()
    if folder.resolve() in target.parents:
        raise SettingsError(
            f"{path} is in the crawl folder, which an export leaves as it is; give another --out."
        )
    if archive != Path() and target == archive.resolve():
        raise SettingsError(f"{path} is the archive that was replayed; give another --out.")


@contextmanager
def opened_target(path: Path) -> Iterator[IO[bytes]]:
    """The file to write to, which takes its place at the end, and not on an error.

    Raises
    ------
    SettingsError
        The disk is full or failing.
    """
    try:
        if path == STDOUT:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
            return
        with replacing(path) as beside, beside.open("wb") as file:
            yield file
            file.flush()
            if beside.is_file():
                os.fsync(file.fileno())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror or error}.") from None
