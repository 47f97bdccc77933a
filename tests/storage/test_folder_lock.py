"""One crawl a folder at a time, and a killed one is in nobody's way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.storage.folder import (
    LOCK_NAME,
    PAUSE,
    STOP,
    ControlRequests,
    FolderLock,
    lock_holder,
)

HOLD = """
import sys
from pathlib import Path
from scenthound.storage.folder import FolderLock
lock = FolderLock(Path(sys.argv[1]))
sys.stdout.write("locked\\n")
sys.stdout.flush()
sys.stdin.read()
"""


def test_a_released_folder_can_be_locked_again(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    lock.release()
    lock.release()
    with FolderLock(tmp_path):
        assert lock_holder(tmp_path) == os.getpid()
    assert lock_holder(tmp_path) is None


def test_a_file_left_behind_is_no_obstacle(tmp_path: Path) -> None:
    for content in [b"", b"1\n", b"not a number"]:
        (tmp_path / LOCK_NAME).write_bytes(content)
        assert lock_holder(tmp_path) is None
        with FolderLock(tmp_path):
            assert (tmp_path / LOCK_NAME).read_text() == f"{os.getpid()}\n"


def test_an_unknown_holder_is_another_process(tmp_path: Path) -> None:
    with FolderLock(tmp_path):
        with pytest.raises(FolderError, match=f"is being crawled by process {os.getpid()}: stop"):
            FolderLock(tmp_path)
        (tmp_path / LOCK_NAME).write_bytes(b"")
        with pytest.raises(FolderError, match="is being crawled by another process"):
            FolderLock(tmp_path)


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        assert lock_holder(tmp_path) == process.pid
        with pytest.raises(FolderError, match=f"is being crawled by process {process.pid}"):
            FolderLock(tmp_path)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with FolderLock(tmp_path):
        assert lock_holder(tmp_path) == os.getpid()


def test_a_folder_that_cannot_be_locked_is_told(tmp_path: Path) -> None:
    assert lock_holder(tmp_path / "none") is None
    with pytest.raises(FolderError, match="cannot be locked: No such file"):
        FolderLock(tmp_path / "none")


# Requests that are left in a crawl folder, and taken away.


def test_a_request_is_there_until_it_is_withdrawn(tmp_path: Path) -> None:
    requests = ControlRequests(tmp_path)
    assert not requests.is_left(PAUSE)
    requests.leave(PAUSE)
    requests.leave(PAUSE)
    assert ControlRequests(tmp_path).is_left(PAUSE)
    assert not requests.is_left(STOP)
    assert requests.withdraw(PAUSE)
    assert not requests.withdraw(PAUSE)
    assert not requests.is_left(PAUSE)
    requests.leave(STOP)
    assert [path.name for path in tmp_path.iterdir()] == ["stop.request"]


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    gone = ControlRequests(tmp_path / "gone")
    assert not gone.withdraw(STOP)
    with pytest.raises(FolderError, match=r"cannot leave a request in .*gone: No such file"):
        gone.leave(STOP)
    (tmp_path / "file").touch()
    requests = ControlRequests(tmp_path / "file")
    assert not requests.is_left(STOP)
    with pytest.raises(FolderError, match="Not a directory"):
        requests.leave(STOP)
    with pytest.raises(FolderError, match=r"cannot take the request out of .*: Not a directory"):
        requests.withdraw(STOP)
