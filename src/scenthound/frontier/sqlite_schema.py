"""The tables of the SQLite frontier, and how its file is best opened."""

from __future__ import annotations

import sqlite3

PRAGMAS = (
    "PRAGMA page_size = 4096",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA cache_size = -65536",
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA temp_store = MEMORY",
)
"""What the opener of the connection should say first; the figures were measured with these."""

READY, RETRY, LEASED, CLOSED, SPENT = range(5)
"""States of a URL: may be leased; waits until it is due; is leased; is done; host is spent."""

FREE, RESTING, BUSY, GREEDY = range(4)
"""Turns of a host that has a URL to offer; NULL for one that has none."""

_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS frontier_urls (
        id INTEGER PRIMARY KEY,
        key INTEGER NOT NULL,
        url TEXT NOT NULL,
        host INTEGER NOT NULL,
        state INTEGER NOT NULL,
        score REAL NOT NULL,
        depth INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        sightings INTEGER NOT NULL,
        due REAL,
        parts BLOB,
        inlinks BLOB,
        redirects TEXT
    )
    """,
    "CREATE INDEX IF NOT EXISTS frontier_keys ON frontier_urls (key)",
    f"""
    CREATE INDEX IF NOT EXISTS frontier_order ON frontier_urls (host, score DESC, id)
    WHERE state = {READY}
    """,
    """
    CREATE INDEX IF NOT EXISTS frontier_due ON frontier_urls (due) WHERE due IS NOT NULL
    """,
    """
    CREATE TABLE IF NOT EXISTS frontier_hosts (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        ready INTEGER NOT NULL DEFAULT 0,
        had INTEGER NOT NULL DEFAULT 0,
        leased INTEGER NOT NULL DEFAULT 0,
        busy INTEGER NOT NULL DEFAULT 0,
        delay REAL NOT NULL DEFAULT 0,
        next_at REAL,
        turn INTEGER,
        best REAL,
        best_id INTEGER
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS frontier_turns ON frontier_hosts (turn, best DESC, best_id)
    WHERE turn IS NOT NULL
    """,
    f"""
    CREATE INDEX IF NOT EXISTS frontier_resting ON frontier_hosts (next_at)
    WHERE turn = {RESTING}
    """,
    f"""
    CREATE INDEX IF NOT EXISTS frontier_greedy ON frontier_hosts (had) WHERE turn = {GREEDY}
    """,
    """
    CREATE TABLE IF NOT EXISTS frontier_shapes (
        id INTEGER PRIMARY KEY, terms TEXT NOT NULL UNIQUE
    )
    """,
)


def create_tables(connection: sqlite3.Connection) -> None:
    """Create what is missing; tables that are there stay as they are."""
    for statement in _TABLES:
        connection.execute(statement)
