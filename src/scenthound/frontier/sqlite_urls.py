"""The tables of the SQLite frontier, and the one of URLs: every URL ever seen, one row each."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct, pack

from scenthound.core.model import Combination, Inlink, Parts, Score, ScoredLink, UrlEvidence
from scenthound.core.protocols import Admission
from scenthound.frontier.codec import PartsCodec, UrlState, encoded_anchor, host_name
from scenthound.frontier.politeness import HostRow, HostState, PolitenessPolicy, is_exhausted

PRAGMAS = (
    "PRAGMA page_size = 4096",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA cache_size = -65536",
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA temp_store = MEMORY",
)
"""What the opener of the connection should say first; the figures were measured with these."""


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
    WHERE state = {UrlState.READY}
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
    WHERE turn = {HostState.RESTING}
    """,
    f"""
    CREATE INDEX IF NOT EXISTS frontier_greedy ON frontier_hosts (had)
    WHERE turn = {HostState.GREEDY}
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


# --- rows: as values of the program, and as columns


_INLINK = Struct("<QdIH")
"""Source, score, shape, and bytes of the anchor; then the values of the parts, and the anchor."""


class SqliteCodec(PartsCodec):
    """Packs scores and inlinks; their shapes lie in the table ``frontier_shapes``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def packed_inlinks(self, inlinks: Iterable[Inlink]) -> bytes:
        """The inlinks one after the other; nothing for none."""
        return b"".join([self._packed_inlink(inlink) for inlink in inlinks])

    def inlinks(self, packed: bytes) -> list[Inlink]:
        """What :meth:`packed_inlinks` was given, with anchors cut."""
        inlinks, at = [], 0
        while at < len(packed):
            source, value, shape, length = _INLINK.unpack_from(packed, at)
            parts = self.parts_at(shape, packed, at + _INLINK.size)
            start = at + _INLINK.size + 8 * len(parts)
            at = start + length
            inlinks.append(Inlink(source, Score(value, parts), packed[start:at].decode()))
        return inlinks

    def _packed_inlink(self, inlink: Inlink) -> bytes:
        parts, anchor = Parts.of(inlink.score.parts), encoded_anchor(inlink.anchor)
        head = inlink.source, inlink.score.value, self.number_of(parts), len(anchor)
        return pack(f"<QdIH{len(parts)}d{len(anchor)}s", *head, *parts.values, anchor)

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
Key = Callable[[str], int]


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


# --- the table of URLs


_OPEN = frozenset({UrlState.READY, UrlState.RETRY})
_ROW = f"SELECT {COLUMNS} FROM frontier_urls"
_LOOKED_UP_AT_ONCE = 32
"""Keys in one query. Always as many, so that the statement is prepared once."""
_FIND = f"{_ROW} WHERE key IN ({', '.join('?' * _LOOKED_UP_AT_ONCE)})"
_INSERT = f"INSERT INTO frontier_urls ({COLUMNS}) VALUES ({', '.join('?' * 13)})"
_REWRITE = """
    UPDATE frontier_urls SET score = ?, depth = ?, sightings = ?, parts = ?, inlinks = ?
    WHERE id = ?
"""
_REDO = """
    UPDATE frontier_urls SET depth = ?, sightings = ?, parts = ?, inlinks = ? WHERE id = ?
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

    Parameters
    ----------
    connection : where the tables are.
    key : the hash of a URL; URLs with equal keys are compared by their text.
    """

    def __init__(self, connection: sqlite3.Connection, key: Key = url_key) -> None:
        self._connection = connection
        self._key = key
        self._codec = SqliteCodec(connection)

    def find(self, urls: Iterable[str]) -> dict[str, UrlRow]:
        """The rows of those URLs that are known; without evidence those that take no more."""
        wanted = {url: self._key(url) for url in urls}
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
        for raw in self._connection.execute(f"{_ROW} WHERE key = ?", (self._key(url),)):
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
        rows = self._connection.execute(query, (self._key(url),))
        return next((state for other, state in rows if other == url), None)

    def insert(self, rows: Iterable[UrlRow]) -> None:
        """Write rows that are new."""
        values = [self._columns(row) for row in rows]
        self._connection.executemany(_INSERT, values)

    def rewrite(self, rows: Iterable[UrlRow]) -> None:
        """Write the evidence of rows that are there."""
        values = [(r.score, r.depth, r.link_count, *self._evidence(r), r.id) for r in rows]
        self._connection.executemany(_REWRITE, values)

    def rewrite_unmoved(self, rows: Iterable[UrlRow]) -> None:
        """The same for rows whose score has not changed: the order need not be touched."""
        values = [(r.depth, r.link_count, *self._evidence(r), r.id) for r in rows]
        self._connection.executemany(_REDO, values)

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
        query = (
            f"SELECT COUNT(*) FROM frontier_urls WHERE due IS NOT NULL AND state = {UrlState.RETRY}"
        )
        return int(self._connection.execute(query).fetchone()[0])

    def last_number(self) -> int:
        """The highest number given so far; 0 in an empty table."""
        query = "SELECT COALESCE(MAX(id), 0) FROM frontier_urls"
        return int(self._connection.execute(query).fetchone()[0])

    def _evidence(self, row: UrlRow) -> tuple[bytes | None, bytes | None]:
        """Parts and inlinks; parts that are those of the best inlink are not written twice."""
        inlinks = self._codec.packed_inlinks(row.inlinks) or None
        best = row.inlinks[0].score.parts if row.inlinks else ()
        return (None if row.parts == best else self._codec.packed_parts(row.parts)), inlinks

    def _columns(self, row: UrlRow) -> RawRow:
        """The row as ``COLUMNS``, of a URL that is not due at any time."""
        place = row.id, self._key(row.url), row.url, row.host, row.state
        figures = row.score, row.depth, row.attempts, row.link_count
        return (*place, *figures, None, *self._evidence(row), "\n".join(row.redirects) or None)

    def _row(self, raw: RawRow, needs_evidence: bool = True) -> UrlRow:
        """The row that ``COLUMNS`` stand for; parts and inlinks only where they are needed."""
        number, _, url, host, state, score, depth, attempts, links, _, parts, inlinks, chain = raw
        row = UrlRow(
            id=number,
            url=url,
            host=host,
            state=state,
            score=score,
            depth=depth,
            attempts=attempts,
            link_count=links,
            redirects=tuple(chain.split("\n")) if chain else (),
        )
        if needs_evidence:
            row.inlinks = self._codec.inlinks(inlinks) if inlinks else []
            best = row.inlinks[0].score.parts if row.inlinks else ()
            row.parts = self._codec.parts(parts) if parts else best
        return row


