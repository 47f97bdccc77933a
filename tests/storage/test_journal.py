"""The journal: whole lines, readable whatever happened to the writer, summed up in its tail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import TempPathFactory

from scenthound.core.errors import FolderError
from scenthound.core.events import (
    DroppedLinks,
    Event,
    MissingEvent,
    PageEvent,
    RedirectEvent,
    StartedEvent,
    Summary,
)
from scenthound.core.model import Inlink, Part, Score
from scenthound.storage.journal import (
    FileJournal,
    last_summary,
    pages_after,
    read_backwards,
    read_journal,
)

STARTED = StartedEvent(0.0, "storms", "vsm", 10, ("http://a.test/",), 0.5)
WINDOW = 64 * 1024


def page(n: int, title: str = "Storms") -> PageEvent:
    return PageEvent(
        n=n, at=0.0, url=f"http://a.test/{n}", status=200, title=title, depth=1, priority=0.5,
        parts=(Part("anchor", 0.5),), inlinks=(Inlink(1, Score(0.5), "the storm"),),
        linked_from=1, similarity=0.5, relevant=True, links=0, new=0, rescored=0,
        closed=0, repeated=0, drops=DroppedLinks(), redirects=(), summary=Summary(fetched=n),
    )  # fmt: skip


def write(path: Path, *events: Event) -> None:
    with closing(FileJournal(path)) as journal:
        for event in events:
            journal.append(event)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def numbers(path: Path) -> list[object]:
    return [event.get("n") for event in read_journal(path)]


def test_what_is_appended_is_read_in_order_and_an_empty_journal_has_nothing(path: Path) -> None:
    missing, moved = MissingEvent(1, ("u",)), RedirectEvent("u", "v")
    events: list[Event] = [STARTED, page(1), missing, moved, page(2)]
    with closing(FileJournal(path)) as journal:
        journal.append(events[0])
        assert list(read_journal(path)) == [STARTED.to_json()]  # before it is closed
        journal.sync()
    write(path, *events[1:])
    assert list(read_journal(path)) == [event.to_json() for event in events]
    path.unlink()
    write(path)
    assert list(read_journal(path)) == []
    assert last_summary(path) is None
    write(path, STARTED, MissingEvent(1, ("u",)))
    assert last_summary(path) is None


@pytest.mark.parametrize(
    "text",
    [
        "\ufefftwo\nlines\r\nand\u2028more\x85",
        '\x00\x1b[31m lone \ud800 surrogate \udfff, quote " and \\ backslash',
        "storm " * 200_000,
    ],
    ids=range(3),
)
def test_hostile_text_is_one_line_of_json(path: Path, text: str) -> None:
    hostile = replace(
        page(1, text),
        url=f"http://a.test/{text[:500]}",
        inlinks=(Inlink(1, Score(0.5), text),),
        drops=DroppedLinks({text[:50]: (1, (text,))}),
        redirects=(text[:500],),
    )
    write(path, hostile, MissingEvent(1, (text,)), page(2))
    content = path.read_bytes()
    assert content.count(b"\n") == 3 and content.endswith(b"\n")
    assert len(content) < 6_000
    kinds = [json.loads(line)["event"] for line in content.decode("utf-8").split("\n")[:3]]
    assert kinds == ["page", "missing", "page"]
    first = next(read_journal(path))
    assert first["title"] == text[:120].encode("utf-8", "replace").decode("utf-8")


@given(st.text(st.characters(), max_size=200))
def test_any_title_is_one_line(tmp_path_factory: TempPathFactory, title: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any-title.jsonl"
    path.unlink(missing_ok=True)
    write(path, page(1, title), page(2))
    assert path.read_bytes().count(b"\n") == 2
    assert numbers(path) == [1, 2]


KILLED = """
import os, signal, sys
from pathlib import Path
from scenthound.core.events import RedirectEvent
from scenthound.storage.journal import FileJournal

journal = FileJournal(Path(sys.argv[1]))
for i in range(100):
    journal.append(RedirectEvent(str(i), "v" * 1000))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_kill_right_after_an_append_loses_nothing(path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path)], env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert [event["url"] for event in read_journal(path)] == [str(i) for i in range(100)]


@pytest.mark.parametrize("keep", [1, 85, 200])
def test_a_cut_last_line_is_passed_over(path: Path, keep: int) -> None:
    write(path, page(1), page(2, "Stürme"))
    content = path.read_bytes()
    start = content.index(b"\n") + 1
    assert keep < len(content) - start
    path.write_bytes(content[: start + keep])
    assert numbers(path) == [1]
    assert last_summary(path) == Summary(fetched=1).to_json()
    write(path, page(3))
    assert numbers(path) == [1, 3]  # not glued to the cut line
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    assert numbers(path) == [1, 3]  # one that lacks only its end is kept
    write(path, page(4))
    assert numbers(path) == [1, 3, 4]


