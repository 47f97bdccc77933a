"""Checkpoints of a live crawl: pages, links, events and totals are committed together, so that a
kill loses no page.

A transaction spans a batch of pages. Before it is committed the WARC records and the journal lines
of the batch are on disk; with it go the positions of the records and the lengths of both files.
After a kill the files are cut to those lengths: the pages of the batch are fetched again. The state
of the strategy is saved now and then, after a commit; the pages since are learned again from the
WARC.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from threading import BoundedSemaphore
from typing import NamedTuple

from scenthound.core.crawl_loop import Strategy
from scenthound.core.errors import FolderError, warn_caller
from scenthound.core.events import Event, Json, PageEvent, rounded
from scenthound.core.model import Candidate, FetchedPage, Inlink, Score, worker_of
from scenthound.core.protocols import Clock, State, SupportsRevision
from scenthound.core.scope import DropCount, LiveLinkRules, Scope
from scenthound.crawler.job import LiveJob
from scenthound.fetch.client import FetchResponse, ReadPage
from scenthound.frontier.redis.worker import WorkerFrontier
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.storage.database import PROGRESS, Ledger, open_database
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import CrawlFolder, FolderLock
from scenthound.storage.journal import FileJournal, pages_after
from scenthound.storage.stored_crawl import PageRecord, WarcBodies, page_record
from scenthound.storage.warc_writer import (
    WARC_START,
    Exchange,
    HeaderPairs,
    Original,
    WarcEnd,
    WarcPosition,
    WarcWriter,
)

MAX_QUEUED_PAGES = 64
"""As many as a commit has: a slow disk slows the crawl down, and memory stays bounded."""


class Flushed(NamedTuple):
    """Positions of the pages since the last flush, by page number, and the end of the files."""

    positions: tuple[tuple[int, WarcPosition], ...]
    end: WarcEnd


class WarcWriterThread:
    """Thread that compresses and writes pages, in the order of ``put``.

    After an error nothing more is written: it is raised by every later ``put`` and ``flush``.
    ``put`` blocks while ``most`` pages wait to be written.
    """

    def __init__(self, writer: WarcWriter, most: int = MAX_QUEUED_PAGES) -> None:
        self._writer = writer
        self._room = BoundedSemaphore(most)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pages")
        self._positions: list[tuple[int, WarcPosition]] = []
        self._failure: BaseException | None = None

    def put(
        self, number: int, exchange: Exchange, fields: HeaderPairs, copy_of: Original | None = None
    ) -> None:
        """Queue a page; FolderError where an earlier one could not be written."""
        if self._failure is not None:
            raise self._failure
        self._room.acquire()
        written = self._thread.submit(self._write, number, exchange, fields, copy_of)
        written.add_done_callback(lambda _: self._room.release())

    def flush(self) -> Flushed:
        """Wait until all queued pages are on disk; return where. Raises as ``put`` does."""
        return self._thread.submit(self._flush).result()

    def close(self) -> None:
        """Write the queued pages, end the thread, and close the writer; may be called twice."""
        self._thread.shutdown(wait=True)
        self._writer.close()

    def _write(
        self, number: int, exchange: Exchange, fields: HeaderPairs, copy_of: Original | None
    ) -> None:
        with self._keep_failure():
            self._positions.append((number, self._writer.write(exchange, fields, copy_of)))

    def _flush(self) -> Flushed:
        with self._keep_failure():
            self._writer.sync()
        positions, self._positions = tuple(self._positions), []
        return Flushed(positions, self._writer.end)

    @contextmanager
    def _keep_failure(self) -> Iterator[None]:
        """Raise an earlier failure again, and keep one that happens now."""
        if self._failure is not None:
            raise self._failure
        try:
            yield
        except BaseException as failure:
            self._failure = failure
            raise


LiveFrontier = SqliteFrontier | WorkerFrontier
"""Persistent frontier."""

LEASE_SECONDS = 3600.0
"""Far beyond any response: within one process no lease is meant to expire."""


@dataclass(frozen=True)
class CrawlStorage:
    """Open files and database of a crawl folder.

    Parameters
    ----------
    connection : to the database of ``frontier`` and ``ledger``; one transaction is always open.
    frontier : in the database, or on a server.
    ledger : number, URL, digest and WARC position of every page.
    journal, writing : files that are synced before the database commits.
    progress : totals of the last commit; None before the first one.
    """

    folder: CrawlFolder
    connection: sqlite3.Connection
    frontier: LiveFrontier
    ledger: Ledger
    journal: FileJournal
    writing: WarcWriterThread
    progress: Json | None

    @property
    def shares(self) -> bool:
        """Whether the frontier is on a server, which keeps no evidence of closed URLs."""
        return not isinstance(self.frontier, SqliteFrontier)


@contextmanager
def open_storage(
    folder: CrawlFolder, job: LiveJob, agent: str, clock: Clock, shared: LiveFrontier | None = None
) -> Iterator[CrawlStorage]:
    """Open and lock the folder for crawling.

    ``shared`` is the frontier on a server, if any; its worker holds the folder's lock already.
    """
    with ExitStack() as stack:
        if shared is None:
            stack.enter_context(FolderLock(folder.path))
        # Four times SQLite's default: each copy of the log into the file syncs the disk.
        connection = open_database(
            folder.database_path, _is_new(folder), {"wal_autocheckpoint": 4_000}
        )
        stack.callback(connection.close)
        connection.execute("BEGIN")
        ledger = Ledger(connection)
        progress = ledger.get(PROGRESS)
        assert progress is None or isinstance(progress, dict)
        frontier = shared
        if frontier is None:
            frontier = SqliteFrontier(
                connection, job.spec.combination, job.options.politeness(), LEASE_SECONDS, clock()
            )
        # Opening cuts journal and WARC files to the lengths of the last commit: the rest belongs
        # to a batch that was not committed, and is fetched again.
        journal = FileJournal(folder.journal_path, 0 if progress is None else progress["journal"])
        stack.callback(journal.close)
        about = {
            "software": agent,
            "format": "WARC File Format 1.1",
            "http-header-user-agent": agent,
            "robots": "obey",
            "isPartOf": job.topic.name,
            "description": f"pages about {job.topic.name}, found by {job.spec.name}",
        }
        end = (1, 0) if progress is None else progress["warc"]
        writing = WarcWriterThread(WarcWriter(folder.path, end, about))
        stack.callback(writing.close)
        yield CrawlStorage(folder, connection, frontier, ledger, journal, writing, progress)


def _is_new(folder: CrawlFolder) -> bool:
    """Whether the database was never written (a kill may leave an empty file).

    It is made first, so a folder with events or pages but no database is damaged.
    """
    database, journal = folder.database_path, folder.journal_path
    with os_errors_as(FolderError, f"{folder.path} cannot be used"):
        if database.exists() and database.stat().st_size > 0:
            return False
        begun = folder.holds_pages() or (journal.exists() and journal.stat().st_size > 0)
    if begun:
        raise FolderError(
            f"{folder.path} holds a crawl whose {database.name} is gone: put it back, "
            "or start a new crawl in another folder."
        )
    return True


STATE_PAGES = 500
"""Minimum number of pages between two saves of the state; a resume learns those since again."""

STATE_SHARE = 0.02
"""Maximum share of the time that saving the state takes."""

_REDIRECT = 0
"""Number of a redirect, which has no row in the ledger. Pages are numbered from 1."""


class CommitInterval(NamedTuple):
    """Pages between two commits, or seconds if there are new events; ``idle`` seconds when idle."""

    pages: int
    seconds: float
    idle: float


SINGLE_WORKER = CommitInterval(64, 1.0, 1.0)

SHARED_CRAWL = CommitInterval(16, 0.25, 0.03)
"""Shorter: other workers wait for the links of pages that are not committed yet."""


class Checkpointer:
    """Stores pages and commits them in batches.

    Parameters
    ----------
    progress : returns the totals to commit.
    state : returns the learned state to save.
    on_commit : called after every commit.
    """

    def __init__(
        self,
        storage: CrawlStorage,
        progress: Callable[[], Json],
        state: Callable[[], State],
        interval: CommitInterval = SINGLE_WORKER,
        on_commit: Callable[[], None] = lambda: None,
    ) -> None:
        self._folder = storage.folder
        self._connection = storage.connection
        self._ledger = storage.ledger
        self._writing = storage.writing
        self._journal = storage.journal
        self._progress = progress
        self._state = state
        self._interval = interval
        self._on_commit = on_commit
        self._end = WARC_START
        self._journalled = -1
        # Pages whose WARC position the thread reports at the next flush.
        self._unplaced: set[int] = set()
        self._pages = self._since_state = 0
        self._last = self._last_state = time.monotonic()
        self._state_seconds = 0.0

    def keep(
        self, response: FetchResponse, candidate: Candidate, read: ReadPage, event: PageEvent
    ) -> None:
        """Put a page into the ledger, and into the WARC unless it asks not to be archived."""
        page = read.page
        self._ledger.record(event.n, page.url, response.ended, read.digest, read.fingerprint)
        if page.index:
            original = self._original(read)
            # The page with the best link to this one, unless another worker has it.
            best = [link.source for link in event.inlinks[:1] if not worker_of(link.source)]
            via = [("via", self._ledger.original(source)[0]) for source in best]
            fields = [*via, *_fields(candidate, event)]
            self._writing.put(event.n, _exchange(response), fields, original)
            self._unplaced.add(event.n)
        self._pages += 1
        self._since_state += 1

    def keep_redirect(self, response: FetchResponse) -> None:
        """Put a redirect into the WARC, so that old addresses can be followed."""
        fields = [("leadsTo", response.header("location"))]
        self._writing.put(_REDIRECT, _exchange(response), fields)

    def commit_if_due(self, idle: bool = False) -> None:
        """Commit a batch that is large or old enough; ``idle``: there are no pages to read."""
        full = self._pages >= self._interval.pages
        due = self._last + (self._interval.idle if idle else self._interval.seconds)
        # Only if there are new events: a crawl that waits for days writes nothing.
        if full or (time.monotonic() >= due and self._journal.size != self._journalled):
            self.commit()
            allowed = (time.monotonic() - self._last_state) * STATE_SHARE
            if self._since_state >= STATE_PAGES and allowed >= self._state_seconds:
                self.save_state()

    def commit(self) -> None:
        """Commit everything so far."""
        # The WARC files are synced first: no position in the ledger may lead to missing bytes.
        flushed = self._writing.flush()
        for number, position in flushed.positions:
            if number != _REDIRECT:
                self._ledger.place(number, position)
        self._unplaced.clear()
        self._end = flushed.end
        self._commit(self._progress())
        # Only now may other workers see the links: before the commit a kill would undo their pages.
        self._on_commit()

    def abandon(self, event: Event) -> None:
        """Roll back to the last commit after an error, and journal ``event``, its reason."""
        if self._connection.in_transaction:  # a full disk ends the transaction
            self._connection.execute("ROLLBACK")
        self._connection.execute("BEGIN")
        stored: object = None
        with suppress(sqlite3.OperationalError):  # before the first commit there is no table
            stored = self._ledger.get(PROGRESS)
        if isinstance(stored, dict):
            # The journal is cut here, to append the reason. WARC records behind the commit stay
            # until the next run opens the files.
            self._journal.cut(int(stored["journal"]))
            self._journal.append(event)
            self._end = WarcEnd(*stored["warc"])
            self._commit(stored)

    def _commit(self, progress: Mapping[str, object]) -> None:
        """Write journal and database, in that order, and begin the next transaction.

        The database comes last: its commit makes the batch valid, and it names the lengths of the
        files, which must be on the disk by then.
        """
        self._journal.sync()
        stored = {**progress, "warc": list(self._end), "journal": self._journal.size}
        try:
            self._ledger.set(PROGRESS, stored)
            self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
        except sqlite3.Error as error:
            problem = f"{self._folder.path} cannot be written: {error}; free disk space."
            raise FolderError(problem) from None
        self._pages = 0
        self._journalled = self._journal.size
        self._last = time.monotonic()

    def save_state(self) -> None:
        """Save the state; call it after a commit only: the state may not be newer."""
        started = time.monotonic()
        self._folder.save_state(self._state())
        self._last_state = time.monotonic()
        self._state_seconds = self._last_state - started
        self._since_state = 0

    def _original(self, read: ReadPage) -> tuple[str, float] | None:
        """Return the URL and time at which the same bytes were stored first, if they were."""
        first = read.page.copy_of
        if not read.exact or first is None:
            return None
        if first not in self._unplaced and self._ledger.position(first) is None:
            return None  # a revisit record would refer to a page that was not archived
        return self._ledger.original(first)


def _exchange(response: FetchResponse) -> Exchange:
    """Return a response as the WARC writer takes it."""
    return Exchange(
        url=response.request.url,
        at=response.ended,
        method="GET",
        request_headers=response.request_headers,
        protocol=response.protocol,
        status=response.status,
        reason="",
        response_headers=response.headers,
        body=response.body,
        ip=response.ip,
        truncated=response.cut,
        rendered=response.rendered,
    )


def _fields(candidate: Candidate, event: PageEvent) -> Sequence[tuple[str, str]]:
    """Return the fields of a page's metadata record: its links, scores and relevance."""
    fields = [("page", str(event.n)), ("hopsFromSeed", str(event.depth))]
    fields += [("redirectedFrom", url) for url in candidate.redirects]
    fields += [("linkedFromPage", f"{i.source} {rounded(i.score.value)}") for i in event.inlinks]
    if event.priority is not None:
        fields.append(("priority", str(rounded(event.priority))))
    fields += [
        (f"priority-{p.name.replace(' ', '-')}", f"{rounded(p.value)} x {p.weight:g}")
        for p in event.parts
    ]
    fields.append(("similarity", str(rounded(event.similarity))))
    fields.append(("relevant", "true" if event.relevant else "false"))
    if event.rendered:
        fields.append(("rendered", "true"))
    if event.problem:
        fields.append(("problem", event.problem))
    return fields