# --- the links of one page, read and written together


class LinkBatch:
    """What becomes of links, held back until :meth:`write`.

    Parameters
    ----------
    urls : the table.
    hosts : the hosts of ``addresses``, by name.
    addresses : the URLs that the links lead to.
    count : the highest number given so far; new rows count on from it.
    """

    def __init__(
        self, urls: UrlTable, hosts: dict[str, HostRow], addresses: Collection[str], count: int
    ) -> None:
        self._urls = urls
        self._count = count
        self._rows = urls.find(addresses)
        self._hosts = hosts
        self._hosts_by_id = {host.id: host for host in hosts.values()}
        self._changed: dict[int, tuple[UrlRow, float]] = {}
        """Rows that have new evidence, and their scores before."""
        self.fresh: list[UrlRow] = []
        """The rows that are new."""

    def admit(self, link: ScoredLink, how: Combination, politeness: PolitenessPolicy) -> Admission:
        """Insert the URL or add to its evidence."""
        admission, row = self._open(link.url, link.depth, politeness)
        if row is not None:
            row.add_link(link, how)
        return admission

    def redirect(self, target: str, origin: UrlRow, politeness: PolitenessPolicy) -> Admission:
        """Let ``target`` wait in the place of ``origin``, which redirects to it."""
        admission, row = self._open(target, origin.depth, politeness)
        if row is not None and admission is Admission.NEW:
            row.take_over(origin)
        elif row is not None:
            row.merge(origin)
        return admission

    def write(self) -> Collection[HostRow]:
        """Write all rows; the hosts whose counts or best URLs have changed, not yet written."""
        self._urls.insert(self.fresh)
        moved = [row for row, before in self._changed.values() if row.score != before]
        self._urls.rewrite(moved)
        unmoved = [row for row, before in self._changed.values() if row.score == before]
        self._urls.rewrite_unmoved(unmoved)
        ready = [row for row in moved if row.state == UrlState.READY]
        hosts = {row.host: self._hosts_by_id[row.host] for row in (*self.fresh, *ready)}
        for row in self.fresh:
            hosts[row.host].ready += 1
            hosts[row.host].offer(row.score, row.id)
        self._reorder(ready)
        return hosts.values()

    def _reorder(self, rows: Collection[UrlRow]) -> None:
        """Scores have changed: a host's best URL may be another one."""
        fallen = []
        for row in rows:
            host = self._hosts_by_id[row.host]
            if host.best_id == row.id:
                fallen.append(host)
            else:
                host.offer(row.score, row.id)
        for host in fallen:
            host.best, host.best_id = self._urls.best(host.id)

    def _open(
        self, url: str, depth: int, politeness: PolitenessPolicy
    ) -> tuple[Admission, UrlRow | None]:
        """What becomes of a link to the URL, and its row where that takes evidence."""
        row = self._rows.get(url)
        if row is None:
            host = self._hosts[host_name(url)]
            if is_exhausted(host, politeness):
                return Admission.EXHAUSTED, None
            number = self._count + len(self.fresh) + 1
            row = self._rows[url] = UrlRow(id=number, url=url, host=host.id, depth=depth)
            self.fresh.append(row)
            return Admission.NEW, row
        if row.state in (UrlState.LEASED, UrlState.CLOSED, UrlState.EXHAUSTED):
            exhausted = row.state == UrlState.EXHAUSTED
            return Admission.EXHAUSTED if exhausted else Admission.CLOSED, None
        if row.id <= self._count:
            self._changed.setdefault(row.id, (row, row.score))
        return Admission.RESCORED, row
