"""A WACZ file: a zip of the WARC records of a crawl as they are, their CDXJ index, and the list of
pages with their texts.

docs/decisions/0010-export.md says why neither py-wacz nor ``surt`` (AGPL) is used.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import islice
from pathlib import PurePosixPath
from typing import IO
from urllib.parse import urlsplit

from scenthound.output.export.rows import (
    LOST,
    NO_RECORD,
    ExportCounts,
    RowOptions,
    page_count,
    read_rows,
    select_fields,
)
from scenthound.output.export.warc_copy import (
    CAPTURES,
    REVISIT,
    RecordHead,
    WarcFiles,
    canonical_or_same,
    copy_records,
    wanted_urls,
)
from scenthound.storage.files import Row
from scenthound.storage.stored_crawl import OnProgress, StoredCrawl

COPYING, READING = "copying records", "reading pages"
"""Steps of the progress: the first is counted in bytes, the second in pages."""
_LISTED = ("n", "url", "title", "depth", "relevance", "problem")


def write_wacz(
    file: IO[bytes],
    crawl: StoredCrawl,
    options: RowOptions,
    counts: ExportCounts,
    on_progress: OnProgress,
) -> int:
    """Write a crawl as a WACZ; returns the number of pages. See :func:`wanted_urls` for records.

    Pages whose records are not in the archive are left out of the list, and counted.
    """
    fields = select_fields([*_LISTED, "text"] if options.text else _LISTED)
    total, listed, first = page_count(crawl), 0, ""
    with DataPackage(file, datetime.now(UTC)) as package:
        dates = _write_archive(package, crawl, options, counts, on_progress)
        rows = read_rows(crawl, fields, options, counts, lambda n: on_progress(READING, n, total))
        with package.entry("pages/pages.jsonl") as write, closing(rows):
            head = {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}
            write(_line({**head, "hasText": options.text}))
            for row in rows:
                date = dates.get(str(row["url"]))
                if date is not None:
                    write(_line(_listed(row, date)))
                    listed, first = listed + 1, first or str(row["url"])
                    continue
                counts.left_out[NO_RECORD] += 1
                if row["problem"] != LOST and counts.damage:  # not counted by the reading
                    counts.lost += 1
        # What a viewer shows of the package, and the page that it opens.
        name, strategy = crawl.topic.name, f" by {crawl.strategy}" if crawl.strategy else ""
        about = {
            "title": name,
            "description": f"{listed} pages about {name}, found{strategy}.",
            "software": f"scenthound {version('scenthound')}",
        }
        package.finish(about | ({"mainPageUrl": first} if first else {}))
    return listed


def _write_archive(
    package: DataPackage,
    crawl: StoredCrawl,
    options: RowOptions,
    counts: ExportCounts,
    on_progress: OnProgress,
) -> dict[str, str]:
    """Write the records and their index; returns the WARC dates of pages by canonical URL."""
    dates: dict[str, str] = {}
    done = 0
    files = WarcFiles(crawl, counts)
    # The lines are sorted in a temporary database: there may be more of them than memory holds.
    with closing(sqlite3.connect("")) as lines:
        lines.execute("CREATE TABLE lines (line TEXT)")
        wanted = wanted_urls(crawl, options, files)
        for warc in files:
            size = warc.window.size
            with package.entry(f"archive/{warc.name}", packed=False, most=size) as write:
                for head, offset in copy_records(warc, write, wanted, counts):
                    if offset is not None and head.kind in CAPTURES and head.url:
                        dates.setdefault(canonical_or_same(head.url), head.date)
                        line = index_line(head, warc.name, offset)
                        lines.execute("INSERT INTO lines VALUES (?)", (line,))
                    done += head.length
                    on_progress(COPYING, done, files.size)
        with package.entry(f"indexes/{DATA_NAME}", packed=False) as write:
            # A list, since a zip file can have only one entry open for writing.
            in_order = lines.execute("SELECT line FROM lines ORDER BY line")
            blocks = list(write_index((line for (line,) in in_order), write))
        with package.entry("indexes/index.idx") as write:
            write("".join(blocks).encode("utf-8"))
    return dates


def _listed(row: Row, date: str) -> dict[str, object]:
    """The entry of a page in the list; ``date`` is that of its record, cut to the second."""
    listed: dict[str, object] = {
        "id": str(row["n"]),
        "url": row["url"],
        "ts": f"{date[:19]}Z",
        "title": row["title"] or row["url"],
        "seed": row["depth"] == 0,
        "depth": row["depth"],
        "relevance": row["relevance"],
    }
    return listed | {"text": row["text"]} if row.get("text") else listed


def _line(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"


# The CDXJ index of the records.

DATA_NAME = "index.cdx.gz"
_BLOCK_LINES = 1_024
"""Lines in a block of the index, so that a viewer loads single blocks and not the whole index."""
_GZIP_BITS = 31
"""zlib's number for the gzip format with the largest window."""
_WWW = re.compile(r"^(https?://)www\d*\.")
_NO_DIGIT = re.compile(r"\D")


