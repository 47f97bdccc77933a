"""Exports a crawl as a table or as a WACZ file.

Read ``export`` first. Rows come from ``rows`` for every format; a WACZ (``wacz``) needs them only
for its list of pages. Damage does not stop an export: it is counted in :class:`Exported`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, Annotated, Any

from scenthound.core.errors import SettingsError, UnknownNameError, warn_caller
from scenthound.core.options import FilePath, Flag, Takes, option, takes
from scenthound.output.export.rows import (
    ExportCounts,
    RowOptions,
    page_count,
    read_rows,
)
from scenthound.output.export.wacz import READING, OnProgress, write_wacz
from scenthound.storage.files import (
    STDOUT,
    CsvTable,
    JsonLinesTable,
    ParquetTable,
    Row,
    open_target,
    require_parquet,
)
from scenthound.storage.folder import Folders, check_required_path, folder_paths
from scenthound.storage.merge import Merged, merge_workers
from scenthound.storage.stored_crawl import OnProgress as OnMergeProgress
from scenthound.storage.stored_crawl import open_whole_crawl
from scenthound.storage.worker_folders import find_worker_folders


class ExportFormat(Enum):
    """What a crawl can be written as."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    WACZ = "wacz"


def default_target(folder: Path, format_: str) -> Path:
    """Beside the crawl folder, by its name: in it, a replay of the folder would read it too."""
    resolved = folder.resolve()
    return resolved.parent / f"{resolved.name}.{format_}"


def check_target(path: Path, force: bool) -> None:
    """Find out before the work that nothing could be written there.

    Raises
    ------
    SettingsError
        It is a folder, or in none, or is there and must not be overwritten.
    """
    if path == STDOUT:
        return
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; give --out the name of a file.")
    if not path.parent.is_dir():
        raise SettingsError(f"there is no folder {path.parent}; make it, or give another --out.")
    if path.is_file() and not force:
        raise SettingsError(f"{path} is there already; give another --out, or --force.")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise SettingsError(f"{path} cannot be written: permission denied; give another --out.")


def check_outside(path: Path, folder: Path, archive: Path) -> None:
    """Find out that an export would overwrite or add to what it is made from.

    Parameters
    ----------
    path : the file to write.
    folder : of the crawl; a replay of it would read a web archive in it as well.
    archive : that was replayed; an empty path for none.

    Raises
    ------
    SettingsError
        The file is in the folder, or is the archive.
    """
    if path == STDOUT:
        return
    target = path.resolve()
    if folder.resolve() in target.parents:
        raise SettingsError(
            f"{path} is in the crawl folder, which an export leaves as it is; give another --out."
        )
    if archive != Path() and target == archive.resolve():
        raise SettingsError(f"{path} is the archive that was replayed; give another --out.")


_PRINTABLE = (ExportFormat.JSONL, ExportFormat.CSV)
_EXTENSIONS = {f".{each.value}": each for each in ExportFormat} | {".ndjson": ExportFormat.JSONL}


def _read_format(value: object) -> object:
    if value not in [each.value for each in ExportFormat]:
        raise UnknownNameError("format", str(value), [each.value for each in ExportFormat])
    return value


FormatName = Annotated[str, Takes("the name of a format", _read_format)]


class ExportOptions(RowOptions):
    """The options of ``scenthound export``: what to write, and where."""

    format: Annotated[
        FormatName | None,
        option("File format.", "jsonl|csv|parquet|wacz", shown="by the ending of FILE, or jsonl"),
    ] = None
    out: Annotated[
        FilePath | None,
        option("File to write; - for stdout (jsonl, csv).", "FILE", shown="DIR.FORMAT"),
    ] = None
    force: Annotated[Flag, option("Replace an existing file.")] = False

    @property
    def file_format(self) -> ExportFormat:
        """The format of that name; without one by the extension of the file, or JSON Lines.

        SettingsError where name and extension differ: a CSV file must not end in ``.jsonl``.
        """
        extension = None if self.out is None else Path(self.out).suffix.lower()
        by_file = _EXTENSIONS.get(extension or "")
        chosen = by_file or ExportFormat.JSONL if self.format is None else ExportFormat(self.format)
        if by_file not in (None, chosen):
            raise SettingsError(
                f"{self.out} has an extension that does not match --format {chosen.value}; "
                "leave out --format, or give another --out."
            )
        return chosen

    def target(self, folders: Sequence[Path]) -> Path:
        """The file to write; SettingsError where the options contradict each other.

        All is checked that can be checked before the work.
        """
        chosen = self.file_format
        if chosen is ExportFormat.WACZ and self.fields is not None:
            raise SettingsError("a WACZ has no columns to choose; leave out --fields.")
        if self.out is None and len(folders) != 1:
            raise SettingsError("several folders have no place beside them; give out, the file.")
        out = default_target(folders[0], chosen.value) if self.out is None else Path(self.out)
        if chosen is ExportFormat.PARQUET:
            require_parquet()
        if out == STDOUT and chosen not in _PRINTABLE:
            raise SettingsError(
                f"{chosen.value} cannot be written to standard output; give --out a file."
            )
        check_target(out, self.force)
        return out


