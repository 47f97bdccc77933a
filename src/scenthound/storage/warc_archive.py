"""An archive made of WARC files, loose or in WACZ files: which records are pages, and the
response that a record holds.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from scenthound.core.errors import ArchiveError, MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.storage.archive_index import Capture, CaptureKind, IndexWriter, Progress
from scenthound.storage.files import os_errors_as
from scenthound.storage.pages import GZIP_MAGIC, ByteStream, Response, decode_body
from scenthound.storage.warc_reader import (
    WARC_MAGIC,
    BrokenRecordError,
    Record,
    Window,
    parse_headers,
    scan_records,
)
from scenthound.text.extract import media_type

ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_WARC_NAMES = (".warc", ".warc.gz")
_ENCRYPTED = 1
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, struct.error)


@dataclass(frozen=True, slots=True)
class WarcFile:
    """A WARC file: a whole file, or the ``member`` of the zip file at ``path``.

    A member is read in place, from the byte ``start`` on: WACZ files store their WARCs as they are.
    """

    path: Path
    size: int
    member: str = ""
    start: int = 0

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return f"{self.path} ({self.member})" if self.member else str(self.path)


def warc_files_at(path: Path) -> list[WarcFile]:
    """The WARCs in a file, by its content; empty where it is neither WARC nor WACZ with WARCs.

    ArchiveError where it cannot be read, or is a zip file that is damaged or encrypted.
    """
    with open_to_read(path) as file:
        start = file.read(8)
    if start.startswith((GZIP_MAGIC, WARC_MAGIC)):
        return [WarcFile(path, path.stat().st_size)]
    if not start.startswith(ZIP_MAGICS):
        return []
    with _open_zip(path) as archive:
        found = [
            info
            for info in archive.infolist()
            if info.filename.startswith("archive/") and info.filename.endswith(_WARC_NAMES)
        ]
        found.sort(key=lambda info: info.filename)
        return [_member(path, archive, info) for info in found]


@contextmanager
def _open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except OSError as error:
        raise ArchiveError(f"{path} cannot be unpacked: {error.strerror or error}.") from None
    except _BROKEN as error:
        raise ArchiveError(
            f"{path} is a truncated or damaged WACZ (zip) file ({error}): download it again."
        ) from None


def _member(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> WarcFile:
    if info.flag_bits & _ENCRYPTED or info.compress_type != zipfile.ZIP_STORED:
        raise ArchiveError(
            f"{path} has an encrypted or compressed member ({info.filename}): "
            "make a WACZ whose WARCs are stored as they are, or unpack it."
        )
    # The local header may carry other extra fields than the central directory.
    file = archive.fp
    assert file is not None  # it is None only once the archive is closed
    file.seek(info.header_offset)
    magic, name_size, extra_size = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    start = info.header_offset + _LOCAL_HEADER.size + name_size + extra_size
    if magic not in ZIP_MAGICS or start + info.file_size > archive.start_dir:
        raise zipfile.BadZipFile(f"{info.filename} is not where it should be")
    return WarcFile(path, info.file_size, info.filename, int(start))


@contextmanager
def open_window(warc: WarcFile) -> Iterator[Window]:
    """The bytes of a WARC file; ArchiveError where it cannot be opened."""
    with open_to_read(warc.path) as file:
        yield Window(file, warc.start, warc.size)


def open_to_read(path: Path) -> BinaryIO:
    """The file, unbuffered: it is read in blocks. Raises ArchiveError where that fails."""
    with os_errors_as(ArchiveError, f"{path} cannot be read"):
        return path.open("rb", buffering=0)


# Which records are pages, and the response that a record holds.

MAX_HTTP_HEAD = 256 * 1024
NOT_MODIFIED = 304
NO_CONTENT = frozenset({"request", "metadata", "warcinfo"})
_UNKNOWN_TYPE = "application/octet-stream"
_CUT_HEADERS = frozenset({"warc-truncated", "warc-segment-number"})
_MAX_STATUS_LINE = 4096
_STATUS_LINE = re.compile(r"HTTP/[\d.]+\s+(\d{3})(?!\d)", re.IGNORECASE)


class UnfetchableError(Exception):
    """A record that can never be fetched; says why."""


def target_url(record: Record) -> str:
    """The URL of a record as it is written, without the ``<>`` of old archives; perhaps empty."""
    return record.headers.get("warc-target-uri", "").strip("<> ")


def capture_of(record: Record, file: int, offset: int) -> Capture | None:
    """The page a record holds; None for records that are about pages.

    UnfetchableError for a page that can not be fetched.
    """
    match record.headers.get("warc-type", "").lower():
        case name if name in NO_CONTENT:
            return None
        case "response":
            kind, status = CaptureKind.RESPONSE, _status(_first_line(record))
            if not status:
                raise UnfetchableError("response that is not http")
        case "resource":
            kind, status = CaptureKind.RESOURCE, 200
        case "revisit":
            kind, status = CaptureKind.REVISIT, _own_status(_first_line(record))
        case "conversion" if media_type(record.headers.get("content-type", "")) == "text/html":
            kind, status = CaptureKind.RENDERED, 200
        case ("conversion" | "continuation") as name:
            raise UnfetchableError(f"{name} record")
        case _:
            raise UnfetchableError("record of unknown type")
    try:
        url, refers = canonical(target_url(record)), None
        if kind is CaptureKind.REVISIT:
            target = record.headers.get("warc-refers-to-target-uri", "").strip("<> ")
            refers = canonical(target) if target else url
    except MalformedUrlError:
        raise UnfetchableError("unusable URL") from None
    return Capture(url, file, offset, status, kind, refers)


def response_of(record: Record, capture: Capture, max_body: int) -> Response:
    """The response that a ``response``, ``resource`` or rendered record holds, decoded."""
    pieces = ByteStream(record.content())
    if capture.kind in (CaptureKind.RESOURCE, CaptureKind.RENDERED):
        headers = {"content-type": record.headers.get("content-type", _UNKNOWN_TYPE)}
    else:
        _, headers = parse_headers(pieces.head(MAX_HTTP_HEAD))
    body, truncated = decode_body(pieces.rest(), headers, max_body)
    cut_before = not _CUT_HEADERS.isdisjoint(record.headers)
    return Response(capture.url, capture.status, headers, body, truncated or cut_before)


def _status(line: str) -> int:
    """The status in the first line of a response; 0 for none."""
    match = _STATUS_LINE.match(line)
    return int(match[1]) if match else 0


def _own_status(line: str) -> int:
    """Status of a revisit; 0 where the page it repeats decides.

    "Not modified" was said to the archiver, and not to its readers.
    """
    status = _status(line)
    return 0 if status == NOT_MODIFIED else status


def _first_line(record: Record) -> str:
    return ByteStream(record.content()).line(_MAX_STATUS_LINE).decode("latin-1")


class WarcSource:
    """Pages in WARC files, loose or in WACZ files.

    Parameters
    ----------
    path : what the user gave, for messages.
    warcs : the files, in the order in which they are read.
    """

    def __init__(self, path: Path, warcs: Sequence[WarcFile]) -> None:
        self.path = path
        self._warcs = warcs

    def files(self) -> Iterator[Path]:
        """The files themselves, each once."""
        yield from dict.fromkeys(warc.path for warc in self._warcs)

    def scan(self, sink: IndexWriter, progress: Progress) -> None:
        """Pass over every record of every file."""
        total, done = sum(warc.size for warc in self._warcs), 0
        for number, warc in enumerate(self._warcs):

            def index_record(
                offset: int, record: Record, done: int = done, number: int = number
            ) -> None:
                progress(done + offset, total)
                try:
                    capture = capture_of(record, number, offset)
                except UnfetchableError as why:
                    sink.skip(str(why), target_url(record) or f"the record at byte {offset}")
                    return
                if capture is not None:
                    sink.add(capture)

            with open_window(warc) as window:
                scan_records(window, warc.name, index_record)
            done += warc.size
        progress(total, total)

    def read(self, capture: Capture, origin: Capture | None, max_body: int) -> Response:
        """The record at ``capture``, with the body of ``origin`` for a revisit."""
        warc = self._warcs[capture.file]
        try:
            with open_window(warc) as window:
                record = Record(window, capture.offset)
                if origin is None:
                    return response_of(record, capture, max_body)
                line, headers = parse_headers(ByteStream(record.content()).head(MAX_HTTP_HEAD))
            # The body of the original, under the revisit's own status and headers if any.
            with open_window(self._warcs[origin.file]) as window:
                repeated = response_of(Record(window, origin.offset), origin, max_body)
            return replace(
                repeated,
                url=capture.url,
                status=capture.status,
                headers=headers if _own_status(line) else repeated.headers,
            )
        except BrokenRecordError:
            raise ArchiveError(
                f"{warc.name} has changed since it was opened: open it again."
            ) from None
