"""Rows of the vector cache that nobody can have kept so: they are passed over, and kept anew."""

from __future__ import annotations

import itertools
import os
import random
import signal
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import FolderError
from scenthound.storage import cache_database
from scenthound.storage.cache import (
    FILE,
    VECTORS,
    Packed,
    Vector,
    VectorCache,
    pack_vector,
    unpack_vector,
)
from scenthound.storage.cache_database import (
    CacheUsage,
    cache_usage,
    delete_cached,
    row_bytes,
    write_batches,
)
from storage.vector_making import ended, key, known, started, vectors

DAMAGE = [
    "vector = 'text as long as it must be'",
    "vector = CAST(x'FF00FF00FF00FF00FF00FF00' AS TEXT)",  # no UTF-8
    "vector = 12",
    "vector = 0.5",
    "vector = x'0000'",
    "vector = x''",
    "rows = -2, length = -3",
    "rows = -1, length = -6",
    "rows = -1",
    "rows = 'q'",
    "rows = 2.5",
    "rows = CAST(x'FF' AS TEXT)",
    "length = 'x'",
    "length = x'00'",
    "rows = 0, length = 4611686018427387904, vector = x''",
    "rows = 9223372036854775807, length = 9223372036854775807",
    "vector = x'007E00000000000000000000'",  # not a number
    "vector = x'0000000000000000000000FE'",
    "vector = x'007C00000000000000000000'",  # infinite
    "vector = x'0000000000000000000000FC'",
]


def test_a_damaged_row_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    told: list[str] = []
    table = np.arange(6, dtype=np.float16).reshape(2, 3)
    kept = {key(n): table for n in range(len(DAMAGE) + 2)}
    with VectorCache(tmp_path, warn=told.append) as cache:
        cache.keep("m", kept)
    with sqlite3.connect(tmp_path / FILE) as database:
        for number, damage in enumerate(DAMAGE, start=1):
            database.execute(f"UPDATE vectors SET {damage} WHERE key = ?", (key(number),))
    database.close()
    with VectorCache(tmp_path, warn=told.append) as cache:
        assert set(cache.find("m", list(kept))) == {key(0), key(len(DAMAGE) + 1)}
        cache.keep("m", {key(1): table})
        assert cache.find("m", [key(1)])[key(1)].tolist() == table.tolist()
    assert told == []


def test_damaged_rows_make_room_like_others(tmp_path: Path) -> None:
    table = np.ones((400, 384), dtype=np.float16)
    with VectorCache(tmp_path, 4_000_000) as cache:
        for number in range(12):
            cache.keep("m", {key(number): table})
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute("UPDATE vectors SET vector = CAST(vector AS TEXT), rows = -1")
    database.close()
    with VectorCache(tmp_path, 4_000_000) as cache:
        for number in range(12, 30):
            cache.keep("m", {key(number): table})
        assert len(cache.find("m", [key(number) for number in range(30)])) >= 10
    assert (tmp_path / FILE).stat().st_size <= 4_000_000


def test_the_largest_and_the_smallest_numbers_are_kept() -> None:
    for value in [65_504.0, -65_504.0, 6e-8, -0.0, 0.0]:
        row = pack_vector(np.array([value, 1.0], dtype=np.float16))
        assert row is not None
        vector = unpack_vector(*row)
        assert vector is not None and vector[0] == np.float16(value)


def test_what_is_no_number_is_seen_wherever_it_stands() -> None:
    for value in [np.nan, -np.nan, np.inf, -np.inf]:
        for place in (0, 199, 399):
            table = np.ones((400, 384), dtype=np.float16)
            table[place, 383 - place % 7] = value
            assert pack_vector(table) is None
            assert unpack_vector(400, 384, table.tobytes()) is None


# The size of the vector cache, with what a crawl keeps: a table of vectors for each page.


TABLE_BYTES = 400 * 384 * 2


def table(number: int, rows: int = 400) -> dict[bytes, Vector]:
    return {key(number): np.full((rows, 384), number % 100, dtype=np.float16)}


def file_bytes(folder: Path, ending: str = "") -> int:
    return (folder / f"{FILE}{ending}").stat().st_size


def test_tables_go_one_by_one_and_the_newest_stay(tmp_path: Path) -> None:
    limit = 4_000_000
    fit = limit // TABLE_BYTES
    with VectorCache(tmp_path, limit) as cache:
        for number in range(5 * fit):
            cache.keep("m", table(number))
            left = known(cache, range(number + 1))
            assert left == list(range(left[0], number + 1))
            assert len(left) >= min(number + 1, fit - 2)
            assert file_bytes(tmp_path) <= limit


def test_what_is_larger_than_the_cache_leaves_it_as_it_is(tmp_path: Path) -> None:
    with VectorCache(tmp_path, 1_000_000) as cache:
        for number in range(2):
            cache.keep("m", table(number))
        cache.keep("m", table(2, rows=2_000))
        assert known(cache, range(3)) == [0, 1]
        cache.keep("m", {**table(3, rows=2_000), **table(4)})
        assert known(cache, range(5)) in ([0, 1, 4], [1, 4])
        assert file_bytes(tmp_path) <= 1_000_000


def test_of_many_that_do_not_fit_together_the_first_are_kept(tmp_path: Path) -> None:
    many = {name: each for number in range(40) for name, each in table(number).items()}
    with VectorCache(tmp_path, 4_000_000) as cache:
        cache.keep("m", many)
        left = known(cache, range(40))
        assert file_bytes(tmp_path) <= 4_000_000
    assert left == list(range(len(left))) and len(left) >= 11


