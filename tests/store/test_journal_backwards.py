"""The journal from its end: the same events, up to a length, whatever stands at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.store.journal import read_backwards, read_journal


def written(path: Path, count: int, size: int = 10) -> list[int]:
    """Lines with numbers; returns how long the file is after each."""
    ends, text = [], b""
    for n in range(count):
        text += json.dumps({"n": n, "fill": "x" * size}).encode() + b"\n"
        ends.append(len(text))
    path.write_bytes(text)
    return ends


def test_it_is_the_journal_in_reverse(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written(path, 300, size=1_000)  # more than one window
    assert list(read_backwards(path)) == list(read_journal(path))[::-1]


def test_what_lies_behind_the_length_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    ends = written(path, 5)
    assert [event["n"] for event in read_backwards(path, ends[2])] == [2, 1, 0]
    assert [event["n"] for event in read_backwards(path, 10**9)] == [4, 3, 2, 1, 0]
    assert list(read_backwards(path, 0)) == []


def test_a_cut_line_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written(path, 2)
    with path.open("ab") as file:
        file.write(b'{"n": 9')
    assert [event["n"] for event in read_backwards(path)] == [1, 0]


def test_a_journal_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="cannot be used"):
        list(read_backwards(tmp_path / "none.jsonl"))
