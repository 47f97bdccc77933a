"""``scenthound compare``: a grid of runs in parallel, and what the figures say."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from rich.progress import Progress, TaskID

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.cli.comparison_view import print_comparison, print_failed
from scenthound.cli.settings import CRAWL, REPLAY, read_settings
from scenthound.core.command_options import CompareOptions
from scenthound.core.errors import SettingsError
from scenthound.evaluation.compare import build_grid, compare_grid, web_values
from scenthound.evaluation.comparison_folder import GRID
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import GIVEN, Cell, Outcome
from scenthound.evaluation.results import CSV, PARQUET, RESULTS_NAME, Comparison
from scenthound.evaluation.worker_pool import ComparisonProgress
from scenthound.strategies.catalogue import STRATEGIES


def exit_failed(failed: int, again: str) -> NoReturn:
    """Warn of failed runs, with the command that tries them again ("" for none); exit code 1."""
    which = "it" if failed == 1 else "them"
    advice = f"; try {which} again with: {again}" if again else ""
    ui.print_warning(f"{ui.counted(failed, 'run')} failed{advice}")
    raise ui.CommandExit(ui.FAILED)


def print_rerun(again: str) -> None:
    """Print the command that goes on with an interrupted comparison."""
    ui.say(f"finished runs are kept; go on with: {again}")


class CompareBars(ComparisonProgress):
    """Shows the progress of a comparison on stderr: a bar for all runs and one for each.

    Parameters
    ----------
    progress : where the bars are drawn; without a terminal, a line is printed for each run.
    quiet : show nothing but warnings.
    """

    def __init__(self, progress: Progress, quiet: bool) -> None:
        self._progress = progress
        self._lines = not quiet and not ui.can_redraw(progress.console)
        self._tasks: dict[Cell | str, TaskID] = {}
        self._total = self._done = self._failed = 0

    def reading(self, archive: str, done: int, total: int) -> None:
        """Draw a bar for an archive that is read for the first time."""
        if archive not in self._tasks:
            self._tasks[archive] = self._bar(f"reading {archive}")
        self._progress.update(
            self._tasks[archive], completed=done >> 20, total=max(1, total >> 20), found="MB"
        )

    def planned(self, total: int, finished: int, workers: int) -> None:
        """Replace the bars of archives by that of all runs."""
        for task in self._tasks.values():
            self._progress.remove_task(task)
        self._total, self._done = total, finished
        self._tasks = {"": self._bar("all runs", total, finished)}
        if finished and self._lines:
            ui.say(f"{finished} of {total} runs are finished already", self._progress.console)
        if workers and self._lines:
            ui.say(
                f"{ui.counted(total - finished, 'run')}, {workers} at once", self._progress.console
            )

    def begun(self, cell: Cell, budget: int) -> None:
        """Draw a bar for the run."""
        self._remove(cell)
        self._tasks[cell] = self._bar(run_title(cell), budget)

    def fetched(self, cell: Cell, pages: int) -> None:
        """Move the bar of the run."""
        if cell in self._tasks:
            self._progress.update(self._tasks[cell], completed=pages)

    def ended(self, outcome: Outcome) -> None:
        """Remove the bar of the run, and move that of all runs."""
        self._remove(outcome.cell)
        self._done += 1
        self._failed += bool(outcome.error)
        failed = f"{self._failed} failed" if self._failed else ""
        self._progress.update(self._tasks[""], completed=self._done, found=failed)
        if self._lines:
            line = f"{self._done}/{self._total} {outcome_line(outcome)}"
            ui.say(line, self._progress.console)

    def _bar(self, name: str, total: int | None = None, done: int = 0) -> TaskID:
        return self._progress.add_task(ui.plain(name).plain, total=total, completed=done, found="")

    def _remove(self, cell: Cell) -> None:
        if cell in self._tasks:
            self._progress.remove_task(self._tasks.pop(cell))


def run_title(cell: Cell) -> str:
    """A run in a few words, without what is as by default."""
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
    found = "" if harvest is None else f", labelled harvest {ui.figure(harvest)}"
    return f"{title}: {outcome.fetched} pages{found} ({outcome.stopped})"


@opt.with_options(
    *("baseline", "seeds", "draws", "keywords_only", "random_seeds", "budget", "measure"),
    *("keep_crawls", "judge", "threshold", "count_missing", "pdf", "inlinks", "wordnet", "cache"),
    "cache_limit",
    models=(CompareOptions,),
    spelled={**opt.SPELLED, "pdf": "--pdf/--no-pdf"},
)
def compare(
    out: Path = opt.option(
        "DIR", "Folder for figures and finished runs; the same command again goes on.", default=...
    ),
    archive: Path | None = opt.argument("ARCHIVE", "WARC or WACZ file, or a folder.", default=None),
    topic: list[str] | None = opt.argument(
        "TOPIC", "Topic files; patterns such as *.toml too.", default=None
    ),
    grid: Path | None = opt.option("G.toml", "Grid file; options override it.", "--grid"),
    labels: Path | None = opt.option("L.tsv", "Human labels to measure by, and to draw seeds by."),
    strategy: list[str] | None = opt.option(
        "NAME", "Strategy, 'shark decay=0.3', or all; may be repeated.", "--strategy -s"
    ),
    assignments: list[str] | None = opt.option(
        "NAME.KEY=VALUE", "Parameter of a strategy; may be repeated.", "--set"
    ),
    *,
    given: opt.Given,
    workers: int | None = opt.WORKER_COUNT,
    quiet: bool = opt.NO_PROGRESS,
) -> None:
    """Compare strategies over topics and draws, in parallel.

    The same command goes on with an interrupted comparison.
    """
    values = {"strategies": strategy, **given}
    web = web_values(archive, topic or [], labels)
    asked = build_grid(grid, out, {**values, **web})
    asked = with_assignments(asked, assignments or [])
    try:
        with ui.bars(ui.notices(), quiet) as progress:
            watch = CompareBars(progress, quiet)
            comparison = compare_grid(asked, out, workers, watch)
    except KeyboardInterrupt:
        if (out / GRID).is_file():  # nothing is finished before it is written
            print_rerun(_rerun_command(out))
        raise
    _show(comparison, out, quiet)


def with_assignments(grid: Grid, assignments: Sequence[str]) -> Grid:
    """The grid with parameters set, in the strategies of one name or in all that have the key."""
    names = list(dict.fromkeys(each.name for each in grid.contenders))
    settings = read_settings(None, assignments, names, STRATEGIES)
    for table in (REPLAY, CRAWL):
        if table in settings.tables:
            raise SettingsError(
                f"--set {table}.KEY is not for a comparison; give the option, such as --budget."
            )
    changed = {
        each.label: each.changed(settings.for_strategy(each.spec)) for each in grid.contenders
    }
    contenders = tuple(changed.values())
    return replace(grid, contenders=contenders, baseline=changed[grid.baseline].label)


def _show(comparison: Comparison, out: Path, quiet: bool) -> None:
    """The tables and where the files are; CommandExit where runs failed."""
    if not quiet:
        print_comparison(comparison, ui.output())
        written = [name for name in (RESULTS_NAME, PARQUET, CSV) if (out / name).exists()]
        report = shlex.join(["scenthound", "report", str(out)])
        ui.say(f"figures in {out}: {', '.join(written)}; a report of them: {report}")
    else:
        print_failed(comparison.outcomes, ui.notices())
    failed = sum(bool(outcome.error) for outcome in comparison.outcomes)
    if failed:
        exit_failed(failed, _rerun_command(out))


def _rerun_command(out: Path) -> str:
    """The command that goes on with a comparison; its grid is in the folder."""
    return shlex.join(["scenthound", "compare", f"--out={out}"])
