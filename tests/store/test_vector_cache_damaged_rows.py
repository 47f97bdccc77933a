"""Rows of the vector cache that nobody can have kept so: they are passed over, and kept anew."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from scenthound.store.vector_cache import VectorCache
from scenthound.store.vector_cache_file import FILE
from scenthound.store.vector_cache_rows import packed, unpacked
from store.vector_making import key

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


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_row_is_as_if_it_were_not_there(tmp_path: Path, damage: str) -> None:
    told: list[str] = []
    table = np.arange(6, dtype=np.float16).reshape(2, 3)
    kept = {key(n): table for n in range(3)}
    with VectorCache(tmp_path, warn=told.append) as cache:
        cache.keep("m", kept)
    with sqlite3.connect(tmp_path / FILE) as database:
        database.execute(f"UPDATE vectors SET {damage} WHERE key = ?", (key(1),))
    database.close()
    with VectorCache(tmp_path, warn=told.append) as cache:
        assert set(cache.find("m", list(kept))) == {key(0), key(2)}
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


@pytest.mark.parametrize("value", [65_504.0, -65_504.0, 6e-8, -0.0, 0.0])
def test_the_largest_and_the_smallest_numbers_are_kept(value: float) -> None:
    row = packed(np.array([value, 1.0], dtype=np.float16))
    assert row is not None
    vector = unpacked(*row)
    assert vector is not None and vector[0] == np.float16(value)


@pytest.mark.parametrize("value", [np.nan, -np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_seen_wherever_it_stands(value: float) -> None:
    for place in (0, 199, 399):
        table = np.ones((400, 384), dtype=np.float16)
        table[place, 383 - place % 7] = value
        assert packed(table) is None
        assert unpacked(400, 384, table.tobytes()) is None
