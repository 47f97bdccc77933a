"""Web archives: any page by its URL, from WARC files, WACZ files or a folder of HTML files.

An archive is opened by what it holds, not by its name. The first time, it is read through once,
which checks every record and builds an index on disk; later openings reuse that index.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from scenthound.archive.cache import cached_index, default_cache
from scenthound.archive.index import Index, IndexWriter
from scenthound.archive.kinds import source_at
from scenthound.archive.model import (
    DEFAULT_MAX_BODY,
    Kind,
    Progress,
    Response,
    Skipped,
    Source,
)
from scenthound.archive.warc_files import open_to_read
from scenthound.core.errors import ArchiveError

__all__ = ["Archive", "Response", "Skipped", "open_archive"]

_DIGEST_BLOCK = 1024 * 1024


class Archive:
    """The pages of an archive by canonical URL; made by :func:`open_archive`, not thread-safe.

    ``path`` is what was opened; ``skipped`` tells which records can never be fetched, by reason.
    """

    def __init__(self, source: Source, index: Index, max_body: int, resources: ExitStack) -> None:
        self._source = source
        self._index = index
        self._max_body = max_body
        self._resources = resources
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
        origin = self._index.origin(capture) if capture.kind is Kind.REVISIT else None
        return self._source.read(capture, origin, self._max_body)

    def _plain_twin(self, url: str) -> str | None:
        """Files do not say if they were fetched by http or https: the one leads to the other."""
        twin = url.replace("https://", "http://", 1)
        found = self._index.find(twin) if url.startswith("https://") else None
        return twin if found is not None and found.kind is Kind.FILE else None

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the bytes of the archive; of a folder, also of the names of its files."""
        digest = hashlib.sha256()
        for file in self._source.files():
            if file != self.path:
                digest.update(os.fsencode(file.relative_to(self.path)) + b"\0")
            _digest_file(digest, file)
        return digest.hexdigest()

    @property
    def version(self) -> str:
        """Archives of one version answer alike: the same bytes, and bodies cut at the same size."""
        return f"{self.fingerprint} {self._max_body}"

    def close(self) -> None:
        """Let go of all files; temporary ones are removed."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_archive(
    path: Path,
    *,
    cache: Path | None = None,
    max_body: int = DEFAULT_MAX_BODY,
    progress: Progress | None = None,
) -> Archive:
    """Open a WARC file, a WACZ file, a folder of those, or a folder of HTML files.

    Parameters
    ----------
    path : the file or folder.
    cache : folder for indexes; by default the user's cache folder.
    max_body : bodies are cut at this many bytes.
    progress : told (bytes done, bytes in all) now and then while an index is built.

    Raises
    ------
    ArchiveError
        It is missing, unreadable, of another kind, truncated, damaged or without pages.
    """
    with ExitStack() as resources:
        scratch = Path(resources.enter_context(tempfile.TemporaryDirectory(prefix="scenthound-")))
        source = source_at(Path(path), scratch)
        resources.callback(source.close)

        def fill(writer: IndexWriter) -> None:
            _fill(writer, source, progress)

        index = _checked(cached_index(source, cache or default_cache(), scratch, fill), source.path)
        resources.callback(index.close)
        return Archive(source, index, max_body, resources.pop_all())


def _checked(index: Index, path: Path) -> Index:
    if not len(index):
        index.close()
        raise ArchiveError(f"{path} has records, but holds no page: give an archive of web pages.")
    return index


def _fill(writer: IndexWriter, source: Source, progress: Progress | None) -> None:
    try:
        source.scan(writer, _now_and_then(progress))
    except OSError as error:
        raise ArchiveError(f"{source.path} cannot be read: {error.strerror or error}.") from error


def _now_and_then(progress: Progress | None) -> Progress:
    """Passes on about one call in a hundredth of the bytes."""
    reported = -1

    def report(done: int, total: int) -> None:
        nonlocal reported
        percent = 100 * done // max(total, 1)
        if progress is not None and percent > reported:
            reported = percent
            progress(done, total)

    return report


def _digest_file(digest: hashlib._Hash, file: Path) -> None:
    with open_to_read(file) as opened:
        while block := opened.read(_DIGEST_BLOCK):
            digest.update(block)
