"""The CSV file that a person fills in: written for spreadsheets, and read back from them.

A spreadsheet may save other separators, another encoding, columns in another order and columns of
its own; all of them are read, and kept when the file is written again. What a sample was drawn
from stands in every line as words, which no spreadsheet takes for a number or a date.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import JudgedFileError
from scenthound.store.atomic import write_bytes

URL, TITLE, JUDGEMENT, COMMENT = "url", "title", "judgement", "comment"
N, BAND, RELEVANCE, SAMPLE = "n", "band", "relevance", "sample"
COLUMNS = (URL, TITLE, JUDGEMENT, COMMENT, N, BAND, RELEVANCE, SAMPLE)
"""What is judged comes first: the judge need not see how the crawl rated the page."""

_OTHER_NAMES = {"judgment": JUDGEMENT, "judged": JUDGEMENT, "label": JUDGEMENT, "address": URL}
_SEPARATORS = ",;\t"
_LARGEST = 50_000_000
_LONGEST_TITLE = 200
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number in the file, and its cells by column."""

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
    """Text of a page that no spreadsheet takes for a formula: an apostrophe goes before it."""
    text = _CONTROL.sub(" ", text)[:_LONGEST_TITLE].strip()
    return f"'{text}" if text.startswith(_FORMULA) else text


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
    text = _text(path)
    separator = _separator(text)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        numbered = [(rows.line_num, row) for row in rows if any(map(str.strip, row))]
    except csv.Error as error:
        raise JudgedFileError(f"{path}, line {rows.line_num}: no CSV file: {error}.") from None
    if not numbered:
        raise JudgedFileError(f"{path} is empty; make one with: scenthound sample DIR")
    columns = _columns(numbered[0][1])
    if columns is None:
        return JudgedFile(_lines(numbered, (URL, JUDGEMENT)), (URL, JUDGEMENT), separator)
    missing = [name for name in (URL, JUDGEMENT) if name not in columns]
    if missing:
        raise JudgedFileError(f"{path} has no column {missing[0]!r}; the first line names columns.")
    return JudgedFile(_lines(numbered[1:], columns), columns, separator)


def _lines(rows: Sequence[tuple[int, Sequence[str]]], columns: Sequence[str]) -> tuple[Line, ...]:
    return tuple(Line(n, dict(zip(columns, row, strict=False))) for n, row in rows)


def _columns(row: Sequence[str]) -> tuple[str, ...] | None:
    """The names in the first line; None where it is a page already."""
    if any(cell.strip().lower().startswith(("http://", "https://")) for cell in row):
        return None
    names = [cell.strip().lower() for cell in row]
    names = [_OTHER_NAMES.get(name, name) for name in names]
    # Two columns of one name would be one when the file is written again.
    return tuple(f"{n} {i}" if n in names[:i] else n for i, n in enumerate(names))


def _separator(text: str) -> str:
    """The sign that parts most cells of the first line."""
    first = text.lstrip("\r\n").split("\n", 1)[0]
    return max(_SEPARATORS, key=first.count)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise JudgedFileError(f"{path}: {error.strerror}; give a file of judgements.") from None
    if len(data) > _LARGEST:
        raise JudgedFileError(f"{path} is larger than {_LARGEST:,} bytes; is it the right file?")
    if data[:2] == b"PK":
        raise JudgedFileError(f"{path} is a spreadsheet; save it as CSV.")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").replace("\x00", "")
    try:
        return data.decode("utf-8-sig").replace("\x00", "")
    except UnicodeDecodeError:  # a spreadsheet of the western kind; addresses are ASCII anyway
        return data.decode("cp1252", "replace").replace("\x00", "")
