"""Exports a crawl as a table or as a WACZ file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from importlib.metadata import version
from pathlib import Path
from typing import IO

from scenthound.core.errors import SettingsError, UnknownNameError, warn_caller
from scenthound.crawler.arguments import (
    Folders,
    check_number,
    check_path,
    check_required_path,
    folder_paths,
)
from scenthound.crawler.topic_reading import Warn
from scenthound.output.export_rows import (
    LOST,
    NO_RECORD,
    ExportCounts,
    Losses,
    PageFilter,
    check_jobs,
    default_jobs,
    page_count,
    read_rows,
    select_fields,
)
from scenthound.output.wacz import DATA_NAME, DataPackage, SortedLines, index_line, write_index
from scenthound.output.warc_copy import (
    CAPTURES,
    canonical_or_same,
    copy_records,
    wanted_urls,
    warc_files,
)
from scenthound.storage.files import (
    STDOUT,
    CsvTable,
    Field,
    JsonLinesTable,
    ParquetTable,
    Row,
    check_outside,
    check_target,
    default_target,
    open_target,
    require_parquet,
)
from scenthound.storage.merge import Merged, merge_workers, open_whole_crawl
from scenthound.storage.merge import OnProgress as OnMergeProgress
from scenthound.storage.merged_journal import find_worker_folders
from scenthound.storage.stored_crawl import StoredCrawl

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


_PRINTABLE = (ExportFormat.JSONL, ExportFormat.CSV)


_ENDINGS = {f".{each.value}": each for each in ExportFormat} | {".ndjson": ExportFormat.JSONL}


def format_for(name: str | None, out: Path | None) -> ExportFormat:
    """The format of that name; without one what the file is called, or else JSON Lines.

    Raises
    ------
    UnknownNameError
        There is no format of that name.
    SettingsError
        The file is called otherwise: a CSV file must not end in ``.jsonl``.
    """
    by_file = None if out is None else _ENDINGS.get(out.suffix.lower())
    if name is None:
        return by_file or ExportFormat.JSONL
    try:
        chosen = ExportFormat(name)
    except ValueError:
        raise UnknownNameError("format", str(name), [each.value for each in ExportFormat]) from None
    if by_file not in (None, chosen):
        raise SettingsError(
            f"{out} has an extension that does not match --format {chosen.value}; "
            "leave out --format, or give another --out."
        )
    return chosen


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to write, and where.

    Parameters
    ----------
    format : of the file.
    out : the file, ``-`` for standard output.
    fields : the columns of a table.
    choice : the pages.
    text : does the list of pages in a WACZ have their texts?
    jobs : processes to find them.
    force : overwrite a file that is there.
    """

    format: ExportFormat
    out: Path
    fields: tuple[Field, ...]
    choice: PageFilter
    text: bool
    jobs: int
    force: bool

    def check(self) -> None:
        """Find out before the work that it cannot be done; raises SettingsError."""
        if self.format is ExportFormat.PARQUET:
            require_parquet()
        if self.out == STDOUT and self.format not in _PRINTABLE:
            raise SettingsError(
                f"{self.format.value} cannot be written to standard output; give --out a file."
            )
        check_target(self.out, self.force)


# A WACZ file holds the WARC records of a crawl, an index of them, and a list of pages with texts.

Dates = Mapping[str, str]
"""When each page was captured, by its canonical address."""


_LISTED = ("n", "url", "title", "depth", "relevance", "problem")


def write_wacz(
    crawl: StoredCrawl,
    file: IO[bytes],
    options: ExportOptions,
    counts: ExportCounts,
    now: datetime,
    on_progress: OnProgress,
) -> int:
    """Write the crawl as a WACZ; how many pages it lists. See ``wanted_urls`` for which."""
    with DataPackage(file, now) as package:
        dates = _write_archive(crawl, package, options, counts.losses, on_progress)
        listed, first = 0, ""
        with package.entry("pages/pages.jsonl") as entry:
            head = {"format": "json-pages-1.0", "id": "pages", "title": "Pages"}
            entry.write(_line({**head, "hasText": options.text}))
            for page in _pages(crawl, options, counts, dates, on_progress):
                entry.write(_line(page))
                listed, first = listed + 1, first or str(page["url"])
        package.finish(_about(crawl, listed, first))
    return listed


