"""The files of a comparison: ``comparison.json``, the table of runs as Parquet and CSV, and
reading them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.outcomes import Outcome, outcome_from_json, outcome_to_json, plain_json
from scenthound.evaluation.standings import (
    ALL,
    Mean,
    MilestoneTable,
    Standing,
    Statistics,
    compare_with,
    milestone_tables,
    rule_remarks,
)
from scenthound.storage import files as formats
from scenthound.storage.files import os_errors_as, write_bytes

FIELDS = tuple(
    formats.Field(name, kind, formats.Source.JOURNAL, about)
    for name, kind, about in (
        ("web", formats.Kind.TEXT, "archive that was crawled"),
        ("topic", formats.Kind.TEXT, "name of the topic"),
        ("strategy", formats.Kind.TEXT, "name of the strategy, and the parameters that were set"),
        ("seeds", formats.Kind.TEXT, "given, relevant or irrelevant"),
        ("draw", formats.Kind.INTEGER, "0: examples as in the topic file; from 1 on drawn again"),
        ("random_seed", formats.Kind.INTEGER, "of the random generator of the strategy"),
        ("final", formats.Kind.TRUTH, "is it the end of the run? one row a run is"),
        ("fetched", formats.Kind.INTEGER, "pages fetched by then"),
        ("labelled_harvest", formats.Kind.NUMBER, "labelled pages / pages; at the end / budget"),
        ("target_recall", formats.Kind.NUMBER, "labelled pages found / labelled pages"),
        ("labelled", formats.Kind.INTEGER, "labelled pages found"),
        ("rn", formats.Kind.INTEGER, "relevant pages"),
        ("hr", formats.Kind.NUMBER, "relevant pages / pages"),
        ("as", formats.Kind.NUMBER, "mean similarity of the relevant pages"),
        ("ar", formats.Kind.NUMBER, "mean similarity of all pages"),
        ("sd", formats.Kind.NUMBER, "their deviation"),
        ("ae", formats.Kind.NUMBER, "mean distance of priority and similarity"),
        ("budget", formats.Kind.INTEGER, "pages that the run was given"),
        ("stopped", formats.Kind.TEXT, "why it ended"),
        ("seconds", formats.Kind.NUMBER, "of the whole run"),
        ("peak_rss_mb", formats.Kind.NUMBER, "memory of its process at most"),
        ("labelled_pages", formats.Kind.INTEGER, "labelled pages of the topic"),
        ("relevant_by", formats.Kind.TEXT, "what judged the pages"),
        ("threshold", formats.Kind.NUMBER, "value from which a page counts as relevant"),
        ("error", formats.Kind.TEXT, "why the run failed; empty for one that did not"),
    )
)
"""The columns, in order."""


def table_rows(outcomes: Iterable[Outcome]) -> Iterator[formats.Row]:
    """The rows by :data:`FIELDS`; a failed run is one row with its error, the last of its run."""
    for outcome in outcomes:
        final = outcome.final
        for figures in outcome.checkpoints:
            if final is not None and figures.fetched < final.fetched:
                yield _row(outcome, figures, False)
        yield _row(outcome, final, True)


def write_table(path: Path, outcomes: Iterable[Outcome]) -> None:
    """The table as Parquet or CSV, by the suffix; SettingsError where it cannot be written."""
    with formats.open_target(path) as file:
        parquet = path.suffix == ".parquet"
        table = (
            formats.ParquetTable(file, FIELDS)
            if parquet
            else formats.CsvTable(file, FIELDS, mark=False)
        )
        with closing(table):
            for row in table_rows(outcomes):
                table.write(row)


def _row(outcome: Outcome, figures: Indicators | None, final: bool) -> formats.Row:
    known: dict[str, formats.Value] = {
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
    return {field.name: _storable(known.get(field.name)) for field in FIELDS}


def _storable(value: formats.Value) -> formats.Value:
    """As a file can hold it: no lone surrogates, and null for what is not a number."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return plain_json(value) if isinstance(value, float) else value  # type: ignore[return-value]


