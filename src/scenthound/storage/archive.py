"""Opens web archives: WARC files, WACZ files, a folder of either, or a folder of HTML files; any
page by its URL.
"""

from __future__ import annotations

import hashlib
import mimetypes
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Self
from urllib.parse import quote

from scenthound.core.errors import ArchiveError, MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.storage.archive_index import (
    DEFAULT_MAX_BODY,
    ArchiveSource,
    Capture,
    CaptureKind,
    Index,
    IndexWriter,
    Progress,
    Skipped,
    cached_index,
    default_cache,
)
from scenthound.storage.files import os_errors_as
from scenthound.storage.pages import Response
from scenthound.storage.warc_archive import WarcFile, WarcSource, open_to_read, warc_files_at


def files_below(folder: Path) -> Iterator[Path]:
    """Regular files, and symlinks to them, sorted by name in every folder.

    Symlinks to folders are not followed: they may lead outside, or in circles.
    """
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        if path == folder or (path.is_dir() and not path.is_symlink()):
            with os_errors_as(ArchiveError, f"{path} cannot be read"):
                waiting += [path / name for name in sorted(os.listdir(path), reverse=True)]
        elif path.is_file():
            yield path


def leads_outside(file: Path, folder: Path) -> bool:
    """Is ``file`` a symlink to something that is not below ``folder``?"""
    return file.is_symlink() and not file.resolve().is_relative_to(folder.resolve())


# A folder of HTML files, laid out as ``wget --mirror`` does, is read as if it were an archive.

FALLBACK_HOST = "folder.test"
HTML = "text/html"
_INDEX_NAMES = frozenset({"index.html", "index.htm"})
_HTML_SIGNS = (b"<!doctype html", b"<html", b"<head", b"<body", b"<title")
_SAMPLE = 1024
_PATH_SAFE = "/%:@;=&+$~"
_QUERY_SAFE = _PATH_SAFE + "?!'()*,[]|"


