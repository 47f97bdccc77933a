"""The files that a comparison leaves in its folder, and reading them again.

- ``comparison.json``: all runs with their figures, and the statistics
- ``results.csv``: one row per run and checkpoint
- ``results.parquet``: the same, where the extra ``parquet`` is installed
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from scenthound.core.errors import FolderError, SettingsError, warn_caller
from scenthound.evaluation import standings
from scenthound.evaluation.outcomes import Outcome, outcome_from_json, outcome_to_json, plain_json
from scenthound.evaluation.standings import milestone_tables
from scenthound.storage import files as formats
from scenthound.storage.files import os_errors_as, write_bytes

FIELDS = tuple(
    formats.Field(name, kind, formats.Source.JOURNAL, "")
    for kind, names in (
        (formats.Kind.TEXT, "web topic strategy seeds"),
        (formats.Kind.INTEGER, "draw random_seed"),
        (formats.Kind.TRUTH, "final"),
        (formats.Kind.INTEGER, "fetched"),
        (formats.Kind.NUMBER, "labelled_harvest target_recall"),
        (formats.Kind.INTEGER, "labelled rn"),
        (formats.Kind.NUMBER, "hr as ar sd ae"),
        (formats.Kind.INTEGER, "budget"),
        (formats.Kind.TEXT, "stopped"),
        (formats.Kind.NUMBER, "seconds peak_rss_mb"),
        (formats.Kind.INTEGER, "labelled_pages"),
        (formats.Kind.TEXT, "relevant_by"),
        (formats.Kind.NUMBER, "threshold"),
        (formats.Kind.TEXT, "error"),
    )
    for name in names.split()
)
"""The columns, in order: a run, its figures by then, what is known of the whole run.

``final`` marks the end of a run, which has one such row. The figures are explained in
:mod:`scenthound.crawler.metrics`, the rest in :class:`.Cell` and :class:`.Outcome`.
"""


def write_table(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Write the table as Parquet or CSV, by the suffix; SettingsError where that fails."""
    csv = partial(formats.CsvTable, mark=False)
    writer = formats.ParquetTable if path.suffix == ".parquet" else csv
    with formats.open_target(path) as file, closing(writer(file, FIELDS)) as table:
        for outcome in outcomes:
            for row in _rows(outcome):
                table.write(row)


def _rows(outcome: Outcome) -> Iterator[formats.Row]:
    """The rows of a run by :data:`FIELDS`; a failed run is one row with its error."""
    final = outcome.final
    earlier = () if final is None else (c for c in outcome.checkpoints if c.fetched < final.fetched)
    for figures in (*earlier, final):
        known: dict[str, object] = {
            **asdict(outcome.cell),
            **({} if figures is None else figures.to_json()),
            "final": figures is final,
            "error": outcome.error or None,
        }
        yield {
            field.name: _storable(known.get(field.name, getattr(outcome, field.name, None)))
            for field in FIELDS
        }


def _storable(value: object) -> formats.Value:
    """As a file can hold it: no lone surrogates, and null for what is not a number."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    return plain_json(value)  # type: ignore[return-value]


def statistics_to_json(found: standings.Statistics, outcomes: Sequence[Outcome]) -> object:
    """Return the tables of strategies, and under each the papers' table of every measure."""
    tables = []
    for table in found.tables:
        own = [each for each in outcomes if table.seeds in (standings.ALL, each.cell.seeds)]
        tables.append(
            {
                "seeds": table.seeds,
                "independent": table.groups,
                "strategies": [_standing_to_json(standing) for standing in table.standings],
                "milestones": {each.measure.name: each.to_json() for each in milestone_tables(own)},
            }
        )
    return {
        "measure": found.measure.name,
        "lower_is_better": found.measure.lower_is_better,
        "baseline": found.baseline,
        "remarks": found.remarks,
        "tables": tables,
    }