def _write_archive(
    crawl: StoredCrawl,
    package: DataPackage,
    options: ExportOptions,
    losses: Losses,
    on_progress: OnProgress,
) -> Dates:
    """The records and their index."""
    dates: dict[str, str] = {}
    done = 0
    with warc_files(crawl, losses) as files, SortedLines() as lines:
        wanted = wanted_urls(crawl, options.choice, files)
        for warc in files:
            path = f"archive/{warc.name}"
            with package.entry(path, packed=False, most=warc.window.size) as entry:
                for head, offset in copy_records(warc, entry.write, wanted, losses):
                    if offset is not None and head.kind in CAPTURES and head.url:
                        dates.setdefault(canonical_or_same(head.url), head.date)
                        lines.add(index_line(head, warc.name, offset))
                    done += head.length
                    on_progress(COPYING, done, files.size)
        with package.entry(f"indexes/{DATA_NAME}", packed=False) as entry:
            blocks = list(write_index(lines, entry.write))
        with package.entry("indexes/index.idx") as entry:
            entry.write("".join(blocks).encode("utf-8"))
    return dates


def _pages(
    crawl: StoredCrawl,
    options: ExportOptions,
    counts: ExportCounts,
    dates: Dates,
    on_progress: OnProgress,
) -> Iterator[dict[str, object]]:
    """The wanted pages that are in the archive, for the list; the others are left out."""
    fields = select_fields([*_LISTED, "text"] if options.text else _LISTED)
    total = page_count(crawl)
    found = read_rows(
        crawl,
        fields,
        options.choice,
        counts,
        options.jobs,
        lambda n: on_progress(READING, n, total),
    )
    with closing(found):
        for row in found:
            date = dates.get(str(row["url"]))
            if date is not None:
                yield _listed(row, date)
                continue
            counts.left_out[NO_RECORD] += 1
            if row["problem"] != LOST and counts.losses.damage:  # not counted by the reading
                counts.losses.pages += 1


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


def _about(crawl: StoredCrawl, pages: int, first: str) -> dict[str, str]:
    """What a viewer shows of the package, and the page that it opens."""
    strategy = f" by {crawl.strategy}" if crawl.strategy else ""
    about = {
        "title": crawl.topic.name,
        "description": f"{pages} pages about {crawl.topic.name}, found{strategy}.",
        "software": f"scenthound {version('scenthound')}",
    }
    return about | {"mainPageUrl": first} if first else about


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    Parameters
    ----------
    path : the file; ``-`` for standard output.
    rows : pages in it.
    left_out : pages that are not, by reason.
    unread : pages in which no main text could be looked for, or not to an end: their visible text
        stands there, or none.
    unread_pdfs : PDFs without a text, because the extra that reads them is not installed.
    lost : pages whose records cannot be read any more: without a text, or not in a WACZ.
    damage : the first thing that was found damaged, in a sentence; empty where nothing was.
    """

    path: Path
    rows: int
    left_out: Mapping[str, int]
    unread: int
    unread_pdfs: int = 0
    lost: int = 0
    damage: str = ""


def export_crawl(
    crawl: StoredCrawl, options: ExportOptions, now: datetime, on_progress: OnProgress
) -> Exported:
    """Write a crawl out. The file is there once it is whole.

    Raises
    ------
    SettingsError
        It cannot be written there.
    FolderError, ArchiveError
        The crawl, or the archive it replayed, cannot be read.
    """
    options.check()
    for folder in crawl.sources:
        check_outside(options.out, folder, crawl.archive_path)
    counts, total = ExportCounts(), page_count(crawl)
    if crawl.is_cut:
        counts.losses.met(f"{crawl.folder.journal_path} is cut: later pages are missing.")
    with open_target(options.out) as file:
        if options.format is ExportFormat.WACZ:
            written = write_wacz(crawl, file, options, counts, now, on_progress)
        else:
            found = read_rows(
                crawl, options.fields, options.choice, counts, options.jobs,
                lambda n: on_progress(READING, n, total),
            )  # fmt: skip
            written = 0
            with closing(found), closing(_table(file, options)) as table:
                for row in found:
                    table.write(row)
                    written += 1
    return Exported(
        options.out, written, dict(counts.left_out), counts.unread, counts.unread_pdfs,
        counts.losses.pages, counts.losses.damage,
    )  # fmt: skip


def _table(file: IO[bytes], options: ExportOptions) -> CsvTable | JsonLinesTable | ParquetTable:
    match options.format:
        case ExportFormat.CSV:
            return CsvTable(file, options.fields, mark=options.out != STDOUT)
        case ExportFormat.PARQUET:
            return ParquetTable(file, options.fields)
        case _:
            return JsonLinesTable(file)


# Several workers, one crawl, from Python: their folders merged, or read together.


def merge(
    folders: Folders,
    out: str | Path,
    *,
    on_progress: OnMergeProgress | None = None,
    warn: Warn | None = None,
) -> Merged:
    """Make one crawl folder of those of the workers that crawled together.

    Parameters
    ----------
    folders : of the workers, or the one that holds them; nothing in them is changed, and workers
        may be crawling: what they have committed is read.
    out : the folder to make; there must be nothing of that name.
    on_progress : called now and then with what is done, how far that is, and how far it goes.
    warn : called with a sentence for what is odd; by default a ScenthoundWarning.

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
    tell = warn or warn_caller
    if merged.running:
        tell(
            f"{_counted(merged.running, 'worker')} of the crawl {_are(merged.running)} still "
            "crawling; what is stored later is not in the merged folder"
        )
    for number, links in sorted(merged.strangers.items()):
        tell(
            f"{_counted(links, 'link')} came from pages of worker {number} that are not in the "
            "folders given; merge its folder too, to have them"
        )
    return merged


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _no_progress(stage: str, done: int, total: int) -> None:
    """Nobody watches."""


