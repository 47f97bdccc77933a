"""``scenthound compare``: a grid of runs in parallel, and what the figures say."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scenthound.api.comparison import asked_grid, asked_web
from scenthound.cli.compare_ending import end_failed, tell_going_on
from scenthound.cli.compare_options import (
    ArchivePath,
    Assignments,
    Baseline,
    BudgetText,
    CacheFolder,
    CacheLimit,
    CountMissing,
    Draws,
    GridFile,
    Inlinks,
    JudgeName,
    KeepCrawls,
    KeywordsOnly,
    LabelsFile,
    MeasureName,
    OutFolder,
    Quiet,
    RandomSeeds,
    ReadPdf,
    SeedKinds,
    StrategyNames,
    ThresholdValue,
    TopicFiles,
    WordNetFolder,
    Workers,
)
from scenthound.cli.compare_progress import CompareBars
from scenthound.cli.compare_view import print_comparison, print_failed
from scenthound.cli.help_pages import HelpAll
from scenthound.cli.progress import bars
from scenthound.cli.screen import notices, output, plain, say_warning
from scenthound.comparison.folder_upkeep import GRID
from scenthound.comparison.grid import Grid
from scenthound.comparison.results_file import CSV, NAME, PARQUET, Comparison
from scenthound.comparison.running import compare_grid
from scenthound.core.errors import SettingsError
from scenthound.settings import CRAWL, REPLAY, read_settings
from scenthound.strategies.installed import STRATEGIES


def compare(
    out: OutFolder,
    archive: ArchivePath = None,
    topic: TopicFiles = None,
    grid: GridFile = None,
    labels: LabelsFile = None,
    strategy: StrategyNames = None,
    assignments: Assignments = None,
    baseline: Baseline = None,
    seeds: SeedKinds = None,
    draws: Draws = None,
    keywords_only: KeywordsOnly = None,
    random_seeds: RandomSeeds = None,
    budget: BudgetText = None,
    measure: MeasureName = None,
    workers: Workers = None,
    keep_crawls: KeepCrawls = None,
    judge: JudgeName = None,
    threshold: ThresholdValue = None,
    count_missing: CountMissing = None,
    pdf: ReadPdf = None,
    inlinks: Inlinks = None,
    wordnet: WordNetFolder = None,
    cache: CacheFolder = None,
    cache_limit: CacheLimit = None,
    quiet: Quiet = False,
    help_all: HelpAll = False,
) -> None:
    """Compare strategies over topics and draws, in parallel; the same command goes on."""
    del help_all
    given = {
        "strategies": strategy, "baseline": baseline, "seeds": seeds, "draws": draws,
        "random_seeds": random_seeds, "budget": budget, "measure": measure, "judge": judge,
        "threshold": threshold, "count_missing": count_missing, "pdf": pdf, "inlinks": inlinks,
        "wordnet": wordnet, "keywords_only": keywords_only, "keep_crawls": keep_crawls,
        "cache": cache, "cache_limit": cache_limit,
    }  # fmt: skip
    web = asked_web(archive, topic or [], labels)
    asked = asked_grid(grid, out, {**given, **web}, say_warning)
    asked = with_assignments(asked, assignments or [])
    try:
        with bars(notices(), quiet) as progress:
            watch = CompareBars(progress, quiet)
            comparison = compare_grid(asked, out, workers, watch)
    except KeyboardInterrupt:
        if (out / GRID).is_file():  # before it is there, nothing can be gone on with
            tell_going_on(_again(out))
        raise
    _show(comparison, out, quiet)


def with_assignments(grid: Grid, assignments: Sequence[str]) -> Grid:
    """The grid with parameters set in its strategies, of one name or of all that have the key.

    SettingsError for what no strategy of the grid would heed.
    """
    names = list(dict.fromkeys(each.name for each in grid.contenders))
    settings = read_settings(None, assignments, names, STRATEGIES)
    for table in (REPLAY, CRAWL):
        if table in settings.tables:
            raise SettingsError(
                f"--set {table}.KEY is not for a comparison; give the option, such as --budget."
            )
    changed = {
        each.label: each.changed(settings.for_strategy(each.recipe)) for each in grid.contenders
    }
    return replace(
        grid, contenders=tuple(changed.values()), baseline=changed[grid.baseline].label
    )  # fmt: skip


def _show(comparison: Comparison, out: Path, quiet: bool) -> None:
    """The tables and where the files are; ToldExit where runs failed."""
    if not quiet:
        print_comparison(comparison, output())
        written = [name for name in (NAME, PARQUET, CSV) if (out / name).exists()]
        report = shlex.join(["scenthound", "report", str(out)])
        files = f"figures in {out}: {', '.join(written)}; a report of them: {report}"
        notices().print(plain(files), soft_wrap=True)
    else:
        print_failed(comparison.outcomes, notices())
    failed = sum(bool(outcome.error) for outcome in comparison.outcomes)
    if failed:
        end_failed(failed, _again(out))


def _again(out: Path) -> str:
    """The command that goes on with a comparison; its grid is in the folder."""
    return shlex.join(["scenthound", "compare", f"--out={out}"])
