"""A crawl in a folder, open for reading while it runs or afterwards: its events, its pages and
their bodies, and how it ended.

Exports, reports, explanations and the dashboard read crawls through this module. In order:
what the journal says of a page (:class:`PageRecord`), endings, bodies from WARC files or from the
archive of a replay (:class:`BodyReader`), and the crawl itself (:class:`StoredCrawl`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AllowInfNan, BeforeValidator, TypeAdapter, ValidationError

from scenthound.core.command_options import SIMILARITY
from scenthound.core.crawl_loop import BUDGET_EXHAUSTED, FRONTIER_EMPTY
from scenthound.core.errors import ArchiveError, FolderError, TopicError
from scenthound.core.model import DEFAULT_LANGUAGE, Page, Part, Topic
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archive_index import DEFAULT_MAX_BODY
from scenthound.storage.database import PROGRESS, Ledger, has_table, read_database
from scenthound.storage.files import os_errors_as, segment_path
from scenthound.storage.folder import KIND as LIVE
from scenthound.storage.folder import (
    CrawlFolder,
    check_no_parent_folder,
    contains_workers,
    lock_holder,
)
from scenthound.storage.journal import INTERRUPTED as ON_A_SIGNAL
from scenthound.storage.journal import (
    LOW_HARVEST,
    OUT_OF_TIME,
    JournalReader,
    open_journal,
    read_backwards,
    read_journal,
)
from scenthound.storage.journal import STOPPED as ON_REQUEST
from scenthound.storage.pages import Response, decode_body, page_of, read_page
from scenthound.storage.warc_reader import read_response
from scenthound.storage.warc_writer import StoredResponse
from scenthound.text.pdf import NO_TEXT
from scenthound.text.pdf_pages import ENCRYPTED, UNREADABLE

NOTHING_TO_READ = frozenset(
    {"empty body", "not a page: binary or media", "no text", NO_TEXT, ENCRYPTED, UNREADABLE}
)
"""Problems of pages that answered well and hold no text: nobody can say what they are about."""
_NO_DOCUMENT = NOTHING_TO_READ | {"noindex"}


_Number = Annotated[float, AllowInfNan(False)]
_Finite = Annotated[_Number, BeforeValidator(lambda value: 0.0 if value is None else value)]
"""A journal has null for a score that is infinite or not a number: it counts as 0."""


class Reference(NamedTuple):
    """A page that links here: its number, what its link scored, and the words of the link."""

    source: int
    score: _Finite
    anchor: str


def _named_parts(parts: Mapping[str, tuple[float, float]]) -> list[dict[str, object]]:
    """The parts of a priority as a journal has them: value and weight by name; null counts as 0."""
    pairs = (parts or {}).items()
    return [{"name": name, "value": v or 0.0, "weight": w or 0.0} for name, (v, w) in pairs]


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One fetched page: what led to it and what it was found to be.

    ``priority`` is None for a seed, and where the strategy predicts nothing; ``inlinks`` are the
    best ones, best first, of ``linked_from`` in all. ``copy_of`` is the number of the page whose
    copy this is. ``language`` is set where the page says it is in another one than the topic.
    ``chosen`` is why the policy took it, where the best score does not decide.
    """

    n: int
    at: _Number
    url: str
    status: int
    depth: int
    similarity: _Finite
    relevant: bool
    title: str = ""
    priority: _Number | None = None
    parts: Annotated[tuple[Part, ...], BeforeValidator(_named_parts)] = ()
    inlinks: tuple[Reference, ...] = ()
    linked_from: int = 0
    redirects: tuple[str, ...] = ()
    problem: str = ""
    copy_of: int | None = None
    language: str | None = None
    rendered: bool = False
    chosen: str = ""

    @property
    def parent(self) -> int | None:
        """The number of the page with the best link to this one; None for a seed."""
        return self.inlinks[0].source if self.inlinks else None

    @property
    def has_document(self) -> bool:
        """Was there something to read that no earlier page had?"""
        well = 200 <= self.status < 300
        return well and self.copy_of is None and self.problem not in _NO_DOCUMENT


_RECORDS = TypeAdapter(PageRecord)
READING_ERRORS = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError)
"""What reading an event raises that no crawl wrote."""
_LONGEST = 120


def page_record(event: Mapping[str, object], where: str = "a line of the journal") -> PageRecord:
    """What a page event of the journal says; FolderError where it is not one we wrote.

    ``where`` is the line that it stands in, for the message; see :func:`describe_line`.
    """
    try:
        return _RECORDS.validate_python(event)
    except READING_ERRORS as error:
        raise damaged_line_error(where, error) from None


