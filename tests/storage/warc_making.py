"""Exchanges for the tests of what is written, and what warcio finds in the files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from types import SimpleNamespace

from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

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
