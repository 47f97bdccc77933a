"""The parts of a WACZ file: its CDXJ index, and the zip with the list of what is in it."""

from __future__ import annotations

import hashlib
import heapq
import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import islice
from pathlib import PurePosixPath
from typing import IO
from urllib.parse import urlsplit

from scenthound.output.warc_copy import REVISIT, RecordHead

DATA_NAME = "index.cdx.gz"

_BLOCK_LINES = 1_024

_RUN_LINES = 50_000

_GZIP_BITS = 31

_WWW = re.compile(r"^(https?://)www\d*\.")

_NO_DIGIT = re.compile(r"\D")


def surt_key(url: str) -> str:
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


def cdx_timestamp(date: str) -> str:
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
    known = json.dumps({name: value for name, value in fields.items() if value})
    return f"{surt_key(head.url)} {cdx_timestamp(head.date)} {known}\n"


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


# A WACZ is a zip file with a list of what is in it: every entry with its length and digest.

WACZ_VERSION = "1.1.1"

_NOT_IN_NAME = re.compile(r"[^a-z0-9._-]")
"""What the name of a resource must not hold, by the Data Package specification."""

_LIST, _LIST_DIGEST = "datapackage.json", "datapackage-digest.json"


class Entry:
    """A file in the package that is being written; counts and digests what goes in."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, content: bytes) -> int:
        """Some more of it."""
        self._digest.update(content)
        self.size += len(content)
        return self._stream.write(content)

    @property
    def digest(self) -> str:
        """SHA-256 of all that was written."""
        return f"sha256:{self._digest.hexdigest()}"


class DataPackage:
    """Writes a WACZ file (version 1.1.1) to an open file. Use it as a context manager.

    Without :meth:`finish` it is a zip file, but no WACZ.

    Parameters
    ----------
    file : where to.
    now : the time that is written into it.
    """

    def __init__(self, file: IO[bytes], now: datetime) -> None:
        self._zip = zipfile.ZipFile(file, "w")
        self._now = now
        self._resources: list[dict[str, object]] = []

    def __enter__(self) -> DataPackage:
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    @contextmanager
    def entry(self, path: str, packed: bool = True, most: int = 0) -> Iterator[Entry]:
        """A file in the package; ``most`` is about how long it may get, if that is known.

        What readers take pieces out of (``packed`` False) lies in the zip file as it is.
        """
        info = self._info(path, packed)
        info.file_size = most
        with self._zip.open(info, "w") as stream:
            entry = Entry(stream)
            yield entry
        name = _NOT_IN_NAME.sub("-", PurePosixPath(path).name.lower())
        self._resources.append(
            {"name": name, "path": path, "hash": entry.digest, "bytes": entry.size}
        )

    def finish(self, about: Mapping[str, str]) -> None:
        """Write the list of what is in it, with its digest."""
        listed = {
            "profile": "data-package",
            "wacz_version": WACZ_VERSION,
            **about,
            "created": self._now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "resources": self._resources,
        }
        content = json.dumps(listed, indent=1).encode("ascii")
        digest = {"path": _LIST, "hash": f"sha256:{hashlib.sha256(content).hexdigest()}"}
        self._zip.writestr(self._info(_LIST), content)
        self._zip.writestr(self._info(_LIST_DIGEST), json.dumps(digest))

    def _info(self, path: str, packed: bool = True) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(path, self._now.timetuple()[:6])
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        info.external_attr = 0o644 << 16
        return info