def describe_line(path: Path, number: int) -> str:
    """A line of a journal in words."""
    return f"{path}, line {number:,}"


def damaged_line_error(where: str, error: Exception) -> FolderError:
    """The error for a line whose event raised another one when it was read."""
    why = " ".join(str(error).split())
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        why = f"{first['loc'][0]!r}: {first['msg']}"
    return FolderError(
        f"{where} is not what a crawl writes ({why[:_LONGEST]}): put the file back, or crawl again."
    )


# How a crawl ended, in the words of all views of it.

FINISHED, STOPPED, FAILED, INTERRUPTED = "finished", "stopped", "failed", "interrupted"
_NORMAL_REASONS = frozenset({BUDGET_EXHAUSTED, FRONTIER_EMPTY, OUT_OF_TIME, LOW_HARVEST})
_IN_WORDS = {ON_REQUEST: "on request", ON_A_SIGNAL: "by Ctrl-C or a signal"}
_ERROR = "error: "


class Ending(NamedTuple):
    """The state of a crawl that is over, in one word, and why; "" where nobody says."""

    state: str
    reason: str


KILLED = Ending(INTERRUPTED, "its process was killed")
"""Of a crawl that is not on record as stopped, and that no process goes on with."""


def ending_of(reason: str) -> Ending:
    """The ending of a crawl that was stopped for a reason, as its journal has it.

    Examples
    --------
    >>> ending_of("stopped"), ending_of("error: KeyError: 'a'")
    (Ending(state='stopped', reason='on request'), Ending(state='failed', reason="KeyError: 'a'"))
    """
    if reason.startswith(_ERROR):
        return Ending(FAILED, reason.removeprefix(_ERROR))
    return Ending(FINISHED if reason in _NORMAL_REASONS else STOPPED, _IN_WORDS.get(reason, reason))


@dataclass(frozen=True, slots=True)
class RecordLocation:
    """Where the record of a page lies: a file, the byte it starts at, how many it has."""

    file: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class WarcBodies:
    """Reads pages in the WARC files of a live crawl; None for one that was not kept, or is gone.

    ``max_body`` is how many bytes of a decoded body the crawl read; with ``pdf`` it read PDFs too.
    """

    folder: Path
    ledger: Ledger
    max_body: int
    pdf: bool

    def check(self) -> None:
        """Nothing: each page is found or lost by itself."""

    def body(self, record: PageRecord) -> Response | None:
        """What the server sent; of an exact copy, what it sent for the original."""
        stored = self._response(record.n)
        if stored is not None and stored.body is None and record.copy_of is not None:
            # In a merged folder the original may be left out: its record then stands under ``-n``.
            stored = self._response(-record.n) or self._response(record.copy_of)
        if stored is None or stored.body is None:
            return None
        headers = {k: v for k, v in stored.headers.items() if k != "transfer-encoding"}
        content, cut = decode_body(iter((stored.body,)), headers, self.max_body)
        return Response(record.url, stored.status, headers, content, cut)

    def page(self, record: PageRecord) -> Page | None:
        """The page as the crawl read it."""
        stored = self._response(record.n)
        if stored is None or stored.body is None:
            return None
        return page_of(
            record.url, stored.status, tuple(stored.headers.items()), stored.body, stored.at,
            self.max_body, pdf=self.pdf,
        )  # fmt: skip

    def place(self, record: PageRecord) -> RecordLocation | None:
        """Where the response record lies, in a file of the crawl's folder, or of a worker's."""
        position = self.ledger.position(record.n)
        if position is None:
            return None
        path = segment_path(self.folder, position.segment)
        name = "/".join(path.readlink().parts[-2:]) if path.is_symlink() else path.name
        return RecordLocation(name, position.offset, position.length)

    def _response(self, n: int) -> StoredResponse | None:
        position = self.ledger.position(n)
        return None if position is None else read_response(self.folder, position)