def surt_key(url: str) -> str:
    """``url`` with its host reversed, ``com,example)/path?a&b``, so that hosts sort together.

    In lower case, without ``www.``, the parameters sorted: the key that wabac.js, the reader
    behind ReplayWeb.page, looks up. What is no web address is its own key.
    """
    if not url.startswith(("http://", "https://")):
        return url
    try:
        parts = urlsplit(_WWW.sub(r"\1", url.lower()))
        port = parts.port
    except ValueError:
        return url
    host = ",".join(reversed((parts.hostname or "").split(".")))
    default = {"http": 80, "https": 443}[parts.scheme]
    authority = host if port in (None, default) else f"{host}:{port}"
    query = "&".join(sorted(parts.query.split("&")))
    return f"{authority}){parts.path or '/'}" + (f"?{query}" if query else "")


def index_line(head: RecordHead, file: str, offset: int) -> str:
    """The index line of a record at ``offset`` of ``file``."""
    fields = {
        "url": head.url,
        "mime": "warc/revisit" if head.kind == REVISIT else head.mime,
        "status": head.status,
        "digest": head.digest,
        "length": str(head.length),
        "offset": str(offset),
        "filename": file,
    }
    filled = json.dumps({name: value for name, value in fields.items() if value})
    timestamp = _NO_DIGIT.sub("", head.date)[:14]
    return f"{surt_key(head.url)} {timestamp} {filled}\n"


def write_index(lines: Iterable[str], write: Callable[[bytes], int]) -> Iterator[str]:
    """Compress and write sorted lines in blocks; yields the lines of the index of blocks."""
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


# A WACZ is a zip file with a list of its entries, each with length and digest.

WACZ_VERSION = "1.1.1"
_NOT_IN_NAME = re.compile(r"[^a-z0-9._-]")
"""Characters that the Data Package specification forbids in the name of a resource."""
_LIST, _LIST_DIGEST = "datapackage.json", "datapackage-digest.json"


class DataPackage:
    """Writer of a WACZ file (version 1.1.1). Use it as a context manager.

    Without :meth:`finish` the result is a zip file, but no WACZ. ``now`` is the time of creation.
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
    def entry(
        self, path: str, packed: bool = True, most: int = 0
    ) -> Iterator[Callable[[bytes], int]]:
        """A file in the package, by the function that appends to it.

        ``most`` is about its largest size, if that is known. Files that readers seek in are not
        compressed (``packed`` False).
        """
        info, digest = self._info(path, packed), hashlib.sha256()
        # By this size zipfile decides beforehand whether the entry gets ZIP64 fields.
        info.file_size = most
        with self._zip.open(info, "w") as stream:

            def write(content: bytes) -> int:
                digest.update(content)
                return stream.write(content)

            yield write
        name, hash_ = _NOT_IN_NAME.sub("-", PurePosixPath(path).name.lower()), digest.hexdigest()
        self._resources.append(
            {"name": name, "path": path, "hash": f"sha256:{hash_}", "bytes": info.file_size}
        )

    def finish(self, about: Mapping[str, str]) -> None:
        """Write the list of the entries, and its digest."""
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
