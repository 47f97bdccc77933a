"""Going on with a comparison: which of its runs are finished, and are they still the same?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.provenance import MadeWith, difference
from scenthound.comparison.run_file import read_run, run_name
from scenthound.core.errors import FolderError

GRID, RUNS, CRAWLS, TOPICS = "grid.toml", "runs", "crawls", "topics"
LOCK = "crawl.lock"
_ANOTHER = "choose another --out folder, or change it back"


def refuse_other_folder(folder: Path) -> None:
    """FolderError for a folder that holds anything but a comparison, or is no folder."""
    try:
        held = {path.name for path in folder.iterdir()} if folder.exists() else set()
    except OSError as error:
        raise FolderError(f"{folder} cannot be used: {error.strerror or error}.") from None
    if held - {LOCK} and GRID not in held:
        raise FolderError(f"{folder} holds other files; choose a new --out folder.")


def finished_runs(
    folder: Path,
    wanted: Mapping[Cell, MadeWith],
    crawls: Path | None,
    warn: Callable[[str], None],
) -> dict[Cell, Outcome]:
    """The runs of a comparison that need not be done again.

    Parameters
    ----------
    folder : of the comparison.
    wanted : the runs of the grid, and what each is made with now.
    crawls : where crawl folders are kept, if they are; a run without one is done again.
    warn : gets files that cannot be used; their runs are done again.

    Runs that failed are done again. FolderError where a finished run is not in the grid, or was
    made with something else.
    """
    found: dict[Cell, Outcome] = {}
    for path in sorted((folder / RUNS).glob("*.json")):
        try:
            record = read_run(path)
        except FolderError as error:
            warn(f"{error} That run is done again.")
            continue
        outcome = record.outcome
        if outcome.error:
            continue
        _refuse_unlike(folder, outcome.cell, record.made_with, wanted)
        if crawls is None or (crawls / run_name(outcome.cell)).is_dir():
            found[outcome.cell] = outcome
    return found


def _refuse_unlike(
    folder: Path, cell: Cell, before: MadeWith, wanted: Mapping[Cell, MadeWith]
) -> None:
    if cell not in wanted:
        raise FolderError(
            f"{folder} has a finished run that this grid leaves out ({_told(cell, wanted)}); "
            "a grid may only grow, so add that again, or choose another --out folder."
        )
    changed = difference(before, wanted[cell])
    if changed is not None:
        raise FolderError(f"{folder} has finished runs, and since then {changed}: {_ANOTHER}.")


def _told(cell: Cell, wanted: Mapping[Cell, MadeWith]) -> str:
    """The run by what no run of the grid has; by everything, where it is the combination."""
    for key, value in cell.to_json().items():
        if value not in {getattr(each, key) for each in wanted}:
            return f"{key.replace('_', ' ')} {value!r}"
    return ", ".join(f"{key.replace('_', ' ')} {value!r}" for key, value in cell.to_json().items())