def relearn(
    storage: CrawlStorage,
    strategy: Strategy,
    rules: LiveLinkRules,
    scope: Scope,
    max_body: int,
    pdf: bool = False,
    relearned: Callable[[int], None] | None = None,
) -> int:
    """Restore a fresh strategy and fresh rules to the last commit; return the pages read again.

    Parameters
    ----------
    scope : applies ``rules``, as in the crawl.
    max_body : bytes of a decoded body that are read.
    pdf : whether PDF documents are pages.
    relearned : gets the number of every page, after it was learned again.
    """
    known = _restore(storage, strategy, rules)
    bodies = WarcBodies(storage.folder.path, storage.ledger, max_body, pdf)
    count = 0
    for record in map(page_record, pages_after(storage.folder.journal_path, known)):
        fetched = _stored_page(storage, bodies, record)
        # As in CrawlLoop.observe: the strategy does not learn from error pages or copies.
        if fetched is not None and fetched.page.ok and record.copy_of is None:
            strategy.observe(fetched)
            # The scores are dropped, but both calls have side effects: some scorers learn from the
            # links that they score, and follow() counts the dates of calendars, which are traps.
            strategy.score(fetched, scope.follow(fetched.page, DropCount({})))
            if isinstance(strategy.scorer, SupportsRevision) and not storage.shares:
                strategy.scorer.revise()  # stored scores are those after the revision
            count += 1
        if relearned is not None:
            relearned(record.n)
    return count


