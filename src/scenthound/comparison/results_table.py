"""The table of a comparison, one row a run and checkpoint: for Parquet and for CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from scenthound.comparison.measures import DIGITS
from scenthound.comparison.model import Outcome
from scenthound.corpus.csv_table import CsvTable
from scenthound.corpus.fields import Field, Kind, Row, Source, Value
from scenthound.corpus.parquet_table import ParquetTable
from scenthound.corpus.target import opened_target
from scenthound.experiments.metrics import Indicators


def _field(name: str, kind: Kind, about: str) -> Field:
    return Field(name, kind, Source.JOURNAL, about)


FIELDS = (
    _field("web", Kind.TEXT, "archive that was crawled"),
    _field("topic", Kind.TEXT, "name of the topic"),
    _field("strategy", Kind.TEXT, "name of the strategy, and the parameters that were set"),
    _field("seeds", Kind.TEXT, "given, relevant or irrelevant"),
    _field("draw", Kind.INTEGER, "0: examples as in the topic file; from 1 on drawn again"),
    _field("random_seed", Kind.INTEGER, "of the random generator of the strategy"),
    _field("final", Kind.TRUTH, "is it the end of the run? one row a run is"),
    _field("fetched", Kind.INTEGER, "pages fetched by then"),
    _field("labelled_harvest", Kind.NUMBER, "labelled pages / pages; at the end / budget"),
    _field("target_recall", Kind.NUMBER, "labelled pages found / labelled pages"),
    _field("labelled", Kind.INTEGER, "labelled pages found"),
    _field("rn", Kind.INTEGER, "relevant pages"),
    _field("hr", Kind.NUMBER, "relevant pages / pages"),
    _field("as", Kind.NUMBER, "mean similarity of the relevant pages"),
    _field("ar", Kind.NUMBER, "mean similarity of all pages"),
    _field("sd", Kind.NUMBER, "their deviation"),
    _field("ae", Kind.NUMBER, "mean distance of priority and similarity"),
    _field("budget", Kind.INTEGER, "pages that the run was given"),
    _field("stopped", Kind.TEXT, "why it ended"),
    _field("seconds", Kind.NUMBER, "of the whole run"),
    _field("peak_rss_mb", Kind.NUMBER, "memory of its process at most"),
    _field("labelled_pages", Kind.INTEGER, "labelled pages of the topic"),
    _field("relevant_by", Kind.TEXT, "what judged the pages"),
    _field("threshold", Kind.NUMBER, "value from which a page counts as relevant"),
    _field("error", Kind.TEXT, "why the run failed; empty for one that did not"),
)
"""The columns, in order."""


def table_rows(outcomes: Iterable[Outcome]) -> Iterator[Row]:
    """The rows by :data:`FIELDS`; a failed run is one row with its error, the last of its run."""
    for outcome in outcomes:
        final = outcome.final
        for figures in outcome.checkpoints:
            if final is not None and figures.fetched < final.fetched:
                yield _row(outcome, figures, False)
        yield _row(outcome, final, True)


def write_parquet(path: Path, outcomes: Iterable[Outcome]) -> None:
    """The table as Parquet; SettingsError where it cannot be written."""
    with opened_target(path) as file, closing(ParquetTable(file, FIELDS)) as table:
        for row in table_rows(outcomes):
            table.write(row)


def write_csv(path: Path, outcomes: Iterable[Outcome]) -> None:
    """The table as CSV, which opens anywhere; SettingsError where it cannot be written."""
    with opened_target(path) as file, closing(CsvTable(file, FIELDS, mark=False)) as table:
        for row in table_rows(outcomes):
            table.write(row)


def _row(outcome: Outcome, figures: Indicators | None, final: bool) -> Row:
    known: dict[str, Value] = {
        **outcome.cell.to_json(),  # type: ignore[dict-item]  # texts and whole numbers
        "final": final,
        "fetched": outcome.fetched,
        **(figures.to_json() if figures is not None else {}),
        "budget": outcome.budget,
        "stopped": outcome.stopped,
        "seconds": outcome.seconds,
        "peak_rss_mb": outcome.peak_rss_mb,
        "labelled_pages": outcome.labelled_pages,
        "relevant_by": outcome.relevant_by,
        "threshold": outcome.threshold,
        "error": outcome.error or None,
    }
    return {field.name: _kept(known.get(field.name)) for field in FIELDS}


def _kept(value: Value) -> Value:
    """As a file can hold it: no half characters, no numbers that are none."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case float():
            return round(value, DIGITS) if math.isfinite(value) else None
        case _:
            return value
