"""Training links on disk: a Parquet or CSV table to look at, to tune from, or your own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from scenthound.core.command_options import MOST_LINKS
from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.evaluation.judged_file import numbered_rows
from scenthound.evaluation.training_links import (
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
_LONGEST_URL = 2_000
_LONGEST_SHOWN = 40
"""Characters of a wrong value that a message shows."""

Text = Annotated[str, AfterValidator(lambda text: tables.unguard_formula(text)[:_LONGEST_URL])]
Share = Annotated[float, Field(ge=-1e-9, le=1.0 + 1e-9)]
"""A similarity or a relevance; a cosine may be a little larger than 1."""


class LinkRow(BaseModel):
    """One row of a table of links; what has a default may be left out."""

    source: Text = ""
    target: Text = ""
    anchor: Text = ""
    half: Literal["train", "test"] = "train"
    topic: Text = ""
    model: Text = ""
    relevance: Share
    values: tuple[Share, ...]


def is_links_name(path: Path) -> bool:
    """Does the file have the extension of a table of links?"""
    return path.suffix.lower() in (f".{CSV}", f".{PARQUET}")


def _is_parquet(path: Path) -> bool:
    """SettingsError for the extension of another kind of file, or a missing library."""
    if not is_links_name(path):
        raise SettingsError(
            f"{path} is no table of links: give a name that ends in .parquet or .csv."
        )
    parquet = path.suffix.lower() == f".{PARQUET}"
    if parquet:
        tables.require_parquet()
    return parquet


def write_links(path: Path, links: TrainingLinks) -> None:
    """Write the links atomically, as Parquet or CSV by the extension.

    SettingsError for another extension, a missing library and a disk that cannot be written to.
    """
    writer = tables.ParquetTable if _is_parquet(path) else tables.CsvTable
    columns = [f"{SIMILARITY}{name}" for name in links.names]
    topic = shorten_line(links.topic)
    with tables.open_target(path) as file, closing(writer(file, _fields(columns))) as table:
        for place, link in enumerate(links.links):
            table.write(
                {
                    "source": link.source,
                    "target": link.target,
                    "anchor": link.anchor,
                    **dict(zip(columns, link.values, strict=True)),
                    RELEVANCE: link.relevance,
                    "half": "train" if place < links.train else "test",
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

    There must be the columns ``relevance`` and at least one of ``sim_full``, ``sim_title``, ...,
    with a number in every row; others may be left out. Without a column ``half`` the first half
    trains. All links are of one topic and one model.

    Raises
    ------
    SettingsError
        It cannot be read, is no such table, has no link, or has a wrong cell; says where.
    """
    check_required_path("path", path)
    path = Path(path)
    parquet = _is_parquet(path)
    try:
        if not os.path.isfile(path):
            raise SettingsError("there is no such file; give one that was saved by a tuning.")
        columns, rows = _read_parquet(path) if parquet else _read_csv(path)
        return _links(columns, rows)
    except InputError as error:
        raise SettingsError(f"links file {path}: {error}") from None


Rows = Iterator[tuple[int, Mapping[str, object]]]
"""The cells by column of each row, with its number."""


def _read_csv(path: Path) -> tuple[list[str], Rows]:
    """The names of the columns, and the rows below them."""
    _, rows = numbered_rows(path)
    columns = [column.strip() for column in next(rows, (1, []))[1]]
    return columns, ((number, dict(zip(columns, row, strict=False))) for number, row in rows)


def _read_parquet(path: Path) -> tuple[list[str], Rows]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        reason = " ".join(str(error).split())[:_LONGEST_URL]
        raise SettingsError(f"it is no Parquet file that can be read: {reason}") from None
    rows = (row for batch in table.to_batches() for row in batch.to_pylist())
    return table.column_names, enumerate(rows, start=1)


def _links(columns: Sequence[str], rows: Rows) -> TrainingLinks:
    names = _value_columns(columns)
    found: list[LinkRow] = []
    for number, cells in islice(rows, MOST_LINKS + 1):
        given = {name: cell for name, cell in cells.items() if cell not in (None, "")}
        try:
            row = LinkRow.model_validate({**given, "values": [cells.get(each) for each in names]})
        except ValidationError as error:
            first = error.errors()[0]
            field, *place = first["loc"]
            column = [*names][int(place[0])] if place else str(field)
            shown = repr(given[column])[:_LONGEST_SHOWN] if column in given else "empty"
            wrong = f"{column} in row {number} is {shown}: {first['msg'].lower()}"
            raise SettingsError(f"{wrong}; correct it, or leave the row out.") from None
        found.append(row)
    if not found:
        raise SettingsError("there is no link in it; give a table with a row for each link.")
    if len(found) > MOST_LINKS:
        raise SettingsError(f"it has more than {MOST_LINKS:,} links; leave some out.")
    model = _only("model", {row.model for row in found})
    if model and model not in TEXT_MODELS:
        raise UnknownNameError("model", model, TEXT_MODELS)
    found.sort(key=lambda row: row.half == "test")
    links = (
        TrainingLink(r.source, r.target, shorten_line(r.anchor), r.values, r.relevance)
        for r in found
    )
    split = sum(row.half == "train" for row in found) if "half" in columns else None
    topic = shorten_line(_only("topic", {row.topic for row in found}))
    return TrainingLinks(topic, model, tuple(names.values()), tuple(links), split)


def _only(column: str, values: set[str]) -> str:
    """The one value that the rows have in a column; "" where all are empty."""
    known = sorted(values - {""})
    if len(known) > 1:
        shown = " and ".join(repr(each[:_LONGEST_SHOWN]) for each in known[:2])
        raise SettingsError(f"links of more than one {column}, {shown}; make a file for each.")
    return "".join(known)


def _value_columns(columns: Sequence[str]) -> dict[str, str]:
    """The columns with values and their names, in the order of the evidence."""
    known = {f"{SIMILARITY}{name}": name for name in EVIDENCE}
    for column in columns:
        if columns.count(column) > 1:
            raise SettingsError(f"there are two columns {column!r}; leave one.")
        if column.startswith(SIMILARITY) and column not in known:
            raise UnknownNameError("column", column[:_LONGEST_URL], known)
    found = {column: name for column, name in known.items() if column in columns}
    if not found or RELEVANCE not in columns:
        raise SettingsError(
            f"it needs a column {RELEVANCE} and one or more of {', '.join(known)}; name them so."
        )
    return found
