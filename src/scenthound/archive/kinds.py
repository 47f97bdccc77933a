"""Which kind of archive is it? Decided by content; names only pick files out of a folder."""

from __future__ import annotations

from pathlib import Path

from scenthound.archive.file_walk import files_below
from scenthound.archive.html_folder import HtmlFolder
from scenthound.archive.model import Source
from scenthound.archive.warc_files import WarcFile, warcs_at
from scenthound.archive.warc_source import WarcSource
from scenthound.core.errors import ArchiveError

_WARC_NAMES = (".warc", ".warc.gz", ".wacz")
_WANTED = "give a WARC file, a WACZ file, or a folder of WARC or HTML files"


def source_at(path: Path, scratch: Path) -> Source:
    """The archive at ``path``, whatever its kind; temporary files go to ``scratch``.

    Raises
    ------
    ArchiveError
        There is nothing at ``path``, or nothing that is an archive.
    """
    try:
        return _folder(path, scratch) if path.is_dir() else _file(path, scratch)
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror or error}.") from None


def _file(path: Path, scratch: Path) -> WarcSource:
    return WarcSource(path, _warcs(path), scratch)


def _folder(path: Path, scratch: Path) -> Source:
    files = [file for file in files_below(path) if file.name.lower().endswith(_WARC_NAMES)]
    if not files:
        return HtmlFolder(path)
    return WarcSource(path, [warc for file in files for warc in _warcs(file)], scratch)


def _warcs(path: Path) -> list[WarcFile]:
    if not path.exists():
        raise ArchiveError(f"{path} does not exist: {_WANTED}.")
    if not path.is_file():
        raise ArchiveError(f"{path} is not a regular file: {_WANTED}.")
    if not path.stat().st_size:
        raise ArchiveError(f"{path} is empty: download it again, or {_WANTED}.")
    found = warcs_at(path)
    if not found:
        raise ArchiveError(f"{path} holds no WARC records: {_WANTED}.")
    return found
