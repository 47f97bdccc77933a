"""Training links on disk: a Parquet or CSV table, written and read with checks of each cell."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from scenthound.core.errors import InputError, JudgedFileError, SettingsError, UnknownNameError
from scenthound.evaluation.judged_file import numbered_rows
from scenthound.evaluation.training_links import (
    LONGEST_TEXT,
    MOST_LINKS,
    RELEVANCE,
    SIMILARITY,
    TrainingLink,
    TrainingLinks,
    shorten_line,
)
from scenthound.papers.link_priority import EVIDENCE
from scenthound.storage import files as tables
from scenthound.strategies.text_models import TEXT_MODELS

CSV, PARQUET = "csv", "parquet"

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

    def text(self, column: str) -> str:
        """A cell with a text; empty where there is no such column."""
        value = self.cells.get(column)
        return "" if value is None else tables.unguard_formula(str(value))[:_LONGEST_URL]

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
                f"{column} in row {self.row} is {str(value)[:_SHOWN]!r}; give a number such as "
                "0.25."
            ) from None
        if math.isfinite(number) and not -_ROUNDING <= number <= 1.0 + _ROUNDING:
            raise SettingsError(
                f"{column} in row {self.row} is {number!r}; similarities and relevances lie within "
                "0 and 1: correct it."
            )
        return number


def cells_in(path: Path, kind: str, most: int) -> tuple[list[str], Iterator[Cells]]:
    """The names of the columns, and the rows of a table, which are read as one goes.

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
    return columns, _checked(columns, rows, most)


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
        _, rows = numbered_rows(path)
        number, names = next(rows, (1, []))
        yield number, [name.strip() for name in names]
        yield from rows
    except JudgedFileError as error:
        raise SettingsError(f"it is no CSV file: {error}") from None


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
            columns = ([each.to_pylist() for each in batch.columns] for batch in batches)
            rows = chain.from_iterable(zip(*each, strict=True) for each in columns)
            yield from enumerate(rows, start=1)
    except (OSError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:_LONGEST_URL]
        raise SettingsError(f"it is no Parquet file that can be read: {reason}") from None


def _too_long(most: int) -> SettingsError:
    return SettingsError(f"it has more than {most:,} links; leave some out.")


# Training links on the disk: a table of Parquet or CSV, to look at, to tune from, or your own.


TRAIN, TEST = "train", "test"

TOPIC, MODEL = "topic", "model"

_LONGEST_SHOWN = 40


def write_links(path: Path, links: TrainingLinks) -> None:
    """Write the links, by the suffix of ``path``; the file is there whole or not at all.

    SettingsError for another suffix than ``.parquet`` or ``.csv``, for a library that is not
    installed and for a disk that cannot be written to.
    """
    kind, fields = table_kind(path), _fields(links.names)
    if kind == PARQUET:
        tables.require_parquet()
    with (
        tables.open_target(path) as file,
        closing(
            (tables.ParquetTable if kind == PARQUET else tables.CsvTable)(file, fields)
        ) as table,
    ):
        for row in _rows(links):
            table.write(row)


def read_links(path: Path) -> TrainingLinks:
    """The links in a file that :func:`write_links` wrote, or that somebody made.

    There must be the columns ``relevance`` and at least one of ``sim_full``, ``sim_title``, ...;
    others may be left out. Without a column ``half`` the first half trains. All links are of one
    topic and one model. A value that is left empty is not a number: that is an error when
    weights are learned.

    Raises
    ------
    SettingsError
        It cannot be read, is no such table, has no link, or a cell that cannot be; says where.
    """
    kind = table_kind(path)
    if kind == PARQUET:
        tables.require_parquet()
    try:
        return _links(*cells_in(path, kind, MOST_LINKS))
    except InputError as error:
        raise SettingsError(f"links file {path}: {error}") from None


def is_links_name(path: Path) -> bool:
    """Is the file called as tables of links are?"""
    return path.suffix.lower() in (f".{CSV}", f".{PARQUET}")


