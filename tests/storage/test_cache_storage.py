"""Caches between runs: stored rows are found by other processes, and the file stays in bounds."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from pytest import MonkeyPatch

from scenthound.core.errors import FolderError, ScenthoundWarning
from scenthound.storage import cache_database
from scenthound.storage.cache import FILE, READ, PageCache, Vector, VectorCache
from scenthound.storage.cache_database import CacheUsage

PAGES_FILE = "pages-3.sqlite"
DIMENSIONS = 64
TABLE_BYTES = 400 * 384 * 2
"""Of what a crawl stores for a page."""
CONTENT = 10_000
"""Bytes of a row of a page; they cannot be packed."""


def key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def vectors(numbers: Iterable[int]) -> dict[bytes, Vector]:
    return {key(n): np.full(DIMENSIONS, n % 100, dtype=np.float16) for n in numbers}


def table(number: int, rows: int = 400) -> dict[bytes, Vector]:
    return {key(number): np.full((rows, 384), number % 100, dtype=np.float16)}


def known(cache: VectorCache, numbers: Iterable[int]) -> list[int]:
    """Which of the numbers the cache knows."""
    found = cache.find("m", [key(n) for n in numbers])
    return sorted(int.from_bytes(each, "big") for each in found)


def page(number: int) -> bytes:
    return random.Random(number).randbytes(CONTENT)


def keep_page(folder: Path, number: int) -> None:
    with PageCache(folder) as cache:
        cache.keep(key(number), page(number))


def known_pages(cache: PageCache, numbers: range) -> list[int]:
    """Which of the pages the cache knows; they are as they were."""
    found = cache.find([key(number) for number in numbers])
    held = sorted(int.from_bytes(each, "big") for each in found)
    assert all(found[key(number)] == page(number) for number in held)
    return held


def file_bytes(folder: Path, ending: str = "") -> int:
    return (folder / f"{FILE}{ending}").stat().st_size


PROGRAM = """
import os, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from storage.test_cache_storage import *
cache = VectorCache(Path({folder!r}), {limit})
"""


def started(folder: Path, code: str, limit: int = 10**9) -> subprocess.Popen[str]:
    """A program with a vector cache in the folder; its warnings end it."""
    tests = str(Path(__file__).parent.parent)
    begin = PROGRAM.format(tests=tests, folder=str(folder), limit=limit)
    command = [sys.executable, "-W", "error", "-c", begin + code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    """Its exit code, and what it printed or complained of."""
    out, err = program.communicate(timeout=120)
    return program.returncode, out + err


def test_what_is_stored_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "cache"
    rows = np.arange(6, dtype=np.float16).reshape(3, 2)
    empty = np.zeros((0, 5), dtype=np.float16)
    with VectorCache(folder) as cache:
        assert cache.find("m", [key(1)]) == cache.find("m", []) == {}
        cache.keep("m", {})
        assert not folder.exists()  # nothing is made before something is stored
        cache.keep("m", {**vectors([7]), key(2): rows, key(3): empty})
        found = cache.find("m", [key(n) for n in range(9)])
        assert set(found) == {key(7), key(2), key(3)}
        assert found[key(7)].tolist() == [7.0] * DIMENSIONS and found[key(7)].dtype == np.float16
        assert found[key(2)].tolist() == rows.tolist()
        assert found[key(3)].shape == (0, 5)
        cache.keep("other", vectors([7]))  # models are apart
        cache.keep("m", {key(7): np.ones(3, dtype=np.float16)})  # a later vector takes the place
        assert cache.find("m", [key(7)])[key(7)].tolist() == [1.0, 1.0, 1.0]
        assert cache.find("other", [key(7)])[key(7)][0] == 7.0
        cache.keep("m", vectors(range(10, 1_000)))  # more keys than one statement takes
        assert known(cache, range(8, 2_000)) == list(range(10, 1_000))
    assert [path.name for path in folder.iterdir()] == [FILE]
    assert known(cache, range(8, 12)) == [10, 11]  # opened again
    cache.close()


def test_a_damaged_row_is_as_if_not_there_and_only_numbers_are_stored(tmp_path: Path) -> None:
    rows = np.arange(6, dtype=np.float16).reshape(2, 3)
    damages = [b"", b"short", zlib.compress(b"storm")[:-1], b"\1" * 16]
    stored = {key(n): rows for n in range(len(damages) + 2)}
    with VectorCache(tmp_path) as cache, PageCache(tmp_path) as pages:
        cache.keep("m", stored)
        for each in stored:
            pages.keep(each, b"page")
    for file in (FILE, PAGES_FILE):
        with closing(sqlite3.connect(tmp_path / file)) as database, database:
            for number, damage in enumerate(damages, start=2):
                database.execute("UPDATE entries SET content = ? WHERE id = ?", (damage, number))
    with VectorCache(tmp_path) as cache, PageCache(tmp_path) as pages:
        whole = {key(0), key(len(damages) + 1)}
        assert set(cache.find("m", list(stored))) == set(pages.find(list(stored))) == whole
        cache.keep("m", {key(1): rows})
        assert cache.find("m", [key(1)])[key(1)].tolist() == rows.tolist()
        for value in [np.nan, -np.nan, np.inf, -np.inf]:
            cache.keep("numbers", {key(1): np.array([1.0, value], np.float16)})
        cache.keep("numbers", {key(2): np.array([65_504.0, -65_504.0, 6e-8, -0.0], np.float16)})
        assert set(cache.find("numbers", [key(1), key(2)])) == {key(2)}


def test_tables_go_one_by_one_and_what_is_too_large_is_not_stored(tmp_path: Path) -> None:
    limit = 4_000_000
    fit = limit // TABLE_BYTES
    with VectorCache(tmp_path, limit) as cache:
        for number in range(3 * fit):
            cache.keep("m", table(number))
            left = known(cache, range(number + 1))
            assert left == list(range(left[0], number + 1))
            assert len(left) >= min(number + 1, fit - 3)
            assert file_bytes(tmp_path) <= limit
    folder = tmp_path / "small"
    with VectorCache(folder, 1_000_000) as cache:
        for number in range(2):
            cache.keep("m", table(number))
        cache.keep("m", table(2, rows=2_000))
        assert known(cache, range(3)) == [0, 1]
        cache.keep("m", {**table(3, rows=2_000), **table(4)})
        assert known(cache, range(5)) in ([0, 1, 4], [1, 4])
        cache.clear()  # while it is open
        assert known(cache, range(5)) == []
        assert file_bytes(folder) <= 1_000_000


def test_the_log_beside_the_file_stays_small(tmp_path: Path) -> None:
    largest = 0
    with VectorCache(tmp_path, 4_000_000) as cache:
        for number in range(40):
            cache.keep("m", table(number))
            cache.keep("m", vectors(range(200 * number, 200 * number + 64)))
            largest = max(largest, file_bytes(tmp_path, "-wal"))
        assert 0 < largest < 2_500_000
    assert not (tmp_path / f"{FILE}-wal").exists()


def test_threads_may_share_it(tmp_path: Path) -> None:
    def work(n: int) -> list[int]:
        cache.keep("m", vectors(range(100 * n, 100 * n + 100)))
        return known(cache, range(100 * n, 100 * n + 100))

    with VectorCache(tmp_path) as cache, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, range(8)))
    assert found == [list(range(100 * n, 100 * n + 100)) for n in range(8)]


FILLS = """
for start in range({first}, {first} + 3_000, 100):
    cache.keep("m", vectors(range(start, start + 100)))