@dataclass(slots=True)
class Exported(ExportCounts):
    """What was written: ``path`` is the file, ``-`` for standard output; ``rows`` are its pages."""

    path: Path
    rows: int = 0


# Several workers, one crawl, from Python: their folders merged, or read together.


def merge(
    folders: Folders,
    out: str | Path,
    *,
    on_progress: OnMergeProgress | None = None,
) -> Merged:
    """Make one crawl folder of those of the workers that crawled together.

    Parameters
    ----------
    folders : of the workers, or the one that holds them; nothing in them is changed, and workers
        may be crawling: what they have committed is read.
    out : the folder to make; there must be nothing of that name.
    on_progress : called now and then with what is done, how far that is, and how far it goes.

    Every URL is kept once, as it was stored first. Pages are numbered anew in the order of time.
    WARC files are copied as they are: records of pages that are left out stay in them.
    The folder is read like that of any crawl, and cannot be resumed.

    Raises
    ------
    InputError
        The folders are no workers' of one crawl, one is damaged, or there is something at ``out``.
    """
    check_required_path("out", out)
    workers = find_worker_folders(folder_paths("folders", folders))
    merged = merge_workers(workers, Path(out), on_progress or (lambda *_: None))
    if merged.running:
        are = "worker of the crawl is" if merged.running == 1 else "workers of the crawl are"
        warn_caller(
            f"{merged.running:,} {are} still crawling; what is stored later is not in the merged "
            "folder"
        )
    for number, links in sorted(merged.strangers.items()):
        warn_caller(
            f"{links:,} link{'' if links == 1 else 's'} came from pages of worker {number} that "
            "are not in the folders given; merge its folder too, to have them"
        )
    return merged


# The pages of a crawl, from Python: written to a file, or row by row.


@takes(ExportOptions)
def export(
    folder: Folders,
    out: str | Path | None = None,
    format: str | None = None,
    *,
    on_progress: OnProgress | None = None,
    **choice: Any,
) -> Exported:
    """Write the pages of a crawl to a file: finished, interrupted or still running.

    Parameters
    ----------
    folder : of the crawl, live or replayed, or the one that holds the folders of its workers, or
        a list of those; nothing in it is changed.
    out : the file, by default beside the folder and named after it; ``-`` is standard output.
        It has to be given for a list of folders.
    format : ``jsonl``, ``csv``, ``parquet`` or ``wacz``; by default what ``out`` ends in, or
        else ``jsonl``.
    on_progress : called now and then with what is done, how far that is, and how far it goes.
    relevant, min_relevance, everything, fields, text, jobs, force : which pages and what of
        them, see :class:`ExportOptions`.

    Raises
    ------
    InputError
        The folder holds no crawl, or something given cannot be used.

    A page whose record in the WARC files is damaged or gone stops nothing: see ``lost`` and
    ``damage`` of what is returned.
    """
    folders = folder_paths("folder", folder)
    options = ExportOptions.from_arguments(out=out, format=format, **choice)
    columns, target = options.columns, options.target(folders)
    report = on_progress or (lambda *_: None)
    is_wacz = options.file_format is ExportFormat.WACZ
    with open_whole_crawl(folders, copied=is_wacz, on_progress=report) as crawl:
        for each in crawl.sources:
            # A replay reads every WARC and WACZ in a folder, so it would read all pages twice.
            check_outside(target, each, crawl.archive_path)
        done, total = Exported(target), page_count(crawl)
        if crawl.is_cut:
            done.note(f"{crawl.folder.journal_path} is cut: later pages are missing.")
        with open_target(target) as file:  # which is there once it is whole
            if is_wacz:
                done.rows = write_wacz(file, crawl, options, done, report)
                return done
            found = read_rows(crawl, columns, options, done, lambda n: report(READING, n, total))
            with closing(found), closing(_table(file, target, options)) as table:
                for row in found:
                    table.write(row)
                    done.rows += 1
    return done


def _table(
    file: IO[bytes], target: Path, options: ExportOptions
) -> CsvTable | JsonLinesTable | ParquetTable:
    match options.file_format:
        case ExportFormat.CSV:
            # The byte order mark is for Excel; a pipe leads to a program.
            return CsvTable(file, options.columns, mark=target != STDOUT)
        case ExportFormat.PARQUET:
            return ParquetTable(file, options.columns)
        case _:
            return JsonLinesTable(file)


@takes(RowOptions)
def corpus_rows(folder: Folders, **choice: Any) -> Iterator[Row]:
    """The pages of a crawl, one dict each; the choice is that of :class:`RowOptions`.

    Close the iterator, or take all of it: until then processes may be waiting to read pages.
    """
    folders, options = folder_paths("folder", folder), RowOptions.from_arguments(**choice)
    columns = options.columns  # checked here, not at the first row

    def rows() -> Iterator[Row]:
        with open_whole_crawl(folders) as crawl:
            yield from read_rows(crawl, columns, options, ExportCounts())

    return rows()
