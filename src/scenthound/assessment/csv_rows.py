"""Rows of a CSV file as spreadsheets save it, one after the other: the file may be large.

The reader of the standard library has one limit on the length of a cell for the whole process,
which the text of a page exceeds, and counts lines at the end of a row. This one reads the same
(tests hold it against the other), with a limit of its own and the line at which a row begins.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from scenthound.core.errors import JudgedFileError

LONGEST_ROW = 10_000_000
"""Characters; more are a quote that nobody closed."""
_BLOCK = 1 << 20
_SEPARATORS = ",;\t"

NumberedRow = tuple[int, list[str]]
"""A row, and the number of the line it begins at."""


def numbered_rows(path: Path) -> tuple[str, Iterator[NumberedRow]]:
    """The sign between cells, and the rows that are not empty.

    UTF-8 and UTF-16 are known by themselves; anything else is Windows-1252, which spreadsheets
    of the western kind save. JudgedFileError where the file cannot be read.
    """
    try:
        encoding = _encoding(path)
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            separator = _separator(file)
    except OSError as error:
        raise JudgedFileError(f"{path}: {error.strerror}; give a file of judgements.") from None
    return separator, _rows_of(path, encoding, separator)


def _rows_of(path: Path, encoding: str, separator: str) -> Iterator[NumberedRow]:
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        try:
            for number, row in parsed(_lines(file), separator):
                if any(map(str.strip, row)):
                    yield number, row
        except ValueError as error:
            raise JudgedFileError(f"{path}, {error}.") from None


def _lines(file: IO[str]) -> Iterator[str]:
    """Line by line, of which no more is read than a row may have."""
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
            while block := file.read(_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:  # addresses are ASCII anyway
            return "cp1252"
    return "utf-8-sig"


def _separator(file: IO[str]) -> str:
    """The sign that parts most cells of the first line."""
    first = next((line for line in _lines(file) if line.strip("\r\n")), "")
    return max(_SEPARATORS, key=first.count)


def parsed(lines: Iterable[str], separator: str) -> Iterator[NumberedRow]:
    """The rows of a table, whose lines are given with their ends (RFC 4180); empty ones too.

    Raises
    ------
    ValueError
        A row is too long, or a quote is not closed.
    """
    reader = _RowReader(separator)
    first, length = 1, 0
    for number, line in enumerate(lines, start=1):
        length += len(line)
        if length > LONGEST_ROW:
            raise ValueError(
                f"line {first}: a row is longer than {LONGEST_ROW:,} characters; "
                "is a quote not closed?"
            )
        row = reader.take(line)
        if row is not None:
            yield first, row
            first, length = number + 1, 0
    if length:
        raise ValueError(f"line {first}: a quote is not closed")


class _RowReader:
    """Takes lines, and gives a row when it is complete.

    Quotes count at the beginning of a cell; within it two of them are one. Anywhere else a quote
    is a sign like others.
    """

    def __init__(self, separator: str) -> None:
        self._separator = separator
        self._sign = re.compile(f"[{re.escape(separator)}\r\n]")
        self._cells: list[str] = []
        self._pieces: list[str] = []
        self._quoted = False

    def take(self, line: str) -> list[str] | None:
        """The row that ends with this line; None where a cell in quotes goes on."""
        place = 0
        while True:
            if not self._quoted and line.startswith('"', place):
                self._quoted = True
                place += 1
            if self._quoted:
                place = self._up_to_quote(line, place)
            if self._quoted:
                return None
            place = self._rest(line, place)
            if not line.startswith(self._separator, place):
                row, self._cells = self._cells, []
                return row
            place += 1

    def _up_to_quote(self, line: str, place: int) -> int:
        """Take what is in quotes; where it goes on behind them, or the end of the line."""
        while (end := line.find('"', place)) >= 0:
            self._pieces.append(line[place:end])
            if not line.startswith('"', end + 1):
                self._quoted = False
                return end + 1
            self._pieces.append('"')
            place = end + 2
        self._pieces.append(line[place:])
        return len(line)

    def _rest(self, line: str, place: int) -> int:
        """Take what is not in quotes, which ends the cell; where that is."""
        found = self._sign.search(line, place)
        end = found.start() if found else len(line)
        self._pieces.append(line[place:end])
        self._cells.append("".join(self._pieces))
        self._pieces.clear()
        return end
