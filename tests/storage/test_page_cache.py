"""Pages and counted texts between runs: found by others, within a size, whatever goes wrong."""

from __future__ import annotations

import os
import sqlite3
import zlib
from pathlib import Path

import pytest

from scenthound.storage.cache import COUNTED, PAGES, READ, PageCache, decompress_row
from scenthound.storage.cache_database import cache_usage, delete_cached
from storage.page_making import CONTENT, content, ended, key, known, started


def fill(folder: Path, numbers: range, kind: str = READ, limit: int = 10**9) -> list[str]:
    told: list[str] = []
    with PageCache(folder, limit, told.append) as cache:
        for number in numbers:
            cache.keep(kind, key(number), content(number))
    return told


def file_bytes(folder: Path) -> int:
    return (folder / PAGES.file).stat().st_size


def test_what_is_kept_is_found_at_once_and_by_others(tmp_path: Path) -> None:
    with PageCache(tmp_path / "c") as cache:
        assert cache.find(READ, [key(1)]) == {} and not (tmp_path / "c").exists()
        rows = cache.kind(READ)
        rows.keep(key(1), b"one")
        assert rows.find([key(1), key(2)]) == {key(1): b"one"}
        assert not (tmp_path / "c").exists()  # it waits
        assert cache.kind(COUNTED).find([key(1)]) == {}
        cache.keep(COUNTED, key(1), b"")
    with PageCache(tmp_path / "c") as cache:
        assert cache.kind(READ).find([key(1), key(2)]) == {key(1): b"one"}
        assert cache.kind(COUNTED).find([key(1)]) == {key(1): b""}


def test_it_is_written_now_and_then(tmp_path: Path) -> None:
    with PageCache(tmp_path) as cache, PageCache(tmp_path) as other:
        for number in range(1_500_000 // CONTENT):
            cache.keep(READ, key(number), content(number))
        assert len(known(other, range(500))) >= 1_000_000 // CONTENT


def test_the_newest_stay_within_the_limit(tmp_path: Path) -> None:
    limit = 2_000_000
    assert fill(tmp_path, range(3 * limit // CONTENT), limit=limit) == []
    assert limit // 2 < file_bytes(tmp_path) <= limit
    with PageCache(tmp_path) as cache:
        left = known(cache, range(3 * limit // CONTENT))
    assert left == list(range(left[0], 3 * limit // CONTENT)) and len(left) > limit // CONTENT // 2


BUSY = """
for number in range({first}, {first} + 150):
    cache.keep(READ, key(number), content(number))
    cache.keep(COUNTED, key(number), b"the same")
    if number % 20 == 0:
        cache.write()
cache.close()
print(told)
"""


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    programs = [started(tmp_path, BUSY.format(first=first)) for first in (0, 100)]
    assert [ended(program) for program in programs] == [(0, "[]\n")] * 2
    with PageCache(tmp_path) as cache:
        assert known(cache, range(300)) == list(range(250))
        assert len(cache.find(COUNTED, [key(number) for number in range(300)])) == 250


def test_a_damaged_row_is_none() -> None:
    for row in [
        b"",
        b"no zlib",
        zlib.compress(b"storm")[:-1],
        zlib.compress(b"storm")[:-4] + b"xxxx",
        7,
    ]:
        assert decompress_row(row) is None


def test_a_row_that_would_fill_the_memory_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.storage.cache._LARGEST", 1_000)
    assert decompress_row(zlib.compress(bytes(1_001))) is None
    assert decompress_row(zlib.compress(bytes(999))) == bytes(999)


def test_a_row_of_a_wrong_type_is_not_there(tmp_path: Path) -> None:
    fill(tmp_path, range(2))
    with sqlite3.connect(tmp_path / PAGES.file) as database:
        database.execute("UPDATE rows SET content = 'text' WHERE id = 1")
    database.close()
    with PageCache(tmp_path) as cache:
        assert known(cache, range(2)) == [1]


def test_the_report_and_how_it_is_emptied(tmp_path: Path) -> None:
    fill(tmp_path, range(200))
    fill(tmp_path, range(50), COUNTED)
    report = cache_usage(PAGES, tmp_path, print)
    assert report.entries == {READ: 200, COUNTED: 50} and report.bytes > 200 * CONTENT
    delete_cached(PAGES, tmp_path, print)
    report = cache_usage(PAGES, tmp_path, print)
    assert report.entries == {} and report.bytes < 100_000


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.glob(f"{PAGES.file}*")}


def test_only_the_owner_reads_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with PageCache(tmp_path / "c") as cache:
            cache.keep(READ, key(1), b"page")
            cache.write()
            private = {PAGES.file + ending: 0o600 for ending in ("", "-wal", "-shm")}
            assert modes(tmp_path / "c") == private
        (tmp_path / "c" / PAGES.file).write_bytes(b"no database" * 1_000)
        fill(tmp_path / "c", range(3))
        assert modes(tmp_path / "c") == {PAGES.file: 0o600, PAGES.aside: 0o600}
        (tmp_path / "c" / PAGES.file).chmod(0o660)  # shared on purpose
        fill(tmp_path / "c", range(3, 5))
        assert modes(tmp_path / "c")[PAGES.file] == 0o660
    finally:
        os.umask(before)


def test_it_is_made_before_there_is_anything_to_keep(tmp_path: Path) -> None:
    with PageCache(tmp_path / "c") as cache:
        cache.prepare()
        assert (tmp_path / "c" / PAGES.file).exists()
    (tmp_path / "file").touch()
    told: list[str] = []
    with PageCache(tmp_path / "file" / "c", warn=told.append) as cache:
        cache.prepare()
        assert len(told) == 1 and "goes on without it" in told[0]
        cache.keep(READ, key(1), b"page")
    assert len(told) == 1
