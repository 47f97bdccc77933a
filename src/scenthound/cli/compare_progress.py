"""Progress of a comparison: a bar for all runs and one for each, or a line a run elsewhere."""

from __future__ import annotations

from rich.progress import Progress, TaskID

from scenthound.cli.screen import can_redraw, figure, plain, say_warning
from scenthound.comparison.model import GIVEN, Cell, Outcome


class CompareBars:
    """Shows on stderr how a comparison gets on: see :class:`~scenthound.comparison.watching.Watch`.

    Parameters
    ----------
    progress : where the bars are drawn; where nobody watches, a line tells of each run.
    quiet : show nothing but warnings.
    """

    def __init__(self, progress: Progress, quiet: bool) -> None:
        self._progress = progress
        self._lines = not quiet and not can_redraw(progress.console)
        self._tasks: dict[Cell | str, TaskID] = {}
        self._total = self._done = self._failed = 0

    def reading(self, archive: str, done: int, total: int) -> None:
        """A bar for an archive that is read for the first time."""
        if archive not in self._tasks:
            self._tasks[archive] = self._bar(f"reading {archive}")
        self._progress.update(
            self._tasks[archive], completed=done >> 20, total=max(1, total >> 20), found="MB"
        )

    def planned(self, total: int, finished: int, workers: int) -> None:
        """The bar of all runs takes the place of those for archives."""
        for task in self._tasks.values():
            self._progress.remove_task(task)
        self._tasks.clear()
        self._total, self._done = total, finished
        self._tasks[""] = self._bar("all runs", total, finished)
        if finished and self._lines:
            self._print(f"{finished} of {total} runs are finished already")
        if workers and self._lines:
            left = total - finished
            self._print(f"{left} run{'' if left == 1 else 's'}, {workers} at once")

    def begun(self, cell: Cell, budget: int) -> None:
        """A bar for the run."""
        self._remove(cell)
        self._tasks[cell] = self._bar(run_title(cell), budget)

    def fetched(self, cell: Cell, pages: int) -> None:
        """The run's bar moves."""
        if cell in self._tasks:
            self._progress.update(self._tasks[cell], completed=pages)

    def ended(self, outcome: Outcome) -> None:
        """The run's bar goes, the one of all runs moves."""
        self._remove(outcome.cell)
        self._done += 1
        self._failed += bool(outcome.error)
        failed = f"{self._failed} failed" if self._failed else ""
        self._progress.update(self._tasks[""], completed=self._done, found=failed)
        if self._lines:
            self._print(f"{self._done}/{self._total} {outcome_line(outcome)}")

    def died(self, cell: Cell, cause: str) -> None:
        """Told above the bars."""
        self._remove(cell)
        say_warning(f"{run_title(cell)}: its process died ({cause}); it is tried once more")

    def warned(self, message: str) -> None:
        """Told above the bars."""
        say_warning(message)

    def _bar(self, name: str, total: int | None = None, done: int = 0) -> TaskID:
        return self._progress.add_task(plain(name).plain, total=total, completed=done, found="")

    def _remove(self, cell: Cell) -> None:
        if cell in self._tasks:
            self._progress.remove_task(self._tasks.pop(cell))

    def _print(self, line: str) -> None:
        self._progress.console.print(plain(line), soft_wrap=True)


def run_title(cell: Cell) -> str:
    """A run in a few words: what is as by default is left out."""
    parts = [cell.web, cell.topic, cell.strategy]
    parts += [f"{cell.seeds} seeds"] if cell.seeds != GIVEN else []
    parts += [f"draw {cell.draw}"] if cell.draw else []
    parts += [f"random seed {cell.random_seed}"] if cell.random_seed else []
    return " ".join(parts)


def outcome_line(outcome: Outcome) -> str:
    """One run in one line, where no bars can be watched."""
    title = run_title(outcome.cell)
    if outcome.error or outcome.final is None:
        return f"{title}: failed: {outcome.error}"
    harvest = outcome.final.labelled_harvest
    found = "" if harvest is None else f", labelled harvest {figure(harvest)}"
    return f"{title}: {outcome.fetched} pages{found} ({outcome.stopped})"
