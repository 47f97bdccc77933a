"""Exports a crawl as a table or as a WACZ file.

Read ``export`` first. Rows come from ``rows`` for every format; a WACZ (``wacz``) needs them only
for its list of pages. Damage does not stop an export: it is counted in :class:`Exported`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import IO, Annotated, Any

from scenthound.core.errors import SettingsError, UnknownNameError, warn_caller
from scenthound.core.options import FilePath, Flag, Takes, option, takes
from scenthound.output.export.rows import ExportCounts, RowOptions, page_count, read_rows
from scenthound.output.export.wacz import READING, write_wacz
from scenthound.storage.files import (
    STDOUT,
    CsvTable,
    JsonLinesTable,
    ParquetTable,
    Row,
    check_target,
    open_target,
    require_parquet,
)
from scenthound.storage.folder import Folders, check_required_path, folder_paths
from scenthound.storage.merge import Merged, merge_workers
from scenthound.storage.stored_crawl import OnProgress, open_whole_crawl
from scenthound.storage.worker_folders import find_worker_folders


class ExportFormat(Enum):
    """A file format of exports: its name, which is also the extension of its files."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    WACZ = "wacz"

    @property
    def is_text(self) -> bool:
        """Can it be written to standard output?"""
        return self in (ExportFormat.JSONL, ExportFormat.CSV)


def default_target(folder: Path, format_: str) -> Path:
    """The file beside the crawl folder: a replay of the folder would read a file in it."""
    resolved = folder.resolve()
    return resolved.parent / f"{resolved.name}.{format_}"


def check_outside(path: Path, folder: Path, archive: Path) -> None:
    """SettingsError for a file in the crawl folder, and for the archive that was replayed.

    ``archive`` is an empty path where none was replayed.
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


_NAMES = tuple(each.value for each in ExportFormat)
_TEXT_NAMES = ", ".join(each.value for each in ExportFormat if each.is_text)
_EXTENSIONS = {f".{each.value}": each for each in ExportFormat} | {".ndjson": ExportFormat.JSONL}


def _read_format(value: object) -> object:
    if value not in _NAMES:
        raise UnknownNameError("format", str(value), _NAMES)
    return value


FormatName = Annotated[str, Takes("the name of a format", _read_format)]


class ExportOptions(RowOptions):
    """The options of ``scenthound export``: what to write, and where."""

    format: Annotated[
        FormatName | None,
        option("File format.", "|".join(_NAMES), shown="by the ending of FILE, or jsonl"),
    ] = None
    out: Annotated[
        FilePath | None,
        option(f"File to write; - for stdout ({_TEXT_NAMES}).", "FILE", shown="DIR.FORMAT"),
    ] = None
    force: Annotated[Flag, option("Replace an existing file.")] = False

    @property
    def file_format(self) -> ExportFormat:
        """The format of that name; without one by the extension of the file, or JSON Lines.

        SettingsError for an unknown extension without a name, and where name and extension
        differ: a CSV file must not end in ``.jsonl``.
        """
        extension = Path(self.out or "").suffix
        by_extension = _EXTENSIONS.get(extension.lower())
        if self.format is None:
            if extension and by_extension is None:
                raise SettingsError(
                    f"{self.out}: no export format has the extension {extension}; give a name that "
                    f"ends in {', '.join(_EXTENSIONS)}, or --format."
                )
            return by_extension or ExportFormat.JSONL
        by_name = ExportFormat(self.format)
        if by_extension not in (None, by_name):
            raise SettingsError(
                f"{self.out} has an extension that does not match --format {self.format}; "
                "leave out --format, or give another --out."
            )
        return by_name

    def target(self, folders: Sequence[Path]) -> Path:
        """The file to write; SettingsError where it cannot be, or the options contradict."""
        file_format = self.file_format
        if file_format is ExportFormat.WACZ and self.fields is not None:
            raise SettingsError("a WACZ has no columns to choose; leave out --fields.")
        if self.out is None and len(folders) != 1:
            raise SettingsError("several folders have no place beside them; give out, the file.")
        out = Path(self.out or default_target(folders[0], file_format.value))
        if file_format is ExportFormat.PARQUET:
            require_parquet()
        if out == STDOUT and not file_format.is_text:
            raise SettingsError(
                f"{file_format.value} cannot be written to standard output; give --out a file."
            )
        check_target(out, "--out", force=self.force)
        return out


@dataclass(slots=True)
class Exported(ExportCounts):
    """A finished export: its file (``-`` for standard output) and the number of its pages."""

    path: Path
    rows: int = 0


# Several workers, one crawl, from Python: their folders merged, or read together.


def merge(folders: Folders, out: str | Path, *, on_progress: OnProgress | None = None) -> Merged:
    """Merge the crawl folders of workers that crawled together into one.

    Parameters
    ----------
    folders : of the workers, or the one that holds them; nothing in them is changed, and workers
        may be crawling: what they have committed is read.
    out : the folder to make; it must not exist.
    on_progress : called now and then with the name of the step, how much of it is done, and of
        how much.

    Every URL is kept once, as it was stored first. Pages are numbered again, in the order of time.
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
    for number, links in sorted(merged.links_from_other_workers.items()):
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
    on_progress : called now and then with the name of the step, how much of it is done, and of
        how much.
    relevant, min_relevance, everything, fields, text, jobs, force : see :class:`ExportOptions`.

    Raises
    ------
    InputError
        The folder holds no crawl, or an argument cannot be used.

    A page whose WARC record is damaged or gone does not stop the export: see ``lost`` and
    ``damage`` of the result.
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
        exported, total = Exported(target), page_count(crawl)
        if crawl.is_cut:
            exported.note(f"{crawl.folder.journal_path} is cut: later pages are missing.")
        with open_target(target) as file:  # which is there once it is whole
            if is_wacz:
                exported.rows = write_wacz(file, crawl, options, exported, report)
                return exported
            rows = read_rows(crawl, columns, options, exported, lambda n: report(READING, n, total))
            with closing(rows), closing(_table(file, target, options)) as table:
                for row in rows:
                    table.write(row)
                    exported.rows += 1
    return exported


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
    """The pages of a crawl, one dict each; for the options see :class:`RowOptions`.

    Close the iterator, or take all of it: until then processes may be waiting to read pages.
    """
    folders, options = folder_paths("folder", folder), RowOptions.from_arguments(**choice)
    columns = options.columns  # checked here, not at the first row

    def rows() -> Iterator[Row]:
        with open_whole_crawl(folders) as crawl:
            yield from read_rows(crawl, columns, options, ExportCounts())

    return rows()
