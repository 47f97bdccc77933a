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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

from scenthound.core.errors import JudgedFileError
from scenthound.storage.files import guard_formula, os_errors_as, write_bytes

LONGEST_ROW = 10_000_000
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
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            first = next((line for line in _text_lines(file) if line.strip("\r\n")), "")
    separator = max(",;\t", key=first.count)

    def rows() -> Iterator[NumberedRow]:
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            try:
                for number, row in parsed(_text_lines(file), separator):
                    if any(map(str.strip, row)):
                        yield number, row
            except ValueError as error:
                raise JudgedFileError(f"{path}, {error}.") from None

    return separator, rows()


def _text_lines(file: IO[str]) -> Iterator[str]:
    """The lines of a file; one without an end is cut where a row would be too long anyway."""
    while line := file.readline(LONGEST_ROW + 1):
        yield line.replace("\x00", "") if "\x00" in line else line


def _encoding(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(2)
        if start == b"PK":
            raise JudgedFileError(f"{path} is a spreadsheet; save it as CSV.")
        if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while block := file.read(1 << 20):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:  # addresses are ASCII anyway
            return "cp1252"
    return "utf-8-sig"


def parsed(lines: Iterable[str], separator: str) -> Iterator[NumberedRow]:
    """Parse lines with their ends (RFC 4180) into rows, empty ones too.

    ValueError where a row is too long, or a quote is not closed.
    """
    length, first, ended = 0, 1, False

    def counted() -> Iterator[str]:
        nonlocal length, ended
        for line in lines:
            length += len(line)
            if length > LONGEST_ROW:
                raise ValueError(
                    f"line {first}: a row is longer than {LONGEST_ROW:,} characters; "
                    "is a quote not closed?"
                )
            yield line
        ended = True

    # The limit of the csv module holds for the whole process: others may rely on it.
    limit = csv.field_size_limit(LONGEST_ROW)
    try:
        reader = csv.reader(counted(), delimiter=separator)
        for row in reader:
            if ended:  # the reader asked for another line only because a quote is open
                raise ValueError(f"line {first}: a quote is not closed")
            yield first, row
            first, length = reader.line_num + 1, 0
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

    def judged(self, judgement: str, comment: str = "") -> JudgedLine:
        """The line with this judgement, and this comment if one is given."""
        said = {JUDGEMENT: judgement, **({COMMENT: comment} if comment else {})}
        return JudgedLine(self.number, {**self.cells, **said})


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """All lines, the columns in the order of the file, and the sign between cells."""

    lines: tuple[JudgedLine, ...]
    columns: tuple[str, ...] = COLUMNS
    separator: str = ","

    def to_bytes(self) -> bytes:
        """Encode it as UTF-8 with the mark by which spreadsheets recognise it."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=self.separator)
        writer.writerow(self.columns)
        for line in self.lines:
            writer.writerow([line.cells.get(column, "") for column in self.columns])
        return text.getvalue().encode("utf-8-sig", "replace")


def strip_control(text: str) -> str:
    """Put text of a page on one short line that no spreadsheet takes for a formula."""
    return guard_formula(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text)[:_LONGEST_TITLE].strip())


def write_judged(path: Path, file: JudgedFile) -> None:
    """Write the file atomically; JudgedFileError where that fails."""
    with os_errors_as(JudgedFileError, f"{path} cannot be written"):
        write_bytes(path, file.to_bytes())


def read_judged(path: Path) -> JudgedFile:
    """Read the whole file; JudgedFileError where it has no columns ``url`` and ``judgement``.

    A file without a line of column names is read as URL, judgement.
    """
    separator, columns, rows = _open(path)
    lines = tuple(JudgedLine(n, dict(zip(columns, row, strict=False))) for n, row in rows)
    return JudgedFile(lines, columns, separator)


def read_judged_lines(path: Path) -> tuple[JudgedLine, ...]:
    """Read the columns that a score needs, however large the file is.

    So an exported table with the text of every page will do, if it has a column ``judgement``.
    """
    _, columns, rows = _open(path)
    wanted = [(i, c) for i, c in enumerate(columns) if c in (URL, JUDGEMENT, BAND, SAMPLE)]
    return tuple(
        JudgedLine(number, {column: row[i] for i, column in wanted if i < len(row)})
        for number, row in rows
    )


def _open(path: Path) -> tuple[str, tuple[str, ...], Iterator[NumberedRow]]:
    """Return the separator, the columns, and the rows below their names."""
    separator, rows = numbered_rows(path)
    first = next(rows, None)
    if first is None:
        raise JudgedFileError(f"{path} is empty; make one with: scenthound sample DIR")
    columns = _columns(first[1])
    if columns is None:
        return separator, (URL, JUDGEMENT), chain([first], rows)
    missing = [name for name in (URL, JUDGEMENT) if name not in columns]
    if missing:
        raise JudgedFileError(f"{path} has no column {missing[0]!r}; the first line names columns.")
    return separator, columns, rows


def _columns(row: Sequence[str]) -> tuple[str, ...] | None:
    """Return the names in the first line; None where it is a page already."""
    if any(cell.strip().lower().startswith(("http://", "https://")) for cell in row):
        return None
    names = [cell.strip().lower() for cell in row]
    names = [_COLUMN_ALIASES.get(name, name) for name in names]
    # Two columns of one name would be one when the file is written again.
    return tuple(f"{n} {i}" if n in names[:i] else n for i, n in enumerate(names))
