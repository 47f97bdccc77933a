"""Training links: the similarities of a link's texts, the relevance of its target, the plan to
collect them, and their table on disk.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from scenthound.core.command_options import MOST_LINKS
from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.parameters import Parameters, Value
from scenthound.evaluation.judged_file import numbered_rows
from scenthound.papers.weight_problem import Array
from scenthound.similarity.encoders import ModelRuntime
from scenthound.similarity.judge import SimilarityJudge
from scenthound.similarity.link_priority import EVIDENCE, TEXTS, WeightedTexts, uniform_weights
from scenthound.storage import files as tables
from scenthound.storage.folder import check_required_path
from scenthound.strategies.spec import StrategyContext
from scenthound.strategies.text_model_builders import TEXT_MODELS
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import WordNet

SIMILARITY, RELEVANCE = "sim_", "relevance"
"""Columns of a table: the prefix for values of a text, and the relevance of the target."""

LONGEST_TEXT = 200
"""Characters of an anchor or a name that are kept."""


@dataclass(frozen=True, slots=True)
class TrainingLink:
    """A link whose target was fetched.

    ``source`` is the page that holds it, ``target`` the page it leads to in the end, ``values``
    the similarities of its texts and other evidence, ``relevance`` that of the target by the
    judge.
    """

    source: str
    target: str
    anchor: str
    values: tuple[float, ...]
    relevance: float


@dataclass(frozen=True)
class TrainingLinks:
    """The training links of a topic, in the order in which their targets were fetched.

    Collected links have each target once, so that none is both in the training and the test half.

    Parameters
    ----------
    topic : its name; empty where it is not known.
    model : the text model that compared the texts; empty where it is not known.
    names : what the values of a link are called, in order.
    links : those that train first; none at all is allowed.
    split : how many of them train. By default the first half; of an odd number the middle one
        trains too.
    """

    topic: str
    model: str
    names: tuple[str, ...]
    links: tuple[TrainingLink, ...]
    split: int | None = None

    def __len__(self) -> int:
        return len(self.links)

    @property
    def train(self) -> int:
        """How many links train: the first ones."""
        return len(self) - len(self) // 2 if self.split is None else self.split

    @property
    def test(self) -> int:
        """How many links test: the others."""
        return len(self) - self.train

    @cached_property
    def rows(self) -> Array:
        """The values, one row a link; without links no rows, but all columns."""
        return np.array([link.values for link in self.links], float).reshape(-1, len(self.names))

    @cached_property
    def targets(self) -> Array:
        """The relevance of each target."""
        return np.array([link.relevance for link in self.links], float)


def shorten_line(text: str) -> str:
    """Return the text as one printable line of at most 200 characters."""
    signs = (sign if sign.isprintable() else " " for sign in text[: 10 * LONGEST_TEXT])
    return " ".join("".join(signs).split())[:LONGEST_TEXT]


# Where links come from.

OnLinks = Callable[[int, int], None]
"""Called with the number of links so far, and the number that is wanted."""


@dataclass(frozen=True)
class CollectedLinks:
    """Training links and where they come from.

    ``fetched`` counts the pages that a pre-crawl fetched, or that were read again out of a crawl
    folder; ``wanted`` the links that were requested. ``left_out`` counts the targets of links that
    gave no training link, by reason. ``source`` describes where the links come from,
    ``parameters`` are those that were set of the text model.
    """

    links: TrainingLinks
    fetched: int
    wanted: int
    left_out: Mapping[str, int]
    source: str
    parameters: Mapping[str, Value] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """As a results file has it, without the links themselves."""
        return {
            "source": self.source,
            "model": self.links.model,
            "parameters": dict(self.parameters),
            "links": len(self.links),
            "wanted": self.wanted,
            "fetched": self.fetched,
            "left_out": dict(self.left_out),
        }


# Which training links are wanted, and what reads them.

DEFAULT_MODEL = "soft-sdvsm"


@dataclass(frozen=True)
class LinkPlan:
    """How many training links, and by which text model.

    Parameters
    ----------
    model : a name of ``strategies.text_model_builders.TEXT_MODELS``.
    parameters : the model's, by name.
    links : how many are wanted.
    structure : take link-structure evidence beside the four texts?
    seed : of the random generator, for models that draw.
    wordnet : None for the one that is shipped.
    equipment : what models of words and texts work with.
    """

    model: str = DEFAULT_MODEL
    parameters: Parameters = field(default_factory=dict)
    links: int = 1_000
    structure: bool = False
    seed: int = 0
    wordnet: WordNet | None = None
    equipment: ModelRuntime = field(default_factory=ModelRuntime)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", TEXT_MODELS[self.model].check(self.parameters))

    @property
    def names(self) -> tuple[str, ...]:
        """What the values of a link are called, in order."""
        return EVIDENCE if self.structure else TEXTS

    @property
    def by_meaning(self) -> bool:
        """Are texts compared by meaning? ``vsm`` alone does without WordNet."""
        return self.model != "vsm"

    def readers(self, topic: Topic, profile: TopicProfile) -> tuple[WeightedTexts, SimilarityJudge]:
        """Build the scorer that compares the texts of a link, and the judge of its target."""
        analyzer = Analyzer(topic.language, self.wordnet, topic.keywords)
        judge = SimilarityJudge(profile, analyzer)
        rng = random.Random(self.seed)
        context = StrategyContext(profile, analyzer, rng, equipment=self.equipment)
        model = TEXT_MODELS[self.model].model(context, self.parameters)
        return WeightedTexts(model, uniform_weights(self.names), judge.similarity), judge


# Training links on disk: a Parquet or CSV table to look at, to tune from, or your own.

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

    def by_column() -> Rows:
        for number, row in rows:
            if len(row) != len(columns):
                raise SettingsError(
                    f"row {number} has {len(row)} cells and the first one {len(columns)}; put "
                    "quotes around cells with commas."
                )
            yield number, dict(zip(columns, row, strict=True))

    return columns, by_column()


def _read_parquet(path: Path) -> tuple[list[str], Rows]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def rows() -> Iterator[Mapping[str, object]]:
        try:
            for batch in file.iter_batches():
                for row in batch.to_pylist():
                    yield {name.strip(): cell for name, cell in row.items()}
        except (OSError, pa.ArrowException) as error:
            raise unreadable(error) from None

    def unreadable(error: Exception) -> SettingsError:
        reason = " ".join(str(error).split())[:_LONGEST_URL]
        return SettingsError(f"it is no Parquet file that can be read: {reason}")

    try:
        file = pq.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise unreadable(error) from None
    return [name.strip() for name in file.schema_arrow.names], enumerate(rows(), start=1)


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