def _standing_to_json(standing: standings.Standing) -> dict[str, object]:
    found = standing.difference
    return {
        "strategy": standing.strategy,
        "runs": standing.runs,
        "failed": standing.failed,
        "mean": standing.mean and _mean_to_json(standing.mean),
        "difference": found
        and {
            **_mean_to_json(found.mean),
            "p": found.p,
            "p_holm": found.p_holm,
            "verdict": found.verdict,
            **found.record._asdict(),
        },
        "best_at": standing.best_at,
        "random_seed_deviation": standing.seed_deviation,
        "by_topic": [
            {**topic._asdict(), "mean": value} for topic, value in standing.by_topic.items()
        ],
    }


def _mean_to_json(mean: standings.Mean) -> dict[str, object]:
    low, high = mean.interval or (None, None)
    return {"mean": mean.value, "low": low, "high": high, "independent": mean.groups}


# The files.

RESULTS_NAME = "comparison.json"
PARQUET, CSV = "results.parquet", "results.csv"
FORMAT, VERSION = "scenthound-comparison", 1
_RUNS = "runs"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A grid and the outcomes of its runs.

    Parameters
    ----------
    grid : as a grid file has it, with ``baseline`` and, where one was chosen, ``measure``.
    outcomes : the runs that are over, failed ones too.
    finished : is that all of them?
    versions : of Scenthound and what else the figures may depend on.
    created : when it was begun.
    planned : how many runs the grid has; None in files of earlier versions.
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

    def statistics(
        self, measure: str | None = None, baseline: str | None = None
    ) -> standings.Statistics:
        """Compare the strategies; ``measure`` and ``baseline`` are by default those of the grid."""
        named = measure or self.grid.get("measure") or None
        rival = self.baseline if baseline is None else baseline
        found = standings.compare_with(self.outcomes, rival, None if named is None else str(named))
        if self.grid.get("keywords_only") is not True:
            return found
        remark = "keywords only: no run knew example pages; runs that do have other figures."
        return replace(found, remarks=(remark, *found.remarks))

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
            "statistics": plain_json(statistics_to_json(self.statistics(), self.outcomes)),
            _RUNS: [outcome_to_json(outcome) for outcome in self.outcomes],
        }


def write_results(folder: Path, comparison: Comparison, *, tables: bool = True) -> None:
    """Write the files, each atomically; existing ones are replaced.

    Parameters
    ----------
    folder : of the comparison; it must exist. FolderError where it cannot be written to.
    comparison : finished or not.
    tables : write the tables too; without them it is quicker, while runs are still under way.
    """
    path = folder / RESULTS_NAME
    with os_errors_as(FolderError, f"{path} cannot be written"):
        # Without an indent: a large grid has hundreds of figures in each run.
        text = json.dumps(comparison.to_json(), ensure_ascii=False, allow_nan=False)
        write_bytes(path, text.encode("utf-8", "replace"))
    if not tables:
        return
    write_table(folder / CSV, comparison.outcomes)
    try:
        formats.require_parquet()
    except SettingsError as error:
        warn_caller(f"{PARQUET} is left out: {error}")
    else:
        write_table(folder / PARQUET, comparison.outcomes)


def read_comparison(folder: Path) -> Comparison:
    """Read the comparison in a folder, finished or not; FolderError for none, or for damage."""
    path = folder / RESULTS_NAME
    if not path.exists():
        raise FolderError(f"{folder} holds no comparison: there is no {RESULTS_NAME}.")
    stored = read_stored(path, FORMAT)
    try:
        return Comparison(
            dict(stored["grid"]),
            tuple(map(outcome_from_json, stored[_RUNS])),
            stored["finished"] is True,
            dict(stored["versions"]),
            stored.get("created", ""),
            stored.get("planned"),
        )
    except (FolderError, LookupError, TypeError, ValueError) as error:
        raise FolderError(
            f"{path} is damaged ({str(error).rstrip('.')}); compare again with the same --out, "
            "which keeps the runs that are finished."
        ) from None


def read_stored(path: Path, kind: str) -> dict[str, Any]:
    """Read a file of a comparison; FolderError for damage, another kind or version."""
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
