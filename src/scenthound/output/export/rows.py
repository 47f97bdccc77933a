"""Pages of a crawl as rows: the columns, the filter, what journal, WARC files and text say of a
page, and the processes that read the texts.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import subprocess
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Annotated, Any

from scenthound.core.errors import (
    ArchiveError,
    FolderError,
    ScenthoundError,
    SettingsError,
    UnknownNameError,
)
from scenthound.core.options import Flag, Options, Share, Takes, option, whole_within
from scenthound.output.export.page_text import PageText
from scenthound.storage.files import Field, Kind, Row, Source, Weight
from scenthound.storage.journal import last_summary
from scenthound.storage.pages import Response
from scenthound.storage.stored_crawl import PageRecord, StoredCrawl

_PARTS_ABOUT = "what the priority is made of: of each part its value and its weight"
FIELDS: tuple[Field, ...] = (
    Field("n", Kind.INTEGER, Source.JOURNAL, "number of the page in the order of fetching"),
    Field("url", Kind.TEXT, Source.JOURNAL, "canonical address"),
    Field("title", Kind.TEXT, Source.JOURNAL, "title; without the text, its first 120 characters"),
    Field("text", Kind.TEXT, Source.TEXT, "main text, without menus and the like"),
    Field("text_source", Kind.TEXT, Source.TEXT, "main, visible (all of the page's text) or pdf"),
    Field("language", Kind.TEXT, Source.TEXT, "language of the text, as a code"),
    Field("language_confidence", Kind.NUMBER, Source.TEXT, "how sure that is, 0 to 1"),
    Field("expected_language", Kind.TRUTH, Source.TEXT, "is it the language of the topic?"),
    Field("date", Kind.TEXT, Source.TEXT, "date the page gives itself, as 2024-03-01"),
    Field("author", Kind.TEXT, Source.TEXT, "author the page names"),
    Field("description", Kind.TEXT, Source.TEXT, "description the page gives of itself"),
    Field("relevance", Kind.NUMBER, Source.JOURNAL, "similarity to the topic, 0 to 1"),
    Field("relevant", Kind.TRUTH, Source.JOURNAL, "did it reach the crawl's threshold?"),
    Field("priority", Kind.NUMBER, Source.JOURNAL, "what its links promised; empty for a seed"),
    Field("priority_parts", Kind.PARTS, Source.JOURNAL, _PARTS_ABOUT),
    Field("parent", Kind.TEXT, Source.JOURNAL, "address of the page with the best link here"),
    Field("anchor", Kind.TEXT, Source.JOURNAL, "words of that link"),
    Field("depth", Kind.INTEGER, Source.JOURNAL, "links from a seed"),
    Field("fetched_at", Kind.TEXT, Source.JOURNAL, "time of fetching, UTC; empty for a replay"),
    Field("status", Kind.INTEGER, Source.JOURNAL, "HTTP status"),
    Field("redirects", Kind.TEXTS, Source.JOURNAL, "addresses that led here"),
    Field("copy_of", Kind.INTEGER, Source.JOURNAL, "number of the page whose copy it is"),
    Field("problem", Kind.TEXT, Source.JOURNAL, "why there is less to read than expected"),
    Field("rendered", Kind.TRUTH, Source.JOURNAL, "was it read with a browser?"),
    Field("content_type", Kind.TEXT, Source.BODY, "as the server says"),
    Field("size", Kind.INTEGER, Source.BODY, "bytes of the body, unpacked"),
    Field("warc_file", Kind.TEXT, Source.JOURNAL, "file in the crawl folder with its record"),
    Field("warc_offset", Kind.INTEGER, Source.JOURNAL, "byte at which the record starts"),
    Field("warc_length", Kind.INTEGER, Source.JOURNAL, "bytes of the record"),
)
NAMES = tuple(field.name for field in FIELDS)


def select_fields(names: Iterable[str] | None, text: bool = True) -> tuple[Field, ...]:
    """The columns of these names, in this order; all of them for None.

    Without ``text`` all but those that need the text of a page. SettingsError where a name is
    given twice or needs the text, or there is none; UnknownNameError for an unknown one.
    """
    if names is None:
        return tuple(field for field in FIELDS if text or field.source is not Source.TEXT)
    selected: dict[str, Field] = {}
    for name in names:
        if name not in NAMES:
            raise UnknownNameError("field", str(name), NAMES)
        if name in selected:
            raise SettingsError(f"the field {name} is named twice; name it once.")
        selected[name] = FIELDS[NAMES.index(name)]
        if not text and selected[name].source is Source.TEXT:
            raise SettingsError(
                f"the field {name} comes from the text of a page; leave out --no-text or the field."
            )
    if not selected:
        raise SettingsError(f"no field is named; give some of: {', '.join(NAMES)}.")
    return tuple(selected.values())


# Damage does not stop an export: what cannot be read is counted and reported at the end.

LOST = "lost: its WARC record cannot be read"
COPIES = "copy of another page"
NO_PAGE = "no page (an error, or nothing to keep)"
IRRELEVANT = "not relevant"
TOO_LOW = "relevance too low"
NO_RECORD = "no WARC record"
MAX_JOBS = 64
_MAX_DEFAULT_JOBS = 8


def _read_names(value: object) -> object:
    """Names of columns, as a list or as a text with commas."""
    if not isinstance(value, Iterable):
        raise SettingsError(f"fields takes a list of names, not {value!r}.")
    names = [value] if isinstance(value, str) else map(str, value)
    return tuple(part.strip() for name in names for part in name.split(",") if part.strip())


Names = Annotated[tuple[str, ...], Takes("a list of names", _read_names)]
Jobs = Annotated[int, whole_within(1, MAX_JOBS)]


class RowOptions(Options):
    """Options of all exports: the filter of pages, the columns, the number of processes."""

    min_relevance: Annotated[
        Share | None, option("Only pages of at least this relevance, 0 to 1.", "X")
    ] = None
    relevant: Annotated[Flag, option("Only pages that the crawl judged relevant.")] = False
    everything: Annotated[
        Flag,
        option("Copies, error pages and the like too, without a text. Also ``noindex`` pages."),
    ] = False
    fields: Annotated[Names | None, option("Columns, in this order.", "A,B,C", shown="all")] = None
    text: Annotated[
        Flag,
        option(
            "Find main text, language, date and author of each page, which takes most of the time.",
            shown=False,
        ),
    ] = True
    jobs: Annotated[
        Jobs | None,
        option("Processes that extract the texts.", "N", shown="one for each core, up to 8"),
    ] = None

    @property
    def columns(self) -> tuple[Field, ...]:
        """The columns; see :func:`select_fields` for the errors."""
        return select_fields(self.fields, self.text)

    @property
    def processes(self) -> int:
        """The number of processes; by default one for each usable core, eight at most."""
        if self.jobs is not None:
            return self.jobs
        usable = getattr(os, "sched_getaffinity", None)  # not on every system
        cores = (os.cpu_count() or 1) if usable is None else len(usable(0))
        return min(_MAX_DEFAULT_JOBS, cores)

    def rejection_reason(self, record: PageRecord) -> str | None:
        """The reason why a page is left out; None for one that is exported."""
        if not self.everything and not record.has_document:
            return COPIES if record.copy_of is not None else NO_PAGE
        if self.relevant and not record.relevant:
            return IRRELEVANT
        if self.min_relevance is not None and record.similarity < self.min_relevance:
            return TOO_LOW
        return None


@dataclass(slots=True, kw_only=True)
class ExportCounts:
    """Counts of the pages that an export read.

    Parameters
    ----------
    looked_at : pages that were read.
    left_out : pages that are not exported, by reason.
    unread : pages whose main text could not be extracted: they have their visible text, or none.
    unread_pdfs : PDFs without a text, because the extra that reads them is not installed.
    lost : pages whose records cannot be read any more: without a text, or not in a WACZ.
    damage : the first damage that was found, in a sentence; empty for none. There may be damage
        without a lost page: to the record of a request, say.
    """

    looked_at: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    unread_pdfs: int = 0
    lost: int = 0
    damage: str = ""

    def note(self, damage: str) -> None:
        """Keep the sentence if it is the first."""
        self.damage = self.damage or damage


_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_LONGEST_FACT = 1_000


def read_rows(
    crawl: StoredCrawl,
    fields: Sequence[Field],
    options: RowOptions,
    counts: ExportCounts,
    on_page: Callable[[int], None] | None = None,
) -> Generator[Row, None, None]:
    """The pages that pass the filter in the order of fetching, with these columns.

    Parameters
    ----------
    crawl : finished or running; a running one up to its last commit.
    fields : the columns; they decide whether bodies and texts are read at all.
    options : the filter, and the number of processes.
    counts : updated with every page.
    on_page : called with the number of pages read so far.

    Processes read the texts, and end with the generator: close it, or take all. Rows hold no
    control characters but line ends and tabs. A page whose record is damaged or gone has a row
    without a text, and the problem :data:`LOST`.
    """
    depth = max((field.source for field in fields), default=Source.JOURNAL)
    # To name parents, which are fetched before their children; all else here is of fixed size.
    urls: dict[int | None, str] = {}
    for record, body, text in _pages(crawl, depth, options, counts, urls):
        counts.unread += text.failed
        counts.unread_pdfs += text.needs_pdf
        row = _row(crawl, record, body, text, urls.get(record.parent))
        yield {field.name: row[field.name] for field in fields}
        if on_page is not None:
            on_page(counts.looked_at)


def _pages(
    crawl: StoredCrawl,
    depth: Source,
    options: RowOptions,
    counts: ExportCounts,
    urls: dict[int | None, str],
) -> Iterator[tuple[PageRecord, Response | None, PageText]]:
    """The pages that pass the filter with body and text; both empty where ``depth`` needs none.

    ``urls`` receives the URL of every page, by its number.
    """

    def tasks() -> Iterator[Task]:
        for record in crawl.pages():
            urls[record.n] = record.url
            counts.looked_at += 1
            reason = options.rejection_reason(record)
            if reason is not None:
                counts.left_out[reason] += 1
                continue
            body = None
            try:
                if depth >= Source.BODY and record.has_document:
                    body = crawl.bodies.body(record)
            except (FolderError, ArchiveError) as error:
                counts.lost += 1
                counts.note(str(error))
                record = replace(record, problem=LOST)
            yield record, body

    if depth < Source.TEXT:
        yield from ((*task, PageText()) for task in tasks())
        return
    crawl.bodies.check()
    with TextProcessPool(options.processes, crawl.language) as readers:
        yield from readers.read(tasks())


def _row(
    crawl: StoredCrawl,
    record: PageRecord,
    body: Response | None,
    text: PageText,
    parent: str | None,
) -> Row:
    place = crawl.bodies.place(record)
    content_type = "" if body is None else clean_text(body.content_type)[:_LONGEST_FACT]
    return {
        "n": record.n,
        "url": clean_text(record.url),
        "title": clean_text(text.title or record.title),
        "text": clean_text(text.text),
        "text_source": text.source,
        "language": text.language,
        "language_confidence": None if text.language is None else text.confidence,
        "expected_language": text.is_expected,
        "date": text.date,
        "author": None if text.author is None else clean_text(text.author),
        "description": None if text.description is None else clean_text(text.description),
        "relevance": record.similarity,
        "relevant": record.relevant,
        "priority": record.priority,
        "priority_parts": {p.name: Weight(value=p.value, weight=p.weight) for p in record.parts},
        "parent": parent,
        "anchor": clean_text(record.inlinks[0].anchor) if record.inlinks else None,
        "depth": record.depth,
        "fetched_at": iso_time(record.at) if crawl.is_live else None,
        "status": record.status,
        "redirects": [clean_text(url) for url in record.redirects],
        "copy_of": record.copy_of,
        "problem": clean_text(record.problem) or None,
        "rendered": record.rendered,
        "content_type": content_type or None,
        "size": None if body is None else len(body.body),
        "warc_file": None if place is None else place.file,
        "warc_offset": None if place is None else place.offset,
        "warc_length": None if place is None else place.length,
    }


def page_count(crawl: StoredCrawl) -> int:
    """About how many pages the crawl has fetched, for a bar: those of the last seconds count."""
    summary = last_summary(crawl.folder.journal_path) or {}
    return int(str(summary.get("fetched", 0)))


def clean_text(text: str) -> str:
    """``text`` with ``\\n`` as the only line end, and without control characters except tabs.

    Direction marks are removed too: they let a title show another one than it has. Lone
    surrogates become U+FFFD.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNPRINTABLE.sub(lambda sign: "\ufffd" if sign[0] >= "\ud800" else "", lines)


