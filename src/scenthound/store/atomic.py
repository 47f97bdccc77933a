"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path


def write_bytes(path: Path, content: bytes) -> None:
    """Write ``content`` beside ``path`` and move it there in one step.

    A symbolic link stays one: what it points to is replaced. Devices and pipes are written to.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        with path.open("wb") as special:
            special.write(content)
        return
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def write_json(path: Path, value: object) -> None:
    """``value`` as readable JSON, in one step."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    write_bytes(path, text.encode("utf-8", "replace") + b"\n")
