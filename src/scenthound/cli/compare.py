"""``scenthound compare``: a grid of runs in parallel, and what the figures say: strategies against
the baseline, topic by topic, and the runs that failed.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.progress import Progress, TaskID

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.cli.settings import CRAWL, REPLAY, read_settings
from scenthound.core.command_options import CompareOptions
from scenthound.core.errors import SettingsError
from scenthound.evaluation import standings
from scenthound.evaluation.compare import build_grid, compare_grid, web_values
from scenthound.evaluation.comparison_folder import GRID
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import GIVEN, Cell, Measure, Outcome
from scenthound.evaluation.results import CSV, PARQUET, RESULTS_NAME, Comparison
from scenthound.evaluation.statistics import LEAST_GROUPS
from scenthound.evaluation.worker_pool import ComparisonProgress
from scenthound.strategies.catalogue import STRATEGIES

Column = tuple[str, list[str]]
"""The head of a column, and its cells."""
_NAME = 12
"""Characters that a name is left at least."""
_BEST = "*"
_MOST_REASONS = 10
_LEGEND = {
    "interval": "95 %, bootstrap over topics, or over draws of one topic; with fewer than "
    f"{LEAST_GROUPS} topics (or draws) the interval is too narrow, so no verdict is given",
    "best at": "topics on which no strategy is better",
    "difference": "to the baseline, over what both have",
    "w/t/l": "those won, tied, lost against it",
    "verdict": "by the interval of the difference",
    "p": "how often chance alone would make such a difference (flips of signs)",
    "seeds": "deviation over random seeds",
}


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


# ``scenthound compare``.


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


# Tables of a comparison.


def print_standings(
    table: standings.Table, measure: Measure, baseline: str, screen: Console
) -> set[str]:
    """One table where the screen is wide enough, otherwise one for means and one for differences.

    ``table`` has the strategies under one seed condition, or under all. Returns the heads of its
    columns.
    """
    means, differences = _means(table, measure), _differences(table, measure, baseline)
    title = f"{measure.title}{' (lower is better)' if measure.lower_is_better else ''}, "
    title += "all seeds together" if table.seeds == standings.ALL else f"{table.seeds} seeds"
    both = [*means, *differences]
    if _NAME + sum(1 + max(map(len, (head, *cells))) for head, cells in both) <= screen.width:
        _print(title, both, table, screen)
    else:
        _print(title, means, table, screen)
        screen.print()
        _print(f"{title}, against the baseline", differences, table, screen)
    return {head for head, _ in both}


def _print(title: str, columns: Sequence[Column], table: standings.Table, screen: Console) -> None:
    rows = [
        (standing.strategy, [cells[place] for _, cells in columns])
        for place, standing in enumerate(table.standings)
    ]
    ui.print_figures(title, "strategy", [head for head, _ in columns], rows, screen)


def _means(table: standings.Table, measure: Measure) -> list[Column]:
    """Without the columns that would say nothing, or the same in every row."""
    rows, form = table.standings, f".{measure.digits}f"
    columns: list[Column] = [
        ("mean", [_shown(each.mean.value if each.mean else None, form) for each in rows]),
        ("interval", [_limits(each.mean, form) for each in rows]),
        ("best at", [str(each.best_at) for each in rows]),
    ]
    if any(each.seed_deviation is not None for each in rows):
        columns.append(("seeds", [ui.figure(each.seed_deviation, measure.digits) for each in rows]))
    counts = [str(each.mean.groups if each.mean else 0) for each in rows]
    return [*columns, (table.groups, counts)] if len(set(counts)) > 1 else columns


def _differences(table: standings.Table, measure: Measure, baseline: str) -> list[Column]:
    rows, form = table.standings, f"+.{measure.digits}f"
    found = [each.difference for each in rows]
    columns: list[Column] = [
        ("difference", [_shown(each.mean.value if each else None, form) for each in found]),
        ("interval", [_limits(each.mean if each else None, form) for each in found]),
        ("p", [ui.figure(each.p if each else None) for each in found]),
        ("w/t/l", ["/".join(map(str, each.record)) if each else "-" for each in found]),
        ("verdict", [_verdict(each, baseline) for each in rows]),
    ]
    if all(each is None or each.p is None for each in found):
        del columns[2]
    return columns


def _verdict(standing: standings.Standing, baseline: str) -> str:
    if standing.strategy == baseline:
        return "baseline"
    return standing.difference.verdict if standing.difference else "-"


def _limits(mean: standings.Mean | None, form: str) -> str:
    if mean is None or mean.interval is None:
        return "-"
    return f"{_shown(mean.interval.low, form)} to {_shown(mean.interval.high, form)}"


def _shown(value: float | None, form: str) -> str:
    """The number, a dash for None; a number that rounds to zero has no minus."""
    if value is None:
        return "-"
    text = f"{value:{form}}"
    return text if float(text) else f"{0.0:{form}}"


def print_topics(table: standings.Table, measure: Measure, screen: Console) -> None:
    """A row for each topic, a column for each strategy; the best of each topic has a star.

    Nothing for a single topic: the table above has its figures.
    """
    if len(table.topics) < 2:
        return
    several = len({topic.web for topic in table.topics}) > 1
    rows = [
        (
            f"{topic.web}: {topic.topic}" if several else topic.topic,
            [
                ui.figure(each.by_topic.get(topic), measure.digits)
                + (_BEST if topic in each.best_topics else " ")
                for each in table.standings
            ],
        )
        for topic in table.topics
    ]
    names = [each.strategy for each in table.standings]
    ui.print_figures(f"by topic ({_BEST} best)", "topic", names, rows, screen)
    screen.print()


def print_comparison(comparison: Comparison, screen: Console) -> None:
    """All strategies by their means, under each seed condition and under all together."""
    statistics, shown = comparison.statistics(), set[str]()
    for table in statistics.tables:
        shown |= print_standings(table, statistics.measure, statistics.baseline, screen)
        if significance := standings.significance_sentence(table):
            screen.print(significance, style="dim")
        screen.print()
        if table.seeds != standings.ALL:  # whose topics are but the means of those above
            print_topics(table, statistics.measure, screen)
    if statistics.tables:
        legend = " ".join(f"{head}: {text}." for head, text in _LEGEND.items() if head in shown)
        screen.print(legend, style="dim")
    for sentence in statistics.remarks:
        ui.say(f"Note: {sentence}", screen)
    if not comparison.finished:
        over = f"{len(comparison.outcomes):,} runs are over"
        ui.say(f"Note: the comparison is not finished; {over}.", screen)
    print_failed(comparison.outcomes, screen)


def print_failed(outcomes: Sequence[Outcome], screen: Console) -> None:
    """Why runs failed, a line for each strategy and reason, the most frequent first."""
    found: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.final is None:
            found[outcome.cell.strategy, outcome.error].append(outcome.cell)
    reasons = sorted(found.items(), key=lambda pair: -len(pair[1]))
    for (_, reason), (first, *others) in reasons[:_MOST_REASONS]:
        more = f" and {ui.counted(len(others), 'run')} more" if others else ""
        ui.say(f"failed: {run_title(first)}{more}: {reason}", screen)
    if len(reasons) > _MOST_REASONS:
        rest = len(reasons) - _MOST_REASONS
        ui.say(f"failed: {rest:,} more reasons are in comparison.json.", screen)