def iso_time(at: float) -> str:
    """Seconds since 1970 as ``2024-03-01T12:30:00.250Z``."""
    moment = datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='milliseconds')}Z"


TIMEOUT_S = 30.0
"""Limit for one page; the slowest honest ones take a few seconds."""
MAX_PAGES = 1_000
"""Pages after which the process is replaced, since libraries keep caches without bounds."""
COMMAND = (sys.executable, "-P", "-m", "scenthound.output.export.page_text")
"""With ``-P`` no module is imported from the working folder, where a ``json.py`` may lie."""


class TextProcess:
    """One process that reads pages, started when it is first needed, and again after it died.

    Parameters
    ----------
    language : of the topic.
    timeout_s : limit for one page.
    command : starts it; the file number of the connection is appended.
    """

    def __init__(self, language: str, timeout_s: float, command: Sequence[str]) -> None:
        self._language = language
        self._timeout_s = timeout_s
        self._command = command
        self._running: tuple[subprocess.Popen[bytes], Connection] | None = None
        self._ended = False
        self._pages = 0
        # end() is called from another thread, perhaps while a process is being started here.
        self._changing = threading.Lock()

    def read(self, body: Response) -> PageText:
        """The text of a page: the main text, or the visible one where extracting that fails."""
        self._pages += 1
        if self._pages % MAX_PAGES == 0:
            self.close()
        head = {
            "url": body.url,
            "content_type": body.content_type,
            "language": body.headers.get("content-language", ""),
            "expected": self._language,
        }
        for main in (True, False):
            values = self._extract({**head, "main": main}, body.body)
            if values is not None:
                return PageText(**{**values, "failed": values["failed"] or not main})
        return PageText(failed=True)

    def end(self) -> None:
        """Kill the process for good, from another thread; a read in progress fails."""
        with self._changing:
            self._ended = True
            if self._running is not None:
                self._running[0].kill()

    def close(self) -> None:
        """Kill the process and release it; the next read starts another one."""
        with self._changing:
            running, self._running = self._running, None
        if running is not None:
            process, pipe = running
            process.kill()
            pipe.close()
            process.wait()

    def _extract(self, head: dict[str, Any], content: bytes) -> dict[str, Any] | None:
        """The values of a :class:`PageText`; None where the process hangs or dies."""
        pipe = self._connected()
        if pipe is None:
            return None
        with contextlib.suppress(OSError, EOFError):
            pipe.send_bytes(json.dumps(head).encode("ascii"))
            pipe.send_bytes(content)
            if pipe.poll(self._timeout_s):
                values: dict[str, Any] = json.loads(pipe.recv_bytes())
                return values
        self.close()
        return None

    def _connected(self) -> Connection | None:
        """The connection to a process that is ready; None after :meth:`end`."""
        with self._changing:
            if self._ended or self._running is not None:
                return None if self._ended or self._running is None else self._running[1]
            ours, theirs = Pipe()
            with theirs:
                # Not multiprocessing: that would import a caller's script without main guard again.
                process = subprocess.Popen(
                    [*self._command, str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,  # libraries may print
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C is for the export to hear
                )
            self._running = process, ours
        try:
            ours.recv_bytes()
        except (OSError, EOFError):
            if not self._ended:
                command = " ".join([*self._command, "1"])
                raise ScenthoundError(
                    f"the process that reads pages does not start; see why with: {command}"
                ) from None
        return ours


_AHEAD = 3
"""Pages in flight for each process: enough that none waits, few enough for memory."""
Task = tuple[PageRecord, Response | None]
"""A page and its body; None where there is nothing to read."""


class TextProcessPool:
    """Processes that read pages. Use it as a context manager.

    A page over which a process hangs or dies is read once more, for its visible text alone; where
    that fails too it has no text. Either is marked as ``failed``.

    Parameters
    ----------
    jobs : number of processes.
    language, timeout_s, command : see :class:`TextProcess`.
    """

    def __init__(
        self,
        jobs: int,
        language: str,
        timeout_s: float = TIMEOUT_S,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self._jobs = jobs
        self._threads = ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="text")
        self._children = [TextProcess(language, timeout_s, command) for _ in range(jobs)]
        self._idle: queue.SimpleQueue[TextProcess] = queue.SimpleQueue()
        for child in self._children:
            self._idle.put(child)

    def __enter__(self) -> TextProcessPool:
        return self

    def __exit__(self, *error: object) -> None:
        """End the processes without waiting for pages in flight."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        # Killed before the threads are waited for: one of them may wait for a page that hangs.
        for child in self._children:
            child.end()
        self._threads.shutdown(wait=True)
        for child in self._children:
            child.close()

    def read(self, tasks: Iterable[Task]) -> Iterator[tuple[PageRecord, Response | None, PageText]]:
        """The text of each page, in the order of the tasks, which are taken a few ahead."""
        waiting: deque[tuple[Task, Future[PageText]]] = deque()
        for task in tasks:
            waiting.append((task, self._threads.submit(self._read, task[1])))
            if len(waiting) >= _AHEAD * self._jobs:
                first, text = waiting.popleft()
                yield *first, text.result()
        yield from ((*task, text.result()) for task, text in waiting)

    def _read(self, body: Response | None) -> PageText:
        """The text of a page, read by the next idle process."""
        if body is None or not body.body:
            return PageText()
        child = self._idle.get()
        try:
            return child.read(body)
        finally:
            self._idle.put(child)
