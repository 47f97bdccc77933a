"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

_NEW = 0o666
"""Mode of a new file, less what the umask takes away."""
_MEANWHILE = 0o600
"""Mode of what takes the place of another file until it has that one's."""
_WRITABLE = 0o222


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write beside ``path``, which takes its place at the end, and not on an error.

    A symbolic link stays one: what it points to is replaced. Devices and pipes are written to. A
    file that is there keeps its mode; PermissionError for one that may not be written to, though
    its folder may.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        yield path
        return
    mode = check_replaceable(path)
    beside = _made_beside(path, _NEW if mode is None else _MEANWHILE)
    try:
        yield beside
        if mode is not None:
            os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def check_replaceable(path: Path) -> int | None:
    """The mode of the file at ``path``; None where there is none, or a device or a pipe.

    PermissionError where the file is closed to everyone, and so to root too, or to us.
    """
    if not path.is_file():
        return None
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & _WRITABLE or not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return mode


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


def _made_beside(path: Path, mode: int) -> Path:
    """A new, empty file in the same folder; its suffix stays, since some writers go by it."""
    beside = path.with_name(f".{path.stem[:100]}.{secrets.token_hex(8)}{path.suffix}")
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, mode))
    return beside
