"""How a cache keeps within its size: what is used least lately makes room for the new."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator, Mapping

from scenthound.store.cache_layout import Layout
from scenthound.store.cache_rows import Values, content_of

_PORTION = 500_000
"""Bytes written or forgotten at once: so few that neither a crawl nor another process waits."""
_MOST_PORTIONS = 20
"""Portions forgotten together, where a limit is lower than it was."""
_PAGE = 4_096
"""Bytes of a page of the file, as SQLite makes them."""
_BESIDE_CONTENT = 60
"""Bytes of a row besides the content, at most."""
_ELSEWHERE = 100
"""Bytes of what points to a row, at most."""


def room_for(row: Values) -> int:
    """Bytes of the file that a row takes, at most: rows share a page, or a row has its own."""
    size = len(content_of(row)) + _BESIDE_CONTENT
    if size <= _PAGE // 2:
        return math.ceil(_PAGE / (_PAGE // size)) + _ELSEWHERE
    return (size // _PAGE + 2) * _PAGE + _ELSEWHERE


def portions(
    rows: Mapping[bytes, Values], limit_bytes: int
) -> Iterator[tuple[int, dict[bytes, Values]]]:
    """Rows in portions to write one after another, each with the room that it needs.

    Those that would take more than nine tenths of the limit, alone or together with the ones
    before them, are left out: nothing that is kept goes for them in vain.
    """
    left = limit_bytes - limit_bytes // 10
    portion: dict[bytes, Values] = {}
    needed = 0
    for key, row in rows.items():
        room = room_for(row)
        if room > left:
            continue
        if portion and needed + room > _PORTION:
            yield needed, portion
            portion, needed = {}, 0
        portion[key] = row
        needed += room
        left -= room
    if portion:
        yield needed, portion


def make_room(layout: Layout, database: sqlite3.Connection, needed: int, limit_bytes: int) -> None:
    """Forget what was used longest ago, if there is no room for ``needed`` bytes.

    Some more goes than must, so that the next rows find room. A file that is above the limit
    just grows no further. Within a transaction of the caller's.
    """
    bound = max(limit_bytes, _bytes_in_use(database))
    spare = min(_PORTION, limit_bytes // 20)
    while (lacking := _bytes_in_use(database) + needed - bound) > 0:
        if not _forget_oldest(layout, database, lacking + spare):
            return


def shrink(layout: Layout, database: sqlite3.Connection, limit_bytes: int) -> None:
    """Bring a file that is above the limit nearer to it, by 10 MB and not more: nobody waits long.

    A portion is a transaction of its own: other processes write in between.
    """
    for _ in range(_MOST_PORTIONS):
        above = _bytes_in_use(database) - limit_bytes
        if above <= 0:
            break
        with database:
            database.execute("BEGIN IMMEDIATE")
            _forget_oldest(layout, database, min(above, _PORTION))
    _cut(database, limit_bytes)


def _cut(database: sqlite3.Connection, limit_bytes: int) -> None:
    """Give free pages beyond the limit back."""
    size = _number(database, "page_size")
    above = _number(database, "page_count") - limit_bytes // size
    if above > 0:
        pages = min(above, _MOST_PORTIONS * _PORTION // size)
        database.executescript(f"PRAGMA incremental_vacuum({pages})")  # execute() frees one page


def _forget_oldest(layout: Layout, database: sqlite3.Connection, wanted: int) -> int:
    """Let go of about so many bytes, at least of one row; returns how many rows went."""
    going: list[tuple[int]] = []
    oldest = database.execute(  # the length of a content is known without reading it
        f"SELECT uses.id, coalesce(length({layout.content}), 0) "
        f"FROM uses LEFT JOIN {layout.entries} USING (id) ORDER BY hour, uses.id"
    )
    for number, size in oldest:
        going.append((number,))
        wanted -= size + _BESIDE_CONTENT
        if wanted <= 0:
            break
    oldest.close()
    database.executemany(f"DELETE FROM {layout.entries} WHERE id = ?", going)
    database.executemany("DELETE FROM uses WHERE id = ?", going)
    return len(going)


def _bytes_in_use(database: sqlite3.Connection) -> int:
    pages = _number(database, "page_count") - _number(database, "freelist_count")
    return pages * _number(database, "page_size")


def _number(database: sqlite3.Connection, pragma: str) -> int:
    ((value,),) = database.execute(f"PRAGMA {pragma}")
    return int(value)
