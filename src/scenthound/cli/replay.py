"""``scenthound replay``: crawl an archive with one or more strategies and say how they did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import typer
from rich.progress import Progress

from scenthound.api import DEFAULT_STRATEGY
from scenthound.api.shared import chosen_cache, load_weights
from scenthound.archive import Archive, open_archive
from scenthound.cli.cache_options import CacheFolder, CacheLimit
from scenthound.cli.progress import bars, crawl_bar, reading_bar
from scenthound.cli.replay_options import (
    ArchivePath,
    Assignments,
    BudgetText,
    ConfigFile,
    CountMissing,
    Inlinks,
    JsonFile,
    JudgeName,
    KeywordsOnly,
    LabelsFile,
    OutFolder,
    Quiet,
    RandomSeed,
    ReadPdf,
    StrategyNames,
    ThresholdValue,
    TopicFiles,
    WeightsFile,
    WordNetFolder,
)
from scenthound.cli.results import check_writable, figures, print_runs, run_line, save_runs
from scenthound.cli.screen import can_redraw, notices, output, plain, say_warning
from scenthound.cli.strategy_names import named_strategies
from scenthound.experiments.equipping import CACHE, CACHE_LIMIT, equipped
from scenthound.experiments.jobs import Job, Plan
from scenthound.experiments.labels import read_labels
from scenthound.experiments.result import Run
from scenthound.experiments.runner import run
from scenthound.lexicon.wordnet import WordNet, load_wordnet
from scenthound.live.scoping import exclude_advice
from scenthound.relevance.judge_names import SIMILARITY
from scenthound.settings import INLINKS, WEIGHTS, Settings, read_settings
from scenthound.strategies.installed import STRATEGIES
from scenthound.strategies.weights import LinkWeights
from scenthound.topics.file import read_topic
from scenthound.topics.keywords_only import without_examples

STDOUT = Path("-")


def replay(
    archive: ArchivePath,
    topic: TopicFiles,
    strategy: StrategyNames = None,
    budget: BudgetText = None,
    labels: LabelsFile = None,
    random_seed: RandomSeed = None,
    config: ConfigFile = None,
    assignments: Assignments = None,
    count_missing: CountMissing = None,
    json_file: JsonFile = None,
    out: OutFolder = None,
    wordnet: WordNetFolder = None,
    weights: WeightsFile = None,
    inlinks: Inlinks = None,
    cache: CacheFolder = None,
    cache_limit: CacheLimit = None,
    judge: JudgeName = None,
    threshold: ThresholdValue = None,
    pdf: ReadPdf = None,
    keywords_only: KeywordsOnly = False,
    quiet: Quiet = False,
) -> None:
    """Crawl an archive as if it were the web, and compare strategies."""
    names = strategy or [DEFAULT_STRATEGY]
    recipes = named_strategies(names)
    settings = read_settings(config, assignments or [], names, STRATEGIES)
    topics = [read_topic(path) for path in topic]
    topics = [*map(without_examples, topics)] if keywords_only else topics
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    plan = Plan(
        strategies=[(recipe, settings.for_strategy(recipe)) for recipe in recipes],
        labels=None if labels is None else read_labels(labels),
        budget=_text(settings, "budget") if budget is None else budget,
        seed=_number(settings, "random_seed") if random_seed is None else random_seed,
        count_missing=bool(settings.replay("count_missing"))
        if count_missing is None
        else count_missing,
        judge=judge or _text(settings, "judge") or SIMILARITY,
        threshold=_threshold(settings) if threshold is None else threshold,
        out=out,
        wordnet=_wordnet(settings, wordnet),
        weights=_weights(settings, weights),
        pdf=bool(settings.replay("pdf")) if pdf is None else pdf,
        inlinks=_text(settings, INLINKS) if inlinks is None else inlinks,
    )
    choice = chosen_cache(
        _text(settings, CACHE) if cache is None else cache,
        _text(settings, CACHE_LIMIT) if cache_limit is None else cache_limit,
    )
    runs: list[Run] = []
    try:
        with bars(notices(), quiet) as progress, equipped(choice, say_warning) as equipment:
            with reading_bar(progress, archive.name) as on_bytes:
                opened = open_archive(archive, progress=on_bytes)
            with opened:
                _tell_skipped(opened)
                for advice in chain.from_iterable(map(exclude_advice, topics)):
                    say_warning(advice)
                jobs = replace(plan, equipment=equipment).jobs(opened, topics, say_warning)
                _run_all(opened, jobs, runs, progress, json_file, quiet)
    finally:  # whatever ends the work, what is finished is shown
        if runs:
            _show(runs, json_file, out, quiet)


def _run_all(
    archive: Archive,
    jobs: Sequence[Job],
    runs: list[Run],
    progress: Progress,
    json_file: Path | None,
    quiet: bool,
) -> None:
    """Each job in turn, into ``runs``. The figures so far are written after every one."""
    for number, job in enumerate(jobs, start=1):
        name = f"{number}/{len(jobs)} {job.topic.name} {job.recipe.name}"
        with crawl_bar(progress, name, job.budget.pages) as on_page:
            runs.append(run(archive, job, on_page))
        if json_file is not None and json_file != STDOUT:
            save_runs(runs, json_file)
        if not quiet and not can_redraw(progress.console):
            progress.console.print(plain(run_line(runs[-1])), soft_wrap=True)


def _show(runs: Sequence[Run], json_file: Path | None, out: Path | None, quiet: bool) -> None:
    if json_file == STDOUT:
        typer.echo(json.dumps(figures(runs), ensure_ascii=False))
    elif not quiet:
        print_runs(runs, output())
        if out is not None:
            output().print(f"\ncrawl folders: {out}/TOPIC/STRATEGY", soft_wrap=True)


def _tell_skipped(archive: Archive) -> None:
    for reason, skipped in archive.skipped.items():
        say_warning(
            f"{archive.path.name}: {skipped.count} records skipped ({reason}), "
            f"e.g. {skipped.examples[0]}"
        )


def _text(settings: Settings, key: str) -> str | None:
    value = settings.replay(key)
    return None if value is None else str(value)


def _number(settings: Settings, key: str) -> int:
    value = settings.replay(key)
    return value if isinstance(value, int) else 0


def _wordnet(settings: Settings, given: Path | None) -> WordNet | None:
    folder = given or _text(settings, "wordnet")
    return None if folder is None else load_wordnet(Path(folder).resolve(), say_warning)


def _weights(settings: Settings, given: Path | None) -> LinkWeights | None:
    return load_weights(_text(settings, WEIGHTS) if given is None else given)


def _threshold(settings: Settings) -> float | None:
    value = settings.replay("threshold")
    return float(value) if isinstance(value, int | float) else None
