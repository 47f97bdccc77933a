"""The mode of files that are replaced in one step."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.store.atomic import replacing, write_bytes


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


@pytest.mark.parametrize("before", [0o600, 0o640, 0o664])
def test_a_file_keeps_its_mode(tmp_path: Path, before: int) -> None:
    path = tmp_path / "t.toml"
    path.write_text("old")
    path.chmod(before)
    write_bytes(path, b"new")
    assert (path.read_text(), mode(path)) == ("new", before)


def test_what_is_written_beside_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("old")
    with replacing(path) as beside:
        assert mode(beside) == 0o600


@pytest.mark.usefixtures("umask")
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    write_bytes(tmp_path / "t.toml", b"new")
    assert mode(tmp_path / "t.toml") == 0o640


def test_a_file_that_may_not_be_written_to_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(PermissionError, match="Permission denied"):
        write_bytes(path, b"new")
    assert (path.read_text(), mode(path)) == ("old", 0o444)
    assert list(tmp_path.iterdir()) == [path]
