"""Every URL ever seen, one row each: the states of a URL, the codec of its evidence that SQLite and
Redis rows share, and the table of URLs in SQLite.

A crawl has millions of scores whose parts have a few combinations of names and weights. Such a
combination is a *shape*: it is stored once, under a number, and rows hold the number and values.
"""

from __future__ import annotations

import enum
import json
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct, pack, unpack_from

from scenthound.core.model import Inlink, Parts, Score, UrlEvidence
from scenthound.core.urls import host_of

MAX_ANCHOR = 200
"""Characters of an anchor text; longer ones are cut."""
_MAX_SHAPES = 4_096
"""Shapes held in memory."""
_SHAPE = Struct("<I")
_INLINK = Struct("<QdIH")
"""Source, score, shape, and bytes of the anchor; then the values of the parts, and the anchor."""
Shape = tuple[tuple[str, ...], tuple[float, ...]]
"""Names and weights of the parts."""


def host_name(url: str) -> str:
    """The host of a URL; "" for a bare name, which has none."""
    return host_of(url) if "//" in url else ""


class UrlState(enum.IntEnum):
    """Where a URL stands; rows store the number."""

    READY = 0
    RETRY = 1
    """It waits until it is due."""
    LEASED = 2
    CLOSED = 3
    EXHAUSTED = 4
    """It was set aside, as its host has had all the pages it may have."""


class EvidenceCodec(ABC):
    """Packs the parts of scores, and inlinks. A subclass says where shapes are stored."""

    def __init__(self) -> None:
        self._numbers: dict[Shape, int] = {}
        self._shapes: dict[int, Shape] = {}

    @abstractmethod
    def _store(self, text: str) -> int:
        """The number of a shape that is not in memory, given as JSON; stored if it is new."""

    @abstractmethod
    def _load(self, number: int) -> str | bytes:
        """The JSON of a shape that is not in memory."""

    def number_of(self, parts: Parts) -> int:
        """The number of the shape of these parts."""
        shape = parts.names, parts.weights
        found = self._numbers.get(shape)
        if found is None:
            found = self._store(json.dumps(list(zip(*shape, strict=True))))
            self._remember(found, shape)
        return found

    def _parts(self, number: int, packed: bytes, at: int) -> Parts:
        """Parts of this shape, whose values begin at a byte."""
        shape = self._shapes.get(number)
        if shape is None:
            pairs = json.loads(self._load(number))
            shape = tuple(str(name) for name, _ in pairs), tuple(float(w) for _, w in pairs)
            self._remember(number, shape)
        names, weights = shape
        return Parts(names, unpack_from(f"<{len(names)}d", packed, at), weights)

    def packed_evidence(self, row: UrlEvidence) -> tuple[bytes, bytes]:
        """Parts and inlinks; parts that are those of the best inlink are not written twice."""
        own = Parts.of(row.parts)
        best = Parts.of(row.inlinks[0].score.parts if row.inlinks else ())
        # By column, without making an object of each part.
        columns = own.values == best.values, own.names == best.names, own.weights == best.weights
        is_best = all(columns)
        parts = b"" if is_best else pack(f"<I{len(own)}d", self.number_of(own), *own.values)
        return parts, b"".join(map(self._packed_inlink, row.inlinks))

    def read_evidence(self, row: UrlEvidence, parts: bytes, inlinks: bytes, at: int = 0) -> None:
        """Give a row what :meth:`packed_evidence` returned, with anchors cut.

        The inlinks begin ``at`` a byte.
        """
        row.inlinks = []
        while at < len(inlinks):
            source, value, shape, length = _INLINK.unpack_from(inlinks, at)
            own = self._parts(shape, inlinks, at + _INLINK.size)
            start = at + _INLINK.size + 8 * len(own)
            at = start + length
            row.inlinks.append(Inlink(source, Score(value, own), inlinks[start:at].decode()))
        if parts:
            row.parts = self._parts(_SHAPE.unpack_from(parts)[0], parts, _SHAPE.size)
        else:
            row.parts = row.inlinks[0].score.parts if row.inlinks else ()

    def _packed_inlink(self, inlink: Inlink) -> bytes:
        parts = Parts.of(inlink.score.parts)
        # A page may carry half a surrogate pair, which has no UTF-8 form.
        anchor = inlink.anchor[:MAX_ANCHOR].encode("utf-8", "replace")
        head = inlink.source, inlink.score.value, self.number_of(parts), len(anchor)
        return pack(f"<QdIH{len(parts)}d{len(anchor)}s", *head, *parts.values, anchor)

    def _remember(self, number: int, shape: Shape) -> None:
        if len(self._shapes) >= _MAX_SHAPES:
            self._shapes.clear()
            self._numbers.clear()
        self._shapes[number] = shape
        self._numbers[shape] = number


# --- the table of URLs


