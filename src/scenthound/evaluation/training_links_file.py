"""Training links on disk: a Parquet or CSV table to look at, to tune from, or your own."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

from scenthound.core.command_options import MOST_LINKS
from scenthound.core.errors import InputError, JudgedFileError, SettingsError, UnknownNameError
from scenthound.evaluation.judged_file import numbered_rows
from scenthound.evaluation.training_links import (
    LONGEST_TEXT,
    RELEVANCE,
    SIMILARITY,
    TrainingLink,
    TrainingLinks,
    shorten_line,
)
from scenthound.similarity.link_priority import EVIDENCE
from scenthound.storage import files as tables
from scenthound.storage.folder import check_required_path
from scenthound.strategies.text_models import TEXT_MODELS

CSV, PARQUET = "csv", "parquet"

TRAIN, TEST = "train", "test"

_SHOWN = 40
"""Characters of a wrong value that a message shows."""

_BATCH = 10_000

_ROUNDING = 1e-9
"""A cosine may be that much larger than 1."""

_LONGEST_URL = 2_000

Cells = Mapping[str, object]
"""One row by column."""

NumberedRow = tuple[int, Sequence[object]]


def is_links_name(path: Path) -> bool:
    """Does the file have the extension of a table of links?"""
    return path.suffix.lower() in (f".{CSV}", f".{PARQUET}")


def _table_kind(path: Path) -> str:
    """Return ``csv`` or ``parquet``; SettingsError for another extension, or a missing library."""
    if not is_links_name(path):
        raise SettingsError(
            f"{path} is no table of links: give a name that ends in .parquet or .csv."
        )
    kind = path.suffix.lower().removeprefix(".")
    if kind == PARQUET:
        tables.require_parquet()
    return kind


def write_links(path: Path, links: TrainingLinks) -> None:
    """Write the links atomically, as Parquet or CSV by the extension.

    SettingsError for another extension, a missing library and a disk that cannot be written to.
    """
    parquet, columns = _table_kind(path) == PARQUET, [f"{SIMILARITY}{name}" for name in links.names]
    topic = shorten_line(links.topic)
    with tables.open_target(path) as file:
        table = (tables.ParquetTable if parquet else tables.CsvTable)(file, _fields(columns))
        with closing(table):
            for place, link in enumerate(links.links):
                table.write(
                    {
                        "source": link.source,
                        "target": link.target,
                        "anchor": link.anchor,
                        **dict(zip(columns, link.values, strict=True)),
                        RELEVANCE: link.relevance,
                        "half": TRAIN if place < links.train else TEST,
                        "topic": topic,
                        "model": links.model,
                    }
                )


def _fields(columns: Sequence[str]) -> list[tables.Field]:
    text, number = tables.Kind.TEXT, tables.Kind.NUMBER
    described = [
        ("source", text, "address of the page that holds the link"),
        ("target", text, "address of the page that it leads to"),
        ("anchor", text, "words of the link"),
        *((name, number, f"what {name[len(SIMILARITY) :]} is worth, 0 to 1") for name in columns),
        (RELEVANCE, number, "similarity of the target page to the topic, by the judge"),
        ("half", text, "train or test"),
        ("topic", text, "name of the topic"),
        ("model", text, "the text model that compared the texts"),
    ]
    return [tables.Field(name, kind, tables.Source.JOURNAL, what) for name, kind, what in described]


def read_links(path: str | Path) -> TrainingLinks:
    """Read training links from a ``.parquet`` or ``.csv`` file, saved before or your own.

    There must be the columns ``relevance`` and at least one of ``sim_full``, ``sim_title``, ...;
    others may be left out. Without a column ``half`` the first half trains. All links are of one
    topic and one model. An empty value is not a number: that is an error when weights are learned.

    Raises
    ------
    SettingsError
        It cannot be read, is no such table, has no link, or has a wrong cell; says where.
    """
    check_required_path("path", path)
    path = Path(path)
    kind = _table_kind(path)
    try:
        if not os.path.isfile(path):
            raise SettingsError("there is no such file; give one that was saved by a tuning.")
        rows = _parquet_rows(path) if kind == PARQUET else _csv_rows(path)
        _, columns = next(rows)
        return _links([str(column).strip() for column in columns], rows)
    except InputError as error:
        raise SettingsError(f"links file {path}: {error}") from None


def _csv_rows(path: Path) -> Iterator[NumberedRow]:
    """The rows that are not empty, the names of the columns first."""
    try:
        _, rows = numbered_rows(path)
        yield next(rows, (1, []))
        yield from rows
    except JudgedFileError as error:
        raise SettingsError(f"it is no CSV file: {error}") from None


def _parquet_rows(path: Path) -> Iterator[NumberedRow]:
    """The rows, a group at a time, the names of the columns first; those are no row."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            if file.metadata.num_rows > MOST_LINKS:
                raise _too_long()
            yield 0, list(file.schema_arrow.names)
            batches = file.iter_batches(batch_size=_BATCH)
            columns = ([each.to_pylist() for each in batch.columns] for batch in batches)
            rows = chain.from_iterable(zip(*each, strict=True) for each in columns)
            yield from enumerate(rows, start=1)
    except (OSError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:_LONGEST_URL]
        raise SettingsError(f"it is no Parquet file that can be read: {reason}") from None


