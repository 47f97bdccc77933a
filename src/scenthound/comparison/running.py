"""Runs a grid: in parallel, with what is finished kept, and going on from there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from scenthound.comparison.costs import cost_of
from scenthound.comparison.crew import Crew
from scenthound.comparison.grid import Grid
from scenthound.comparison.grid_file import write_grid_file
from scenthound.comparison.messages import WorkOrder
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.provenance import MadeWith, versions
from scenthound.comparison.results_file import (
    Comparison,
    Written,
    read_comparison,
    write_results,
)
from scenthound.comparison.resuming import (
    CRAWLS,
    GRID,
    RUNS,
    TOPICS,
    finished_runs,
    refuse_other_folder,
)
from scenthound.comparison.run_file import RunRecord, write_run
from scenthound.comparison.schedule import Schedule
from scenthound.comparison.survey import survey
from scenthound.comparison.topic_files import with_topic_files
from scenthound.comparison.watching import Unwatched, Watch
from scenthound.core.errors import FolderError, SettingsError
from scenthound.store.lock import FolderLock

_WRITTEN_EVERY_S = 5.0
"""The figures so far are written as often; what resuming needs is written after every run."""
_SHARE_OF_WRITING = 0.1
"""Where writing takes long it is done less often, so that it takes no more of the time than this."""
Clock = Callable[[], float]


def run_grid(
    grid: Grid,
    out: Path,
    *,
    workers: int | None = None,
    keep_crawls: bool = False,
    watch: Watch | None = None,
    clock: Clock = time.monotonic,
) -> list[Outcome]:
    """Do all runs of a grid, and leave their figures in a folder.

    Parameters
    ----------
    grid : what to run.
    out : the folder. Runs that are finished there are not done again.
    workers : processes at once; by default one for each core.
    keep_crawls : leave the crawl folder of every run under ``out/crawls``.
    watch : hears how it goes.
    clock : seconds, for how often the figures so far are written.

    Returns
    -------
    What every run came to, in the order of the grid. One that failed has an error in words.

    Raises
    ------
    InputError
        The grid cannot be run, or the folder holds something else. Nothing was run then.
    """
    return list(compare_grid(grid, out, workers, keep_crawls, watch, clock).outcomes)


def compare_grid(
    grid: Grid,
    out: Path,
    workers: int | None = None,
    keep_crawls: bool = False,
    watch: Watch | None = None,
    clock: Clock = time.monotonic,
) -> Comparison:
    """Do all runs of a grid, and give all that was written of them; see :func:`run_grid`."""
    if workers is not None and workers < 1:
        raise SettingsError(f"with {workers} workers nothing would be done; give 1 or more.")
    hearing = watch or Unwatched()
    refuse_other_folder(out)
    wanted = survey(grid, hearing)
    crawls = out / CRAWLS if keep_crawls else None
    _made(out)
    with FolderLock(out):
        finished = finished_runs(out, wanted, crawls, hearing.warned)
        grid = with_topic_files(grid, out / TOPICS)
        write_grid_file(out / GRID, grid)
        _made(out / RUNS)
        ledger = Ledger(grid, out, wanted, clock)
        ledger.outcomes.update(finished)
        try:
            _run(ledger, workers or cores(), crawls, hearing)
        finally:  # whatever ends the work, the figures of what is finished are there
            for name, why in ledger.write(tables=True).left_out.items():
                hearing.warned(f"{name} is left out: {why}")
        return ledger.comparison()


def _run(ledger: Ledger, workers: int, crawls: Path | None, watch: Watch) -> None:
    """The runs that are not finished, by several processes."""
    left = [cell for cell in ledger.wanted if cell not in ledger.outcomes]
    watch.planned(len(ledger.wanted), len(ledger.outcomes))
    if not left:
        return
    workers = min(workers, len(left))
    cost = partial(cost_of, ledger.grid)
    units = {cell.unit: number for number, cell in enumerate(left)}
    left.sort(key=lambda cell: (units[cell.unit], -cost(cell)))
    threads = max(1, cores() // workers)
    order = WorkOrder(ledger.grid, crawls)
    with Crew(order, Schedule(left, cost), workers, threads, watch) as crew:
        for ended in crew.outcomes():
            record = RunRecord(ended.outcome, ledger.wanted[ended.outcome.cell], ended.drawn)
            watch.ended(ledger.keep(record))


class Ledger:
    """The runs that are over, on disk as soon as they are.

    Parameters
    ----------
    grid : what is run.
    folder : of the comparison.
    wanted : every run, with what it is made with.
    clock : seconds, for how often the figures so far are written.
    """

    def __init__(
        self, grid: Grid, folder: Path, wanted: Mapping[Cell, MadeWith], clock: Clock
    ) -> None:
        self.grid = grid
        self.wanted = wanted
        self.outcomes: dict[Cell, Outcome] = {}
        self._folder = folder
        self._clock = clock
        self._written = clock()
        self._pause_s = _WRITTEN_EVERY_S
        self._created = _begun(folder) or datetime.now(UTC).isoformat(timespec="seconds")

    def keep(self, record: RunRecord) -> Outcome:
        """Keep a run that is over; its figures are rounded as files have them."""
        outcome = write_run(self._folder / RUNS, record)
        self.outcomes[outcome.cell] = outcome
        if self._clock() - self._written >= self._pause_s:
            self.write(tables=False)
        return outcome

    def write(self, tables: bool) -> Written:
        """The figures so far; see :func:`.results_file.write_results`."""
        begun = self._clock()
        written = write_results(self._folder, self.comparison(), tables=tables)
        self._written = self._clock()
        self._pause_s = max(_WRITTEN_EVERY_S, (self._written - begun) / _SHARE_OF_WRITING)
        return written

    def comparison(self) -> Comparison:
        """The figures so far, in the order of the grid."""
        done = tuple(self.outcomes[cell] for cell in self.wanted if cell in self.outcomes)
        return Comparison(
            self.grid.to_json(), done, len(done) == len(self.wanted), versions(), self._created
        )


def _begun(folder: Path) -> str:
    """When the comparison that lies in a folder was begun; "" where none does."""
    with suppress(FolderError):
        return read_comparison(folder).created
    return ""


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
