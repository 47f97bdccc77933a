"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write beside ``path``, which takes its place at the end, and not on an error.

    A symbolic link stays one: what it points to is replaced. Devices and pipes are written to.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        yield path
        return
    # The suffix stays, since some writers go by it.
    descriptor, name = tempfile.mkstemp(path.suffix, f".{path.stem}.", path.parent)
    os.close(descriptor)
    try:
        yield Path(name)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """``content``, on the disk and in its place in one step; see :func:`replacing`."""
    with replacing(path) as target, target.open("wb") as file:
        file.write(content)
        file.flush()
        if target.is_file():  # a pipe has no disk to be on
            os.fsync(file.fileno())


def write_json(path: Path, value: object) -> None:
    """``value`` as readable JSON, in one step."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    write_bytes(path, text.encode("utf-8", "replace") + b"\n")
