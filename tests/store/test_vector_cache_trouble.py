"""Whatever is wrong with the vector cache, the crawl goes on; it is told once."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
from pathlib import Path

import pytest

from scenthound.core.errors import FolderError
from scenthound.store import cache_file
from scenthound.store.cache_report import Kept, forget_kept, kept_in
from scenthound.store.vector_cache import VectorCache
from scenthound.store.vector_cache_file import FILE, VECTORS
from store.vector_making import ended, known, started, vectors


def kept(folder: Path, told: list[str], count: int = 10) -> int:
    """Keep some and count what is found then."""
    with VectorCache(folder, warn=told.append) as cache:
        cache.find("m", list(vectors(range(1))))
        for _ in range(3):
            cache.keep("m", vectors(range(count)))
        return len(cache.find("m", list(vectors(range(count)))))


@pytest.mark.parametrize("content", [b"no database at all" * 1_000, b"SQLite format 3\0" * 2_000])
def test_a_file_that_is_no_database_is_moved_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    told: list[str] = []
    assert kept(tmp_path, told) == 10
    assert (tmp_path / VECTORS.aside).read_bytes() == content
    assert len(told) == 1 and f"was damaged; it is now {VECTORS.aside}" in told[0]


def test_damage_that_shows_later_is_moved_aside(tmp_path: Path) -> None:
    told: list[str] = []
    assert kept(tmp_path, told, 5_000) == 5_000
    size = (tmp_path / FILE).stat().st_size
    rng = random.Random(1)
    with (tmp_path / FILE).open("r+b") as file:  # the header stays, so that it opens
        file.seek(8_192)
        file.write(rng.randbytes(size - 8_192))
    assert kept(tmp_path, told, 5_000) == 5_000
    assert (tmp_path / VECTORS.aside).exists()
    assert len(told) == 1 and "was damaged" in told[0]
    assert kept(tmp_path, told, 10) == 10 and len(told) == 1


def test_only_the_file_that_was_opened_is_moved_aside(tmp_path: Path) -> None:
    assert kept(tmp_path, []) == 10
    cache_file.set_aside(VECTORS, tmp_path, opened=1)
    assert (tmp_path / FILE).exists() and not (tmp_path / VECTORS.aside).exists()


def test_an_empty_file_is_a_new_cache(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    told: list[str] = []
    assert kept(tmp_path, told) == 10 and told == []


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("CREATE TABLE theirs (a)")
    database.close()
    before = (tmp_path / FILE).read_bytes()
    told: list[str] = []
    assert kept(tmp_path, told) == 0
    assert (tmp_path / FILE).read_bytes() == before
    assert len(told) == 1 and "is a database of another program" in told[0]
    assert "--cache none" in told[0]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told: list[str] = []
    assert kept(tmp_path / "file" / "cache", told) == 0
    assert len(told) == 1 and "goes on without it" in told[0]


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
with cache:
    for _ in range(3):
        cache.keep("m", vectors(range(5_000)))
print(len(told), told[0])
"""


def test_a_full_disk(tmp_path: Path) -> None:
    code, said = ended(started(tmp_path, FULL))
    assert code == 0 and said.startswith("1 the vector cache"), said
    assert "goes on without it" in said
    told: list[str] = []
    assert kept(tmp_path, told) == 10 and told == []


KILLED = """
cache.keep("m", vectors(range(2_000)))
cache._database.execute("BEGIN IMMEDIATE")
cache._database.execute("DELETE FROM vectors")
os.kill(os.getpid(), 9)
"""


def test_a_killed_process_leaves_a_file_that_opens(tmp_path: Path) -> None:
    assert ended(started(tmp_path, KILLED)) == (-signal.SIGKILL, "")
    told: list[str] = []
    with VectorCache(tmp_path, warn=told.append) as cache:
        assert known(cache, range(3_000)) == list(range(2_000))
        cache.keep("m", vectors(range(3_000)))
        assert known(cache, range(3_000)) == list(range(3_000))
    assert told == []


def test_while_another_process_writes_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_file, "_PATIENCE_S", 0.01)
    told: list[str] = []
    assert kept(tmp_path, told) == 10
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with VectorCache(tmp_path, warn=told.append) as cache:
        cache.keep("m", vectors(range(20)))  # given up, for this time
        assert len(cache.find("m", list(vectors(range(20))))) == 10
        other.execute("COMMIT")
        cache.keep("m", vectors(range(20)))
        assert len(cache.find("m", list(vectors(range(20))))) == 20
    other.close()
    assert told == []


def test_the_report(tmp_path: Path) -> None:
    told: list[str] = []
    folder = tmp_path / "cache"
    assert kept_in(VECTORS, folder, told.append) == Kept({}, 0)
    forget_kept(VECTORS, folder, told.append)
    assert not folder.exists()
    with VectorCache(folder) as cache:
        cache.keep("small", vectors(range(3)))
        cache.keep("large", vectors(range(3_000)))
        report = kept_in(VECTORS, folder, told.append)
        assert list(report.entries.items()) == [("large", 3_000), ("small", 3)]
        forget_kept(VECTORS, folder, told.append)  # while it is open
        assert cache.find("large", list(vectors(range(3)))) == {}
        cache.keep("small", vectors(range(1)))
    after = kept_in(VECTORS, folder, told.append)
    assert after.entries == {"small": 1} and after.bytes < report.bytes / 5
    assert told == []


def test_a_report_of_what_cannot_be_read(tmp_path: Path) -> None:
    os.mkdir(tmp_path / FILE)
    with pytest.raises(FolderError, match=r"cannot be used: .*; end what uses it, or delete it\."):
        kept_in(VECTORS, tmp_path, print)


def test_only_the_owner_reads_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with VectorCache(tmp_path) as cache:
            cache.keep("m", vectors(range(3)))
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob(f"{FILE}*")}
    finally:
        os.umask(before)
    assert modes == {FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600}
