"""The CSV file that a person fills in: written for spreadsheets, and read back from them.

A spreadsheet may save other separators, another encoding, columns in another order and columns of
its own; all of them are read, and kept when the file is written again. What a sample was drawn
from stands in every line as words, which no spreadsheet takes for a number or a date.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from scenthound.assessment.csv_rows import NumberedRow, numbered_rows
from scenthound.core.errors import JudgedFileError
from scenthound.corpus.formula_guard import guarded
from scenthound.store.atomic import write_bytes

URL, TITLE, JUDGEMENT, COMMENT = "url", "title", "judgement", "comment"
N, BAND, RELEVANCE, SAMPLE = "n", "band", "relevance", "sample"
COLUMNS = (URL, TITLE, JUDGEMENT, COMMENT, N, BAND, RELEVANCE, SAMPLE)
"""What is judged comes first: the judge need not see how the crawl rated the page."""

_OTHER_NAMES = {"judgment": JUDGEMENT, "judged": JUDGEMENT, "label": JUDGEMENT, "address": URL}
_MOST_KEPT = 200_000_000
_PER_LINE = 100
"""Characters: all that is kept of a file, and what a line costs besides its cells."""
_LONGEST_TITLE = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Line:
    """One row: the number of the line it begins at, and its cells by column."""

    number: int
    cells: Mapping[str, str]

    def cell(self, column: str) -> str:
        """Without spaces around it; empty where there is none."""
        return self.cells.get(column, "").strip()

    def judged(self, judgement: str, comment: str = "") -> Line:
        """The line with this judgement, and this comment if one is given."""
        said = {JUDGEMENT: judgement, **({COMMENT: comment} if comment else {})}
        return Line(self.number, {**self.cells, **said})


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """All lines, the columns in the order of the file, and the sign between cells."""

    lines: tuple[Line, ...]
    columns: tuple[str, ...] = COLUMNS
    separator: str = ","

    def to_bytes(self) -> bytes:
        """As it is written: UTF-8 with the mark by which spreadsheets know it."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=self.separator)
        writer.writerow(self.columns)
        for line in self.lines:
            writer.writerow([line.cells.get(column, "") for column in self.columns])
        return text.getvalue().encode("utf-8-sig", "replace")


def harmless(text: str) -> str:
    """Text of a page on one short line, which no spreadsheet takes for a formula."""
    return guarded(_CONTROL.sub(" ", text)[:_LONGEST_TITLE].strip())


def write_judged(path: Path, file: JudgedFile) -> None:
    """Written in one step; JudgedFileError where it cannot be."""
    try:
        write_bytes(path, file.to_bytes())
    except OSError as error:
        raise JudgedFileError(f"{path} cannot be written: {error.strerror}.") from None


def read_judged(path: Path) -> JudgedFile:
    """The file as it is; JudgedFileError where it has no columns ``url`` and ``judgement``.

    A file without a line of column names is read as URL, judgement.
    """
    separator, columns, rows = _open(path)
    return JudgedFile(tuple(_lines(path, rows, columns, columns)), columns, separator)


def read_judged_lines(path: Path) -> tuple[Line, ...]:
    """The lines of such a file with what a score needs of them, however large it is.

    So a table with the text of every page will do, if it has a column ``judgement`` too.
    """
    _, columns, rows = _open(path)
    return tuple(_lines(path, rows, columns, (URL, JUDGEMENT, BAND, SAMPLE)))


def _open(path: Path) -> tuple[str, tuple[str, ...], Iterator[NumberedRow]]:
    """The sign between cells, the columns, and the rows below their names."""
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


def _lines(
    path: Path, rows: Iterable[NumberedRow], columns: Sequence[str], wanted: Collection[str]
) -> Iterator[Line]:
    """The wanted cells of every row; JudgedFileError where they are too much to keep."""
    kept = 0
    for number, row in rows:
        cells = {c: cell for c, cell in zip(columns, row, strict=False) if c in wanted}
        kept += _PER_LINE + sum(map(len, cells.values()))
        if kept > _MOST_KEPT:
            raise JudgedFileError(
                f"{path} is too large from line {number} on ({_MOST_KEPT:,} characters are the "
                "most); is it the right file?"
            )
        yield Line(number, cells)


def _columns(row: Sequence[str]) -> tuple[str, ...] | None:
    """The names in the first line; None where it is a page already."""
    if any(cell.strip().lower().startswith(("http://", "https://")) for cell in row):
        return None
    names = [cell.strip().lower() for cell in row]
    names = [_OTHER_NAMES.get(name, name) for name in names]
    # Two columns of one name would be one when the file is written again.
    return tuple(f"{n} {i}" if n in names[:i] else n for i, n in enumerate(names))