# Statistics as JSON: what comparison.json says besides the runs.


def statistics_to_json(statistics: Statistics, outcomes: Sequence[Outcome]) -> object:
    """The tables of strategies, and under each the papers' table of every measure.

    Parameters
    ----------
    statistics : of these runs.
    outcomes : the runs, for the figures after so many pages.
    """
    tables = []
    for table in statistics.tables:
        own = [each for each in outcomes if table.seeds in (ALL, each.cell.seeds)]
        tables.append(
            {
                "seeds": table.seeds,
                "independent": table.groups,
                "strategies": [_standing_to_json(standing) for standing in table.standings],
                "milestones": {each.measure.name: _columns(each) for each in milestone_tables(own)},
            }
        )
    return plain_json(
        {
            "measure": statistics.measure.name,
            "lower_is_better": statistics.measure.lower_is_better,
            "baseline": statistics.baseline,
            "remarks": statistics.remarks,
            "tables": tables,
        }
    )


def _standing_to_json(standing: Standing) -> dict[str, object]:
    found = standing.difference
    difference = found and {
        **_mean_to_json(found.mean),
        "p": found.p,
        "p_holm": found.p_holm,
        "verdict": found.verdict,
        **found.record._asdict(),
    }
    return {
        "strategy": standing.strategy,
        "runs": standing.runs,
        "failed": standing.failed,
        "mean": standing.mean and _mean_to_json(standing.mean),
        "difference": difference,
        "best_at": standing.best_at,
        "random_seed_deviation": standing.seed_deviation,
        "by_topic": [
            {"web": topic.web, "topic": topic.topic, "mean": value}
            for topic, value in standing.by_topic.items()
        ],
    }


def _mean_to_json(mean: Mean) -> dict[str, object]:
    low, high = mean.interval or (None, None)
    return {"mean": mean.value, "low": low, "high": high, "independent": mean.groups}


def _columns(table: MilestoneTable) -> dict[str, object]:
    """Column by column; the last value of each strategy is that at the end of its runs."""
    return {
        "pages": [*table.pages, "end"],
        "strategies": {
            name: {"mean": [each.mean for each in row], "runs": [each.runs for each in row]}
            for name, row in table.by_strategy.items()
        },
    }


# The files that a comparison leaves in its folder, and reading them again:
#
#   comparison.json   all runs with their figures, and the statistics
#   results.csv       one row a run and checkpoint
#   results.parquet   the same, where the extra ``parquet`` is installed


RESULTS_NAME = "comparison.json"

PARQUET, CSV = "results.parquet", "results.csv"

FORMAT, VERSION = "scenthound-comparison", 1

_RUNS = "runs"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A grid and what its runs came to.

    Parameters
    ----------
    grid : what was asked for, as plain values; its ``baseline`` names the strategy that the others
        are compared with, and its ``measure``, if there is one, the figure.
    outcomes : the runs that are over, failed ones too.
    finished : is that all of them?
    versions : of Scenthound and what else the figures may depend on.
    created : when it was begun.
    planned : how many runs the grid has; None where that is not known.
    """

    grid: Mapping[str, object]
    outcomes: tuple[Outcome, ...]
    finished: bool
    versions: Mapping[str, object] = field(default_factory=dict)
    created: str = ""
    planned: int | None = None

    @property
    def baseline(self) -> str:
        """The strategy that the others are compared with; empty for none."""
        return str(self.grid.get("baseline") or "")

    def statistics(self, measure: str | None = None, baseline: str | None = None) -> Statistics:
        """What the runs say; see :func:`~scenthound.evaluation.standings.compare_with`.

        ``measure`` and ``baseline`` are by default those of the grid.
        """
        named = measure or self.grid.get("measure") or None
        rival = self.baseline if baseline is None else baseline
        found = compare_with(self.outcomes, rival, None if named is None else str(named))
        return replace(found, remarks=(*rule_remarks(self.grid), *found.remarks))

    def to_json(self) -> dict[str, object]:
        """What the file holds."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "created": self.created,
            "finished": self.finished,
            "planned": self.planned,
            "versions": plain_json(self.versions),
            "grid": plain_json(self.grid),
            "statistics": statistics_to_json(self.statistics(), self.outcomes),
            _RUNS: [outcome_to_json(outcome) for outcome in self.outcomes],
        }


