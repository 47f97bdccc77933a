"""The size of the vector cache, with what a crawl keeps: a table of vectors for each page."""

from __future__ import annotations

import itertools
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from scenthound.store import cache_file
from scenthound.store.cache_room import portions, room_for
from scenthound.store.vector_cache import VectorCache
from scenthound.store.vector_cache_file import FILE
from scenthound.store.vector_cache_rows import Packed, Vector, packed
from store.vector_making import ended, key, known, started, vectors

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


def test_a_table_moves_out_no_more_than_the_vectors_it_needs_room_of(tmp_path: Path) -> None:
    with VectorCache(tmp_path, 4_000_000) as cache:
        for start in range(0, 20_000, 1_000):
            cache.keep("m", vectors(range(start, start + 1_000)))
        before = len(known(cache, range(20_000)))
        cache.keep("m", table(20_000))
        left = known(cache, range(20_001))
    assert left[-1] == 20_000 and left[:-1] == list(range(left[0], 20_000))
    assert len(left) > 0.75 * before


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
    monkeypatch.setattr(cache_file, "_PATIENCE_WITH_READERS_S", 0.001)
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


def test_a_large_batch_makes_no_large_log(tmp_path: Path) -> None:
    many = {name: each for number in range(100) for name, each in table(number).items()}
    with VectorCache(tmp_path) as cache:
        cache.keep("m", many)
        assert known(cache, range(100)) == list(range(100))
        assert file_bytes(tmp_path, "-wal") < 2_500_000 < 30_000_000 < file_bytes(tmp_path)


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
for number in range({first}, {first} + 200):
    cache.keep("m", vectors(range(100 * number, 100 * number + 100)))
cache.close()
print(told)
"""


def test_several_processes_keep_to_one_limit(tmp_path: Path) -> None:
    programs = [started(tmp_path, FILLS.format(first=200 * n)) for n in range(2)]
    assert [ended(program) for program in programs] == [(0, "[]\n")] * 2
    assert 1_000_000 < file_bytes(tmp_path) <= 2_000_000


@pytest.mark.parametrize("length", [1, 64, 300, 384, 768, 1_024, 1_500, 2_000, 4_096, 153_600])
def test_a_row_takes_no_more_room_than_is_made_for_it(tmp_path: Path, length: int) -> None:
    rng = np.random.default_rng(1)
    vector = np.ones(length, dtype=np.float16)
    row = packed(vector)
    assert row is not None
    count = min(2_000, 20_000_000 // room_for(row))
    with VectorCache(tmp_path) as cache:
        cache.keep("m", {rng.bytes(16): vector for _ in range(count)})
    database = sqlite3.connect(tmp_path / FILE)
    ((pages,),) = database.execute("PRAGMA page_count")
    ((page,),) = database.execute("PRAGMA page_size")
    database.close()
    assert (pages - 12) * page <= count * room_for(row)


def test_portions_hold_every_row_that_fits_once() -> None:
    small: Packed = (None, 500, bytes(1_000))
    large: Packed = (None, 5_000_000, bytes(10_000_000))
    rows = {key(n): large if n == 7 else small for n in range(2_000)}
    parts = list(portions(rows, 5_000_000))
    assert [name for _, part in parts for name in part] == [name for name in rows if name != key(7)]
    assert all(needed == sum(map(room_for, part.values())) for needed, part in parts)
    assert max(needed for needed, _ in parts) <= 500_000
    assert list(portions({}, 5_000_000)) == []
    assert list(portions(rows, 0)) == []
