"""The database is made once, opened only if it is ours, and every problem is one sentence."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from pytest import MonkeyPatch

from scenthound.core.errors import FolderError
from scenthound.storage.database import Ledger, open_database, read_database
from scenthound.storage.folder import FolderLock
from scenthound.storage.warc_writer import WarcPosition

KILLED = """
import os, signal, sys
from pathlib import Path
from scenthound.storage.database import open_database
database = open_database(Path(sys.argv[1]), new=False)
database.execute("BEGIN")
database.execute("INSERT INTO t VALUES ('kept')")
database.execute("COMMIT")
database.execute("BEGIN")
database.execute("INSERT INTO t VALUES ('lost')")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.sqlite"


@pytest.fixture
def made(path: Path) -> Iterator[Path]:
    with closing(open_database(path, new=True)) as database:
        database.execute("CREATE TABLE t (x TEXT)")
        database.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 100)
    yield path


def pragma(database: sqlite3.Connection, name: str) -> object:
    return database.execute(f"PRAGMA {name}").fetchone()[0]


def test_commits_are_durable_and_readers_do_not_wait(path: Path) -> None:
    with closing(open_database(path, new=True)) as database:
        assert pragma(database, "journal_mode") == "wal"
        assert pragma(database, "synchronous") == 2
        assert pragma(database, "cache_size") == -64_000
        assert pragma(database, "busy_timeout") == 5_000
        assert database.isolation_level is None
    path.unlink()
    pragmas = {"page_size": 8192, "cache_size": -1000}
    with closing(open_database(path, new=True, pragmas=pragmas)) as database:
        assert pragma(database, "page_size") == 8192
        assert pragma(database, "cache_size") == -1000


def test_reading_leaves_nothing_beside_it_and_shows_what_a_crawl_commits(made: Path) -> None:
    made.with_name("crawl.sqlite-wal").touch()  # an empty one was left by an earlier reader
    before = sorted(made.parent.iterdir())
    made.parent.chmod(0o555)
    with closing(read_database(made)) as database:
        assert database.execute("SELECT COUNT(*) FROM t").fetchone() == (100,)
        assert sorted(made.parent.iterdir()) == before
    assert sorted(made.parent.iterdir()) == before
    made.parent.chmod(0o755)
    with (
        FolderLock(made.parent),
        closing(open_database(made, new=False)) as writer,
        closing(read_database(made)) as reader,
    ):
        for count in (101, 102):
            writer.execute("INSERT INTO t VALUES ('new')")
            assert reader.execute("SELECT COUNT(*) FROM t").fetchone() == (count,)


