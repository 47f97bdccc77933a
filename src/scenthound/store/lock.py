"""One crawl a folder: a lock that ends with the process that holds it, however it ends."""

from __future__ import annotations

import fcntl
import os
import time
from io import FileIO
from pathlib import Path
from typing import Self

from scenthound.core.errors import FolderError

LOCK_NAME = "crawl.lock"
_LONGEST_PID = 20
_PAUSES_S = (0.0, 0.01, 0.05)
"""Before each attempt: somebody may only be asking who holds it, which takes microseconds."""


class FolderLock:
    """Holds ``crawl.lock`` in a folder until it is released; FolderError where another does.

    The operating system takes the lock back from a process that is killed. The file stays, which
    is no obstacle, and holds the number of the process that last had it.
    """

    def __init__(self, folder: Path) -> None:
        self._file = _opened(folder)
        try:
            _lock(self._file, folder)
            self._file.truncate(0)
            self._file.write(f"{os.getpid()}\n".encode())
        except OSError as error:
            self._file.close()
            raise _unusable(folder, error) from None
        except FolderError:
            self._file.close()
            raise

    def release(self) -> None:
        """Let others in; a second time does nothing."""
        if not self._file.closed:
            fcntl.flock(self._file, fcntl.LOCK_UN)  # a forked child may have the file open too
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


def holder(folder: Path) -> int | None:
    """The process that crawls in ``folder`` now; None where none does, or it cannot be told."""
    try:
        with FileIO(folder / LOCK_NAME, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _pid(folder)
    except OSError:
        return None
    return None


def _opened(folder: Path) -> FileIO:
    try:
        return FileIO(folder / LOCK_NAME, "ab+")
    except OSError as error:
        raise _unusable(folder, error) from None


def _lock(file: FileIO, folder: Path) -> None:
    if any(_try_to_lock(file, pause) for pause in _PAUSES_S):
        return
    who = _pid(folder)
    process = "another process" if who is None else f"process {who}"
    raise FolderError(
        f"{folder} is being crawled by {process}: stop that crawl first, or choose another folder."
    )


def _try_to_lock(file: FileIO, pause_s: float) -> bool:
    time.sleep(pause_s)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _pid(folder: Path) -> int | None:
    try:
        with FileIO(folder / LOCK_NAME, "rb") as file:
            return int(file.read(_LONGEST_PID))
    except (OSError, ValueError):
        return None


def _unusable(folder: Path, error: OSError) -> FolderError:
    return FolderError(f"the crawl folder {folder} cannot be locked: {error.strerror}.")