def write_results(folder: Path, comparison: Comparison, *, tables: bool = True) -> dict[str, str]:
    """Write the files, each in one step; those that are there are replaced.

    Parameters
    ----------
    folder : of the comparison; it must be there.
    comparison : finished or not.
    tables : write the tables too; without them it is quicker, while runs are still under way.

    Returns
    -------
    By its name, why a file could not be written; empty for all written.

    FolderError where the disk cannot be written to.
    """
    path = folder / RESULTS_NAME
    with os_errors_as(FolderError, f"{path} cannot be written"):
        write_bytes(path, _text(comparison.to_json()).encode("utf-8", "replace"))
    if not tables:
        return {}
    write_table(folder / CSV, comparison.outcomes)
    try:
        formats.require_parquet()
    except SettingsError as error:
        return {PARQUET: str(error)}
    write_table(folder / PARQUET, comparison.outcomes)
    return {}


def read_comparison(folder: Path) -> Comparison:
    """The comparison in a folder, as far as it has got.

    Raises
    ------
    FolderError
        There is none, or it is damaged, or of another version.
    """
    path = folder / RESULTS_NAME
    if not path.exists():
        raise FolderError(f"{folder} holds no comparison: there is no {RESULTS_NAME}.")
    stored = read_stored(path, FORMAT)
    try:
        return _comparison(stored)
    except InputError as error:
        raise FolderError(
            f"{path} is damaged: {str(error).rstrip('.')}; compare again with the same --out, "
            "which keeps the runs that are finished."
        ) from None


def read_stored(path: Path, kind: str) -> dict[str, object]:
    """The content of a file of a comparison; FolderError for damage, another kind or version."""
    try:
        with os_errors_as(FolderError, f"{path} cannot be read"):
            stored = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise FolderError(f"{path} is damaged: {error}; compare again.") from None
    if not isinstance(stored, dict) or stored.get("format") != kind:
        raise FolderError(f"{path} is not what scenthound compare writes; give another folder.")
    if stored.get("version") != VERSION:
        raise FolderError(
            f"{path} is of version {str(stored.get('version'))[:20]}, and this Scenthound reads "
            f"version {VERSION}; use the one that wrote it, or compare again."
        )
    return stored


def _comparison(stored: Mapping[str, object]) -> Comparison:
    runs = stored.get(_RUNS)
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        raise FolderError("there is no list of runs.")
    tables = [stored.get(name) for name in ("grid", "versions")]
    for name, table in zip(("grid", "versions"), tables, strict=True):
        if not isinstance(table, dict):
            raise FolderError(f"{name!r} is no table.")
    planned = stored.get("planned")  # earlier versions did not write it
    return Comparison(
        tables[0],  # type: ignore[arg-type]
        tuple(map(outcome_from_json, runs)),
        stored.get("finished") is True,
        tables[1],  # type: ignore[arg-type]
        str(stored.get("created") or ""),
        planned if isinstance(planned, int) and planned is not True else None,
    )


def _text(document: Mapping[str, object]) -> str:
    """Readable JSON with one line a run: a grid of many has hundreds of figures in each."""
    parts = [f'"{name}": {_value(name, value)}' for name, value in document.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(name: str, value: object) -> str:
    if name != _RUNS or not isinstance(value, list) or not value:
        return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    lines = (json.dumps(run, ensure_ascii=False, allow_nan=False) for run in value)
    return "[\n" + ",\n".join(lines) + "\n]"
