"""The WARC files that hold the pages of a crawl: its own, or those of the archive it replayed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath

from scenthound.archive.kinds import source_at
from scenthound.archive.warc_files import OpenWarcs, WarcFile, warcs_at
from scenthound.archive.warc_source import WarcSource
from scenthound.core.errors import FolderError
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.corpus.warc_records import NamedWarc
from scenthound.live.keeping import PROGRESS
from scenthound.store.exchange import End
from scenthound.store.ledger import Ledger
from scenthound.store.segments import segment_path


class WarcFiles:
    """WARC files to pass over, one after another, as often as needed; made by :func:`warc_files`.

    ``size`` is how many bytes they have in all.
    """

    def __init__(self, files: Sequence[WarcFile], opened: OpenWarcs) -> None:
        self._names = distinct([_name(file) for file in files])
        self._opened = opened
        self.size = sum(file.size for file in files)

    def __iter__(self) -> Iterator[NamedWarc]:
        for number, name in enumerate(self._names):
            yield NamedWarc(name, self._opened[number])


@contextmanager
def warc_files(crawl: StoredCrawl) -> Iterator[WarcFiles]:
    """The WARC files of a crawl, for as long as the context lasts.

    Of a live crawl its own up to the last commit: what came later may still be taken back.

    Raises
    ------
    FolderError
        The crawl replayed HTML files, which have no records, or a file of it is not there.
    ArchiveError
        The archive that it replayed is not there any more, or damaged.
    """
    with tempfile.TemporaryDirectory(prefix="scenthound-") as scratch:
        files = _own(crawl) if crawl.is_live else _replayed(crawl, Path(scratch))
        with closing(OpenWarcs(files, Path(scratch))) as opened:
            yield WarcFiles(files, opened)


def distinct(names: Sequence[str]) -> list[str]:
    """The names, those that come again with a number in front."""
    found: list[str] = []
    for number, name in enumerate(names, start=1):
        found.append(f"{number:05d}-{name}" if name in found else name)
    return found


def _own(crawl: StoredCrawl) -> list[WarcFile]:
    assert crawl.database is not None  # every live crawl has one
    progress = Ledger(crawl.database).get(PROGRESS)
    if not isinstance(progress, dict):
        return []
    end = End(*progress["warc"])
    paths = [segment_path(crawl.folder.path, number + 1) for number in range(end.segment)]
    for path in paths:
        if not path.is_file():
            raise FolderError(f"{path} is not there: put it back, or export to another format.")
    sizes = [path.stat().st_size for path in paths[:-1]] + [end.offset]
    return [WarcFile(path, size) for path, size in zip(paths, sizes, strict=True) if size]


def _replayed(crawl: StoredCrawl, scratch: Path) -> list[WarcFile]:
    archive = crawl.archive_path
    source = source_at(archive, scratch)
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
