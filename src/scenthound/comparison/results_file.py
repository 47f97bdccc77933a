"""The files that a comparison leaves in its folder, and reading them again.

DIR/comparison.json     all runs with their figures, and the statistics
DIR/results.csv         one row a run and checkpoint
DIR/results.parquet     the same, where the extra ``parquet`` is installed
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from scenthound.comparison.model import Outcome
from scenthound.comparison.outcome_json import outcome_from_json, outcome_to_json, plain_json
from scenthound.comparison.remarks import rule_remarks
from scenthound.comparison.results_table import write_csv, write_parquet
from scenthound.comparison.standings import Statistics
from scenthound.comparison.statistics import compare_with
from scenthound.comparison.statistics_json import statistics_to_json
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.corpus.parquet_table import require_parquet
from scenthound.store.atomic import write_bytes

NAME = "comparison.json"
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
        """What the runs say; see :func:`~scenthound.comparison.statistics.compare_with`.

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


@dataclass(frozen=True, slots=True)
class Written:
    """The files that were written, and why others were not, by their names."""

    paths: tuple[Path, ...]
    left_out: Mapping[str, str]


def write_results(folder: Path, comparison: Comparison, *, tables: bool = True) -> Written:
    """Write the files, each in one step; those that are there are replaced.

    Parameters
    ----------
    folder : of the comparison; it must be there.
    comparison : finished or not.
    tables : write the tables too; without them it is quicker, while runs are still under way.

    FolderError where the disk cannot be written to.
    """
    path, left_out = folder / NAME, {}
    try:
        write_bytes(path, _text(comparison.to_json()).encode("utf-8", "replace"))
    except OSError as error:
        raise FolderError(f"{path} cannot be written: {error.strerror or error}.") from None
    if not tables:
        return Written((path,), {})
    write_csv(folder / CSV, comparison.outcomes)
    paths = [path, folder / CSV]
    try:
        require_parquet()
    except SettingsError as error:
        left_out[PARQUET] = str(error)
    else:
        write_parquet(folder / PARQUET, comparison.outcomes)
        paths.append(folder / PARQUET)
    return Written(tuple(paths), left_out)


def read_comparison(folder: Path) -> Comparison:
    """The comparison in a folder, as far as it has got.

    Raises
    ------
    FolderError
        There is none, or it is damaged, or of another version.
    """
    path = folder / NAME
    stored = _stored(folder, path)
    if stored.get("format") != FORMAT:
        raise FolderError(f"{path} is not what scenthound compare writes; give another folder.")
    if stored.get("version") != VERSION:
        raise FolderError(
            f"{path} is of version {str(stored.get('version'))[:20]}, and this Scenthound reads "
            f"version {VERSION}; use the one that wrote it, or compare again."
        )
    try:
        return _comparison(stored)
    except InputError as error:
        raise FolderError(
            f"{path} is damaged: {str(error).rstrip('.')}; compare again with the same --out, "
            "which keeps the runs that are finished."
        ) from None


def _stored(folder: Path, path: Path) -> dict[str, object]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise FolderError(f"{folder} holds no comparison: there is no {NAME}.") from None
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError) as error:
        raise FolderError(f"{path} is damaged: {error}; compare again.") from None
    if not isinstance(stored, dict):
        raise FolderError(f"{path} is not what scenthound compare writes; give another folder.")
    return stored


def _comparison(stored: Mapping[str, object]) -> Comparison:
    runs = stored.get(_RUNS)
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        raise FolderError("there is no list of runs.")
    return Comparison(
        _table(stored, "grid"),
        tuple(outcome_from_json(run) for run in runs),
        stored.get("finished") is True,
        _table(stored, "versions"),
        str(stored.get("created") or ""),
        _planned(stored.get("planned")),
    )


def _planned(value: object) -> int | None:
    """How many runs there are to be; earlier versions did not say."""
    return value if isinstance(value, int) and value is not True else None


def _table(stored: Mapping[str, object], name: str) -> dict[str, object]:
    value = stored.get(name)
    if not isinstance(value, dict):
        raise FolderError(f"{name!r} is no table.")
    return value


def _text(document: Mapping[str, object]) -> str:
    """Readable JSON with one line a run: a grid of many has hundreds of figures in each."""
    parts = [f'"{name}": {_value(name, value)}' for name, value in document.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(name: str, value: object) -> str:
    if name != _RUNS or not isinstance(value, list) or not value:
        return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    lines = (json.dumps(run, ensure_ascii=False, allow_nan=False) for run in value)
    return "[\n" + ",\n".join(lines) + "\n]"
