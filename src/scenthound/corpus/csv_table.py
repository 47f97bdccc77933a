"""Rows as CSV for spreadsheets: RFC 4180, UTF-8, text that looks like a formula made harmless."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Sequence
from typing import IO

from scenthound.corpus.fields import Field, Row
from scenthound.corpus.formula_guard import guarded


class CsvTable:
    """Writes rows to an open file, the names of the columns first.

    Parameters
    ----------
    file : where to.
    fields : the columns.
    mark : begin with a byte order mark, without which Excel takes UTF-8 for something else.
    """

    def __init__(self, file: IO[bytes], fields: Sequence[Field], mark: bool = True) -> None:
        if mark:
            file.write(codecs.BOM_UTF8)
        self._text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        self._writer = csv.writer(self._text)
        self._writer.writerow([field.name for field in fields])

    def write(self, row: Row) -> None:
        """One more line, or several: texts keep their line ends, in quotes."""
        self._writer.writerow([cell(value) for value in row.values()])

    def close(self) -> None:
        """Let go of the file, which stays open."""
        self._text.flush()
        self._text.detach()


def cell(value: object) -> str | int | float | None:
    """A value as a spreadsheet shows it.

    Text that a spreadsheet would run as a formula is given an apostrophe in front; lists and
    objects are JSON; ``true`` and ``false`` are written in small letters; None is empty.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return guarded(value)
        case list() | dict():
            return json.dumps(value, ensure_ascii=False) if value else None
        case int() | float() | None:
            return value
        case _:
            raise TypeError(f"no cell for {value!r}")
