"""The WARC files of an archive, as windows that stay open while they are used."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from scenthound.archive import wacz
from scenthound.archive.byte_streams import GZIP_MAGIC
from scenthound.archive.warc_reader import WARC_MAGIC, Window
from scenthound.core.errors import ArchiveError

MAX_OPEN = 32


@dataclass(frozen=True, slots=True)
class WarcFile:
    """A whole file, or a member of the zip file at ``path``."""

    path: Path
    size: int
    member: wacz.Member | None = None

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return f"{self.path} ({self.member.name})" if self.member else str(self.path)


def warcs_at(path: Path) -> list[WarcFile]:
    """The WARCs in a file, by its content; empty where it is neither WARC nor WACZ with WARCs.

    Raises
    ------
    ArchiveError
        The file cannot be read, or is a damaged zip file.
    """
    with open_to_read(path) as file:
        start = file.read(8)
    if start.startswith((GZIP_MAGIC, WARC_MAGIC)):
        return [WarcFile(path, path.stat().st_size)]
    if start.startswith(wacz.ZIP_MAGICS):
        return [WarcFile(path, member.size, member) for member in wacz.members(path)]
    return []


class OpenWarcs:
    """Windows on WARC files by number, a few at a time; compressed members go to ``scratch``."""

    def __init__(self, files: Sequence[WarcFile], scratch: Path) -> None:
        self._files = files
        self._scratch = scratch
        self._open: OrderedDict[int, Window] = OrderedDict()

    def __getitem__(self, number: int) -> Window:
        if number not in self._open:
            self._open[number] = self._window(number)
            if len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)[1].file.close()
        self._open.move_to_end(number)
        return self._open[number]

    def close(self) -> None:
        """Close them all."""
        while self._open:
            self._open.popitem()[1].file.close()

    def _window(self, number: int) -> Window:
        warc = self._files[number]
        if warc.member is None:
            return Window(open_to_read(warc.path), 0, warc.size)
        if not warc.member.compressed:
            return Window(open_to_read(warc.path), warc.member.start, warc.size)
        extracted = self._scratch / f"{number}.warc"
        if not extracted.exists():
            wacz.extract(warc.path, warc.member.name, extracted)
        return Window(open_to_read(extracted), 0, warc.size)


def open_to_read(path: Path) -> BinaryIO:
    """The file, unbuffered: it is read in blocks. Raises ArchiveError where that fails."""
    try:
        return path.open("rb", buffering=0)
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror or error}.") from None
