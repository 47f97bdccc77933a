"""Nothing is lost: pages, links, events and totals are committed together.

A transaction spans a batch of pages. Before it is committed the WARC records and the journal
lines of the batch are on the disk; with it go the places of the records and the lengths of both
files. After a kill the files are cut to those lengths: what was in the batch is fetched again.
What the strategy has learnt is saved now and then, after a commit; the pages since are learnt
again from the WARC.
"""

from __future__ import annotations

import dataclasses
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scenthound.core.errors import FolderError
from scenthound.core.events import Event, PageEvent
from scenthound.core.model import Candidate
from scenthound.core.page_numbers import worker_of
from scenthound.core.protocols import State
from scenthound.core.summary import Summary, rounded
from scenthound.live.messages import Answer
from scenthound.live.pages import ReadPage
from scenthound.store.exchange import START, End, Exchange, Truncation
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal import FileJournal
from scenthound.store.ledger import Ledger
from scenthound.store.writing import WritingThread

STATE_PAGES = 500
STATE_SHARE = 0.02
"""Saving the state may take this share of the time at most."""
PROGRESS = "progress"
_NO_PAGE = 0


class Pace(NamedTuple):
    """How often a crawl commits: after so many pages, or so many seconds if there is news.

    ``idle`` is how many seconds where there is nothing else to do.
    """

    pages: int
    seconds: float
    idle: float


ALONE = Pace(64, 1.0, 1.0)
TOGETHER = Pace(16, 0.25, 0.03)
"""Other workers wait for the links of pages that are not committed yet."""


class Keeper:
    """Keeps pages and commits them in batches.

    Parameters
    ----------
    folder : where the state goes.
    connection : the crawl's database; a transaction is open at all times.
    ledger : the pages by number.
    writing : the WARC files.
    journal : the events.
    progress : what else belongs to the commit: totals and counts, as JSON.
    learnt : what the strategy has learnt.
    pace : how many pages, and how many seconds, there are between two commits at most.
    kept : called when everything so far lasts.
    """

    def __init__(
        self,
        *,
        folder: CrawlFolder,
        connection: sqlite3.Connection,
        ledger: Ledger,
        writing: WritingThread,
        journal: FileJournal,
        progress: Callable[[], dict[str, object]],
        learnt: Callable[[], State],
        pace: Pace = ALONE,
        kept: Callable[[], None] = lambda: None,
    ) -> None:
        self._folder = folder
        self._connection = connection
        self._ledger = ledger
        self._writing = writing
        self._journal = journal
        self._progress = progress
        self._learnt = learnt
        self._pace = pace
        self._kept = kept
        self._end = START
        self._journalled = -1
        self._unplaced: set[int] = set()
        self._pages = 0
        self._since_state = 0
        self._last = time.monotonic()
        self._last_state = time.monotonic()
        self._state_seconds = 0.0

    def keep(self, answer: Answer, candidate: Candidate, read: ReadPage, event: PageEvent) -> None:
        """One more page: into the ledger, and into the WARC unless it asks not to be kept."""
        page = read.page
        self._ledger.record(event.n, page.url, answer.ended, read.digest, read.fingerprint)
        if page.index:
            original = self._original(read)
            fields = [*self._via(event), *_fields(candidate, event)]
            self._writing.put(event.n, _exchange(answer), fields, original)
            self._unplaced.add(event.n)
        self._pages += 1
        self._since_state += 1

    def keep_redirect(self, answer: Answer) -> None:
        """An answer that leads elsewhere: into the WARC, so that old addresses can be followed."""
        self._writing.put(_NO_PAGE, _exchange(answer), [("leadsTo", answer.header("location"))])

    def seconds_left(self, idle: bool = False) -> float:
        """Until the next commit is due, while there are pages to read or (``idle``) none."""
        wait = self._pace.idle if idle else self._pace.seconds
        return max(0.0, self._last + wait - time.monotonic())

    def commit_if_due(self, idle: bool = False) -> None:
        """Commit a batch that is large or old enough."""
        if self._pages >= self._pace.pages or (not self.seconds_left(idle) and self._has_news()):
            self.commit()
            if self._since_state >= STATE_PAGES and self._affordable():
                self.save_state()

    def _has_news(self) -> bool:
        """Has anything happened? A crawl that rests for days need not write all the while."""
        return self._journal.size != self._journalled

    def commit(self) -> None:
        """Make everything so far last."""
        flushed = self._writing.flush()
        for number, position in flushed.positions:
            if number != _NO_PAGE:
                self._ledger.place(number, position)
        self._unplaced.clear()
        self._end = flushed.end
        self._commit(self._progress())
        self._kept()

    def abandon(self, event: Event) -> None:
        """Something went wrong: back to the last commit, with the reason on record."""
        if self._connection.in_transaction:  # a full disk has ended it already
            self._connection.execute("ROLLBACK")
        self._connection.execute("BEGIN")
        stored = self._committed()
        if isinstance(stored, dict):
            self._journal.cut(int(stored["journal"]))
            self._journal.append(event)
            self._end = End(*stored["warc"])
            self._commit(stored)

    def _committed(self) -> object:
        """What the last commit says; None where there was none, nor any table."""
        try:
            return self._ledger.get(PROGRESS)
        except sqlite3.OperationalError:
            return None

    def _commit(self, progress: Mapping[str, object]) -> None:
        self._journal.sync()
        stored = {**progress, "warc": list(self._end), "journal": self._journal.size}
        try:
            self._ledger.set(PROGRESS, stored)
            self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
        except sqlite3.Error as error:
            raise FolderError(
                f"{self._folder.path} cannot be written: {error}; make room."
            ) from None
        self._pages = 0
        self._journalled = self._journal.size
        self._last = time.monotonic()

    def save_state(self) -> None:
        """Save what was learnt; call it after a commit only, so that it never runs ahead."""
        started = time.monotonic()
        self._folder.save_state(self._learnt())
        self._last_state = time.monotonic()
        self._state_seconds = self._last_state - started
        self._since_state = 0

    def _affordable(self) -> bool:
        return (time.monotonic() - self._last_state) * STATE_SHARE >= self._state_seconds

    def _via(self, event: PageEvent) -> list[tuple[str, str]]:
        """The page with the best link to this one; none where another worker has it."""
        best = event.inlinks[:1]
        own = [each.source for each in best if not worker_of(each.source)]
        return [("via", self._ledger.url_of(source)) for source in own]

    def _original(self, read: ReadPage) -> tuple[str, float] | None:
        """Where and when the very same bytes came first, if they were stored then."""
        first = read.page.copy_of
        if not read.exact or first is None:
            return None
        if first not in self._unplaced and self._ledger.position(first) is None:
            return None  # that page asked not to be kept: a record of it would lead nowhere
        return self._ledger.original(first)


def summary_json(summary: Summary) -> dict[str, object]:
    """The totals, exactly."""
    return dataclasses.asdict(summary)


def _exchange(answer: Answer) -> Exchange:
    truncated: Truncation | None = answer.cut
    return Exchange(
        url=answer.ask.url,
        at=answer.ended,
        method="GET",
        request_headers=answer.request_headers,
        protocol=answer.protocol,
        status=answer.status,
        reason="",
        response_headers=answer.headers,
        body=answer.body,
        ip=answer.ip,
        truncated=truncated,
        rendered=answer.rendered,
    )


def _fields(candidate: Candidate, event: PageEvent) -> Sequence[tuple[str, str]]:
    """What the metadata record says of a page: why it was fetched, what it was found to be."""
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
