"""The runs of a comparison that are over: kept as they end, and told in its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from scenthound.comparison.folder_upkeep import RUNS
from scenthound.comparison.grid import Grid
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.provenance import MadeWith, versions
from scenthound.comparison.results_file import Comparison, Written, read_comparison, write_results
from scenthound.comparison.run_file import RunRecord, write_run
from scenthound.core.errors import FolderError

_WRITTEN_EVERY_S = 5.0
"""The figures so far are written as often; what resuming needs is written after every run."""
_SHARE_OF_WRITING = 0.1
"""Where writing takes long it is done less often: it takes no more of the time than this."""
Clock = Callable[[], float]


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
        self._kept = 0
        self._created = _begun(folder) or datetime.now(UTC).isoformat(timespec="seconds")

    def keep(self, record: RunRecord) -> Outcome:
        """Keep a run that is over; its figures are rounded as files have them.

        The figures so far are written after the first one, and then now and then.
        """
        outcome = write_run(self._folder / RUNS, record)
        self.outcomes[outcome.cell] = outcome
        self._kept += 1
        if self._kept == 1 or self._clock() - self._written >= self._pause_s:
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
            self.grid.to_json(), done, len(done) == len(self.wanted), versions(), self._created,
            len(self.wanted),
        )  # fmt: skip


def _begun(folder: Path) -> str:
    """When the comparison that lies in a folder was begun; "" where none does."""
    with suppress(FolderError):
        return read_comparison(folder).created
    return ""
