"""A table of links as it is read: CSV as spreadsheets save it, or Parquet. Cells are checked."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import SettingsError
from scenthound.corpus.formula_guard import unguarded

CSV, PARQUET = "csv", "parquet"
_SEPARATORS = ",;\t"
_SHOWN = 40
_BATCH = 10_000
_LONGEST_URL = 2_000


@dataclass(frozen=True, slots=True)
class Cells:
    """One row: cells by column, and where it stands, for messages."""

    place: str
    cells: Mapping[str, object]

    def text(self, column: str) -> str:
        """A cell with a text; empty where there is no such column."""
        value = self.cells.get(column)
        return "" if value is None else unguarded(str(value))[:_LONGEST_URL]

    def number(self, column: str) -> float:
        """A cell with a number; not a number where it is empty, SettingsError for a text."""
        value = self.cells.get(column)
        if value is None or value == "":
            return math.nan
        try:
            return float(str(value))
        except ValueError:
            raise SettingsError(
                f"{column} in {self.place} is {str(value)[:_SHOWN]!r}; give a number such as 0.25."
            ) from None


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
    if not path.is_file():
        raise SettingsError("there is no such file; give one that was saved by a tuning.")
    rows = _parquet_rows(path, most) if kind == PARQUET else _csv_rows(path)
    columns = next(rows)
    return Table(list(map(str, columns)), _numbered(list(map(str, columns)), rows, most, kind))


def _numbered(
    columns: Sequence[str], rows: Iterator[Sequence[object]], most: int, kind: str
) -> Iterator[Cells]:
    """Rows with their numbers; the names of the columns are the first line of a CSV file."""
    first = 2 if kind == CSV else 1
    for number, row in enumerate(rows, start=first):
        if number - first >= most:
            raise _too_long(most)
        if len(row) != len(columns):
            raise SettingsError(
                f"row {number} has {len(row)} cells and the first one {len(columns)}; "
                "is it a table with one link in each row?"
            )
        yield Cells(f"row {number}", dict(zip(columns, row, strict=True)))


def _csv_rows(path: Path) -> Iterator[Sequence[object]]:
    """The rows that are not empty, the names of the columns first."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            start = file.readline(_LONGEST_URL)
            file.seek(0)
            separator = max(_SEPARATORS, key=start.count)
            filled = (row for row in csv.reader(file, delimiter=separator) if any(row))
            yield [name.strip() for name in next(filled, [])]
            yield from filled
    except OSError as error:
        raise SettingsError(f"it cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise SettingsError("it is no text in UTF-8; save it as CSV in UTF-8.") from None
    except csv.Error as error:
        raise SettingsError(f"it is no CSV file: {error}; save it as CSV.") from None


def _parquet_rows(path: Path, most: int) -> Iterator[Sequence[object]]:
    """The rows, a group at a time, the names of the columns first."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            if file.metadata.num_rows > most:
                raise _too_long(most)
            yield list(file.schema_arrow.names)
            for batch in file.iter_batches(batch_size=_BATCH):
                yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
    except (OSError, pa.ArrowException) as error:
        told = " ".join(str(error).split())[:_LONGEST_URL]
        raise SettingsError(f"it is no Parquet file that can be read: {told}") from None


def _too_long(most: int) -> SettingsError:
    return SettingsError(f"it has more than {most:,} links; leave some out.")