def _restore(storage: CrawlStorage, strategy: Strategy, rules: LiveLinkRules) -> int:
    """Restore the saved state, if there is one; return the number of pages it was learned from."""
    if not storage.folder.state_path.exists():
        return 0
    try:
        state = storage.folder.load_state()
    except FolderError as error:
        warn_caller(f"{error} What was learned is learned again from all stored pages.")
        return 0
    pages, counts = state.pop("pages", None), state.pop("rules", None)
    if not isinstance(pages, int) or not isinstance(counts, dict):
        raise FolderError(
            f"{storage.folder.state_path} is not the state of a live crawl: delete it; "
            "what was learned is learned again from the stored pages."
        )
    strategy.restore(state)
    rules.restore(counts)
    return pages


def _stored_page(
    storage: CrawlStorage, bodies: WarcBodies, record: PageRecord
) -> FetchedPage | None:
    """Return the fetched page of a record; None for a page that was not stored."""
    if isinstance(storage.frontier, SqliteFrontier):
        candidate = storage.frontier.candidate(record.url)
    else:  # a server keeps no evidence of closed URLs; the journal does, in five decimals
        candidate = Candidate(
            url=record.url,
            score=Score(record.priority or 0.0, record.parts),
            depth=record.depth,
            inlinks=tuple(Inlink(i.source, Score(i.score), i.anchor) for i in record.inlinks),
            linked_from=record.linked_from,
            redirects=record.redirects,
        )
    page = None if candidate is None else bodies.page(record)
    if candidate is None or page is None:
        return None
    return FetchedPage(candidate, replace(page, redirects=candidate.redirects))
