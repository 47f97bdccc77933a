"""Where the bodies of a crawl's pages are: in its own WARC files, or in the archive it replayed."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scenthound.archive import Archive, open_archive
from scenthound.archive.http_body import decode
from scenthound.core.errors import ArchiveError
from scenthound.core.model import Page
from scenthound.corpus.record import PageRecord
from scenthound.engines.reading import read_page
from scenthound.live.pages import page_of
from scenthound.store.exchange import Position
from scenthound.store.ledger import Ledger
from scenthound.store.segments import segment_path
from scenthound.store.warc_reading import read_position


@dataclass(frozen=True, slots=True)
class Body:
    """What a server sent for a page: header names in lower case, content encoding undone."""

    url: str
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def content_type(self) -> str:
        """As the server says; empty where it says nothing."""
        return self.headers.get("content-type", "")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the record of a page lies: a file, the byte it starts at, how many it has."""

    file: str
    offset: int
    length: int


class Bodies(Protocol):
    """Reads back what was fetched. None: it was not kept, or is gone."""

    def check(self) -> None:
        """ArchiveError where not one page could be read."""

    def body(self, record: PageRecord) -> Body | None:
        """What the server sent; FolderError or ArchiveError where that is damaged."""

    def page(self, record: PageRecord) -> Page | None:
        """The page as the crawl read it: text and links."""

    def place(self, record: PageRecord) -> Place | None:
        """Where it lies in a WARC file."""


class LiveBodies:
    """Pages in the WARC files of a live crawl.

    Parameters
    ----------
    folder : of the crawl.
    database : its open database.
    max_body : bytes of a decoded body that the crawl read.
    pdf : were PDFs pages to it?
    """

    def __init__(
        self, folder: Path, database: sqlite3.Connection, max_body: int, pdf: bool = False
    ) -> None:
        self._folder = folder
        self._ledger = Ledger(database)
        self._max_body = max_body
        self._pdf = pdf

    def check(self) -> None:
        """Nothing: each page is found or lost by itself."""

    def body(self, record: PageRecord) -> Body | None:
        """What the server sent; of an exact copy, what it sent for the original."""
        position = self._position(record.n)
        stored = None if position is None else read_position(self._folder, position)
        if stored is not None and stored.body is None and record.copy_of is not None:
            position = self._position(record.copy_of)
            stored = None if position is None else read_position(self._folder, position)
        if stored is None or stored.body is None:
            return None
        headers = {k: v for k, v in stored.headers.items() if k != "transfer-encoding"}
        content, _ = decode(iter((stored.body,)), headers, self._max_body)
        return Body(record.url, stored.status, headers, content)

    def page(self, record: PageRecord) -> Page | None:
        """The page as the crawl read it."""
        position = self._position(record.n)
        stored = None if position is None else read_position(self._folder, position)
        if stored is None or stored.body is None:
            return None
        return page_of(
            record.url, stored.status, tuple(stored.headers.items()), stored.body, stored.at,
            self._max_body, pdf=self._pdf,
        )  # fmt: skip

    def place(self, record: PageRecord) -> Place | None:
        """Where the response record lies, in a file of the crawl's folder, or of a worker's."""
        position = self._position(record.n)
        if position is None:
            return None
        path = segment_path(self._folder, position.segment)
        name = "/".join(path.readlink().parts[-2:]) if path.is_symlink() else path.name
        return Place(name, position.offset, position.length)

    def _position(self, n: int) -> Position | None:
        return self._ledger.position(n)


class ArchiveBodies:
    """Pages in the archive that a crawl replayed.

    Parameters
    ----------
    path : of the archive, which is opened when the first page is asked for.
    resources : closes it in the end.
    pdf : were PDFs pages to the replay?
    """

    def __init__(self, path: Path, resources: ExitStack, pdf: bool = False) -> None:
        self._path = path
        self._pdf = pdf
        self._resources = resources
        self._archive: Archive | None = None
        self._lost: ArchiveError | None = None

    def check(self) -> None:
        """Open the archive; ArchiveError where it is not there any more."""
        try:
            self.archive  # noqa: B018
        except ArchiveError as error:
            told = str(error).removesuffix(".")
            raise ArchiveError(f"{told}, or do without texts (--no-text).") from None

    def body(self, record: PageRecord) -> Body | None:
        """What the archive holds for the page."""
        response = self.archive.fetch(record.url)
        if response is None:
            return None
        return Body(record.url, response.status, response.headers, response.body)

    def page(self, record: PageRecord) -> Page | None:
        """The page as the replay read it."""
        response = self.archive.fetch(record.url)
        if response is None:
            return None
        return read_page(response, record.redirects, record.at, pdf=self._pdf)

    def place(self, record: PageRecord) -> Place | None:
        """A replay writes no WARC file of its own."""
        del record
        return None

    @property
    def archive(self) -> Archive:
        """The archive, opened when it is first asked for; tried once, and never again."""
        if self._lost is not None:
            raise self._lost
        if self._archive is None:
            try:
                self._archive = self._resources.enter_context(open_archive(self._path))
            except ArchiveError as error:
                self._lost = lost_archive(self._path, error)
                raise self._lost from None
        return self._archive


def lost_archive(path: Path, error: ArchiveError) -> ArchiveError:
    """What to say where the archive of a replay cannot be opened any more."""
    if not path.exists():
        return ArchiveError(f"{path}, which was replayed, is gone: put it back.")
    return ArchiveError(f"the archive that was replayed has changed: {error}")