cache.close()
"""


@pytest.mark.parametrize("limit", [10**9, 800_000])
def test_several_processes_write_at_once(tmp_path: Path, limit: int) -> None:
    programs = [started(tmp_path, FILLS.format(first=3_000 * n), limit) for n in range(2)]
    assert [ended(program) for program in programs] == [(0, "")] * 2
    with VectorCache(tmp_path) as cache:
        found = known(cache, range(7_000))
    assert found == list(range(6_000)) if limit == 10**9 else len(found) > 2_000
    assert file_bytes(tmp_path) <= limit and file_bytes(tmp_path) > 400_000


KILLED = """
cache.keep("m", vectors(range(2_000)))
cache._database.execute("BEGIN IMMEDIATE")
cache._database.execute("DELETE FROM entries")
os.kill(os.getpid(), 9)
"""


def test_another_process_opens_it_after_a_kill(tmp_path: Path) -> None:
    assert ended(started(tmp_path, KILLED)) == (-signal.SIGKILL, "")
    with VectorCache(tmp_path) as cache:
        assert known(cache, range(3_000)) == list(range(2_000))
        cache.keep("m", vectors(range(3_000)))
        assert known(cache, range(3_000)) == list(range(3_000))


def test_while_another_process_writes_for_long(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(cache_database, "_BUSY_TIMEOUT_S", 0.01)
    assert stored(tmp_path) == 10
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with VectorCache(tmp_path) as cache:
        cache.keep("m", vectors(range(20)))  # given up, for this time
        assert len(cache.find("m", list(vectors(range(20))))) == 10
        other.execute("COMMIT")
        cache.keep("m", vectors(range(20)))
        assert len(cache.find("m", list(vectors(range(20))))) == 20
    other.close()


# Whatever is wrong with the file, the crawl goes on and one warning says so.


def stored(folder: Path, count: int = 10) -> int:
    """Store some and count what is found then."""
    with VectorCache(folder) as cache:
        cache.find("m", list(vectors(range(1))))
        for _ in range(3):
            cache.keep("m", vectors(range(count)))
        return len(cache.find("m", list(vectors(range(count)))))


def test_a_damaged_file_and_one_of_another_program_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 1_000)
    with pytest.warns(ScenthoundWarning, match="not a database.*Delete it") as printed:
        assert stored(tmp_path, 2_000) == 0
    assert len(printed) == 1
    (tmp_path / FILE).unlink()
    assert stored(tmp_path, 2_000) == 2_000
    with (tmp_path / FILE).open("r+b") as file:  # the header stays, so that it opens
        file.seek(8_192)
        file.write(random.Random(1).randbytes(file_bytes(tmp_path) - 8_192))
    with pytest.warns(ScenthoundWarning, match="malformed.*goes on without it") as printed:
        assert stored(tmp_path, 2_000) == 0
    assert len(printed) == 1
    (tmp_path / FILE).unlink()
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("CREATE TABLE theirs (a)")
    database.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.warns(ScenthoundWarning, match="a database of another program.*--cache none") as w:
        assert stored(tmp_path) == 0
    assert (tmp_path / FILE).read_bytes() == before and len(w) == 1


FULL = """
import resource, signal, warnings
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
with warnings.catch_warnings(record=True) as said, cache:
    warnings.simplefilter("always")
    for _ in range(3):
        cache.keep("m", vectors(range(5_000)))