def test_what_was_committed_is_read_after_a_kill(made: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(made)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert made.with_name("crawl.sqlite-wal").stat().st_size > 0
    for reopen in (read_database, partial(open_database, new=False)):
        with closing(reopen(made)) as database:
            kept = database.execute("SELECT x FROM t WHERE x IN ('kept', 'lost')").fetchall()
        assert kept == [("kept",)]


def test_one_missing_or_in_the_way_is_reported_folders_have_any_name(
    tmp_path: Path, path: Path
) -> None:
    for _ in range(2):  # an empty file counts as none
        with pytest.raises(FolderError, match=r"has no crawl.sqlite, so the crawl cannot be read"):
            open_database(path, new=False)
        path.touch()
    open_database(path, new=True).close()
    with pytest.raises(FolderError, match=r"holds a crawl already; choose another --out folder\."):
        open_database(path, new=True)
    with pytest.raises(FolderError, match="cannot be used: unable to open database file"):
        open_database(path.parent / "none" / "crawl.sqlite", new=True)
    with pytest.raises(FolderError, match="so the crawl cannot be read"):
        open_database(path / "crawl.sqlite", new=False)  # below a file
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a?b#c%20\xff"))
    folder.mkdir()
    with closing(open_database(folder / "crawl.sqlite", new=True)) as database:
        database.execute("CREATE TABLE t (x TEXT)")
    with closing(read_database(folder / "crawl.sqlite")) as database:
        assert database.execute("SELECT COUNT(*) FROM t").fetchone() == (0,)


def set_pragma(path: Path, name: str, value: int) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA {name} = {value}")


def test_one_damaged_foreign_or_being_written_is_reported(
    made: Path, monkeypatch: MonkeyPatch
) -> None:
    whole = made.read_bytes()
    half = len(whole) // 2 // 4096 * 4096
    damages: list[tuple[Callable[[], object], str]] = [
        (lambda: set_pragma(made, "user_version", 7), "format version 7, this Scenthound reads"),
        (lambda: set_pragma(made, "application_id", 0), "is not a database of Scenthound"),
        (lambda: os.truncate(made, half), "is damaged: put a whole copy back"),
        (lambda: made.write_bytes(b"a" * 5000), r"crawl\.sqlite is (not a database|damaged)"),
        (lambda: made.write_bytes(b"SQLite format 3\x00" + b"\x07" * 5000), "(not a|damaged)"),
    ]
    for damage, reported in damages:
        made.write_bytes(whole)
        damage()
        with pytest.raises(FolderError, match=reported):
            open_database(made, new=False)
    made.write_bytes(whole)
    monkeypatch.setattr("scenthound.storage.database.BUSY_TIMEOUT_S", 0.01)
    with closing(sqlite3.connect(made, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(FolderError, match="is in use by another program: end that first"):
            open_database(made, new=False)
        other.execute("COMMIT")
    open_database(made, new=False).close()


@pytest.fixture
def database(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_database(path, new=True)) as database:
        yield database


@pytest.fixture
def ledger(database: sqlite3.Connection) -> Ledger:
    return Ledger(database)


def test_pages_are_entered_then_placed_copies_found_and_facts_kept(ledger: Ledger) -> None:
    assert [ledger.position(1), ledger.exact_copy(b"one"), ledger.near_copy(0)] == [None] * 3
    with pytest.raises(KeyError):
        ledger.original(1)
    ledger.record(1, "http://a.test/", 12.5, b"one", 7)
    ledger.record(2, "http://b.test/", 13.5, b"two", None)
    assert ledger.position(1) is None
    ledger.place(1, WarcPosition(3, 4_000_000_000, 10))
    assert ledger.position(1) == WarcPosition(3, 4_000_000_000, 10)
    assert ledger.original(2)[0] == "http://b.test/"
    assert ledger.original(1) == ("http://a.test/", 12.5)
    with pytest.raises(sqlite3.IntegrityError):
        ledger.record(1, "http://c.test/", 14.5, b"three", None)
    for n in (5, 3, 9):
        ledger.record(n, f"http://a.test/{n}", 0.0, b"same", 2**64 - 1)
    assert ledger.exact_copy(b"same") == 3
    assert ledger.near_copy(2**64 - 1) == 3
    assert ledger.exact_copy(b"other") is None
    assert ledger.get("end") is None
    ledger.set("end", [1, 2048])
    ledger.set("ends", {"ü": None})
    ledger.set("end", [2, 0])
    assert ledger.get("end") == [2, 0]
    assert ledger.get("ends") == {"ü": None}


def test_near_means_the_same_fingerprint_found_by_index(
    ledger: Ledger, database: sqlite3.Connection
) -> None:
    rng = random.Random(4)
    stored = [rng.getrandbits(64) for _ in range(30)]
    for n, fingerprint in enumerate([*stored, *stored], start=1):
        ledger.record(n, f"http://a.test/{n}", 0.0, n.to_bytes(), fingerprint)
    for n, fingerprint in enumerate(stored, start=1):
        assert ledger.near_copy(fingerprint) == n
        assert all(ledger.near_copy(fingerprint ^ 1 << bit) is None for bit in range(64))
    asked: list[str] = []
    database.set_trace_callback(asked.append)
    ledger.exact_copy(b"d")
    ledger.near_copy(1)
    database.set_trace_callback(None)
    assert len(asked) == 2
    for statement in asked:
        plan = database.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
        assert all(step[3].startswith("SEARCH") for step in plan), plan


def test_nothing_is_committed_here(path: Path) -> None:
    with closing(open_database(path, new=True)) as database:
        ledger = Ledger(database)
        database.execute("BEGIN")
        ledger.record(1, "http://a.test/", 0.0, b"d", 1)
        ledger.place(1, WarcPosition(1, 2, 3))
        ledger.set("end", 1)
        assert database.in_transaction
        database.execute("ROLLBACK")
        assert ledger.exact_copy(b"d") is ledger.near_copy(1) is ledger.get("end") is None
        database.execute("BEGIN")
        ledger.record(1, "http://a.test/", 0.0, b"d", 1)
        database.execute("COMMIT")
    with closing(open_database(path, new=False)) as database:
        assert Ledger(database).exact_copy(b"d") == 1
