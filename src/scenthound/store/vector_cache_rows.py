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
_EXPONENT = 0x7C00
"""The bits of a 16 bit number that are all set where it is infinite, or no number."""
_LONGEST = 2**31


def model_number(model: str) -> int:
    """A number for a model's name; the same everywhere."""
    digest = hashlib.blake2b(model.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def packed(vector: Vector) -> Packed | None:
    """A vector as it is stored; None for one with a value that is no number."""
    array = np.asarray(vector, _STORED)
    if array.ndim not in (1, 2) or not _all_finite(array):
        return None
    rows = array.shape[0] if array.ndim == 2 else None
    return rows, array.shape[-1], array.tobytes()


def unpacked(rows: int | None, length: int, content: bytes) -> Vector | None:
    """A stored vector, to read only; None where its bytes are not those of its shape.

    Nor is one given out with a value that is no number, for that is damage too.
    """
    shape = (length,) if rows is None else (rows, length)
    if not all(0 <= each < _LONGEST for each in shape):
        return None
    if len(content) != _STORED.itemsize * math.prod(shape):
        return None
    vector = np.frombuffer(content, _STORED).reshape(shape)
    return vector if _all_finite(vector) else None


def look_up(
    database: sqlite3.Connection, model: str, keys: Sequence[bytes]
) -> Iterator[tuple[int, bytes, Vector]]:
    """Number, key and vector of each of the keys that is there; damaged rows are not."""
    for start in range(0, len(keys), _AT_ONCE):
        chunk = keys[start : start + _AT_ONCE]
        marks = ",".join("?" * len(chunk))
        found = database.execute(
            "SELECT id, key, rows, length, vector FROM vectors "
            f"WHERE model = ? AND key IN ({marks}) AND typeof(vector) = 'blob' "
            "AND typeof(length) = 'integer' AND typeof(rows) IN ('integer', 'null')",
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


def _all_finite(array: Vector) -> bool:
    """The same as numpy's isfinite, which takes the numbers one by one and twenty times as long."""
    return bool((array.view("<u2") & _EXPONENT).max(initial=0) < _EXPONENT)