print(len(said), said[0].message)
"""


def test_a_full_disk(tmp_path: Path) -> None:
    code, printed = ended(started(tmp_path, FULL))
    assert code == 0 and printed.startswith("1 the vector cache"), printed
    assert "goes on without it" in printed
    assert stored(tmp_path) == 10


def test_the_usage_and_how_it_is_emptied(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert VectorCache(folder).usage() == CacheUsage({}, 0)
    VectorCache(folder).clear()
    assert not folder.exists()
    with VectorCache(folder) as cache:
        cache.keep("small", vectors(range(3)))
        cache.keep("large", vectors(range(3_000)))
        before = cache.usage()
        assert list(before.entries.items()) == [("large", 3_000), ("small", 3)]
        VectorCache(folder).clear()  # while it is open
        assert cache.find("large", list(vectors(range(3)))) == {}
        cache.keep("small", vectors(range(1)))
    after = VectorCache(folder).usage()
    assert after.entries == {"small": 1} and after.bytes < before.bytes / 5
    (folder / FILE).unlink()
    os.mkdir(folder / FILE)
    with pytest.raises(FolderError, match=r"cannot be used: .*; end what uses it, or delete it\."):
        VectorCache(folder).usage()


def test_pages_are_found_at_once_and_by_others_and_the_newest_stay(tmp_path: Path) -> None:
    with PageCache(tmp_path / "c") as cache:
        assert cache.find([key(1)]) == {} and not (tmp_path / "c").exists()
        cache.keep(key(1), b"one")
        cache.keep(key(3), b"")
        assert cache.find([key(1), key(2)]) == {key(1): b"one"}
        assert not (tmp_path / "c").exists()  # it waits
    with PageCache(tmp_path / "c") as cache:
        assert cache.find([key(1), key(2), key(3)]) == {key(1): b"one", key(3): b""}
        assert cache.usage().entries == {READ: 2}
    with PageCache(tmp_path) as cache, PageCache(tmp_path) as other:
        for number in range(1_500_000 // CONTENT):
            cache.keep(key(number), page(number))
        assert len(known_pages(other, range(500))) >= 1_000_000 // CONTENT
    limit, count = 2_000_000, 600
    with PageCache(tmp_path, limit) as cache:
        for number in range(count):
            cache.keep(key(number), page(number))
    assert limit // 2 < (tmp_path / PAGES_FILE).stat().st_size <= limit
    with PageCache(tmp_path) as cache:
        left = known_pages(cache, range(count))
    assert left == list(range(left[0], count)) and len(left) > limit // CONTENT // 2


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.glob(f"{PAGES_FILE}*")}


def test_only_the_owner_reads_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with PageCache(tmp_path / "c") as cache:
            cache.keep(key(1), b"page")
            cache.write()
            private = {PAGES_FILE + ending: 0o600 for ending in ("", "-wal", "-shm")}
            assert modes(tmp_path / "c") == private
        (tmp_path / "c" / PAGES_FILE).chmod(0o660)  # shared on purpose
        keep_page(tmp_path / "c", 3)
        assert modes(tmp_path / "c")[PAGES_FILE] == 0o660
    finally:
        os.umask(before)


def test_it_is_made_before_there_is_anything_to_store(tmp_path: Path) -> None:
    with PageCache(tmp_path / "c") as cache:
        cache.prepare()
        assert (tmp_path / "c" / PAGES_FILE).exists()
    (tmp_path / "file").touch()
    with PageCache(tmp_path / "file" / "c") as cache:
        with pytest.warns(ScenthoundWarning, match="goes on without it") as printed:
            cache.prepare()
        cache.keep(key(1), b"page")  # warned once
    assert len(printed) == 1
