"""The index of a WACZ: CDXJ lines in order, packed a block at a time, and an index of the blocks.

This is what replay viewers look addresses up in, without reading all of it. Written here: the
library for it (cdxj-indexer) rests on ``surt``, which is under the AGPL, and one page of code does.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import re
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from typing import IO
from urllib.parse import urlsplit

from scenthound.corpus.warc_records import REVISIT, RecordHead

DATA_NAME = "index.cdx.gz"
_BLOCK_LINES = 1_024
_RUN_LINES = 50_000
_GZIP_BITS = 31
_WWW = re.compile(r"^(https?://)www\d*\.")
_NO_DIGIT = re.compile(r"\D")


def address_key(url: str) -> str:
    """``url`` with its host turned round, ``com,example)/path?a&b``: hosts sort together.

    In small letters, without ``www.``, the parameters in order: the key that wabac.js, the reader
    behind ReplayWeb.page, looks for. What is no web address is its own key.
    """
    if not url.startswith(("http://", "https://")):
        return url
    try:
        parts = urlsplit(_WWW.sub(r"\1", url.lower()))
        port = parts.port
    except ValueError:
        return url
    host = ",".join(reversed((parts.hostname or "").split(".")))
    named = {"http": 80, "https": 443}[parts.scheme]
    where = host if port in (None, named) else f"{host}:{port}"
    query = "&".join(sorted(parts.query.split("&")))
    return f"{where}){parts.path or '/'}" + (f"?{query}" if query else "")


def timestamp(date: str) -> str:
    """``20240301123000`` of ``2024-03-01T12:30:00.25Z``."""
    return _NO_DIGIT.sub("", date)[:14]


def index_line(head: RecordHead, file: str, offset: int) -> str:
    """The line of a record that lies at ``offset`` of ``file``."""
    fields = {
        "url": head.url,
        "mime": "warc/revisit" if head.kind == REVISIT else head.mime,
        "status": head.status,
        "digest": head.digest,
        "length": str(head.length),
        "offset": str(offset),
        "filename": file,
    }
    told = json.dumps({name: value for name, value in fields.items() if value})
    return f"{address_key(head.url)} {timestamp(head.date)} {told}\n"


class SortedLines:
    """Lines that come in any order and go in theirs; no more than a run of them is in memory.

    Use it as a context manager: the runs are temporary files.
    """

    def __init__(self, run_lines: int = _RUN_LINES) -> None:
        self._run_lines = run_lines
        self._lines: list[str] = []
        self._runs: list[IO[str]] = []
        self._files = ExitStack()

    def __enter__(self) -> SortedLines:
        return self

    def __exit__(self, *error: object) -> None:
        self._files.close()

    def add(self, line: str) -> None:
        """One more line, with its end."""
        self._lines.append(line)
        if len(self._lines) >= self._run_lines:
            self._store()

    def __iter__(self) -> Iterator[str]:
        """All lines in order, once."""
        self._lines.sort()
        for run in self._runs:
            run.seek(0)
        return heapq.merge(self._lines, *self._runs)

    def _store(self) -> None:
        run = self._files.enter_context(
            tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
        )
        run.writelines(sorted(self._lines))
        self._runs.append(run)
        self._lines = []


def write_index(lines: Iterable[str], write: Callable[[bytes], int]) -> Iterator[str]:
    """Packs and writes sorted lines; gives the lines of the index of the blocks."""
    yield f"!meta 0 {json.dumps({'format': 'cdxj-gzip-1.0', 'filename': DATA_NAME})}\n"
    offset = 0
    rest = iter(lines)
    while block := list(islice(rest, _BLOCK_LINES)):
        packed = zlib.compress("".join(block).encode("utf-8"), wbits=_GZIP_BITS)
        write(packed)
        digest = f"sha256:{hashlib.sha256(packed).hexdigest()}"
        place = {"offset": offset, "length": len(packed), "digest": digest, "filename": DATA_NAME}
        yield f"{block[0].partition(' {')[0]} {json.dumps(place)}\n"
        offset += len(packed)
