"""The WARC records of a crawl, copied as they are: from its own files, or from the archive that it
replayed; all of them, or those of some pages.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import PurePosixPath

from scenthound.core.errors import ArchiveError, FolderError, MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.output.export.rows import ExportCounts, RowOptions
from scenthound.storage.archive import detect_source
from scenthound.storage.database import PROGRESS, Ledger
from scenthound.storage.files import segment_path
from scenthound.storage.pages import ByteStream
from scenthound.storage.stored_crawl import StoredCrawl, missing_archive_error
from scenthound.storage.warc_archive import (
    MAX_HTTP_HEAD,
    WarcFile,
    WarcSource,
    open_window,
    target_url,
    warc_files_at,
)
from scenthound.storage.warc_reader import (
    BrokenRecordError,
    Record,
    Window,
    after_blank_lines,
    parse_headers,
)
from scenthound.storage.warc_writer import WarcEnd
from scenthound.text.extract import media_type

RESPONSE, REVISIT, RESOURCE = "response", "revisit", "resource"
CAPTURES = frozenset({RESPONSE, REVISIT, RESOURCE})
"""Records that hold a page, or say that it is the same as another."""


@dataclass(frozen=True, slots=True)
class NamedWarc:
    """A WARC file to copy: a unique name without folders, and its bytes.

    ``starts`` gives the offsets of known records, in order; called after damage.
    """

    name: str
    window: Window
    starts: Callable[[], Sequence[int]] = tuple


@dataclass(frozen=True, slots=True)
class RecordHead:
    """Headers of a record, and its place in the file.

    ``status`` and ``mime`` are those of the response in it, empty where there is none;
    ``refers_to`` is the URL that a revisit repeats.
    """

    kind: str
    url: str
    date: str
    digest: str
    refers_to: str
    status: str
    mime: str
    offset: int
    length: int


def record_heads(file: NamedWarc, losses: ExportCounts) -> Iterator[RecordHead]:
    """All whole records of a file in order; ``losses`` counts damage.

    After damage it continues at the next known record, and ends where none is known.
    """
    offset = 0
    while (offset := after_blank_lines(file.window, offset)) < file.window.size:
        try:
            record = Record(file.window, offset)
            status, mime = _status_and_type(record)
            end = record.finish()
        except BrokenRecordError as broken:
            losses.note(f"{file.name} {broken.args[0]} at byte {offset}: put it back as it was.")
            # The next record is not searched for: what looks like one may be part of a page.
            starts = file.starts()
            place = bisect_right(starts, offset)
            offset = starts[place] if place < len(starts) else file.window.size
            continue
        get = record.headers.get
        if record.headers:  # some writers put an empty gzip member between records
            yield RecordHead(
                kind=get("warc-type", "").lower(),
                url=target_url(record),
                date=get("warc-date", ""),
                digest=get("warc-payload-digest", ""),
                refers_to=get("warc-refers-to-target-uri", "").strip("<> "),
                status=status,
                mime=mime,
                offset=offset,
                length=end - offset,
            )
        offset = end


def _status_and_type(record: Record) -> tuple[str, str]:
    """Status and media type of the response in a record; empty where it holds none."""
    kind = record.headers.get("warc-type", "").lower()
    if kind == RESOURCE:
        return "200", media_type(record.headers.get("content-type", ""))
    if kind not in (RESPONSE, REVISIT):
        return "", ""
    line, headers = parse_headers(ByteStream(record.content()).head(MAX_HTTP_HEAD))
    words = line.split(" ")
    status = words[1] if len(words) > 1 and words[1].isdigit() else ""
    return status, media_type(headers.get("content-type", ""))


class WarcFiles:
    """The WARC files of a crawl: its own, or those of the archive that it replayed.

    Of a live crawl those up to the last commit: later records may still be removed. ``size`` is
    the number of bytes; ``losses`` counts files that are gone, and damage.

    Raises
    ------
    FolderError
        The crawl replayed HTML files, which have no records, or all of its files are gone.
    ArchiveError
        The archive that it replayed is gone.
    """

    def __init__(self, crawl: StoredCrawl, losses: ExportCounts) -> None:
        self.losses = losses
        self._crawl = crawl
        self._files = _own(crawl, losses) if crawl.is_live else _replayed(crawl)
        # Without their folders, be those on the disk or in a zip file.
        self._names = distinct([PurePosixPath(f.member).name or f.path.name for f in self._files])
        self.size = sum(file.size for file in self._files)

    def __iter__(self) -> Iterator[NamedWarc]:
        for file, name in zip(self._files, self._names, strict=True):
            with open_window(file) as window:
                yield NamedWarc(name, window, partial(self._starts_in, name))

    def _starts_in(self, name: str) -> Sequence[int]:
        return self._starts.get(name, ())

    @cached_property
    def _starts(self) -> Mapping[str, Sequence[int]]:
        """Offsets of the records in each file, by the journal; none are known of a replay."""
        starts: dict[str, array[int]] = {}
        for record in self._crawl.pages():
            place = self._crawl.bodies.place(record)
            if place is not None:
                starts.setdefault(place.file, array("q")).append(place.offset)
        return {name: array("q", sorted(offsets)) for name, offsets in starts.items()}


def distinct(names: Sequence[str]) -> list[str]:
    """The names, repeated ones with a number in front."""
    unique: list[str] = []
    for number, name in enumerate(names, start=1):
        unique.append(f"{number:05d}-{name}" if name in unique else name)
    return unique


def _own(crawl: StoredCrawl, losses: ExportCounts) -> list[WarcFile]:
    assert crawl.database is not None  # every live crawl has one
    progress = Ledger(crawl.database).get(PROGRESS)
    if not isinstance(progress, dict):
        return []
    end = WarcEnd(*progress["warc"])
    paths = [segment_path(crawl.folder.path, number + 1) for number in range(end.segment)]
    existing = [path for path in paths if path.is_file()]
    for path in paths:
        if path not in existing:
            losses.note(f"{path} is not there: put it back.")
    if paths and not existing:
        raise FolderError(f"{paths[0]} is not there: put it back, or export to another format.")
    # The last file ends at the last commit: a running crawl may cut what lies behind it.
    sizes = {path: path.stat().st_size for path in existing} | {paths[-1]: end.offset}
    return [WarcFile(path, sizes[path]) for path in existing if sizes[path]]


def _replayed(crawl: StoredCrawl) -> list[WarcFile]:
    archive = crawl.archive_path
    try:
        source = detect_source(archive)
    except ArchiveError as error:
        raise missing_archive_error(archive, error) from None
    if not isinstance(source, WarcSource):
        raise FolderError(
            f"{crawl.folder.path} is a replay of HTML files ({archive}), which hold no WARC "
            "records for a WACZ; export it as jsonl, csv or parquet."
        )
    return [warc for path in source.files() for warc in warc_files_at(path)]


_PIECE = 1024 * 1024
"""Bytes copied at once: a record may be larger than memory."""


def wanted_urls(crawl: StoredCrawl, options: RowOptions, files: WarcFiles) -> set[str] | None:
    """Canonical URLs whose records are copied; None for all of them.

    Of a live crawl all, unless pages are filtered by relevance. Then, and of the archive of a
    replay, those of the exported pages, of redirects to them, and of the originals of copies.
    """
    if crawl.is_live and not options.relevant and options.min_relevance is None:
        return None
    wanted: set[str] = set()
    urls: dict[int | None, str] = {}
    for record in crawl.pages():
        urls[record.n] = record.url
        if options.rejection_reason(record) is None:
            wanted.update((record.url, *record.redirects))
            wanted.update(urls[n] for n in (record.copy_of,) if n in urls)
    if crawl.is_live:
        return wanted
    # Our own copies are known by number; in a foreign archive the revisit records themselves name
    # the records that hold their bodies.
    return wanted | {
        canonical_or_same(head.refers_to)
        for warc in files
        for head in record_heads(warc, files.losses)
        if head.kind == REVISIT and head.refers_to and canonical_or_same(head.url) in wanted
    }


def copy_records(
    warc: NamedWarc, write: Callable[[bytes], int], wanted: set[str] | None, losses: ExportCounts
) -> Iterator[tuple[RecordHead, int | None]]:
    """Write the records of the wanted URLs and those without a URL, and yield all records.

    Each comes with its offset in the copy, None for one that is not copied. Damaged records are
    left out, and ``losses`` counts them.
    """
    offset = 0
    for head in record_heads(warc, losses):
        if wanted is not None and head.url and canonical_or_same(head.url) not in wanted:
            yield head, None
            continue
        for start in range(0, head.length, _PIECE):
            write(warc.window.read_at(head.offset + start, min(_PIECE, head.length - start)))
        yield head, offset
        offset += head.length


def canonical_or_same(url: str) -> str:
    """The canonical form of a URL; another text as it is."""
    try:
        return canonical(url)
    except MalformedUrlError:
        return url
