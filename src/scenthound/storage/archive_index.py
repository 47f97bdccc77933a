"""What every kind of archive offers, and the SQLite index that says where each URL of one lies,
cached between runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from scenthound.core.errors import ArchiveError
from scenthound.storage.files import os_errors_as
from scenthound.storage.pages import Response

DEFAULT_MAX_BODY = 10 * 1024 * 1024
Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all) now and then."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Records that can never be fetched, for one reason: how many, and up to five of them."""

    count: int
    examples: tuple[str, ...]


class CaptureKind(IntEnum):
    """How a page is stored."""

    RESPONSE = 0
    RESOURCE = 1
    REVISIT = 2
    FILE = 3
    RENDERED = 4
    """As a browser showed it: an HTML ``conversion`` record, which stands for its response."""


class Capture(NamedTuple):
    """Where a page lies. ``refers`` is the URL that a revisit repeats, or the path of a file."""

    url: str
    file: int
    offset: int
    status: int
    kind: CaptureKind
    refers: str | bytes | None = None


class ArchiveSource(Protocol):
    """One kind of archive: lists its files, finds its pages, reads one of them."""

    path: Path

    def files(self) -> Iterator[Path]:
        """The files that make up the archive, always in the same order."""

    def scan(self, sink: IndexWriter, progress: Progress) -> None:
        """Add every page to ``sink``; raises ArchiveError where a file is broken."""

    def read(self, capture: Capture, origin: Capture | None, max_body: int) -> Response:
        """The page at ``capture``; ``origin`` is the capture that a revisit repeats."""


# The index is an SQLite file, so that memory does not grow with the archive.

FORMAT = 2
"""Part of the cache key: raise it whenever what is stored, or what is taken for a page, changes."""

# No journal and no syncs: a build that fails is thrown away, and a file that lost power is found
# damaged by quick_check and built again. Revisits wait in a table of their own, since the page that
# they repeat may come later in the archive.
_PLACE = """file INTEGER NOT NULL, offset INTEGER NOT NULL, status INTEGER NOT NULL,
    kind INTEGER NOT NULL, refers"""
_SCHEMA = f"""
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -8192;
CREATE TABLE pages (number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, {_PLACE});
CREATE TABLE revisits (number INTEGER PRIMARY KEY, url TEXT NOT NULL, {_PLACE});
CREATE TABLE summary (pages INTEGER NOT NULL, skipped TEXT NOT NULL);
BEGIN;
"""

_MAX_EXAMPLES = 5
_COLUMNS = "url, file, offset, status, kind, refers"

_ADD = f"""
INSERT INTO pages ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (url) DO UPDATE SET (file, offset, status, kind, refers)
    = (excluded.file, excluded.offset, excluded.status, excluded.kind, excluded.refers)
WHERE excluded.status BETWEEN 200 AND 299 AND pages.status NOT BETWEEN 200 AND 299
    OR excluded.kind = {CaptureKind.RENDERED:d} AND pages.kind != {CaptureKind.RENDERED:d}
"""


