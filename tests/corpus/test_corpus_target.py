"""Where an export goes: whole or not at all, and nothing overwritten unasked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenthound.core.errors import SettingsError
from scenthound.corpus.target import STDOUT, check_target, default_target, opened_target


def test_by_default_it_lies_beside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "storms").mkdir()
    assert default_target(tmp_path / "storms", "csv") == tmp_path / "storms.csv"
    assert default_target(tmp_path / "storms" / ".", "csv") == tmp_path / "storms.csv"


def test_what_is_there_is_not_overwritten_unasked(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("mine")
    with pytest.raises(SettingsError, match="there already; give another --out, or --force"):
        check_target(path, force=False)
    check_target(path, force=True)


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is a folder"):
        check_target(tmp_path, force=True)
    with pytest.raises(SettingsError, match="there is no folder"):
        check_target(tmp_path / "no" / "x.csv", force=True)


def test_standard_output_is_always_there() -> None:
    check_target(STDOUT, force=False)


def test_an_error_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("mine")
    with pytest.raises(KeyboardInterrupt), opened_target(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert path.read_text() == "mine" and list(tmp_path.iterdir()) == [path]


def test_a_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with opened_target(path) as file:
        file.write(b"all of it")
        assert not path.exists()
    assert path.read_bytes() == b"all of it"


def test_a_full_disk_is_one_sentence() -> None:
    full = Path("/dev/full")
    if not os.access(full, os.W_OK):
        pytest.skip("no such device here")
    with pytest.raises(SettingsError, match="/dev/full cannot be written: No space left"):
        _fill(full)


def _fill(path: Path) -> None:
    with opened_target(path) as file:
        file.write(b"x" * 100_000)
