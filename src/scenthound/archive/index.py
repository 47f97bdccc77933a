"""Where each URL of an archive lies: an SQLite file, so that memory does not grow with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from scenthound.archive.model import Capture, Kind, Skipped

FORMAT = 2
"""Part of the cache key: raise it whenever what is stored, or what is taken for a page, changes."""

MAX_EXAMPLES = 5
LOST_REVISIT = "revisit of a page that is not in the archive"

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -8192;
CREATE TABLE pages (
    number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE,
    file INTEGER NOT NULL, offset INTEGER NOT NULL, status INTEGER NOT NULL,
    kind INTEGER NOT NULL, refers);
CREATE TABLE revisits (
    number INTEGER PRIMARY KEY, url TEXT NOT NULL,
    file INTEGER NOT NULL, offset INTEGER NOT NULL, status INTEGER NOT NULL,
    kind INTEGER NOT NULL, refers);
CREATE TABLE summary (pages INTEGER NOT NULL, skipped TEXT NOT NULL);
BEGIN;
"""
_COLUMNS = "url, file, offset, status, kind, refers"
_ADD = f"""
INSERT INTO pages ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (url) DO UPDATE SET (file, offset, status, kind, refers)
    = (excluded.file, excluded.offset, excluded.status, excluded.kind, excluded.refers)
WHERE excluded.status BETWEEN 200 AND 299 AND pages.status NOT BETWEEN 200 AND 299
    OR excluded.kind = {Kind.RENDERED:d} AND pages.kind != {Kind.RENDERED:d}
"""
_ADD_REVISIT = f"INSERT INTO revisits ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
_FIND = f"SELECT {_COLUMNS} FROM pages WHERE url = ?"
_REVISITS = f"SELECT {_COLUMNS} FROM revisits ORDER BY number"


class IndexWriter:
    """Builds an index at ``path`` in one pass; nothing is readable before :meth:`finish`."""

    def __init__(self, path: Path) -> None:
        self._skipped: dict[str, Skipped] = {}
        self._database = sqlite3.connect(path, isolation_level=None)
        try:
            self._database.executescript(_SCHEMA)
        except sqlite3.Error:
            self._database.close()
            raise

    def add(self, capture: Capture) -> None:
        """A page. Of several captures of a URL the first 2xx is kept, else the first.

        What a browser showed of it goes before what was sent.
        """
        statement = _ADD_REVISIT if capture.kind is Kind.REVISIT else _ADD
        self._database.execute(statement, capture)

    def skip(self, reason: str, example: str) -> None:
        """Something that can never be fetched. There are few reasons, and few examples of each."""
        before = self._skipped.get(reason, Skipped(0, ()))
        examples = (*before.examples, example[:500])[:MAX_EXAMPLES]
        self._skipped[reason] = Skipped(before.count + 1, examples)

    def finish(self) -> None:
        """Resolve the revisits and write the summary."""
        for row in self._database.execute(_REVISITS):
            self._resolve(_capture(row))
        count = _count(self._database)
        skipped = json.dumps({r: [s.count, s.examples] for r, s in self._skipped.items()})
        self._database.execute("DROP TABLE revisits")
        self._database.execute("INSERT INTO summary VALUES (?, ?)", (count, skipped))
        self._database.execute("COMMIT")

    def close(self) -> None:
        """Let go of the file, finished or not."""
        self._database.close()

    def _resolve(self, revisit: Capture) -> None:
        """Point a revisit at the page it repeats; one that repeats itself adds nothing."""
        origin = _origin(self._database, str(revisit.refers))
        if origin is None:
            if _find(self._database, revisit.url) is None:
                self.skip(LOST_REVISIT, revisit.url)
        elif origin.url != revisit.url:
            status = revisit.status or origin.status
            self._database.execute(_ADD, revisit._replace(refers=origin.url, status=status))


class Index:
    """Reads a finished index. Raises ``sqlite3.Error`` where ``path`` is no such thing."""

    def __init__(self, path: Path) -> None:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        self._database = sqlite3.connect(uri, uri=True, isolation_level=None)
        try:
            self._length, self.skipped = self._checked_summary()
        except (sqlite3.Error, ValueError, TypeError) as error:
            self._database.close()
            raise sqlite3.DatabaseError(f"{path} is not a whole index") from error

    def find(self, url: str) -> Capture | None:
        """Where ``url`` lies; None where the archive does not hold it."""
        return _find(self._database, url)

    def origin(self, revisit: Capture) -> Capture | None:
        """The capture that holds the body of a revisit."""
        return _origin(self._database, str(revisit.refers))

    def urls(self) -> Iterator[str]:
        """Every URL, in the order in which the archive first has them."""
        for (url,) in self._database.execute("SELECT url FROM pages ORDER BY number"):
            yield url

    def __len__(self) -> int:
        return self._length

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _checked_summary(self) -> tuple[int, Mapping[str, Skipped]]:
        ((verdict,),) = self._database.execute("PRAGMA quick_check(1)")
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        ((pages, skipped),) = self._database.execute("SELECT pages, skipped FROM summary")
        found = {r: Skipped(count, tuple(e)) for r, (count, e) in json.loads(skipped).items()}
        return int(pages), MappingProxyType(found)


def _find(database: sqlite3.Connection, url: str) -> Capture | None:
    row = database.execute(_FIND, (url,)).fetchone()
    return None if row is None else _capture(row)


def _origin(database: sqlite3.Connection, url: str) -> Capture | None:
    """The capture of ``url``, or what it repeats. A revisit is only ever pointed at an end of
    such a chain that is not itself, so no chain is a circle."""
    capture = _find(database, url)
    while capture is not None and capture.kind is Kind.REVISIT:
        capture = _find(database, str(capture.refers))
    return capture


def _capture(row: tuple[str, int, int, int, int, str | bytes | None]) -> Capture:
    url, file, offset, status, kind, refers = row
    return Capture(url, file, offset, status, Kind(kind), refers)


def _count(database: sqlite3.Connection) -> int:
    ((count,),) = database.execute("SELECT count(*) FROM pages")
    return int(count)
