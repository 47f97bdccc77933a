"""A folder of HTML files, laid out as ``wget --mirror`` does, as if it were an archive."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from scenthound.archive.file_walk import files_below, leads_outside
from scenthound.archive.model import Capture, Kind, Notebook, Progress, Response
from scenthound.core.errors import ArchiveError, MalformedUrlError
from scenthound.core.urls import canonical

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

    def scan(self, notebook: Notebook, progress: Progress) -> None:
        """Give every file its URL."""
        total = sum(file.stat().st_size for file in self.files())
        done, holds_html = 0, False
        for file in files_below(self.path):
            if self._note(notebook, file):
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
        try:
            with file.open("rb") as opened:
                body = opened.read(max_body + 1)
            headers = {"content-type": self._content_type(file)}
        except OSError as error:
            raise ArchiveError(f"{file} cannot be read: {error.strerror or error}.") from None
        return Response(capture.url, 200, headers, body[:max_body], len(body) > max_body)

    def close(self) -> None:
        """Nothing is kept open."""

    def _note(self, notebook: Notebook, file: Path) -> bool:
        """Write ``file`` down; False where it can never be fetched."""
        relative = file.relative_to(self.path)
        try:
            urls = urls_of(relative)
        except MalformedUrlError:
            return _skipped(notebook, "unusable URL", relative)
        if leads_outside(file, self.path):
            return _skipped(notebook, "symlink that leads outside the folder", relative)
        if not os.access(file, os.R_OK):
            return _skipped(notebook, "unreadable file", relative)
        for url in urls:
            notebook.add(Capture(url, 0, 0, 200, Kind.FILE, os.fsencode(relative)))
        return True

    def _content_type(self, file: Path) -> str:
        """By the extension; where that says nothing (``page.php?id=3``), by the content."""
        extension = os.path.splitext(file.name.partition("?")[0])[1].lower()
        known = self._types.get(extension)
        if known is not None:
            return known
        return HTML if _looks_like_html(file) else "application/octet-stream"


def urls_of(relative: Path) -> list[str]:
    """Canonical URLs that a file answers for; raises MalformedUrlError where there is none."""
    first, *others = relative.parts
    host, parts = (first, others) if others and "." in first else (FALLBACK_HOST, [first, *others])
    *folders, name = parts
    base = "/".join([f"http://{host}", *(_quoted(folder, _PATH_SAFE) for folder in folders), ""])
    path, mark, query = name.partition("?")
    urls = [canonical(base + _quoted(path, _PATH_SAFE) + mark + _quoted(query, _QUERY_SAFE))]
    if name in _INDEX_NAMES:
        urls.append(canonical(base))
    return urls


def _quoted(name: str, safe: str) -> str:
    return quote(os.fsencode(name), safe=safe)


def _looks_like_html(file: Path) -> bool:
    with file.open("rb") as opened:
        start = opened.read(_SAMPLE).lower()
    return any(sign in start for sign in _HTML_SIGNS)


def _skipped(notebook: Notebook, reason: str, relative: Path) -> bool:
    notebook.skip(reason, os.fsencode(relative).decode("utf-8", "replace"))
    return False
