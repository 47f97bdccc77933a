"""Exchanges and archives for the tests, and what warcio finds in the files."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from types import SimpleNamespace
from typing import Any

from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from scenthound.storage.warc_writer import Exchange

AT = 1_700_000_000.125
ABOUT = {"software": "Scenthound/0.1", "http-header-user-agent": "Scenthound", "robots": "obey"}


@dataclass(frozen=True)
class Found:
    """A record as warcio reads it."""

    kind: str
    warc: dict[str, str]
    line: str
    http: list[tuple[str, str]]
    content: bytes


def exchange(number: int = 1, body: bytes = b"<p>storm") -> Exchange:
    return Exchange(
        url=f"http://a.test/{number}?q=storm",
        at=AT + number,
        method="GET",
        request_headers=[("User-Agent", "Scenthound"), ("Accept", "text/html")],
        protocol="HTTP/1.1",
        status=200,
        reason="OK",
        response_headers=[("Content-Type", "text/html"), ("Server", "x")],
        body=body,
        ip="192.0.2.7",
    )


def records(path: Path) -> list[Found]:
    with path.open("rb") as file:
        return [_found(record) for record in ArchiveIterator(file, check_digests="raise")]


def pages(folder: Path) -> list[str]:
    """The URLs of all responses and revisits, in order."""
    return [
        record.warc["WARC-Target-URI"]
        for path in sorted(folder.glob("pages-*.warc.gz"))
        for record in records(path)
        if record.kind in ("response", "revisit")
    ]


def check(folder: Path) -> int:
    """The exit value of ``warcio check`` on all segments."""
    files = sorted(map(str, folder.glob("pages-*.warc.gz")))
    assert files
    return int(Checker(SimpleNamespace(inputs=files, verbose=False)).process_all())


@contextmanager
def files_limited_to(size: int) -> Iterator[None]:
    """No file can grow beyond ``size`` bytes: what a full disk is like."""
    soft, hard = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, (soft, hard))


def _found(record: object) -> Found:
    warc = dict(record.rec_headers.headers)  # type: ignore[attr-defined]
    http = record.http_headers  # type: ignore[attr-defined]
    content: bytes = record.raw_stream.read()  # type: ignore[attr-defined]
    line = f"{http.protocol} {http.statusline}" if http else ""
    return Found(warc["WARC-Type"], warc, line, list(http.headers) if http else [], content)


# Tiny archives, of records that warcio writes.


Header = tuple[str, str]
Add = Callable[[WARCWriter], None]
FIXED = {"WARC-Record-ID": "<urn:uuid:1>", "WARC-Date": "2024-01-01T00:00:00Z"}
HTML: tuple[Header, ...] = (("Content-Type", "text/html"),)


class _Writer(WARCWriter):  # type: ignore[misc]
    """warcio leaves the temporary files of revisits open, which our tests count as an error."""

    @staticmethod
    def _create_temp_file() -> BytesIO:
        return BytesIO()


def response(
    url: str,
    body: bytes = b"<p>hello",
    status: str = "200 OK",
    headers: Sequence[Header] = HTML,
    warc: Sequence[Header] = (),
) -> Add:
    return _record("response", url, body, dict(warc), http_headers=_http(status, headers))


def revisit(
    url: str, target: str | None, status: str | None = None, headers: Sequence[Header] = ()
) -> Add:
    warc = {"WARC-Profile": "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"}
    if target is not None:
        warc["WARC-Refers-To-Target-URI"] = target
    if status is None:
        return _record("revisit", url, b"", warc, warc_content_type="application/http")
    return _record("revisit", url, b"", warc, http_headers=_http(status, headers))


def other(kind: str, url: str, content: bytes = b"", content_type: str = "text/plain") -> Add:
    return _record(kind, url, content, {}, warc_content_type=content_type)


def warc_bytes(*adds: Add, gzip: bool = True) -> bytes:
    stream = BytesIO()
    writer = _Writer(stream, gzip=gzip)
    for add in adds:
        add(writer)
    return stream.getvalue()


def write_warc(path: Path, *adds: Add, gzip: bool = True) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(warc_bytes(*adds, gzip=gzip))
    return path


def write_zip(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def raw_record(headers: Sequence[Header], content: bytes, line_end: bytes = b"\r\n") -> bytes:
    """A record written by hand, for what warcio would not write."""
    lines = ["WARC/1.0", *(f"{name}: {value}" for name, value in headers)]
    lines.append(f"Content-Length: {len(content)}")
    head = line_end.join(line.encode() for line in lines)
    return head + line_end * 2 + content + line_end * 2


def _record(kind: str, url: str, content: bytes, warc: dict[str, str], **more: Any) -> Add:
    fields = {**FIXED, **warc}

    def add(writer: WARCWriter) -> None:
        made = {"payload": BytesIO(content), "warc_headers_dict": fields, **more}
        writer.write_record(writer.create_warc_record(url, kind, **made))

    return add


def _http(status: str, headers: Sequence[Header]) -> StatusAndHeaders:
    return StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
