"""The WARC files that hold the pages of a crawl: its own, or those of the archive it replayed."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property, partial
from pathlib import Path, PurePosixPath

from scenthound.archive.kinds import source_at
from scenthound.archive.warc_files import OpenWarcs, WarcFile, warcs_at
from scenthound.archive.warc_source import WarcSource
from scenthound.core.errors import ArchiveError, FolderError
from scenthound.corpus.bodies import lost_archive
from scenthound.corpus.losses import Losses
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.corpus.warc_records import NamedWarc
from scenthound.live.keeping import PROGRESS
from scenthound.store.exchange import End
from scenthound.store.ledger import Ledger
from scenthound.store.segments import segment_path


class WarcFiles:
    """WARC files to pass over, one after another, as often as needed; made by :func:`warc_files`.

    ``size`` is how many bytes they have in all; ``losses`` is told of what cannot be read.
    """

    def __init__(
        self, files: Sequence[WarcFile], opened: OpenWarcs, losses: Losses, starts: _Starts
    ) -> None:
        self.losses = losses
        self._starts = starts
        self._names = distinct([_name(file) for file in files])
        self._opened = opened
        self.size = sum(file.size for file in files)

    def __iter__(self) -> Iterator[NamedWarc]:
        for number, name in enumerate(self._names):
            yield NamedWarc(name, self._opened[number], partial(self._starts.of, name))


class _Starts:
    """Where records begin in the files of a crawl, by the journal; read when first asked for."""

    def __init__(self, crawl: StoredCrawl) -> None:
        self._crawl = crawl

    def of(self, name: str) -> Sequence[int]:
        """In the file of that name, in order; of a replay nothing is known."""
        return self._by_file.get(name, ())

    @cached_property
    def _by_file(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, array[int]] = {}
        for record in self._crawl.pages():
            place = self._crawl.bodies.place(record)
            if place is not None:
                found.setdefault(place.file, array("q")).append(place.offset)
        return {name: array("q", sorted(offsets)) for name, offsets in found.items()}


@contextmanager
def warc_files(crawl: StoredCrawl, losses: Losses) -> Iterator[WarcFiles]:
    """The WARC files of a crawl, for as long as the context lasts.

    Of a live crawl its own up to the last commit: what came later may still be taken back. A file
    of it that is gone is passed over, and ``losses`` is told.

    Raises
    ------
    FolderError
        The crawl replayed HTML files, which have no records, or no file of it is there.
    ArchiveError
        The archive that it replayed is not there any more.
    """
    with tempfile.TemporaryDirectory(prefix="scenthound-") as scratch:
        files = _own(crawl, losses) if crawl.is_live else _replayed(crawl, Path(scratch))
        with closing(OpenWarcs(files, Path(scratch))) as opened:
            yield WarcFiles(files, opened, losses, _Starts(crawl))


def distinct(names: Sequence[str]) -> list[str]:
    """The names, those that come again with a number in front."""
    found: list[str] = []
    for number, name in enumerate(names, start=1):
        found.append(f"{number:05d}-{name}" if name in found else name)
    return found


def _own(crawl: StoredCrawl, losses: Losses) -> list[WarcFile]:
    assert crawl.database is not None  # every live crawl has one
    progress = Ledger(crawl.database).get(PROGRESS)
    if not isinstance(progress, dict):
        return []
    end = End(*progress["warc"])
    paths = [segment_path(crawl.folder.path, number + 1) for number in range(end.segment)]
    there = [path for path in paths if path.is_file()]
    for path in paths:
        if path not in there:
            losses.met(f"{path} is not there: put it back.")
    if paths and not there:
        raise FolderError(f"{paths[0]} is not there: put it back, or export to another format.")
    sizes = {path: path.stat().st_size for path in there} | {paths[-1]: end.offset}
    return [WarcFile(path, sizes[path]) for path in there if sizes[path]]


def _replayed(crawl: StoredCrawl, scratch: Path) -> list[WarcFile]:
    archive = crawl.archive_path
    try:
        source = source_at(archive, scratch)
    except ArchiveError as error:
        raise lost_archive(archive, error) from None
    with closing(source):
        if not isinstance(source, WarcSource):
            raise FolderError(
                f"{crawl.folder.path} is a replay of HTML files ({archive}), which hold no WARC "
                "records for a WACZ; export it as jsonl, csv or parquet."
            )
        return [warc for path in source.files() for warc in warcs_at(path)]


def _name(file: WarcFile) -> str:
    """Without its folder, be that on the disk or in a zip file."""
    return file.path.name if file.member is None else PurePosixPath(file.member.name).name
