"""The vector cache: what is kept is found, by other processes too, and it stays in its bounds."""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from scenthound.storage.cache import FILE, VectorCache
from storage.vector_making import DIMENSIONS, ended, key, known, started, vector, vectors


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path: Path, told: list[str]) -> Iterator[VectorCache]:
    with VectorCache(tmp_path / "cache", warn=told.append) as made:
        yield made
    assert told == []


def test_what_is_kept_is_found(cache: VectorCache) -> None:
    table = np.arange(6, dtype=np.float16).reshape(3, 2)
    empty = np.zeros((0, 5), dtype=np.float16)
    cache.keep("m", {key(1): vector(7), key(2): table, key(3): empty})
    found = cache.find("m", [key(n) for n in range(5)])
    assert set(found) == {key(1), key(2), key(3)}
    assert found[key(1)].tolist() == [7.0] * DIMENSIONS and found[key(1)].dtype == np.float16
    assert found[key(2)].tolist() == table.tolist()
    assert found[key(3)].shape == (0, 5)
    cache.keep("other", {key(1): vector(2)})  # models are kept apart
    cache.keep("m", {key(1): np.ones(3, dtype=np.float16)})  # a later vector takes the place
    assert cache.find("m", [key(1)])[key(1)].tolist() == [1.0, 1.0, 1.0]
    assert cache.find("other", [key(1)])[key(1)][0] == 2.0
    cache.keep("m", vectors(range(10, 1_000)))  # more keys than one statement takes
    assert known(cache, range(4, 2_000)) == list(range(10, 1_000))


def test_nothing_is_made_before_something_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "cache"
    with VectorCache(folder) as cache:
        assert cache.find("m", [key(1)]) == {}
        assert cache.find("m", []) == {}
        cache.keep("m", {})
        assert not folder.exists()
        cache.keep("m", vectors(range(1)))
    assert (folder / FILE).exists()


def test_a_second_run_finds_what_the_first_kept(tmp_path: Path) -> None:
    with VectorCache(tmp_path) as first:
        first.keep("m", vectors(range(3)))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors-1.lock", FILE]
    with VectorCache(tmp_path) as second:
        assert known(second, range(5)) == [0, 1, 2]
        second.close()
        assert known(second, range(5)) == [0, 1, 2]  # opened again


def size_on_disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob(f"{FILE}*"))


def test_a_lower_limit_makes_the_file_smaller(tmp_path: Path) -> None:
    with VectorCache(tmp_path, 10_000_000) as cache:
        cache.keep("m", vectors(range(20_000)))
    before = size_on_disk(tmp_path)
    with VectorCache(tmp_path, 1_000_000) as cache:
        cache.keep("m", vectors(range(20_000, 20_001)))
    assert size_on_disk(tmp_path) <= 1_000_000 < before / 3


def test_what_was_used_lately_stays(tmp_path: Path) -> None:
    hours = [0.0]
    with VectorCache(tmp_path, 1_000_000, clock=lambda: hours[0] * 3600.0) as cache:
        cache.keep("m", vectors(range(3_000)))
        hours[0] = 5.0
        assert known(cache, range(100)) == list(range(100))
        for start in range(3_000, 6_000, 500):
            cache.keep("m", vectors(range(start, start + 500)))
        assert known(cache, range(200)) == list(range(100))


def test_uses_are_noted_when_nothing_is_kept(tmp_path: Path) -> None:
    with VectorCache(tmp_path, clock=lambda: 0.0) as cache:
        cache.keep("m", vectors(range(10)))
    with VectorCache(tmp_path, clock=lambda: 7_200.0) as cache:
        assert known(cache, range(2)) == [0, 1]
    with sqlite3.connect(tmp_path / FILE) as database:
        hours = [hour for (hour,) in database.execute("SELECT hour FROM uses ORDER BY id")]
    database.close()
    assert hours == [2, 2, *[0] * 8]


KEEPS = """
for start in range({first}, {first} + 1_000, 50):
    cache.keep("m", vectors(range(start, start + 50)))
cache.close()
print(told)
"""


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    programs = [started(folder, KEEPS.format(first=1_000 * n)) for n in range(3)]
    assert [ended(program) for program in programs] == [(0, "[]\n")] * 3
    with VectorCache(folder) as cache:
        assert known(cache, range(5_000)) == list(range(3_000))


def test_threads_may_share_it(cache: VectorCache) -> None:
    def work(n: int) -> list[int]:
        cache.keep("m", vectors(range(100 * n, 100 * n + 100)))
        return known(cache, range(100 * n, 100 * n + 100))

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, range(8)))
    assert found == [list(range(100 * n, 100 * n + 100)) for n in range(8)]


FORKS = """
cache.keep("m", vectors(range(2)))
child = os.fork()
if child == 0:
    right = known(cache, range(5)) == [0, 1]
    cache.keep("m", vectors(range(3, 4)))
    cache.close()
    os._exit(0 if right else 1)
print(os.waitpid(child, 0)[1], known(cache, range(5)), told)
cache.close()
"""


def test_a_forked_process_opens_it_anew(tmp_path: Path) -> None:
    assert ended(started(tmp_path, FORKS)) == (0, "0 [0, 1, 3] []\n")


def test_it_can_be_sent_to_another_process(tmp_path: Path) -> None:
    with VectorCache(tmp_path, 5_000_000) as cache:
        cache.keep("m", vectors(range(2)))
        with pickle.loads(pickle.dumps(cache)) as sent:
            assert known(sent, range(5)) == [0, 1]