class ArchiveBodies:
    """Reads pages in the archive that a crawl replayed; with ``pdf`` it read PDFs too.

    The archive is opened when the first page is asked for; ``resources`` closes it in the end.
    """

    def __init__(self, path: Path, resources: ExitStack, pdf: bool = False) -> None:
        self._path = path
        self._pdf = pdf
        self._resources = resources

    def check(self) -> None:
        """Open the archive; ArchiveError where it is not there any more."""
        try:
            self.archive  # noqa: B018
        except ArchiveError as error:
            problem = str(error).removesuffix(".")
            raise ArchiveError(f"{problem}, or do without texts (--no-text).") from None

    def body(self, record: PageRecord) -> Response | None:
        """What the archive holds for the page."""
        return self.archive.fetch(record.url)

    def page(self, record: PageRecord) -> Page | None:
        """The page as the replay read it."""
        found = self.archive.fetch(record.url)
        if found is None:
            return None
        return read_page(found, record.redirects, record.at, pdf=self._pdf)

    def place(self, record: PageRecord) -> RecordLocation | None:
        """A replay writes no WARC file of its own."""
        del record
        return None

    @property
    def archive(self) -> Archive:
        """The archive; ArchiveError where it is not there any more."""
        if isinstance(self._opened, ArchiveError):
            raise self._opened
        return self._opened

    @cached_property
    def _opened(self) -> Archive | ArchiveError:
        # An error is remembered, since every page would otherwise try to open the archive again.
        try:
            return self._resources.enter_context(open_archive(self._path))
        except ArchiveError as error:
            return missing_archive_error(self._path, error)


def missing_archive_error(path: Path, error: ArchiveError) -> ArchiveError:
    """The error where the archive of a replay cannot be opened any more."""
    if not path.exists():
        return ArchiveError(f"{path}, which was replayed, is gone: put it back.")
    return ArchiveError(f"the archive that was replayed has changed: {error}")


BodyReader = WarcBodies | ArchiveBodies


class StoredCrawl:
    """Reads a crawl folder and changes nothing in it; made by :func:`open_crawl`.

    Of a live crawl everything up to its last commit is read: what came later may still change.

    ``database`` is that of a live crawl, open to read; None for a replay, which has none.
    ``frontier`` is the one with the tables of what waits: the same, or what a replay has left when
    it was over; None where it has left nothing, and for a worker, whose frontier is on a server.
    ``sources`` are the folders that it was read from, where these are several workers'.
    """

    def __init__(
        self,
        folder: CrawlFolder,
        database: sqlite3.Connection | None,
        bodies: BodyReader,
        frontier: sqlite3.Connection | None = None,
        sources: tuple[Path, ...] = (),
    ) -> None:
        self.folder = folder
        self.database = database
        self.bodies = bodies
        self.frontier = frontier
        self.sources = sources or (folder.path,)

    @cached_property
    def crawl_spec(self) -> Mapping[str, object]:
        """What was asked for: the content of ``crawl.json``."""
        return self.folder.crawl_spec()

    @property
    def is_live(self) -> bool:
        """Was it a crawl of the live web?"""
        return self.crawl_spec.get("kind") == LIVE

    @property
    def is_running(self) -> bool:
        """Does a process crawl in one of its folders now?"""
        return any(lock_holder(path) is not None for path in self.sources)

    @property
    def archive_path(self) -> Path:
        """The archive that was replayed; an empty path for a crawl of the live web."""
        return _archive(self.crawl_spec)

    @property
    def strategy(self) -> str:
        """The name of the strategy."""
        return str(self.crawl_spec.get("strategy", ""))

    @property
    def settings(self) -> Mapping[str, object]:
        """How the crawl went about it."""
        return _table(self.crawl_spec.get("settings"))

    @cached_property
    def topic(self) -> Topic:
        """The topic; FolderError where it cannot be read."""
        try:
            return Topic(**_table(self.crawl_spec.get("topic")))  # type: ignore[arg-type]
        except (TypeError, TopicError) as error:
            raise FolderError(f"{self.folder.spec_path} is damaged: {error}") from None

    @property
    def language(self) -> str:
        """The language of its topic, known without reading all of that."""
        return str(_table(self.crawl_spec.get("topic")).get("language", DEFAULT_LANGUAGE))

    @property
    def judge(self) -> str:
        """The name of what its pages were judged by; older crawls knew similarity alone."""
        return str(self.settings.get("judge", SIMILARITY))

    @cached_property
    def threshold(self) -> float:
        """From which similarity on a page counted as relevant."""
        started = next((each for each in self.events() if each.get("event") == "started"), {})
        found = started.get("threshold")
        return float(found) if isinstance(found, int | float) else 0.0

    def events(self) -> Iterator[dict[str, object]]:
        """The journal, event by event."""
        return read_journal(self.folder.journal_path, self._committed)

    def events_backwards(self) -> Iterator[dict[str, object]]:
        """The journal, the last event first: whatever led to a page comes after it."""
        return read_backwards(self.folder.journal_path, self._committed)

    def places(self) -> AbstractContextManager[JournalReader]:
        """The journal, open to be read from any place in it."""
        return open_journal(self.folder.journal_path, self._committed)

    def pages(self) -> Iterator[PageRecord]:
        """The pages in the order they were fetched; FolderError for a line that is damaged."""
        path = self.folder.journal_path
        for number, event in enumerate(self.events(), start=1):
            if event.get("event") == "page":
                yield page_record(event, describe_line(path, number))

    @property
    def is_cut(self) -> bool:
        """Does the journal of a replay end in the middle of a line, so that pages are missing?"""
        if self.database is not None:
            return False  # what is committed was written whole
        with self.places() as journal:
            return journal.ends_within_a_line

    def check_journal(self) -> None:
        """FolderError where the journal has been emptied or shortened."""
        path = self.folder.journal_path
        with os_errors_as(FolderError, f"the journal {path} cannot be used"):
            size = path.stat().st_size
        written = 1 if self._committed is None else self._committed
        if size < written:
            state = "is shorter than it was" if size else "is empty"
            raise FolderError(f"the journal {path} {state}: put it back, or crawl again.")

    @property
    def _committed(self) -> int | None:
        if self.database is None:
            return None
        progress = Ledger(self.database).get(PROGRESS)
        return int(progress["journal"]) if isinstance(progress, dict) else 0