def table_kind(path: Path) -> str:
    """``csv`` or ``parquet``, by the suffix of the file; SettingsError for any other."""
    if not is_links_name(path):
        raise SettingsError(
            f"{path} is no table of links: give a name that ends in .parquet or .csv."
        )
    return path.suffix.lower().removeprefix(".")


def _fields(names: Iterable[str]) -> list[tables.Field]:
    values = [
        (f"{SIMILARITY}{name}", tables.Kind.NUMBER, f"what {name} is worth, 0 to 1")
        for name in names
    ]
    columns = [
        ("source", tables.Kind.TEXT, "address of the page that holds the link"),
        ("target", tables.Kind.TEXT, "address of the page that it leads to"),
        ("anchor", tables.Kind.TEXT, "words of the link"),
        *values,
        (RELEVANCE, tables.Kind.NUMBER, "similarity of the target page to the topic, by the judge"),
        ("half", tables.Kind.TEXT, "train or test"),
        (TOPIC, tables.Kind.TEXT, "name of the topic"),
        (MODEL, tables.Kind.TEXT, "the text model that compared the texts"),
    ]
    return [tables.Field(name, kind, tables.Source.JOURNAL, about) for name, kind, about in columns]


def _rows(links: TrainingLinks) -> Iterator[tables.Row]:
    columns = [f"{SIMILARITY}{name}" for name in links.names]
    topic = shorten_line(links.topic)
    for place, link in enumerate(links.links):
        yield {
            "source": link.source,
            "target": link.target,
            "anchor": link.anchor,
            **dict(zip(columns, link.values, strict=True)),
            RELEVANCE: link.relevance,
            "half": TRAIN if place < links.train else TEST,
            TOPIC: topic,
            MODEL: links.model,
        }


def _links(columns: Sequence[str], rows: Iterable[Cells]) -> TrainingLinks:
    names = _names(columns)
    halves: dict[str, list[TrainingLink]] = {TRAIN: [], TEST: []}
    topic = model = ""
    for cells in rows:
        half = cells.text("half") or TRAIN
        if half not in halves:
            raise UnknownNameError(f"half in row {cells.row}:", half[:LONGEST_TEXT], halves)
        halves[half].append(_link(cells, names))
        topic, model = _same(TOPIC, topic, cells), _same(MODEL, model, cells)
        if model and model not in TEXT_MODELS:
            raise UnknownNameError(f"model in row {cells.row}:", model, TEXT_MODELS)
    links = (*halves[TRAIN], *halves[TEST])
    if not links:
        raise SettingsError("there is no link in it; give a table with a row for each link.")
    split = len(halves[TRAIN]) if "half" in columns else None
    return TrainingLinks(topic, model, tuple(names.values()), links, split)


def _link(cells: Cells, names: Mapping[str, str]) -> TrainingLink:
    values = tuple(map(cells.share, names))
    relevance = cells.share(RELEVANCE)
    source, target, anchor = map(cells.text, ("source", "target", "anchor"))
    return TrainingLink(source, target, shorten_line(anchor), values, relevance, cells.row)


def _same(column: str, known: str, cells: Cells) -> str:
    """What the rows so far and this one say in a column; an empty cell says nothing."""
    found = shorten_line(cells.text(column))
    if found and known and found != known:
        raise SettingsError(
            f"it has links of more than one {column}, {known[:_LONGEST_SHOWN]!r} and "
            f"{found[:_LONGEST_SHOWN]!r} in row {cells.row}; make a file for each."
        )
    return known or found


def _names(columns: Sequence[str]) -> dict[str, str]:
    """The columns with values -> what they are values of, in the order of the evidence."""
    known = {f"{SIMILARITY}{name}": name for name in EVIDENCE}
    for column in columns:
        if columns.count(column) > 1:
            raise SettingsError(f"there are two columns {column!r}; leave one.")
        if column.startswith(SIMILARITY) and column not in known:
            raise UnknownNameError("column", column[:LONGEST_TEXT], known)
    found = {column: name for column, name in known.items() if column in columns}
    if not found or RELEVANCE not in columns:
        raise SettingsError(
            f"it needs a column {RELEVANCE} and one or more of {', '.join(known)}; name them so."
        )
    return found
