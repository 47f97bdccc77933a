"""Pages of a crawl as rows: what the journal, the WARC files and the text of a page tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime

from scenthound.core.errors import ArchiveError, FolderError
from scenthound.corpus.bodies import Body
from scenthound.corpus.choosing import Choice, Counts, chosen_pages
from scenthound.corpus.fields import Field, Row, Source, Weight, deepest
from scenthound.corpus.losses import LOST, Losses
from scenthound.corpus.main_text import PageText
from scenthound.corpus.record import PageRecord
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.corpus.text_readers import Task, TextReaders
from scenthound.store.journal import last_summary
from scenthound.text.codes import primary_language

OnPage = Callable[[int], None]
"""Called with the number of pages that were looked at so far."""

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_WIDER: Mapping[str | None, str] = {"nn": "no"}
_LONGEST_FACT = 1_000


def rows(
    crawl: StoredCrawl,
    fields: Sequence[Field],
    choice: Choice,
    counts: Counts,
    jobs: int,
    on_page: OnPage | None = None,
) -> Generator[Row, None, None]:
    """The wanted pages in the order of fetching, with these columns.

    Only what the columns need is read; the text of pages by ``jobs`` processes, which end with
    the generator: close it, or take all. Nothing in a row can break a format of lines but line
    ends themselves: control characters are taken out, and halves of characters replaced. A page
    whose record is damaged or gone has a row without a text, and a problem that says so.
    """
    reading = Reading(crawl, deepest(fields), jobs)
    for record, body, text in reading.pages(choice, counts):
        counts.unread += text.failed
        counts.unread_pdfs += text.needs_pdf
        whole = _row(crawl, record, body, text, reading.url_of)
        yield {field.name: whole[field.name] for field in fields}
        if on_page is not None:
            on_page(counts.looked_at)


class Reading:
    """Reads pages as deep as is needed, and remembers the addresses of those that were passed.

    Parameters
    ----------
    crawl : where the pages are.
    depth : how much of them is needed.
    jobs : processes for the text.
    """

    def __init__(self, crawl: StoredCrawl, depth: Source, jobs: int) -> None:
        self._crawl = crawl
        self._depth = depth
        self._jobs = jobs
        self._urls: dict[int, str] = {}

    def url_of(self, n: int | None) -> str | None:
        """The address of a page that was passed; None for another one."""
        return None if n is None else self._urls.get(n)

    def pages(
        self, choice: Choice, counts: Counts
    ) -> Iterator[tuple[PageRecord, Body | None, PageText]]:
        """The wanted pages with their bodies and texts; both empty where they are not needed."""
        with ExitStack() as resources:
            tasks = self._tasks(chosen_pages(self._passed(), choice, counts), counts.losses)
            if self._depth < Source.TEXT:
                for task in tasks:
                    yield task.item, task.body, PageText()
                return
            self._crawl.bodies.check()
            readers = resources.enter_context(TextReaders(self._jobs))
            for task, text in readers.read(tasks):
                yield task.item, task.body, text

    def _passed(self) -> Iterator[PageRecord]:
        for record in self._crawl.pages():
            self._urls[record.n] = record.url
            yield record

    def _tasks(self, records: Iterable[PageRecord], losses: Losses) -> Iterator[Task[PageRecord]]:
        for record in records:
            if self._depth < Source.BODY or not record.has_document:
                yield Task(record, None)
            else:
                yield self._task(record, losses)

    def _task(self, record: PageRecord, losses: Losses) -> Task[PageRecord]:
        try:
            return Task(record, self._crawl.bodies.body(record))
        except (FolderError, ArchiveError) as error:
            losses.lose(str(error))
            return Task(replace(record, problem=LOST), None)


def _row(
    crawl: StoredCrawl,
    record: PageRecord,
    body: Body | None,
    text: PageText,
    url_of: Callable[[int | None], str | None],
) -> Row:
    place = crawl.bodies.place(record)
    return {
        "n": record.n,
        "url": clean(record.url),
        "title": clean(text.title or record.title),
        **_text_columns(text, crawl.topic.language),
        "relevance": record.similarity,
        "relevant": record.relevant,
        "priority": record.priority,
        "priority_parts": {p.name: Weight(value=p.value, weight=p.weight) for p in record.parts},
        "parent": url_of(record.parent),
        "anchor": clean(record.inlinks[0].anchor) if record.inlinks else None,
        "depth": record.depth,
        "fetched_at": iso_time(record.at) if crawl.is_live else None,
        "status": record.status,
        "redirects": [clean(url) for url in record.redirects],
        "copy_of": record.copy_of,
        "problem": clean(record.problem) or None,
        "rendered": record.rendered,
        "content_type": None if body is None else clean(body.content_type)[:_LONGEST_FACT] or None,
        "size": None if body is None else len(body.content),
        "warc_file": None if place is None else place.file,
        "warc_offset": None if place is None else place.offset,
        "warc_length": None if place is None else place.length,
    }


def _text_columns(text: PageText, expected: str) -> Row:
    """What was read on the page; ``expected`` is the topic's language."""
    known = text.language is not None
    return {
        "text": clean(text.text),
        "text_source": text.source,
        "language": text.language,
        "language_confidence": text.confidence if known else None,
        "expected_language": _same_language(text.language, expected) if known else None,
        "date": text.date,
        "author": None if text.author is None else clean(text.author),
        "description": None if text.description is None else clean(text.description),
    }


def _same_language(found: str | None, expected: str) -> bool:
    """Nynorsk and Bokmål are both Norwegian, which pages and topics call ``no``."""
    own = primary_language(expected)
    return _WIDER.get(found, found) == _WIDER.get(own, own)


def pages_of(crawl: StoredCrawl) -> int:
    """About how many pages the crawl has fetched, for a bar: those of the last seconds count."""
    summary = last_summary(crawl.folder.journal_path) or {}
    return int(str(summary.get("fetched", 0)))


def clean(text: str) -> str:
    """``text`` with ``\\n`` as the only line end, without control characters and half characters.

    Tabs stay. Marks that turn the direction of what follows are taken out too: with them a title
    shows another one than it has. Half characters (lone surrogates) become U+FFFD.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNPRINTABLE.sub(lambda sign: "\ufffd" if sign[0] >= "\ud800" else "", lines)


def iso_time(at: float) -> str:
    """Seconds since 1970 as ``2024-03-01T12:30:00.250Z``."""
    moment = datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='milliseconds')}Z"
