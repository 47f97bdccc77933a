"""``scenthound replay``: crawl an archive with one or more strategies and report how they did."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from scenthound.cli.options import SPELLED, named_strategies, warn_skipped, with_options
from scenthound.cli.results import STDOUT, check_writable, figures, print_runs, run_line, save_runs
from scenthound.cli.screen import (
    bars,
    can_redraw,
    crawl_bar,
    notices,
    output,
    plain,
    print_warning,
    reading_bar,
)
from scenthound.cli.settings import REPLAY, OptionValue, option_values, read_settings
from scenthound.core.options import ReplayOptions
from scenthound.crawler.caches import cache_choice
from scenthound.crawler.metrics import read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob
from scenthound.crawler.replays import replay_plan
from scenthound.crawler.result import Run
from scenthound.crawler.run_caches import open_equipment
from scenthound.crawler.scope import exclude_advice
from scenthound.similarity.topic_file import read_topic, without_examples
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import DEFAULT_STRATEGY, STRATEGIES

# fmt: off
ArchivePath = Annotated[
    Path,
    typer.Argument(
        metavar="ARCHIVE", help="WARC or WACZ file, or a folder of those or of HTML.",
        show_default=False,
    ),
]

TopicFiles = Annotated[
    list[Path],
    typer.Option("--topic", "-t", metavar="T.toml", help="Topic file; may be repeated.",
                 show_default=False),
]

StrategyNames = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", metavar="NAME",
                 help=f"Strategy; may be repeated. [default: {DEFAULT_STRATEGY}]"),
]

LabelsFile = Annotated[
    Path | None,
    typer.Option(metavar="L.tsv", help="Human labels to measure by: URL, tab, topic a line."),
]

ConfigFile = Annotated[
    Path | None, typer.Option(metavar="C.toml", help="Settings file.")
]

Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TABLE.KEY=VALUE", help="One setting, over the file's; "
                 "may be repeated. 'scenthound strategies' lists them."),
]

JsonFile = Annotated[
    Path | None, typer.Option(
        "--json", metavar="OUT", help="Write all figures to this file (- for stdout)."
    ),
]

OutFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write a crawl folder DIR/TOPIC/STRATEGY for each run."),
]

KeywordsOnly = Annotated[
    bool, typer.Option("--keywords-only", help="Do without the topics' example pages."),
]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no table.")]

# fmt: on


@with_options(
    *("budget", "random_seed", "count_missing", "wordnet", "weights", "inlinks", "cache"),
    *("cache_limit", "judge", "threshold", "pdf"),
    models=(ReplayOptions,),
    spelled={**SPELLED, "pdf": "--pdf/--no-pdf"},
)
def replay(
    archive: ArchivePath,
    topic: TopicFiles,
    strategy: StrategyNames = None,
    labels: LabelsFile = None,
    config: ConfigFile = None,
    assignments: Assignments = None,
    json_file: JsonFile = None,
    out: OutFolder = None,
    *,
    given: Mapping[str, OptionValue],
    keywords_only: KeywordsOnly = False,
    quiet: Quiet = False,
) -> None:
    """Crawl an archive as if it were the web, and compare strategies."""
    names = strategy or [DEFAULT_STRATEGY]
    specs = named_strategies(names)
    settings = read_settings(config, assignments or [], names, STRATEGIES)
    values = {**settings.of(REPLAY), **option_values(given, (ReplayOptions,))}
    options = ReplayOptions(**values)
    topics = [read_topic(path) for path in topic]
    topics = [*map(without_examples, topics)] if keywords_only else topics
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    plan = replay_plan(
        [(spec, settings.for_strategy(spec)) for spec in specs],
        options,
        labels=None if labels is None else read_labels(labels),
        out=out,
    )
    choice = cache_choice(options.cache, options.cache_limit)
    runs: list[Run] = []
    try:
        with bars(notices(), quiet) as progress, open_equipment(choice, print_warning) as equipment:
            with reading_bar(progress, archive.name) as on_bytes:
                opened = open_archive(archive, progress=on_bytes)
            with opened:
                warn_skipped(opened)
                for advice in chain.from_iterable(map(exclude_advice, topics)):
                    print_warning(advice)
                jobs = replace(plan, equipment=equipment).jobs(opened, topics, print_warning)
                _run_all(opened, jobs, runs, progress, json_file, quiet)
    finally:  # whatever ends the work, what is finished is shown
        if runs:
            _show(runs, json_file, out, quiet)


def _run_all(
    archive: Archive,
    jobs: Sequence[ReplayJob],
    runs: list[Run],
    progress: Progress,
    json_file: Path | None,
    quiet: bool,
) -> None:
    """Each job in turn, into ``runs``. The figures so far are written after every one."""
    for number, job in enumerate(jobs, start=1):
        name = f"{number}/{len(jobs)} {job.topic.name} {job.spec.name}"
        with crawl_bar(progress, name, job.budget.pages) as on_page:
            runs.append(run_job(archive, job, on_page))
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
