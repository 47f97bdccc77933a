"""What is asked of the tables of the vector cache."""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float16]
"""One vector, or several as the rows of a table."""
Packed = tuple[int | None, int, bytes]
"""How many rows, None for a vector alone; the length of each; their bytes."""
_STORED: np.dtype[np.float16] = np.dtype("<f2")
"""The same bytes on every machine."""
_AT_ONCE = 256
"""Keys of one question."""
_SLICE = 500
"""Vectors forgotten at once: so few that neither a crawl nor another process waits for it."""


def model_number(model: str) -> int:
    """A number for a model's name; the same everywhere."""
    digest = hashlib.blake2b(model.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def packed(vector: Vector) -> Packed | None:
    """A vector as it is stored; None for one with a value that is no number."""
    array = np.asarray(vector, _STORED)
    if array.ndim not in (1, 2) or not np.isfinite(array).all():
        return None
    rows = array.shape[0] if array.ndim == 2 else None
    return rows, array.shape[-1], array.tobytes()


def unpacked(rows: int | None, length: int, content: bytes) -> Vector | None:
    """A stored vector, to read only; None where its bytes are not those of its shape."""
    if len(content) != _STORED.itemsize * length * (1 if rows is None else rows):
        return None
    vector = np.frombuffer(content, _STORED)
    return vector if rows is None else vector.reshape(rows, length)


def look_up(
    database: sqlite3.Connection, model: str, keys: Sequence[bytes]
) -> Iterator[tuple[int, bytes, Vector]]:
    """Number, key and vector of each of the keys that is there."""
    for start in range(0, len(keys), _AT_ONCE):
        chunk = keys[start : start + _AT_ONCE]
        marks = ",".join("?" * len(chunk))
        found = database.execute(
            "SELECT id, key, rows, length, vector FROM vectors "
            f"WHERE model = ? AND key IN ({marks})",
            (model_number(model), *chunk),
        )
        for number, key, rows, length, content in found:
            vector = unpacked(rows, length, content)
            if vector is not None:
                yield number, key, vector


def write(
    database: sqlite3.Connection, model: str, vectors: Mapping[bytes, Packed], hour: int
) -> None:
    """Add vectors, or put them in the place of others; within a transaction of the caller's."""
    number = model_number(model)
    database.execute("INSERT OR IGNORE INTO models VALUES (?, ?)", (number, model))
    database.executemany(
        "INSERT INTO vectors (model, key, rows, length, vector) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (model, key) DO UPDATE SET "
        "rows = excluded.rows, length = excluded.length, vector = excluded.vector",
        [(number, key, *each) for key, each in vectors.items()],
    )
    database.executemany(
        "INSERT OR REPLACE INTO uses SELECT id, ? FROM vectors WHERE model = ? AND key = ?",
        [(hour, number, key) for key in vectors],
    )


def note_uses(database: sqlite3.Connection, numbers: Iterable[int], hour: int) -> None:
    """These were used in this hour; one that is gone stays gone."""
    database.executemany(
        "UPDATE uses SET hour = ? WHERE id = ? AND hour < ?",
        [(hour, number, hour) for number in numbers],
    )


def forget_oldest(database: sqlite3.Connection, limit_bytes: int) -> None:
    """Those whose last use is longest ago go until the others fit; the file is cut to the limit.

    Pages that become free are used again, so that the file grows no longer.
    """
    while _bytes(database, in_use=True) > limit_bytes and _forget_some(database):
        continue
    size = _number(database, "page_size")
    spare = math.ceil((_bytes(database, in_use=False) - limit_bytes) / size)
    if spare > 0:
        database.executescript(f"PRAGMA incremental_vacuum({spare})")  # execute() frees one page


def forget_all(database: sqlite3.Connection) -> None:
    """Empty the cache; the file is cut when nobody else reads."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        for table in ("uses", "vectors", "models"):
            database.execute(f"DELETE FROM {table}")
    database.executescript("PRAGMA incremental_vacuum")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def count_by_model(database: sqlite3.Connection) -> dict[str, int]:
    """How many vectors, or tables of vectors, each model has; the most first."""
    counts = "SELECT model, count(*) AS entries FROM vectors GROUP BY model"
    named = f"SELECT name, entries FROM ({counts}) JOIN models ON models.id = model"
    return dict(database.execute(f"{named} ORDER BY entries DESC, name").fetchall())


def _forget_some(database: sqlite3.Connection) -> int:
    """Returns how many went."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        oldest = database.execute(
            "SELECT id FROM uses ORDER BY hour, id LIMIT ?", (_SLICE,)
        ).fetchall()
        database.executemany("DELETE FROM vectors WHERE id = ?", oldest)
        database.executemany("DELETE FROM uses WHERE id = ?", oldest)
    return len(oldest)


def _bytes(database: sqlite3.Connection, in_use: bool) -> int:
    pages = _number(database, "page_count")
    free = _number(database, "freelist_count") if in_use else 0
    return (pages - free) * _number(database, "page_size")


def _number(database: sqlite3.Connection, pragma: str) -> int:
    ((value,),) = database.execute(f"PRAGMA {pragma}")
    return int(value)
