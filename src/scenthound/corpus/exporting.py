"""A crawl written out for others: as a table, or as a web archive."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Protocol

from scenthound.corpus.choosing import Counts
from scenthound.corpus.csv_table import CsvTable
from scenthound.corpus.fields import Row
from scenthound.corpus.json_lines import JsonLines
from scenthound.corpus.parquet_table import ParquetTable
from scenthound.corpus.rows import pages_of, rows
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.corpus.target import STDOUT, check_outside, opened_target
from scenthound.corpus.wacz import write_wacz
from scenthound.corpus.wish import READING, Format, OnProgress, Wish


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


class _Table(Protocol):
    """What all kinds of tables can do."""

    def write(self, row: Row) -> None: ...

    def close(self) -> None: ...


def export_crawl(
    crawl: StoredCrawl, wish: Wish, now: datetime, on_progress: OnProgress
) -> Exported:
    """Write a crawl out. The file is there once it is whole.

    Raises
    ------
    SettingsError
        It cannot be written there.
    FolderError, ArchiveError
        The crawl, or the archive it replayed, cannot be read.
    """
    wish.check()
    for folder in crawl.sources:
        check_outside(wish.out, folder, crawl.archive_path)
    counts, total = Counts(), pages_of(crawl)
    if crawl.is_cut:
        counts.losses.met(f"{crawl.folder.journal_path} is cut: later pages are missing.")
    with opened_target(wish.out) as file:
        if wish.format is Format.WACZ:
            written = write_wacz(crawl, file, wish, counts, now, on_progress)
        else:
            found = rows(
                crawl, wish.fields, wish.choice, counts, wish.jobs,
                lambda n: on_progress(READING, n, total),
            )  # fmt: skip
            written = _write(found, _table(file, wish))
    return _exported(wish.out, written, counts)


def _exported(path: Path, written: int, counts: Counts) -> Exported:
    return Exported(
        path, written, dict(counts.left_out), counts.unread, counts.unread_pdfs,
        counts.losses.pages, counts.losses.damage,
    )  # fmt: skip


def _write(found: Generator[Row, None, None], table: _Table) -> int:
    written = 0
    with closing(found), closing(table):
        for row in found:
            table.write(row)
            written += 1
    return written


def _table(file: IO[bytes], wish: Wish) -> _Table:
    match wish.format:
        case Format.CSV:
            return CsvTable(file, wish.fields, mark=wish.out != STDOUT)
        case Format.PARQUET:
            return ParquetTable(file, wish.fields)
        case _:
            return JsonLines(file)