URL_TABLES = (
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
    WHERE state = {UrlState.READY}
    """,
    """
    CREATE INDEX IF NOT EXISTS frontier_due ON frontier_urls (due) WHERE due IS NOT NULL
    """,
    """
    CREATE TABLE IF NOT EXISTS frontier_shapes (
        id INTEGER PRIMARY KEY, terms TEXT NOT NULL UNIQUE
    )
    """,
)


class SqliteCodec(EvidenceCodec):
    """Stores shapes in the table ``frontier_shapes``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def _store(self, text: str) -> int:
        query = "SELECT id FROM frontier_shapes WHERE terms = ?"
        row = self._connection.execute(query, (text,)).fetchone()
        if row is not None:
            return int(row[0])
        insert = "INSERT INTO frontier_shapes (terms) VALUES (?)"
        return int(self._connection.execute(insert, (text,)).lastrowid or 0)

    def _load(self, number: int) -> str:
        query = "SELECT terms FROM frontier_shapes WHERE id = ?"
        return str(self._connection.execute(query, (number,)).fetchone()[0])


COLUMNS = (
    "id, key, url, host, state, score, depth, attempts, sightings, due, parts, inlinks, redirects"
)
RawRow = tuple[
    int, int, str, int, int, float, int, int, int,
    float | None, bytes | None, bytes | None, str | None,
]  # fmt: skip
"""The values of ``COLUMNS``."""


def url_key(url: str) -> int:
    """64 bits of hash: 24 of the host, 40 of the URL.

    The host comes first so that the keys of a page's links, most of which stay on one host, lie
    together in the index: fewer pages of it are read and written.
    """
    host = blake2b(host_name(url).encode(), digest_size=3).digest()
    rest = blake2b(url.encode(), digest_size=5).digest()
    return int.from_bytes(host + rest, "big", signed=True)


@dataclass(slots=True, kw_only=True)
class UrlRow(UrlEvidence):
    """One row: a URL, its evidence, and its state."""

    id: int
    host: int
    state: int = UrlState.READY


_OPEN = frozenset({UrlState.READY, UrlState.RETRY})
_ROW = f"SELECT {COLUMNS} FROM frontier_urls"
_LOOKED_UP_AT_ONCE = 32
"""Keys in one query. Always as many, so that the statement is prepared once."""
_FIND = f"{_ROW} WHERE key IN ({', '.join('?' * _LOOKED_UP_AT_ONCE)})"
_INSERT = f"INSERT INTO frontier_urls ({COLUMNS}) VALUES ({', '.join('?' * 13)})"
_REWRITE = """
    UPDATE frontier_urls SET {} depth = ?, sightings = ?, parts = ?, inlinks = ? WHERE id = ?
"""
_MOVE = "UPDATE frontier_urls SET state = ?, due = ?, attempts = attempts + ? WHERE id = ?"
_RENEW = f"UPDATE frontier_urls SET state = {UrlState.READY}, due = NULL, attempts = 0 WHERE id = ?"
_PLACED = f"""
    SELECT score, id FROM frontier_urls WHERE host = ? AND state = {UrlState.READY}
    ORDER BY score DESC, id LIMIT 1 OFFSET ?
"""
_IN_ORDER = f"""
    SELECT -score, id FROM frontier_urls WHERE host = ? AND state = {UrlState.READY}
    ORDER BY score DESC, id
"""
_DUE = f"{_ROW} WHERE due <= ? ORDER BY due LIMIT ?"
_SET_READY_ASIDE = f"""
    UPDATE frontier_urls SET state = {UrlState.EXHAUSTED}
    WHERE host = ? AND state = {UrlState.READY}
"""
_SET_RETRIES_ASIDE = f"""
    UPDATE frontier_urls SET state = {UrlState.EXHAUSTED}, due = NULL
    WHERE due IS NOT NULL AND state = {UrlState.RETRY} AND host = ?
"""
_FREE_LEASED = f"""
    UPDATE frontier_urls SET state = {UrlState.READY}, due = NULL
    WHERE due IS NOT NULL AND state = {UrlState.LEASED}
"""


class UrlTable:
    """Rows by URL, by number, by time and by order within a host.

    URLs whose hashes are equal are compared by their text.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._codec = SqliteCodec(connection)

    def find(self, urls: Iterable[str]) -> dict[str, UrlRow]:
        """The rows of those URLs that are known; without evidence those that take no more."""
        wanted = {url: url_key(url) for url in urls}
        keys = list(set(wanted.values()))
        found: dict[str, UrlRow] = {}
        for start in range(0, len(keys), _LOOKED_UP_AT_ONCE):
            some = keys[start : start + _LOOKED_UP_AT_ONCE]
            padded = some + some[-1:] * (_LOOKED_UP_AT_ONCE - len(some))
            for raw in self._connection.execute(_FIND, padded):
                if raw[2] in wanted:
                    found[raw[2]] = self._row(raw, needs_evidence=raw[4] in _OPEN)
        return found

    def get(self, url: str) -> UrlRow | None:
        """The row of one URL; None where it was never seen."""
        for raw in self._connection.execute(f"{_ROW} WHERE key = ?", (url_key(url),)):
            if raw[2] == url:
                return self._row(raw)
        return None

    def numbered(self, number: int) -> UrlRow:
        """The row with this number: all numbers from 1 to the last one are taken."""
        raw = self._connection.execute(f"{_ROW} WHERE id = ?", (number,)).fetchone()
        return self._row(raw)

    def state_of(self, url: str) -> int | None:
        """The state of a URL; None where it was never seen."""
        query = "SELECT url, state FROM frontier_urls WHERE key = ?"
        rows = self._connection.execute(query, (url_key(url),))
        return next((state for other, state in rows if other == url), None)

    def insert(self, rows: Iterable[UrlRow]) -> None:
        """Write rows that are new."""
        values = [self._columns(row) for row in rows]
        self._connection.executemany(_INSERT, values)

    def rewrite(self, rows: Sequence[UrlRow], moved: bool = True) -> None:
        """Write the evidence of rows that are there; the order is not touched unless ``moved``."""
        values = [(r.depth, r.link_count, *self._evidence(r), r.id) for r in rows]
        if moved:
            scored = [(row.score, *each) for row, each in zip(rows, values, strict=True)]
            self._connection.executemany(_REWRITE.format("score = ?,"), scored)
        else:
            self._connection.executemany(_REWRITE.format(""), values)

    def move(self, number: int, state: int, due: float | None = None, failed: bool = False) -> None:
        """Change the state of a row; ``failed`` counts one more attempt."""
        self._connection.execute(_MOVE, (state, due, failed, number))

    def renew(self, number: int) -> None:
        """Make a row ready as if it had never been tried."""
        self._connection.execute(_RENEW, (number,))

    def best(self, host: int) -> tuple[float, int] | tuple[None, None]:
        """Score and number of the host's best ready row, if it has one."""
        row: tuple[float, int] | None = self._connection.execute(_PLACED, (host, 0)).fetchone()
        return (None, None) if row is None else row

    def placed(self, host: int, place: int) -> int:
        """Number of the host's ready row that ``place`` better ones precede."""
        return int(self._connection.execute(_PLACED, (host, place)).fetchone()[1])

    def in_order(self, host: int) -> Iterator[tuple[float, int]]:
        """The host's ready rows, best first, as pairs of negative score and number."""
        return self._connection.execute(_IN_ORDER, (host,))

    def due(self, now: float, most: int) -> list[UrlRow]:
        """Retries that are due and leases that have expired, earliest first, at most ``most``."""
        return [self._row(raw) for raw in self._connection.execute(_DUE, (now, most)).fetchall()]

    def first_due(self) -> float | None:
        """When the next retry is due or the next lease expires; None where there is none."""
        query = "SELECT MIN(due) FROM frontier_urls WHERE due IS NOT NULL"
        first: float | None = self._connection.execute(query).fetchone()[0]
        return first

    def open_in(self, start: int, stop: int) -> list[UrlRow]:
        """The rows numbered ``start`` up to but not ``stop`` that wait or are leased."""
        is_open = f"state IN ({UrlState.READY}, {UrlState.RETRY}, {UrlState.LEASED})"
        query = f"{_ROW} WHERE id >= ? AND id < ? AND {is_open}"
        return [self._row(raw) for raw in self._connection.execute(query, (start, stop)).fetchall()]

    def set_aside(self, host: int) -> int:
        """The host is exhausted: none of its URLs waits any more. How many did."""
        ready = self._connection.execute(_SET_READY_ASIDE, (host,)).rowcount
        return ready + self._connection.execute(_SET_RETRIES_ASIDE, (host,)).rowcount

    def free_leased(self) -> None:
        """Let all leased rows be ready again."""
        self._connection.execute(_FREE_LEASED)

    def retries(self) -> int:
        """How many rows wait for a retry."""
        count = "SELECT COUNT(*) FROM frontier_urls WHERE due IS NOT NULL AND state = ?"
        return int(self._connection.execute(count, (UrlState.RETRY,)).fetchone()[0])

    def last_number(self) -> int:
        """The highest number given so far; 0 in an empty table."""
        query = "SELECT COALESCE(MAX(id), 0) FROM frontier_urls"
        return int(self._connection.execute(query).fetchone()[0])

    def _evidence(self, row: UrlRow) -> tuple[bytes | None, bytes | None]:
        parts, inlinks = self._codec.packed_evidence(row)
        return parts or None, inlinks or None

    def _columns(self, row: UrlRow) -> RawRow:
        """The row as ``COLUMNS``, of a URL that is not due at any time."""
        place = row.id, url_key(row.url), row.url, row.host, row.state
        figures = row.score, row.depth, row.attempts, row.link_count
        return (*place, *figures, None, *self._evidence(row), "\n".join(row.redirects) or None)

    def _row(self, raw: RawRow, needs_evidence: bool = True) -> UrlRow:
        """The row that ``COLUMNS`` stand for; parts and inlinks only where they are needed."""
        number, _, url, host, state, score, depth, attempts, links, _, parts, inlinks, chain = raw
        row = UrlRow(
            id=number, url=url, host=host, state=state, score=score, depth=depth,
            attempts=attempts, link_count=links,
        )  # fmt: skip
        row.redirects = tuple(chain.split("\n")) if chain else ()
        if needs_evidence:
            self._codec.read_evidence(row, parts or b"", inlinks or b"")
        return row