class HtmlFolder:
    """Every file below ``path`` is a page with status 200.

    The first folder is the host where its name has a dot in it; everything else hangs under
    ``http://folder.test/``. ``index.html`` answers for its folder too.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._types = mimetypes.MimeTypes().types_map[True]

    def files(self) -> Iterator[Path]:
        """Every file that may be a page."""
        return (file for file in files_below(self.path) if not leads_outside(file, self.path))

    def scan(self, sink: IndexWriter, progress: Progress) -> None:
        """Give every file its URL."""
        total = sum(file.stat().st_size for file in self.files())
        done, holds_html = 0, False
        for file in files_below(self.path):
            relative, urls, problem = file.relative_to(self.path), list[str](), ""
            try:
                urls = urls_of(relative)
            except MalformedUrlError:
                problem = "unusable URL"
            if leads_outside(file, self.path):
                problem = problem or "symlink that leads outside the folder"
            if problem := problem or ("" if os.access(file, os.R_OK) else "unreadable file"):
                sink.skip(problem, os.fsencode(relative).decode("utf-8", "replace"))
                continue
            for url in urls:
                sink.add(Capture(url, 0, 0, 200, CaptureKind.FILE, os.fsencode(relative)))
            done += file.stat().st_size
            holds_html = holds_html or self._content_type(file) == HTML
            progress(done, total)
        if not holds_html:
            raise ArchiveError(
                f"{self.path} holds no HTML, WARC or WACZ file: give a folder that does."
            )

    def read(self, capture: Capture, origin: Capture | None, max_body: int) -> Response:
        """The file at ``capture``."""
        assert isinstance(capture.refers, bytes)
        file = self.path / os.fsdecode(capture.refers)
        with os_errors_as(ArchiveError, f"{file} cannot be read"):
            with file.open("rb") as opened:
                body = opened.read(max_body + 1)
            headers = {"content-type": self._content_type(file)}
        return Response(capture.url, 200, headers, body[:max_body], len(body) > max_body)

    def _content_type(self, file: Path) -> str:
        """By the extension; where that says nothing (``page.php?id=3``), by the content."""
        extension = os.path.splitext(file.name.partition("?")[0])[1].lower()
        known = self._types.get(extension)
        if known is not None:
            return known
        with file.open("rb") as opened:
            start = opened.read(_SAMPLE).lower()
        return HTML if any(sign in start for sign in _HTML_SIGNS) else "application/octet-stream"


def urls_of(relative: Path) -> list[str]:
    """Canonical URLs that a file answers for; raises MalformedUrlError where there is none."""
    first, *others = relative.parts
    host, parts = (first, others) if others and "." in first else (FALLBACK_HOST, [first, *others])
    *folders, name = parts
    path, mark, query = os.fsencode(name).partition(b"?")
    quoted = [quote(os.fsencode(folder), _PATH_SAFE) for folder in folders]
    base = "/".join([f"http://{host}", *quoted, ""])
    whole = base + quote(path, _PATH_SAFE) + mark.decode() + quote(query, _QUERY_SAFE)
    return [canonical(whole), *([canonical(base)] if name in _INDEX_NAMES else [])]


# The kind of an archive is decided by content; names only pick files out of a folder.

_WARC_NAMES = (".warc", ".warc.gz", ".wacz")
_WANTED = "give a WARC file, a WACZ file, or a folder of WARC or HTML files"


def detect_source(path: Path) -> ArchiveSource:
    """The archive at ``path``, whatever its kind.

    ArchiveError where there is nothing at ``path``, or nothing that is an archive.
    """
    with os_errors_as(ArchiveError, f"{path} cannot be read"):
        files = [path]
        if path.is_dir():
            files = [file for file in files_below(path) if file.name.lower().endswith(_WARC_NAMES)]
        if not files:
            return HtmlFolder(path)
        return WarcSource(path, [warc for file in files for warc in _warcs(file)])


def _warcs(path: Path) -> list[WarcFile]:
    if not path.is_file():
        problem = "is not a regular file" if path.exists() else "does not exist"
        raise ArchiveError(f"{path} {problem}: {_WANTED}.")
    if not path.stat().st_size:
        raise ArchiveError(f"{path} is empty: download it again, or {_WANTED}.")
    found = warc_files_at(path)
    if not found:
        raise ArchiveError(f"{path} holds no WARC records: {_WANTED}.")
    return found


# The first opening reads an archive through once, which checks every record and builds an index on
# disk; later openings reuse that index.


class Archive:
    """The pages of an archive by canonical URL; made by :func:`open_archive`, not thread-safe.

    ``path`` is what was opened; ``skipped`` says which records can never be fetched, by reason.
    Bodies are cut at ``DEFAULT_MAX_BODY``.
    """

    def __init__(self, source: ArchiveSource, index: Index) -> None:
        self._source = source
        self._index = index
        self.path: Path = source.path
        self.skipped: Mapping[str, Skipped] = index.skipped

    def __contains__(self, url: str) -> bool:
        return self._index.find(url) is not None or self._plain_twin(url) is not None

    def __len__(self) -> int:
        return len(self._index)

    def urls(self) -> Iterator[str]:
        """Every URL in archive order: for tools and benches; a crawl must not know them."""
        return self._index.urls()

    def fetch(self, url: str) -> Response | None:
        """What the archive holds for a canonical URL; None where it holds nothing."""
        capture = self._index.find(url)
        if capture is None:
            twin = self._plain_twin(url)
            return None if twin is None else Response(url, 301, {"location": twin}, b"")
        origin = self._index.origin(capture) if capture.kind is CaptureKind.REVISIT else None
        return self._source.read(capture, origin, DEFAULT_MAX_BODY)

    def _plain_twin(self, url: str) -> str | None:
        """Files do not say if they were fetched by http or https: the one leads to the other."""
        twin = url.replace("https://", "http://", 1)
        found = self._index.find(twin) if url.startswith("https://") else None
        return twin if found is not None and found.kind is CaptureKind.FILE else None

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the bytes of the archive; of a folder, also of the names of its files."""
        digest = hashlib.sha256()
        for file in self._source.files():
            if file != self.path:
                digest.update(os.fsencode(file.relative_to(self.path)) + b"\0")
            with open_to_read(file) as opened:
                # file_digest() makes its own hash; given ours each time, it adds file after file.
                hashlib.file_digest(opened, lambda: digest)  # type: ignore[arg-type]
        return digest.hexdigest()

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def open_archive(
    path: Path, *, cache: Path | None = None, progress: Progress | None = None
) -> Archive:
    """Open a WARC file, a WACZ file, a folder of those, or a folder of HTML files.

    Parameters
    ----------
    path : the file or folder.
    cache : folder for indexes; by default the user's cache folder.
    progress : called with (bytes done, bytes in all) now and then while an index is built.

    ArchiveError where it is missing, unreadable, of another kind, damaged or without pages.
    """
    source = detect_source(Path(path))

    def fill(writer: IndexWriter) -> None:
        with os_errors_as(ArchiveError, f"{path} cannot be read"):
            source.scan(writer, progress or (lambda done, total: None))

    index = cached_index(source, cache or default_cache(), fill)
    if not len(index):
        index.close()
        raise ArchiveError(f"{path} has records, but holds no page: give an archive of web pages.")
    return Archive(source, index)
