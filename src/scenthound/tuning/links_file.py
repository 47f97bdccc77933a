"""Training links on the disk: a table of Parquet or CSV, to look at, to tune from, or your own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.corpus.csv_table import CsvTable
from scenthound.corpus.fields import Field, Kind, Row, Source
from scenthound.corpus.parquet_table import ParquetTable, require_parquet
from scenthound.corpus.target import opened_target
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.strategies.weighted import EVIDENCE
from scenthound.tuning.links import (
    RELEVANCE,
    SIGNS_KEPT,
    SIMILARITY,
    TrainingLink,
    TrainingLinks,
    kept_line,
)
from scenthound.tuning.links_table import CSV, PARQUET, Cells, Table, cells_in
from scenthound.tuning.plan import MOST_LINKS

TRAIN, TEST = "train", "test"
TOPIC, MODEL = "topic", "model"
_SHOWN = 40


def write_links(path: Path, links: TrainingLinks) -> None:
    """Write the links, by the suffix of ``path``; the file is there whole or not at all.

    SettingsError for another suffix than ``.parquet`` or ``.csv``, for a library that is not
    installed and for a disk that cannot be written to.
    """
    kind, fields = table_kind(path), _fields(links.names)
    if kind == PARQUET:
        require_parquet()
    with (
        opened_target(path) as file,
        closing((ParquetTable if kind == PARQUET else CsvTable)(file, fields)) as table,
    ):
        for row in _rows(links):
            table.write(row)


def read_links(path: Path) -> TrainingLinks:
    """The links in a file that :func:`write_links` wrote, or that somebody made.

    There must be the columns ``relevance`` and at least one of ``sim_full``, ``sim_title``, ...;
    others may be left out. Without a column ``half`` the first half trains. All links are of one
    topic and one model. A value that is left empty is not a number: that is told when weights are
    to be learnt.

    Raises
    ------
    SettingsError
        It cannot be read, is no such table, has no link, or a cell that cannot be; says where.
    """
    kind = table_kind(path)
    if kind == PARQUET:
        require_parquet()
    try:
        return _links(cells_in(path, kind, MOST_LINKS))
    except InputError as error:
        raise SettingsError(f"links file {path}: {error}") from None


def is_links_name(path: Path) -> bool:
    """Is the file called as tables of links are?"""
    return _kind(path) in (CSV, PARQUET)


def table_kind(path: Path) -> str:
    """``csv`` or ``parquet``, by the suffix of the file; SettingsError for any other."""
    if not is_links_name(path):
        raise SettingsError(
            f"{path} is no table of links: give a name that ends in .parquet or .csv."
        )
    return _kind(path)


def _kind(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")


def _fields(names: Iterable[str]) -> list[Field]:
    values = [
        (f"{SIMILARITY}{name}", Kind.NUMBER, f"what {name} is worth, 0 to 1") for name in names
    ]
    columns = [
        ("source", Kind.TEXT, "address of the page that holds the link"),
        ("target", Kind.TEXT, "address of the page that it leads to"),
        ("anchor", Kind.TEXT, "words of the link"),
        *values,
        (RELEVANCE, Kind.NUMBER, "similarity of the target page to the topic, by the judge"),
        ("half", Kind.TEXT, "train or test"),
        (TOPIC, Kind.TEXT, "name of the topic"),
        (MODEL, Kind.TEXT, "the text model that compared the texts"),
    ]
    return [Field(name, kind, Source.JOURNAL, about) for name, kind, about in columns]


def _rows(links: TrainingLinks) -> Iterator[Row]:
    columns = [f"{SIMILARITY}{name}" for name in links.names]
    topic = kept_line(links.topic)
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


def _links(table: Table) -> TrainingLinks:
    names = _names(table.columns)
    halves: dict[str, list[TrainingLink]] = {TRAIN: [], TEST: []}
    topic = model = ""
    for cells in table.rows:
        half = cells.text("half") or TRAIN
        if half not in halves:
            raise UnknownNameError(f"half in {cells.place}:", half[:SIGNS_KEPT], halves)
        halves[half].append(_link(cells, names))
        topic, model = _same(TOPIC, topic, cells), _same(MODEL, model, cells)
        if model and model not in TEXT_MODELS:
            raise UnknownNameError(f"model in {cells.place}:", model, TEXT_MODELS)
    links = (*halves[TRAIN], *halves[TEST])
    if not links:
        raise SettingsError("there is no link in it; give a table with a row for each link.")
    split = len(halves[TRAIN]) if "half" in table.columns else None
    return TrainingLinks(topic, model, tuple(names.values()), links, split)


def _link(cells: Cells, names: Mapping[str, str]) -> TrainingLink:
    values = tuple(map(cells.share, names))
    relevance = cells.share(RELEVANCE)
    source, target, anchor = map(cells.text, ("source", "target", "anchor"))
    return TrainingLink(source, target, kept_line(anchor), values, relevance, cells.row)


def _same(column: str, known: str, cells: Cells) -> str:
    """What the rows so far and this one say in a column; an empty cell says nothing."""
    found = kept_line(cells.text(column))
    if found and known and found != known:
        raise SettingsError(
            f"it has links of more than one {column}, {known[:_SHOWN]!r} and {found[:_SHOWN]!r} in "
            f"{cells.place}; make a file for each."
        )
    return known or found


def _names(columns: Sequence[str]) -> dict[str, str]:
    """The columns with values -> what they are values of, in the order of the evidence."""
    known = {f"{SIMILARITY}{name}": name for name in EVIDENCE}
    for column in columns:
        if columns.count(column) > 1:
            raise SettingsError(f"there are two columns {column!r}; leave one.")
        if column.startswith(SIMILARITY) and column not in known:
            raise UnknownNameError("column", column[:SIGNS_KEPT], known)
    found = {column: name for column, name in known.items() if column in columns}
    if not found or RELEVANCE not in columns:
        raise SettingsError(
            f"it needs a column {RELEVANCE} and one or more of {', '.join(known)}; name them so."
        )
    return found
