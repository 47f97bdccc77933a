"""``scenthound compare``: a grid of runs in parallel, and what the figures say."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.progress import Progress, TaskID

from scenthound.cli.comparison_view import print_comparison, print_failed
from scenthound.cli.options import SPELLED, with_options
from scenthound.cli.results import CommandExit
from scenthound.cli.screen import bars, can_redraw, figure, notices, output, plain, print_warning
from scenthound.cli.settings import CRAWL, REPLAY, OptionValue, option_values, read_settings
from scenthound.core.errors import SettingsError
from scenthound.core.options import CompareOptions
from scenthound.evaluation.compare import build_grid, compare_grid, web_values
from scenthound.evaluation.comparison_folder import GRID
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import GIVEN, Cell, Outcome
from scenthound.evaluation.results import CSV, PARQUET, RESULTS_NAME, Comparison
from scenthound.evaluation.worker_pool import ComparisonProgress
from scenthound.strategies.catalogue import STRATEGIES

_MODELS = (CompareOptions,)

# fmt: off
ArchivePath = Annotated[
    Path | None, typer.Argument(metavar="ARCHIVE", help="WARC or WACZ file, or a folder.",
                                show_default=False),
]

TopicFiles = Annotated[
    list[str] | None, typer.Argument(metavar="TOPIC", help="Topic files, patterns too.",
                                     show_default=False),
]

OutFolder = Annotated[
    Path, typer.Option(metavar="DIR", help="Figures and finished runs; the same again goes on.",
                       show_default=False),
]

GridFile = Annotated[
    Path | None, typer.Option("--grid", metavar="G.toml", help="Grid file; options go over it."),
]

LabelsFile = Annotated[
    Path | None, typer.Option(metavar="L.tsv", help="Labels to measure and draw by."),
]

StrategyNames = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", metavar="NAME", help="'shark decay=0.3', or all; may be "
                 "repeated."),
]

Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME.KEY=VALUE", help="A parameter; may be repeated."),
]

Workers = Annotated[
    int | None, typer.Option(metavar="N", help="Processes at once. [default: all cores]"),
]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no table.")]

# fmt: on


# How a comparison ends that did not come to its end, or not with every run.


_SOME_FAILED = 1


def exit_failed(failed: int, again: str) -> NoReturn:
    """Say how many runs failed and what tries them again, "" for nothing; end with exit code 1."""
    described = "1 run" if failed == 1 else f"{failed:,} runs"
    which = "it" if failed == 1 else "them"
    print_warning(f"{described} failed" + (f"; try {which} again with: {again}" if again else ""))
    raise CommandExit(_SOME_FAILED)


def print_rerun(again: str) -> None:
    """Say what goes on with a comparison that is broken off."""
    notices().print(plain(f"finished runs are kept; go on with: {again}"), soft_wrap=True)


# Progress of a comparison: a bar for all runs and one for each, or a line a run elsewhere.


class CompareBars(ComparisonProgress):
    """Shows on stderr how a comparison gets on.

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


@with_options(
    *("baseline", "seeds", "draws", "keywords_only", "random_seeds", "budget", "measure"),
    *("keep_crawls", "judge", "threshold", "count_missing", "pdf", "inlinks", "wordnet", "cache"),
    "cache_limit",
    models=_MODELS,
    spelled={**SPELLED, "pdf": "--pdf/--no-pdf"},
)
def compare(
    out: OutFolder,
    archive: ArchivePath = None,
    topic: TopicFiles = None,
    grid: GridFile = None,
    labels: LabelsFile = None,
    strategy: StrategyNames = None,
    assignments: Assignments = None,
    *,
    given: Mapping[str, OptionValue],
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Compare strategies over topics and draws, in parallel; the same command goes on."""
    values = {"strategies": strategy, **option_values(given, _MODELS)}
    web = web_values(archive, topic or [], labels)
    asked = build_grid(grid, out, {**values, **web})
    asked = with_assignments(asked, assignments or [])
    try:
        with bars(notices(), quiet) as progress:
            watch = CompareBars(progress, quiet)
            comparison = compare_grid(asked, out, workers, watch)
    except KeyboardInterrupt:
        if (out / GRID).is_file():  # before it is there, nothing can be gone on with
            print_rerun(_rerun_command(out))
        raise
    _show(comparison, out, quiet)


def with_assignments(grid: Grid, assignments: Sequence[str]) -> Grid:
    """The grid with parameters set in its strategies, of one name or of all that have the key.

    SettingsError for what no strategy of the grid would use.
    """
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
    return replace(
        grid, contenders=tuple(changed.values()), baseline=changed[grid.baseline].label
    )  # fmt: skip


def _show(comparison: Comparison, out: Path, quiet: bool) -> None:
    """The tables and where the files are; CommandExit where runs failed."""
    if not quiet:
        print_comparison(comparison, output())
        written = [name for name in (RESULTS_NAME, PARQUET, CSV) if (out / name).exists()]
        report = shlex.join(["scenthound", "report", str(out)])
        files = f"figures in {out}: {', '.join(written)}; a report of them: {report}"
        notices().print(plain(files), soft_wrap=True)
    else:
        print_failed(comparison.outcomes, notices())
    failed = sum(bool(outcome.error) for outcome in comparison.outcomes)
    if failed:
        exit_failed(failed, _rerun_command(out))


def _rerun_command(out: Path) -> str:
    """The command that goes on with a comparison; its grid is in the folder."""
    return shlex.join(["scenthound", "compare", f"--out={out}"])
