"""Requests that are left in a crawl folder, and taken away."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.store.requests import PAUSE, STOP, Requests


def test_a_request_is_there_until_it_is_withdrawn(tmp_path: Path) -> None:
    requests = Requests(tmp_path)
    assert not requests.is_left(PAUSE)
    requests.leave(PAUSE)
    requests.leave(PAUSE)
    assert Requests(tmp_path).is_left(PAUSE)
    assert not requests.is_left(STOP)
    assert requests.withdraw(PAUSE)
    assert not requests.withdraw(PAUSE)
    assert not requests.is_left(PAUSE)
    assert list(tmp_path.iterdir()) == []


def test_requests_are_files_with_plain_names(tmp_path: Path) -> None:
    for name in (PAUSE, STOP):
        Requests(tmp_path).leave(name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pause.request", "stop.request"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    gone = Requests(tmp_path / "gone")
    assert not gone.is_left(STOP)
    assert not gone.withdraw(STOP)
    with pytest.raises(FolderError, match=r"cannot leave a request in .*gone: No such file"):
        gone.leave(STOP)


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    requests = Requests(tmp_path / "file")
    assert not requests.is_left(STOP)
    with pytest.raises(FolderError, match="Not a directory"):
        requests.leave(STOP)
    with pytest.raises(FolderError, match=r"cannot take the request out of .*: Not a directory"):
        requests.withdraw(STOP)


def test_a_request_that_cannot_be_taken_away(tmp_path: Path) -> None:
    (tmp_path / "stop.request").mkdir()
    with pytest.raises(FolderError, match="cannot take the request out"):
        Requests(tmp_path).withdraw(STOP)
