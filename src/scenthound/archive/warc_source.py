"""An archive made of WARC files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from scenthound.archive.model import Capture, Notebook, Progress, Response
from scenthound.archive.warc_files import OpenWarcs, WarcFile
from scenthound.archive.warc_pages import (
    UnfetchableError,
    capture_of,
    response_of,
    revisited,
    target_of,
)
from scenthound.archive.warc_reader import BrokenRecordError, Record, visit_records
from scenthound.core.errors import ArchiveError


class WarcSource:
    """Pages in WARC files, loose or in WACZ files.

    Parameters
    ----------
    path : what the user gave, for messages.
    warcs : the files, in the order in which they are read.
    scratch : folder for compressed members of WACZ files.
    """

    def __init__(self, path: Path, warcs: Sequence[WarcFile], scratch: Path) -> None:
        self.path = path
        self._warcs = warcs
        self._open = OpenWarcs(warcs, scratch)

    def files(self) -> Iterator[Path]:
        """The files themselves, each once."""
        yield from dict.fromkeys(warc.path for warc in self._warcs)

    def scan(self, notebook: Notebook, progress: Progress) -> None:
        """Pass over every record of every file."""
        total = sum(warc.size for warc in self._warcs)
        done = 0
        for number, warc in enumerate(self._warcs):
            visit = partial(_visit, notebook, progress, number, done, total)
            visit_records(self._open[number], warc.name, visit)
            done += warc.size
        progress(total, total)

    def read(self, capture: Capture, origin: Capture | None, max_body: int) -> Response:
        """The record at ``capture``, with the body of ``origin`` for a revisit."""
        try:
            if origin is None:
                return response_of(self._record(capture), capture, max_body)
            repeated = response_of(self._record(origin), origin, max_body)
            return revisited(self._record(capture), capture, repeated)
        except BrokenRecordError:
            name = self._warcs[capture.file].name
            raise ArchiveError(f"{name} has changed since it was opened: open it again.") from None

    def close(self) -> None:
        """Close the files."""
        self._open.close()

    def _record(self, capture: Capture) -> Record:
        return Record(self._open[capture.file], capture.offset)


def _visit(
    notebook: Notebook,
    progress: Progress,
    file: int,
    done: int,
    total: int,
    offset: int,
    record: Record,
) -> None:
    progress(done + offset, total)
    try:
        capture = capture_of(record, file, offset)
    except UnfetchableError as unfetchable:
        notebook.skip(unfetchable.reason, target_of(record) or f"the record at byte {offset}")
        return
    if capture is not None:
        notebook.add(capture)
