"""Runs a grid: in parallel, with what is finished kept, and going on from there."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

from scenthound.comparison.costs import cost_of
from scenthound.comparison.crew import Crew
from scenthound.comparison.folder_upkeep import (
    CRAWLS,
    GRID,
    RUNS,
    TOPICS,
    refuse_other_folder,
    working_in,
)
from scenthound.comparison.grid import Grid
from scenthound.comparison.grid_file import write_grid_file
from scenthound.comparison.kept_crawls import remove_leftovers
from scenthound.comparison.ledger import Clock, Ledger
from scenthound.comparison.messages import WorkOrder
from scenthound.comparison.model import Outcome
from scenthound.comparison.results_file import Comparison
from scenthound.comparison.resuming import finished_runs
from scenthound.comparison.run_file import RunRecord
from scenthound.comparison.schedule import Schedule
from scenthound.comparison.survey import survey
from scenthound.comparison.topic_files import with_topic_files
from scenthound.comparison.watching import Unwatched, Watch
from scenthound.core.errors import FolderError, SettingsError


def run_grid(
    grid: Grid,
    out: Path,
    *,
    workers: int | None = None,
    watch: Watch | None = None,
    clock: Clock = time.monotonic,
    indexes: Path | None = None,
) -> list[Outcome]:
    """Do all runs of a grid, and leave their figures in a folder.

    Parameters
    ----------
    grid : what to run.
    out : the folder. Runs that are finished there are not done again.
    workers : processes at once; by default one for each core.
    watch : hears how it goes.
    clock : seconds, for how often the figures so far are written.
    indexes : folder for the indexes of archives; by default the user's own.

    Returns
    -------
    What every run came to, in the order of the grid. One that failed has an error in words.

    Raises
    ------
    InputError
        The grid cannot be run, or the folder holds something else. Nothing was run then.
    """
    return list(compare_grid(grid, out, workers, watch, clock, indexes).outcomes)


def compare_grid(
    grid: Grid,
    out: Path,
    workers: int | None = None,
    watch: Watch | None = None,
    clock: Clock = time.monotonic,
    indexes: Path | None = None,
) -> Comparison:
    """Do all runs of a grid, and give all that was written of them; see :func:`run_grid`."""
    if workers is not None and workers < 1:
        raise SettingsError(f"with {workers} workers nothing would be done; give 1 or more.")
    hearing = watch or Unwatched()
    refuse_other_folder(out)
    wanted = survey(grid, hearing, indexes)
    crawls = out / CRAWLS
    _made(out)
    with working_in(out):
        ledger = Ledger(grid, out, wanted, clock)
        ledger.outcomes.update(finished_runs(out, wanted, grid.keep_crawls, hearing.warned))
        remove_leftovers(crawls, wanted, ledger.outcomes)
        ledger.write(tables=False)  # first: it says whose folder this is
        ledger.grid = with_topic_files(grid, out / TOPICS)
        write_grid_file(out / GRID, ledger.grid)
        _made(out / RUNS)
        try:
            order = WorkOrder(ledger.grid, crawls if grid.keep_crawls else None, indexes)
            _run(ledger, workers or cores(), order, hearing)
        finally:  # whatever ends the work, the figures of what is finished are there
            for name, why in ledger.write(tables=True).left_out.items():
                hearing.warned(f"{name} is left out: {why}")
        return ledger.comparison()


def _run(ledger: Ledger, workers: int, order: WorkOrder, watch: Watch) -> None:
    """The runs that are not finished, by several processes."""
    left = [cell for cell in ledger.wanted if cell not in ledger.outcomes]
    workers = min(workers, len(left))
    watch.planned(len(ledger.wanted), len(ledger.outcomes), workers)
    if not left:
        return
    cost = partial(cost_of, ledger.grid)
    units = {cell.unit: number for number, cell in enumerate(left)}
    left.sort(key=lambda cell: (units[cell.unit], -cost(cell)))
    threads = max(1, cores() // workers)
    with Crew(order, Schedule(left, cost), workers, threads, watch) as crew:
        for ended in crew.outcomes():
            record = RunRecord(ended.outcome, ledger.wanted[ended.outcome.cell], ended.drawn)
            watch.ended(ledger.keep(record))


def cores() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _made(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"{folder} cannot be made: {error.strerror or error}.") from None
