"""The book of pages: positions, copies and facts, all in the caller's transaction."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.storage.database import Ledger, hamming_distance, open_database
from scenthound.storage.warc_writer import WarcPosition

fingerprints = st.integers(0, 2**64 - 1)
flips = st.sets(st.integers(0, 63), max_size=6)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(open_database(tmp_path / "crawl.sqlite", new=True)) as database:
        yield database


@pytest.fixture
def ledger(database: sqlite3.Connection) -> Ledger:
    return Ledger(database)


def flipped(fingerprint: int, bits: set[int]) -> int:
    return fingerprint ^ sum(1 << bit for bit in bits)


def test_an_empty_ledger_knows_nothing(ledger: Ledger) -> None:
    assert ledger.position(1) is None
    assert ledger.exact_copy(b"d") is None
    assert ledger.near_copy(0) is None
    assert ledger.get("end") is None
    with pytest.raises(KeyError):
        ledger.url_of(1)


def test_a_page_is_entered_then_placed(ledger: Ledger) -> None:
    ledger.record(1, "http://a.test/", 12.5, b"one", 7)
    ledger.record(2, "http://b.test/", 13.5, b"two", None)
    assert ledger.position(1) is None
    ledger.place(1, WarcPosition(3, 4_000_000_000, 10))
    assert ledger.position(1) == WarcPosition(3, 4_000_000_000, 10)
    assert ledger.url_of(2) == "http://b.test/"
    assert ledger.original(1) == ("http://a.test/", 12.5)
    with pytest.raises(sqlite3.IntegrityError):
        ledger.record(1, "http://c.test/", 14.5, b"three", None)


def test_of_several_copies_the_first_is_the_original(ledger: Ledger) -> None:
    for n in (5, 3, 9):
        ledger.record(n, f"http://a.test/{n}", 0.0, b"same", 2**64 - 1)
    assert ledger.exact_copy(b"same") == 3
    assert ledger.near_copy(2**64 - 1) == 3
    assert ledger.exact_copy(b"other") is None


@settings(max_examples=50, deadline=None)
@given(fingerprints, flips)
def test_near_means_at_most_three_bits(fingerprint: int, bits: set[int]) -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        ledger = Ledger(database)
        ledger.record(1, "http://a.test/", 0.0, b"", fingerprint)
        other = flipped(fingerprint, bits)
        assert hamming_distance(fingerprint, other) == len(bits)
        for distance in range(4):
            found = ledger.near_copy(other, distance)
            assert found == (1 if len(bits) <= distance else None)


def test_the_earliest_of_all_near_pages_is_found(ledger: Ledger) -> None:
    rng = random.Random(4)
    centre = rng.getrandbits(64)
    stored = {n: flipped(centre, set(rng.sample(range(64), rng.randrange(6)))) for n in range(30)}
    for n, fingerprint in stored.items():
        ledger.record(n, f"http://a.test/{n}", 0.0, n.to_bytes(), fingerprint)
    for probe in stored.values():
        near = [n for n, fingerprint in stored.items() if hamming_distance(probe, fingerprint) <= 3]
        assert ledger.near_copy(probe) == min(near)


def test_a_distance_the_blocks_cannot_find_is_refused(ledger: Ledger) -> None:
    for distance in [-1, 4]:
        with pytest.raises(ValueError, match="0 to 3"):
            ledger.near_copy(0, distance)


def test_copies_are_found_by_index_alone(ledger: Ledger, database: sqlite3.Connection) -> None:
    asked: list[str] = []
    database.set_trace_callback(asked.append)
    ledger.exact_copy(b"d")
    ledger.near_copy(1)
    database.set_trace_callback(None)
    assert len(asked) == 5
    for statement in asked:
        plan = database.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
        assert all(step[3].startswith("SEARCH") for step in plan), plan


def test_facts_are_kept_as_json(ledger: Ledger) -> None:
    ledger.set("end", [1, 2048])
    ledger.set("ends", {"ü": None})
    ledger.set("end", [2, 0])
    assert ledger.get("end") == [2, 0]
    assert ledger.get("ends") == {"ü": None}


def test_nothing_is_committed_here(tmp_path: Path) -> None:
    path = tmp_path / "crawl.sqlite"
    with closing(open_database(path, new=True)) as database:
        ledger = Ledger(database)
        database.execute("BEGIN")
        ledger.record(1, "http://a.test/", 0.0, b"d", 1)
        ledger.place(1, WarcPosition(1, 2, 3))
        ledger.set("end", 1)
        assert database.in_transaction
        database.execute("ROLLBACK")
        assert (ledger.exact_copy(b"d"), ledger.near_copy(1), ledger.get("end")) == (
            None,
            None,
            None,
        )
        database.execute("BEGIN")
        ledger.record(1, "http://a.test/", 0.0, b"d", 1)
        database.execute("COMMIT")
    with closing(open_database(path, new=False)) as database:
        assert Ledger(database).exact_copy(b"d") == 1
