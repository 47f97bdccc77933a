"""The journal from its end: the same events, up to a length, whatever stands at the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.core.events import RedirectEvent
from scenthound.storage.journal import FileJournal, pages_after, read_backwards, read_journal


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


# A journal goes on from the length that was committed.


def redirect(number: int) -> RedirectEvent:
    return RedirectEvent(f"http://a.test/{number}", "http://a.test/")


def urls(path: Path) -> list[object]:
    return [event["url"] for event in read_journal(path)]


def test_what_came_after_the_committed_length_is_taken_off(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with FileJournal(path, 0) as journal:
        assert journal.size == 0
        journal.append(redirect(1))
        committed = journal.size
        journal.append(redirect(2))
        assert journal.size == path.stat().st_size > committed
    with FileJournal(path, committed) as journal:
        assert journal.size == committed
        journal.append(redirect(3))
        journal.sync()
    assert urls(path) == ["http://a.test/1", "http://a.test/3"]


def test_a_journal_that_lost_lines_is_told(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with FileJournal(path) as journal:
        journal.append(redirect(1))
        size = journal.size
    with pytest.raises(FolderError, match=f"has {size} bytes, but {size + 1} were written"):
        FileJournal(path, size + 1)
    assert path.stat().st_size == size


def test_the_pages_after_a_number_are_read_from_the_tail(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    events = [{"event": "page", "n": n, "url": "u" * 5_000} for n in range(1, 41)]
    lines = [json.dumps(event) for event in events]
    lines.insert(38, json.dumps({"event": "paused", "at": 1.0, "budget": 2}))
    path.write_text("\n".join(lines) + '\n{"event":"page","n":41,"url":"cut')
    assert [event["n"] for event in pages_after(path, 37)] == [38, 39, 40]
    assert [event["n"] for event in pages_after(path, 0)] == list(range(1, 41))
    assert pages_after(path, 40) == []
