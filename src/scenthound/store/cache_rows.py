"""What is asked of the tables of a cache."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scenthound.store.cache_layout import Layout

Values = tuple[int | bytes | None, ...]
"""An entry as it is stored: its facts, then its content in bytes."""
_AT_ONCE = 256
"""Keys of one question."""


def content_of(values: Values) -> bytes:
    """The bytes that are kept."""
    content = values[-1]
    assert isinstance(content, bytes)
    return content


def group_number(name: str) -> int:
    """A number for the name of a group; the same everywhere."""
    digest = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def look_up(
    layout: Layout, database: sqlite3.Connection, group: str, keys: Sequence[bytes]
) -> Iterator[tuple[int, bytes, Values]]:
    """Number, key and values of each of the keys that is there; one of a wrong type is not."""
    numbers = [f"typeof({name}) IN ('integer', 'null')" for name, _ in layout.facts]
    typed = " AND ".join([f"typeof({layout.content}) = 'blob'", *numbers])
    for start in range(0, len(keys), _AT_ONCE):
        chunk = keys[start : start + _AT_ONCE]
        marks = ",".join("?" * len(chunk))
        found = database.execute(
            f"SELECT id, key, {', '.join(layout.values)} FROM {layout.entries} "
            f"WHERE {layout.group} = ? AND key IN ({marks}) AND {typed}",
            (group_number(group), *chunk),
        )
        for number, key, *values in found:
            yield number, key, tuple(values)


def write(
    layout: Layout,
    database: sqlite3.Connection,
    group: str,
    entries: Mapping[bytes, Values],
    hour: int,
) -> None:
    """Add entries, or put them in the place of others; within a transaction of the caller's."""
    number = group_number(group)
    database.execute(f"INSERT OR IGNORE INTO {layout.groups} VALUES (?, ?)", (number, group))
    marks = ", ".join("?" * len(layout.values))
    changes = ", ".join(f"{name} = excluded.{name}" for name in layout.values)
    database.executemany(
        f"INSERT INTO {layout.entries} ({layout.group}, key, {', '.join(layout.values)}) "
        f"VALUES (?, ?, {marks}) ON CONFLICT ({layout.group}, key) DO UPDATE SET {changes}",
        [(number, key, *values) for key, values in entries.items()],
    )
    database.executemany(
        f"INSERT OR REPLACE INTO uses SELECT id, ? FROM {layout.entries} "
        f"WHERE {layout.group} = ? AND key = ?",
        [(hour, number, key) for key in entries],
    )


def note_uses(database: sqlite3.Connection, numbers: Iterable[int], hour: int) -> None:
    """These were used in this hour; one that is gone stays gone."""
    database.executemany(
        "UPDATE uses SET hour = ? WHERE id = ? AND hour < ?",
        [(hour, number, hour) for number in numbers],
    )


def forget_all(layout: Layout, database: sqlite3.Connection) -> None:
    """Empty the cache; the file is cut when nobody else reads."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        for table in ("uses", layout.entries, layout.groups):
            database.execute(f"DELETE FROM {table}")
    database.executescript("PRAGMA incremental_vacuum")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def count_by_group(layout: Layout, database: sqlite3.Connection) -> dict[str, int]:
    """How many entries each group has; the most first."""
    counts = (
        f"SELECT {layout.group} AS id, count(*) AS number FROM {layout.entries} "
        f"GROUP BY {layout.group}"
    )
    named = f"SELECT name, number FROM ({counts}) JOIN {layout.groups} USING (id)"
    return dict(database.execute(f"{named} ORDER BY number DESC, name").fetchall())