def _too_long() -> SettingsError:
    return SettingsError(f"it has more than {MOST_LINKS:,} links; leave some out.")


def _links(columns: Sequence[str], rows: Iterator[NumberedRow]) -> TrainingLinks:
    names = _value_columns(columns)
    halves: dict[str, list[TrainingLink]] = {TRAIN: [], TEST: []}
    topic = model = ""
    for count, (row, values) in enumerate(rows, start=1):
        if count > MOST_LINKS:
            raise _too_long()
        if len(values) != len(columns):
            raise SettingsError(
                f"row {row} has {len(values)} cells and the first one {len(columns)}; "
                "is it a table with one link in each row?"
            )
        cells = dict(zip(columns, values, strict=True))
        half = _text(cells, "half") or TRAIN
        if half not in halves:
            raise UnknownNameError(f"half in row {row}:", half[:LONGEST_TEXT], halves)
        source, target, anchor = (_text(cells, name) for name in ("source", "target", "anchor"))
        similarities = tuple(_share(cells, column, row) for column in names)
        relevance = _share(cells, RELEVANCE, row)
        link = TrainingLink(source, target, shorten_line(anchor), similarities, relevance, row)
        halves[half].append(link)
        topic, model = _same("topic", topic, cells, row), _same("model", model, cells, row)
        if model and model not in TEXT_MODELS:
            raise UnknownNameError(f"model in row {row}:", model, TEXT_MODELS)
    links = (*halves[TRAIN], *halves[TEST])
    if not links:
        raise SettingsError("there is no link in it; give a table with a row for each link.")
    split = len(halves[TRAIN]) if "half" in columns else None
    return TrainingLinks(topic, model, tuple(names.values()), links, split)


def _text(cells: Cells, column: str) -> str:
    """A cell with a text; empty where there is no such column."""
    value = cells.get(column)
    return "" if value is None else tables.unguard_formula(str(value))[:_LONGEST_URL]


def _share(cells: Cells, column: str, row: int) -> float:
    """A cell with a number within 0 and 1; NaN for an empty one. SettingsError for other values."""
    value = cells.get(column)
    if value is None or value == "":
        return math.nan
    try:
        number = float(str(value))
    except ValueError:
        shown = str(value)[:_SHOWN]
        raise SettingsError(
            f"{column} in row {row} is {shown!r}; give a number such as 0.25."
        ) from None
    if math.isfinite(number) and not -_ROUNDING <= number <= 1.0 + _ROUNDING:
        raise SettingsError(
            f"{column} in row {row} is {number!r}; similarities and relevances lie within 0 and 1: "
            "correct it."
        )
    return number


def _same(column: str, known: str, cells: Cells, row: int) -> str:
    """The value that all rows so far have in a column; an empty cell is ignored."""
    found = shorten_line(_text(cells, column))
    if found and known and found != known:
        raise SettingsError(
            f"it has links of more than one {column}, {known[:_SHOWN]!r} and {found[:_SHOWN]!r} in "
            f"row {row}; make a file for each."
        )
    return known or found


def _value_columns(columns: Sequence[str]) -> dict[str, str]:
    """The columns with values and their names, in the order of the evidence."""
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