def test_a_cut_line_is_taken_off_however_long_and_were_it_the_first(path: Path) -> None:
    path.write_bytes(b'{"event":"sta')
    write(path, STARTED, page(1))
    with path.open("ab") as file:
        file.write(b'{"event":"page","url":"' + b"x" * 3 * WINDOW)
    write(path, page(2))
    assert numbers(path) == [None, 1, 2]


@pytest.mark.parametrize("line", [b"{", b"", b"[1]", b"\xff\xfe", b"[" * 100_000], ids=range(5))
def test_a_broken_line_in_the_middle_is_an_error(path: Path, line: bytes) -> None:
    write(path, page(1))
    with path.open("ab") as file:
        file.write(line + b"\n")
    write(path, page(2))
    with pytest.raises(FolderError, match=r"journal\.jsonl, line 2 is not a journal line\.$"):
        list(read_journal(path))


def test_the_newest_summary_is_read_from_the_tail_alone(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**40)  # a hole of a terabyte, which nobody can read through
        file.seek(0, os.SEEK_END)
        file.write(b"\n")
        for n in range(1, 501):
            file.write(json.dumps(page(n).to_json()).encode() + b"\n")
    assert last_summary(path) == Summary(fetched=500).to_json()


@pytest.mark.parametrize("length", [WINDOW, 3 * WINDOW])
def test_a_summary_is_found_before_lines_longer_than_the_window(path: Path, length: int) -> None:
    write(path, STARTED, page(1), RedirectEvent("u", "v" * length))
    assert last_summary(path) == Summary(fetched=1).to_json()
    write(path, replace(page(2), url="u" * length))
    assert last_summary(path) == Summary(fetched=2).to_json()


def test_a_journal_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    readers = [lambda path: list(read_journal(path)), lambda path: list(read_backwards(path))]
    for use in [FileJournal, last_summary, *readers]:
        assert callable(use)
        with pytest.raises(FolderError, match=r"^the journal .*/gone/j cannot be used: No such"):
            use(tmp_path / "gone" / "j")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_sentence() -> None:
    with (
        closing(FileJournal(Path("/dev/full"))) as journal,
        pytest.raises(FolderError, match=r"^the journal /dev/full cannot be used: No space left"),
    ):
        journal.append(STARTED)


def written(path: Path, count: int, size: int = 10) -> list[int]:
    """Lines with numbers; returns how long the file is after each."""
    ends, text = [], b""
    for n in range(count):
        text += json.dumps({"n": n, "fill": "x" * size}).encode() + b"\n"
        ends.append(len(text))
    path.write_bytes(text)
    return ends


def test_it_is_read_backwards_from_a_length_on(path: Path) -> None:
    written(path, 300, size=1_000)  # more than one window
    assert list(read_backwards(path)) == list(read_journal(path))[::-1]
    ends = written(path, 5)
    assert [event["n"] for event in read_backwards(path, ends[2])] == [2, 1, 0]
    assert [event["n"] for event in read_backwards(path, 10**9)] == [4, 3, 2, 1, 0]
    assert list(read_backwards(path, 0)) == []
    with path.open("ab") as file:
        file.write(b'{"n": 9')  # a cut line is passed over
    assert [event["n"] for event in read_backwards(path)] == [4, 3, 2, 1, 0]


def test_what_came_after_the_committed_length_is_taken_off_and_a_loss_is_reported(
    path: Path,
) -> None:
    with closing(FileJournal(path, 0)) as journal:
        assert journal.size == 0
        journal.append(RedirectEvent("1", "v"))
        committed = journal.size
        journal.append(RedirectEvent("2", "v"))
        assert journal.size == path.stat().st_size > committed
    with closing(FileJournal(path, committed)) as journal:
        assert journal.size == committed
        journal.append(RedirectEvent("3", "v"))
        journal.sync()
        size = journal.size
    assert [event["url"] for event in read_journal(path)] == ["1", "3"]
    with pytest.raises(FolderError, match=f"has {size} bytes, but {size + 1} were written"):
        FileJournal(path, size + 1)
    assert path.stat().st_size == size


def test_the_pages_after_a_number_are_read_from_the_tail(path: Path) -> None:
    events = [{"event": "page", "n": n, "url": "u" * 5_000} for n in range(1, 41)]
    lines = [json.dumps(event) for event in events]
    lines.insert(38, json.dumps({"event": "paused", "at": 1.0, "budget": 2}))
    path.write_text("\n".join(lines) + '\n{"event":"page","n":41,"url":"cut')
    assert [event["n"] for event in pages_after(path, 37)] == [38, 39, 40]
    assert [event["n"] for event in pages_after(path, 0)] == list(range(1, 41))
    assert pages_after(path, 40) == []