# What a crawl brought home, from Python: written to a file, or row by row.


def export(
    folder: Folders,
    out: str | Path | None = None,
    format: str | None = None,
    *,
    relevant: bool = False,
    min_relevance: float | None = None,
    everything: bool = False,
    fields: Sequence[str] | None = None,
    text: bool = True,
    jobs: int | None = None,
    force: bool = False,
    on_progress: OnProgress | None = None,
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
    relevant : only pages that the crawl found relevant.
    min_relevance : only pages of at least this relevance, 0 to 1.
    everything : also copies, errors and pages that asked not to be kept, without a text.
    fields : the columns, in this order; all by default. Not for ``wacz``.
    text : find the main text of each page, its language, date and author, which takes most of
        the time.
    jobs : processes to do that; by default one a core, eight at most.
    force : overwrite a file that is there.
    on_progress : called now and then with what is done, how far that is, and how far it goes.

    Raises
    ------
    InputError
        The folder holds no crawl, or something given cannot be used.

    A page whose record in the WARC files is damaged or gone stops nothing: see ``lost`` and
    ``damage`` of what is returned.
    """
    folders = folder_paths("folder", folder)
    check_path("out", out)
    check_number("min_relevance", min_relevance)
    chosen = format_for(format, None if out is None else Path(out))
    if chosen is ExportFormat.WACZ and fields is not None:
        raise SettingsError("a WACZ has no columns to choose; leave out --fields.")
    target = _default_target(folders, chosen) if out is None else Path(out)
    wish = ExportOptions(
        format=chosen,
        out=target,
        fields=select_fields(fields, text),
        choice=PageFilter(relevant, min_relevance, everything),
        text=text,
        jobs=default_jobs() if jobs is None else check_jobs(jobs),
        force=force,
    )
    tell, is_wacz = on_progress or _no_progress, chosen is ExportFormat.WACZ
    with open_whole_crawl(folders, copied=is_wacz, on_progress=tell) as crawl:
        return export_crawl(crawl, wish, datetime.now(UTC), tell)


def corpus_rows(
    folder: Folders,
    *,
    relevant: bool = False,
    min_relevance: float | None = None,
    everything: bool = False,
    fields: Sequence[str] | None = None,
    text: bool = True,
    jobs: int | None = None,
) -> Iterator[Row]:
    """The pages of a crawl, one dict each; see :func:`export` for the parameters.

    Close the iterator, or take all of it: until then processes may be waiting to read pages.
    """
    folders = folder_paths("folder", folder)
    check_number("min_relevance", min_relevance)
    columns = select_fields(fields, text)
    choice = PageFilter(relevant, min_relevance, everything)
    return _rows(folders, columns, choice, default_jobs() if jobs is None else check_jobs(jobs))


def _rows(
    folders: Sequence[Path], columns: tuple[Field, ...], choice: PageFilter, jobs: int
) -> Iterator[Row]:
    with open_whole_crawl(folders) as crawl:
        yield from read_rows(crawl, columns, choice, ExportCounts(), jobs)


def _default_target(folders: Sequence[Path], chosen: ExportFormat) -> Path:
    if len(folders) != 1:
        raise SettingsError("several folders have no place beside them; give out, the file.")
    return default_target(folders[0], chosen.value)
