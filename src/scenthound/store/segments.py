"""The files ``pages-00001.warc.gz``, ``pages-00002.warc.gz``, ... of a crawl folder."""

from __future__ import annotations

import os
import re
from io import FileIO
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.exchange import End

_NAME = re.compile(r"pages-(\d{5,})\.warc\.gz")


def segment_path(folder: Path, segment: int) -> Path:
    """Where the segment of that number is."""
    return folder / f"pages-{segment:05d}.warc.gz"


def segments_in(folder: Path) -> list[int]:
    """The numbers of the segments that are there, in order."""
    found = (_NAME.fullmatch(entry.name) for entry in folder.iterdir())
    return sorted(int(match[1]) for match in found if match)


def refuse_segments(folder: Path) -> None:
    """FolderError where pages were written already: they are never overwritten."""
    if segments_in(folder):
        raise FolderError(f"{folder} holds the pages of a crawl; choose another --out folder.")


def create_segment(folder: Path, segment: int) -> FileIO:
    """A new, empty segment, which is in its folder even after a loss of power."""
    FileIO(segment_path(folder, segment), "xb").close()
    _sync_folder(folder)
    return continue_segment(folder, segment)


def continue_segment(folder: Path, segment: int) -> FileIO:
    """A segment that is there, open at its end, wherever that is when something is written."""
    return FileIO(segment_path(folder, segment), "ab")


def cut_back(folder: Path, end: End) -> None:
    """Take off what was written after ``end``: later segments, and the rest of its own.

    Raises
    ------
    FolderError
        The segment does not reach that far: pages are lost.
    """
    for segment in segments_in(folder):
        if segment > end.segment or (segment == end.segment and end.offset == 0):
            segment_path(folder, segment).unlink()
    if end.offset > 0:
        _cut(segment_path(folder, end.segment), end.offset)


def _cut(path: Path, length: int) -> None:
    try:
        file = FileIO(path, "rb+")
    except FileNotFoundError:
        raise FolderError(f"{path} is not there: put it back, or start a new crawl.") from None
    with file:
        size = os.fstat(file.fileno()).st_size
        if size < length:
            raise FolderError(
                f"{path} has {size} bytes, but {length} were written: put the whole file back, "
                "or start a new crawl."
            )
        file.truncate(length)
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