def test_the_log_beside_the_file_stays_small(tmp_path: Path) -> None:
    largest = 0
    with VectorCache(tmp_path, 4_000_000) as cache:
        for number in range(60):
            cache.keep("m", table(number))
            cache.keep("m", vectors(range(200 * number, 200 * number + 64)))
            largest = max(largest, file_bytes(tmp_path, "-wal"))
        assert 0 < largest < 2_500_000
    assert not (tmp_path / f"{FILE}-wal").exists()


def test_a_log_that_others_held_up_is_emptied_when_they_have_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_database, "_TRUNCATE_TIMEOUT_S", 0.001)
    told: list[str] = []
    with VectorCache(tmp_path, 4_000_000, told.append) as cache:
        cache.keep("m", table(0))
        reader = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM vectors").fetchone() == (1,)
        for number in range(1, 20):
            cache.keep("m", table(number))
        assert 19 in known(cache, range(20)) and file_bytes(tmp_path, "-wal") > 5_000_000
        reader.close()
        cache.keep("m", table(20))
        assert file_bytes(tmp_path, "-wal") < 1_000_000
        assert 20 in known(cache, range(21))
    assert told == []


def test_a_much_lower_limit_is_reached_step_by_step(tmp_path: Path) -> None:
    with VectorCache(tmp_path) as cache:
        for number in range(100):
            cache.keep("m", table(number))
    sizes = [file_bytes(tmp_path)]
    with VectorCache(tmp_path, 1_000_000) as cache:
        for number in range(100, 105):
            cache.keep("m", table(number, rows=1))
            assert number in known(cache, range(100, 105))
            cache.close()
            sizes.append(file_bytes(tmp_path))
        assert known(cache, range(100, 105)) == list(range(100, 105))
    assert sizes[0] > 30_000_000 and sizes[-1] <= 1_000_000
    assert max(before - after for before, after in itertools.pairwise(sizes)) < 11_000_000


FILLS = """
cache = VectorCache(cache.folder, 2_000_000, told.append)
for number in range({first}, {first} + 100):
    cache.keep("m", vectors(range(100 * number, 100 * number + 100)))
cache.close()
print(told)
"""


def test_several_processes_keep_to_one_limit(tmp_path: Path) -> None:
    programs = [started(tmp_path, FILLS.format(first=100 * n)) for n in range(2)]
    assert [ended(program) for program in programs] == [(0, "[]\n")] * 2
    assert 1_000_000 < file_bytes(tmp_path) <= 2_000_000


@pytest.mark.parametrize("length", [1, 384, 2_000, 153_600])
def test_a_row_takes_no_more_room_than_is_made_for_it(tmp_path: Path, length: int) -> None:
    rng = np.random.default_rng(1)
    vector = np.ones(length, dtype=np.float16)
    row = pack_vector(vector)
    assert row is not None
    count = min(1_000, 8_000_000 // row_bytes(row))
    with VectorCache(tmp_path) as cache:
        cache.keep("m", {rng.bytes(16): vector for _ in range(count)})
    database = sqlite3.connect(tmp_path / FILE)
    ((pages,),) = database.execute("PRAGMA page_count")
    ((page,),) = database.execute("PRAGMA page_size")
    database.close()
    assert (pages - 12) * page <= count * row_bytes(row)


def test_portions_hold_every_row_that_fits_once() -> None:
    small: Packed = (None, 500, bytes(1_000))
    large: Packed = (None, 5_000_000, bytes(10_000_000))
    rows = {key(n): large if n == 7 else small for n in range(2_000)}
    parts = list(write_batches(rows, 5_000_000))
    assert [name for _, part in parts for name in part] == [name for name in rows if name != key(7)]
    assert all(needed == sum(map(row_bytes, part.values())) for needed, part in parts)
    assert max(needed for needed, _ in parts) <= 500_000
    assert list(write_batches({}, 5_000_000)) == []
    assert list(write_batches(rows, 0)) == []


# Whatever is wrong with the vector cache, the crawl goes on; it is told once.


def kept(folder: Path, told: list[str], count: int = 10) -> int:
    """Keep some and count what is found then."""
    with VectorCache(folder, warn=told.append) as cache:
        cache.find("m", list(vectors(range(1))))
        for _ in range(3):
            cache.keep("m", vectors(range(count)))
        return len(cache.find("m", list(vectors(range(count)))))


def test_a_file_that_is_no_database_is_moved_aside(tmp_path: Path) -> None:
    content = b"no database at all" * 1_000
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
    cache_database.quarantine(VECTORS, tmp_path, opened=1)
    assert (tmp_path / FILE).exists() and not (tmp_path / VECTORS.aside).exists()


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
    monkeypatch.setattr(cache_database, "_BUSY_TIMEOUT_S", 0.01)
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
    assert cache_usage(VECTORS, folder, told.append) == CacheUsage({}, 0)
    delete_cached(VECTORS, folder, told.append)
    assert not folder.exists()
    with VectorCache(folder) as cache:
        cache.keep("small", vectors(range(3)))
        cache.keep("large", vectors(range(3_000)))
        report = cache_usage(VECTORS, folder, told.append)
        assert list(report.entries.items()) == [("large", 3_000), ("small", 3)]
        delete_cached(VECTORS, folder, told.append)  # while it is open
        assert cache.find("large", list(vectors(range(3)))) == {}
        cache.keep("small", vectors(range(1)))
    after = cache_usage(VECTORS, folder, told.append)
    assert after.entries == {"small": 1} and after.bytes < report.bytes / 5
    assert told == []


def test_a_report_of_what_cannot_be_read(tmp_path: Path) -> None:
    os.mkdir(tmp_path / FILE)
    with pytest.raises(FolderError, match=r"cannot be used: .*; end what uses it, or delete it\."):
        cache_usage(VECTORS, tmp_path, print)
