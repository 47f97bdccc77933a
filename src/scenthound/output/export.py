"""Exports a crawl as a table or as a WACZ file.

Read ``export`` first. Rows come from :mod:`scenthound.output.export_rows` for every format; a WACZ
needs them only for its list of pages, after the records were copied by ``_WaczExport``. Damage does
not stop an export: it is counted and ends up in :class:`Exported`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import IO, Annotated, Any

from scenthound.core.errors import SettingsError, UnknownNameError, warn_caller
from scenthound.core.options import FilePath, Flag, Takes, option
from scenthound.output.export_rows import (
    LOST,
    NO_RECORD,
    ExportCounts,
    RowOptions,
    page_count,
    read_rows,
    select_fields,
)
from scenthound.output.wacz import (
    CAPTURES,
    DATA_NAME,
    DataPackage,
    SortedLines,
    canonical_or_same,
    copy_records,
    index_line,
    wanted_urls,
    warc_files,
    write_index,
)
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
from scenthound.storage.merged_journal import find_worker_folders
from scenthound.storage.stored_crawl import OnProgress as OnMergeProgress
from scenthound.storage.stored_crawl import StoredCrawl, open_whole_crawl

OnProgress = Callable[[str, int, int], None]
"""Called with what is done now, how much of it is done, and how much there is, now and then."""
COPYING, READING = "copying records", "reading pages"
"""What is done: the first is counted in bytes, the second in pages."""


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


class ExportOptions(RowOptions):
    """The options of ``scenthound export``: what to write, and where."""

    format: (
        Annotated[
            str,
            Takes("the name of a format", _read_format),
            option(
                "File format.", "jsonl|csv|parquet|wacz", shown="by the ending of FILE, or jsonl"
            ),
        ]
        | None
    ) = None
    out: (
        Annotated[
            FilePath,
            option("File to write; - for stdout (jsonl, csv).", "FILE", shown="DIR.FORMAT"),
        ]
        | None
    ) = None
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


# A WACZ file holds the WARC records of a crawl, an index of them, and a list of pages with texts.

_LISTED = ("n", "url", "title", "depth", "relevance", "problem")


class _WaczExport:
    """Writes a crawl as a WACZ; see ``wanted_urls`` for which records."""

    def __init__(
        self,
        crawl: StoredCrawl,
        options: ExportOptions,
        counts: ExportCounts,
        on_progress: OnProgress,
    ) -> None:
        self._crawl = crawl
        self._options = options
        self._counts = counts
        self._on_progress = on_progress
        self._dates: dict[str, str] = {}
        """When each page was captured, by its canonical URL."""

    def write(self, file: IO[bytes], now: datetime) -> int:
        """Write the package; how many pages it lists."""
        crawl = self._crawl
        with DataPackage(file, now) as package:
            self._write_archive(package)
            listed, first = 0, ""
            with package.entry("pages/pages.jsonl") as entry:
                head = {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}
                entry.write(_line({**head, "hasText": self._options.text}))
                for page in self._pages():
                    entry.write(_line(page))
                    listed, first = listed + 1, first or str(page["url"])
            # What a viewer shows of the package, and the page that it opens.
            name, strategy = crawl.topic.name, f" by {crawl.strategy}" if crawl.strategy else ""
            about = {
                "title": name,
                "description": f"{listed} pages about {name}, found{strategy}.",
                "software": f"scenthound {version('scenthound')}",
            }
            package.finish(about | ({"mainPageUrl": first} if first else {}))
        return listed

    def _write_archive(self, package: DataPackage) -> None:
        """The records and their index."""
        done, losses = 0, self._counts
        with warc_files(self._crawl, losses) as files, closing(SortedLines()) as lines:
            wanted = wanted_urls(self._crawl, self._options, files)
            for warc in files:
                path = f"archive/{warc.name}"
                with package.entry(path, packed=False, most=warc.window.size) as entry:
                    for head, offset in copy_records(warc, entry.write, wanted, losses):
                        if offset is not None and head.kind in CAPTURES and head.url:
                            self._dates.setdefault(canonical_or_same(head.url), head.date)
                            lines.add(index_line(head, warc.name, offset))
                        done += head.length
                        self._on_progress(COPYING, done, files.size)
            with package.entry(f"indexes/{DATA_NAME}", packed=False) as entry:
                # A list, since a zip file can have only one entry open for writing.
                blocks = list(write_index(lines, entry.write))
            with package.entry("indexes/index.idx") as entry:
                entry.write("".join(blocks).encode("utf-8"))

    def _pages(self) -> Iterator[dict[str, object]]:
        """The wanted pages that are in the archive, for the list; the others are left out."""
        counts, total = self._counts, page_count(self._crawl)
        fields = select_fields([*_LISTED, "text"] if self._options.text else _LISTED)
        found = read_rows(
            self._crawl,
            fields,
            self._options,
            counts,
            lambda n: self._on_progress(READING, n, total),
        )
        with closing(found):
            for row in found:
                date = self._dates.get(str(row["url"]))
                if date is not None:
                    yield _listed(row, date)
                    continue
                counts.left_out[NO_RECORD] += 1
                if row["problem"] != LOST and counts.damage:  # not counted by the reading
                    counts.lost += 1


def _listed(row: Row, date: str) -> dict[str, object]:
    """A page for the list; its time is that of its record, to the second as in the index."""
    listed: dict[str, object] = {
        "id": str(row["n"]),
        "url": row["url"],
        "ts": f"{date[:19]}Z",
        "title": row["title"] or row["url"],
        "seed": row["depth"] == 0,
        "depth": row["depth"],
        "relevance": row["relevance"],
    }
    return listed | {"text": row["text"]} if row.get("text") else listed


def _line(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"


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
    The folder is read like that of any crawl, and cannot be resumed.

    Raises
    ------
    InputError
        The folders are no workers' of one crawl, one is damaged, or there is something at ``out``.
    """
    check_required_path("out", out)
    workers = find_worker_folders(folder_paths("folders", folders))
    merged = merge_workers(workers, Path(out), on_progress or _no_progress)
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


def _no_progress(stage: str, done: int, total: int) -> None:
    """Nobody watches."""


# The pages of a crawl, from Python: written to a file, or row by row.


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
    choice : the other fields of :class:`ExportOptions`, which pages and what of them:
        ``relevant``, ``min_relevance``, ``everything``, ``fields``, ``text``, ``jobs``, ``force``.

    Raises
    ------
    InputError
        The folder holds no crawl, or something given cannot be used.

    A page whose record in the WARC files is damaged or gone stops nothing: see ``lost`` and
    ``damage`` of what is returned.
    """
    folders = folder_paths("folder", folder)
    options = ExportOptions.from_arguments(out=out, format=format, **choice)
    columns, target, report = options.columns, options.target(folders), on_progress or _no_progress
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
                wacz = _WaczExport(crawl, options, done, report)
                done.rows = wacz.write(file, datetime.now(UTC))
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
