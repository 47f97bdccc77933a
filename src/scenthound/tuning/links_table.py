"""A table of links as it is read: CSV as spreadsheets save it, or Parquet. Cells are checked."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.core.errors import SettingsError
from scenthound.corpus.formula_guard import unguarded

if TYPE_CHECKING:
    from pyarrow import RecordBatch

CSV, PARQUET = "csv", "parquet"
_SEPARATORS = ",;\t"
_SHOWN = 40
_BATCH = 10_000
_ROUNDING = 1e-9
"""A cosine may be that much larger than 1."""
_LONGEST_URL = 2_000


@dataclass(frozen=True, slots=True)
class Cells:
    """One row: its number, as a spreadsheet shows it, and cells by column."""

    row: int
    cells: Mapping[str, object]

    @property
    def place(self) -> str:
        """Where it stands, for messages."""
        return f"row {self.row}"

    def text(self, column: str) -> str:
        """A cell with a text; empty where there is no such column."""
        value = self.cells.get(column)
        return "" if value is None else unguarded(str(value))[:_LONGEST_URL]

    def share(self, column: str) -> float:
        """A cell with a number within 0 and 1; an empty one, or an infinite one, is no number.

        SettingsError for any other number, and for a text.
        """
        value = self.cells.get(column)
        if value is None or value == "":
            return math.nan
        try:
            number = float(str(value))
        except ValueError:
            raise SettingsError(
                f"{column} in {self.place} is {str(value)[:_SHOWN]!r}; give a number such as 0.25."
            ) from None
        if math.isfinite(number) and not -_ROUNDING <= number <= 1.0 + _ROUNDING:
            raise SettingsError(
                f"{column} in {self.place} is {number!r}; similarities and relevances lie within "
                "0 and 1: correct it."
            )
        return number


@dataclass(frozen=True)
class Table:
    """The names of the columns, and the rows, which are read as one goes."""

    columns: Sequence[str]
    rows: Iterable[Cells]


def cells_in(path: Path, kind: str, most: int) -> Table:
    """The table in a file.

    Parameters
    ----------
    path : the file.
    kind : ``csv`` or ``parquet``.
    most : rows; a longer table is refused.

    Raises
    ------
    SettingsError
        The file cannot be read, is not of its kind, or is too long; also while it is read.
    """
    if not os.path.isfile(path):
        raise SettingsError("there is no such file; give one that was saved by a tuning.")
    rows = _parquet_rows(path, most) if kind == PARQUET else _csv_rows(path)
    _, names = next(rows)
    columns = list(map(str, names))
    return Table(columns, _checked(columns, rows, most))


Numbered = tuple[int, Sequence[object]]
"""A row with its number."""


def _checked(columns: Sequence[str], rows: Iterator[Numbered], most: int) -> Iterator[Cells]:
    """Rows that have a cell for each column."""
    for count, (number, row) in enumerate(rows, start=1):
        if count > most:
            raise _too_long(most)
        if len(row) != len(columns):
            raise SettingsError(
                f"row {number} has {len(row)} cells and the first one {len(columns)}; "
                "is it a table with one link in each row?"
            )
        yield Cells(number, dict(zip(columns, row, strict=True)))


def _csv_rows(path: Path) -> Iterator[Numbered]:
    """The rows that are not empty, the names of the columns first."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            start = file.readline(_LONGEST_URL)
            file.seek(0)
            separator = max(_SEPARATORS, key=start.count)
            numbered = enumerate(csv.reader(file, delimiter=separator), start=1)
            filled = ((number, row) for number, row in numbered if any(row))
            number, names = next(filled, (1, []))
            yield number, [name.strip() for name in names]
            yield from filled
    except OSError as error:
        raise SettingsError(f"it cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise SettingsError("it is no text in UTF-8; save it as CSV in UTF-8.") from None
    except csv.Error as error:
        raise SettingsError(f"it is no CSV file: {error}; save it as CSV.") from None


def _parquet_rows(path: Path, most: int) -> Iterator[Numbered]:
    """The rows, a group at a time, the names of the columns first; those are no row."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            if file.metadata.num_rows > most:
                raise _too_long(most)
            yield 0, list(file.schema_arrow.names)
            batches = file.iter_batches(batch_size=_BATCH)
            yield from enumerate(chain.from_iterable(map(_batch_rows, batches)), start=1)
    except (OSError, pa.ArrowException) as error:
        told = " ".join(str(error).split())[:_LONGEST_URL]
        raise SettingsError(f"it is no Parquet file that can be read: {told}") from None


def _batch_rows(batch: RecordBatch) -> Iterator[Sequence[object]]:
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _too_long(most: int) -> SettingsError:
    return SettingsError(f"it has more than {most:,} links; leave some out.")