class _Captures:
    """The table of pages in an open index."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def find(self, url: str) -> Capture | None:
        """Where ``url`` lies; None where the archive does not hold it."""
        row = self._database.execute(f"SELECT {_COLUMNS} FROM pages WHERE url = ?", (url,))
        found = row.fetchone()
        return None if found is None else _capture(found)

    def origin(self, revisit: Capture) -> Capture | None:
        """The capture that holds the body of a revisit.

        A revisit is only ever pointed at an end of a chain that is not itself, so no chain is a
        circle.
        """
        capture: Capture | None = revisit
        while capture is not None and capture.kind is CaptureKind.REVISIT:
            capture = self.find(str(capture.refers))
        return capture

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class IndexWriter(_Captures):
    """Builds an index at ``path`` in one pass; nothing is readable before :meth:`finish`."""

    def __init__(self, path: Path) -> None:
        super().__init__(sqlite3.connect(path, isolation_level=None))
        self._skipped: dict[str, Skipped] = {}
        try:
            self._database.executescript(_SCHEMA)
        except sqlite3.Error:
            self.close()
            raise

    def add(self, capture: Capture) -> None:
        """A page. Of several captures of a URL the first 2xx is kept, else the first.

        What a browser showed of it goes before what was sent.
        """
        revisit = f"INSERT INTO revisits ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
        self._database.execute(revisit if capture.kind is CaptureKind.REVISIT else _ADD, capture)

    def skip(self, reason: str, example: str) -> None:
        """Something that can never be fetched. There are few reasons, and few examples of each."""
        before = self._skipped.get(reason, Skipped(0, ()))
        # Cut, since a URL in an archive may be as long as the head of a record: a megabyte.
        examples = (*before.examples, example[:500])[:_MAX_EXAMPLES]
        self._skipped[reason] = Skipped(before.count + 1, examples)

    def finish(self) -> None:
        """Resolve the revisits and write the summary."""
        rows = self._database.execute(f"SELECT {_COLUMNS} FROM revisits ORDER BY number")
        for row in rows:
            self._resolve(_capture(row))
        ((count,),) = self._database.execute("SELECT count(*) FROM pages")
        skipped = json.dumps({r: [s.count, s.examples] for r, s in self._skipped.items()})
        self._database.execute("DROP TABLE revisits")
        self._database.execute("INSERT INTO summary VALUES (?, ?)", (count, skipped))
        self._database.execute("COMMIT")

    def _resolve(self, revisit: Capture) -> None:
        """Point a revisit at the page it repeats; one that repeats itself adds nothing."""
        origin = self.origin(revisit)
        if origin is None:
            if self.find(revisit.url) is None:
                self.skip("revisit of a page that is not in the archive", revisit.url)
        elif origin.url != revisit.url:
            status = revisit.status or origin.status
            self._database.execute(_ADD, revisit._replace(refers=origin.url, status=status))


class Index(_Captures):
    """Reads a finished index. Raises ``sqlite3.Error`` where ``path`` is no such thing."""

    def __init__(self, path: Path) -> None:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        super().__init__(sqlite3.connect(uri, uri=True, isolation_level=None))
        try:
            ((verdict,),) = self._database.execute("PRAGMA quick_check(1)")
            ((pages, skipped),) = self._database.execute("SELECT pages, skipped FROM summary")
            if verdict != "ok":
                raise sqlite3.DatabaseError(verdict)
            self._length = int(pages)
            self.skipped: Mapping[str, Skipped] = {
                reason: Skipped(count, tuple(e))
                for reason, (count, e) in json.loads(skipped).items()
            }
        except (sqlite3.Error, ValueError, TypeError) as error:
            self.close()
            raise sqlite3.DatabaseError(f"{path} is not a whole index") from error

    def urls(self) -> Iterator[str]:
        """Every URL, in the order in which the archive first has them."""
        for (url,) in self._database.execute("SELECT url FROM pages ORDER BY number"):
            yield url

    def __len__(self) -> int:
        return self._length


def _capture(row: Sequence[Any]) -> Capture:
    return Capture(*row)._replace(kind=CaptureKind(row[4]))


# Indexes are kept between runs; a half-built one is never found there.

Fill = Callable[[IndexWriter], None]
_NAME = re.compile(r"archive-[0-9a-f]{32}\.sqlite")
"""Of an index; a folder that somebody chose may hold other files."""
_FORGOTTEN_AFTER_S = 90 * 24 * 3600
_ABANDONED_AFTER_S = 24 * 3600
"""A younger ``.part`` file may be one that another process is building."""


def default_cache() -> Path:
    """``$XDG_CACHE_HOME/scenthound``, or ``~/.cache/scenthound``."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(configured) if os.path.isabs(configured) else Path.home() / ".cache"
    return base / "scenthound"


def index_files(cache: Path) -> list[Path]:
    """The indexes that are kept in ``cache``; none where there is no such folder."""
    found = cache.glob("archive-*.sqlite")
    return sorted(path for path in found if _NAME.fullmatch(path.name))


def cached_index(source: ArchiveSource, cache: Path, fill: Fill) -> Index:
    """The index of ``source``: from ``cache`` if it is there, else built by ``fill``.

    Where the cache cannot be written to, the index is a temporary file.
    """
    # The name changes whenever a file of the archive is moved, resized or written to.
    digest = hashlib.sha256(f"{FORMAT}\0".encode() + os.fsencode(source.path.resolve()))
    for file in source.files():
        with os_errors_as(ArchiveError, f"{file} cannot be read"):
            facts = file.stat()
        digest.update(os.fsencode(file.resolve()))
        digest.update(f"\0{facts.st_size}\0{facts.st_mtime_ns}\0".encode())
    name = f"archive-{digest.hexdigest()[:32]}.sqlite"
    with suppress(sqlite3.Error, OSError):
        index = Index(cache / name)
        # Counts as a use: times of access are switched off on many file systems.
        with suppress(OSError):
            os.utime(cache / name)
        return index
    with suppress(sqlite3.Error, OSError):
        cache.mkdir(parents=True, exist_ok=True)
        _remove_forgotten(cache)
        return _build(cache / name, fill)
    try:
        # The index stays readable when its file is gone.
        with tempfile.TemporaryDirectory(prefix="scenthound-") as scratch:
            return _build(Path(scratch) / name, fill)
    except (sqlite3.Error, OSError) as error:
        raise ArchiveError(f"the index of {source.path} cannot be written: {error}.") from error


def _build(path: Path, fill: Fill) -> Index:
    handle, name = tempfile.mkstemp(prefix="archive-", suffix=".part", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        with closing(IndexWriter(part)) as writer:
            fill(writer)
            writer.finish()
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return Index(path)


def _remove_forgotten(cache: Path) -> None:
    """Remove indexes that nobody has opened for months, and what killed builds left behind."""
    ages = {"archive-*.sqlite": _FORGOTTEN_AFTER_S, "archive-*.part": _ABANDONED_AFTER_S}
    for pattern, seconds in ages.items():
        for file in cache.glob(pattern):
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > seconds:
                    file.unlink()