OnProgress = Callable[[str, int, int], None]
"""Called with what is done, how far that is, and how far it goes."""


@contextmanager
def open_whole_crawl(
    paths: Sequence[Path], *, copied: bool = False, on_progress: OnProgress | None = None
) -> Iterator[StoredCrawl]:
    """The crawl in a folder, or that of several workers, for as long as the context lasts.

    The journals and ledgers of workers are merged into a folder among the temporary files, which
    goes away in the end; their pages stay where they are, and links lead to them. So everything
    that reads one crawl reads several folders as well, and all of them see one moment.

    Parameters
    ----------
    paths : one crawl folder, one that holds those of a crawl's workers, or several of those.
    copied : copy the pages too, for who reads whole WARC files: none must be in them twice.
    on_progress : called with how far the merging is.

    SettingsError or FolderError where there is no crawl, or it is damaged, or the folders do not
    belong together.
    """
    try:
        if len(paths) == 1 and not contains_workers(paths[0]):
            with open_crawl(paths[0]) as stored:
                yield stored
            return
        from scenthound.storage.merge import open_merged  # it reads stored crawls itself

        with open_merged(paths, copied, on_progress or (lambda *_: None)) as stored:
            yield stored
    except sqlite3.Error as error:
        raise FolderError(
            f"the database in {paths[0]} cannot be read ({error}); if the crawl has just begun, "
            "try again when it has fetched a page."
        ) from None


@contextmanager
def open_crawl(path: Path, sources: tuple[Path, ...] = ()) -> Iterator[StoredCrawl]:
    """The crawl in a folder, for as long as the context lasts; see :class:`StoredCrawl`.

    FolderError where there is none, it is of another version or damaged, or nothing was committed.
    """
    check_no_parent_folder(Path(path))
    folder = CrawlFolder.open(Path(path))
    spec = folder.crawl_spec()
    settings = _table(spec.get("settings"))
    pdf = settings.get("pdf") is True
    with ExitStack() as resources:
        if spec.get("kind") != LIVE:
            archived = ArchiveBodies(_archive(spec), resources, pdf)
            waiting = None
            if folder.waiting_path.exists():  # a replay that was killed leaves no such file
                waiting = resources.enter_context(closing(read_database(folder.waiting_path)))
            stored = StoredCrawl(folder, None, archived, waiting)
        else:
            database = resources.enter_context(closing(read_database(folder.database_path)))
            if not has_table(database, "meta"):  # killed before its first commit
                raise FolderError(
                    f"{path} holds no page yet; wait a second where the crawl runs, or start it "
                    f"again with: scenthound resume {path}"
                )
            max_body = int(str(settings.get("max_body", DEFAULT_MAX_BODY)))
            bodies = WarcBodies(folder.path, Ledger(database), max_body, pdf)
            frontier = database if has_table(database, "frontier_urls") else None
            stored = StoredCrawl(folder, database, bodies, frontier, sources)
        stored.check_journal()
        yield stored


def _archive(spec: Mapping[str, object]) -> Path:
    return Path(str(_table(spec.get("source")).get("archive", "")))


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise FolderError(f"crawl.json is damaged: {value!r} is not a table.")
    return value


_SIZES = "SELECT url, length FROM pages WHERE length IS NOT NULL AND n > 0 ORDER BY n"


def stored_sizes(stored: StoredCrawl) -> Iterator[tuple[str, int]]:
    """URL and compressed bytes of every stored page, in order; nothing for a replay."""
    if stored.database is not None:
        yield from stored.database.execute(_SIZES)
