"""A journal goes on from the length that was committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.core.events import RedirectEvent
from scenthound.store.journal import FileJournal, pages_after, read_journal


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


def test_without_a_length_nothing_whole_is_taken_off(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    for number in range(2):
        with FileJournal(path) as journal:
            journal.append(redirect(number))
    assert urls(path) == ["http://a.test/0", "http://a.test/1"]


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
