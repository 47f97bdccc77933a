"""The CSV file that a person fills in: written for spreadsheets, and read back from them.

A spreadsheet may save other separators, another encoding, columns in another order and columns of
its own; all of them are read, and kept when the file is written again. What a sample was drawn from
stands in every line as words, which no spreadsheet takes for a number or a date.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TextIO

from scenthound.core.errors import JudgedFileError
from scenthound.storage.files import guard_formula, os_errors_as, write_bytes

LONGEST_CELL = 10_000_000
"""Characters; more are a quote that nobody closed."""
NumberedRow = tuple[int, list[str]]
"""A row, and the number of the line it begins at."""


def numbered_rows(path: Path) -> tuple[str, Iterator[NumberedRow]]:
    """Return the separator, and the rows that are not empty, of a CSV file.

    UTF-8 and UTF-16 are recognised. Anything else is read as Windows-1252, which western
    spreadsheets save. JudgedFileError where the file cannot be read.
    """
    with os_errors_as(JudgedFileError, f"{path}", "; give a file of judgements"):
        encoding = _encoding(path)
        with path.open(encoding=encoding, errors="replace") as file:
            lines = iter(partial(file.readline, LONGEST_CELL), "")
            first = next(filter(str.strip, lines), "")
    separator = max(",;\t", key=first.count)
    return separator, _parse(path, encoding, separator)


def _encoding(path: Path) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        start = file.read(2)
        if start == b"PK":
            raise JudgedFileError(f"{path} is a spreadsheet, or another zip file; save it as CSV.")
        if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        file.seek(0)
        try:
            for block in iter(partial(file.read, 1 << 20), b""):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:  # addresses are ASCII anyway
            return "cp1252"
    return "utf-8-sig"


def _parse(path: Path, encoding: str, separator: str) -> Iterator[NumberedRow]:
    number, ended = 1, False

    def lines(file: TextIO) -> Iterator[str]:
        nonlocal ended
        for line in iter(partial(file.readline, LONGEST_CELL), ""):
            if len(line) == LONGEST_CELL:  # a part of a line, which would count as a row
                raise csv.Error(f"a line is longer than {LONGEST_CELL:,} characters")
            yield line
        ended = True

    # The limit of the csv module holds for the whole process: others may rely on it.
    limit = csv.field_size_limit(LONGEST_CELL)
    try:
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            reader = csv.reader(lines(file), delimiter=separator)
            for row in reader:
                if ended:  # the reader wanted one more line, because a quote is open
                    raise csv.Error("unexpected end of data")
                if any(map(str.strip, row)):
                    yield number, row
                number = reader.line_num + 1
    except csv.Error as error:
        raise JudgedFileError(f"{path}, line {number}: {error}; is a quote not closed?") from None
    finally:
        csv.field_size_limit(limit)


# The columns, and the lines below them.

URL, TITLE, JUDGEMENT, COMMENT = "url", "title", "judgement", "comment"
N, BAND, RELEVANCE, SAMPLE = "n", "band", "relevance", "sample"
COLUMNS = (URL, TITLE, JUDGEMENT, COMMENT, N, BAND, RELEVANCE, SAMPLE)
"""What is judged comes first: the judge need not see how the crawl rated the page."""
_COLUMN_ALIASES = {"judgment": JUDGEMENT, "judged": JUDGEMENT, "label": JUDGEMENT, "address": URL}
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """One row: the number of the line it begins at, and its cells by column."""

    number: int
    cells: Mapping[str, str]

    def cell(self, column: str) -> str:
        """Without spaces around it; empty where there is none."""
        return self.cells.get(column, "").strip()

    def judged(self, judgement: str) -> JudgedLine:
        """The line with this judgement."""
        return JudgedLine(self.number, {**self.cells, JUDGEMENT: judgement})


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """All lines, the columns in the order of the file, and the sign between cells."""

    lines: tuple[JudgedLine, ...]
    columns: tuple[str, ...] = COLUMNS
    separator: str = ","


def strip_control(text: str) -> str:
    """Put text of a page on one short line that no spreadsheet takes for a formula."""
    return guard_formula(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text)[:_LONGEST_TITLE].strip())


def write_judged(path: Path, file: JudgedFile) -> None:
    """Write the file atomically, with the mark by which spreadsheets recognise UTF-8.

    JudgedFileError where that fails.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=file.separator)
    writer.writerow(file.columns)
    for line in file.lines:
        writer.writerow([line.cells.get(column, "") for column in file.columns])
    with os_errors_as(JudgedFileError, f"{path} cannot be written"):
        write_bytes(path, text.getvalue().encode("utf-8-sig", "replace"))


def read_judged(path: Path, only: Sequence[str] | None = None) -> JudgedFile:
    """Read the file; JudgedFileError where it has no columns ``url`` and ``judgement``.

    ``only`` are the columns whose cells are wanted, None for all: exported texts take much memory.

    A file without a line of column names is read as URL, judgement. An exported table will do, if
    it has a column ``judgement``.
    """
    separator, rows = numbered_rows(path)
    first = next(rows, None)
    if first is None:
        raise JudgedFileError(f"{path} is empty; make one with: scenthound sample DIR")
    columns = _columns(first[1])
    if columns is None:
        columns, rows = (URL, JUDGEMENT), chain([first], rows)
    missing = [name for name in (URL, JUDGEMENT) if name not in columns]
    if missing:
        raise JudgedFileError(f"{path} has no column {missing[0]!r}; the first line names columns.")
    places = [(i, name) for i, name in enumerate(columns) if only is None or name in only]
    lines = tuple(
        JudgedLine(n, {name: row[i] for i, name in places if i < len(row)}) for n, row in rows
    )
    return JudgedFile(lines, columns, separator)


def _columns(row: Sequence[str]) -> tuple[str, ...] | None:
    """Return the names in the first line; None where it is a page already."""
    if any(cell.strip().lower().startswith(("http://", "https://")) for cell in row):
        return None
    names = [cell.strip().lower() for cell in row]
    names = [_COLUMN_ALIASES.get(name, name) for name in names]
    # Two columns of one name would be one when the file is written again.
    return tuple(f"{n} {i}" if n in names[:i] else n for i, n in enumerate(names))
