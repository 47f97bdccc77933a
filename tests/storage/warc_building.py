"""Builds tiny archives for the tests."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

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
