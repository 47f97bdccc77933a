"""``scenthound replay``: crawl an archive with one or more strategies and report how they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from rich.progress import Progress

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.cli.results import figures, print_runs, run_line, write_figures
from scenthound.cli.settings import REPLAY, read_settings
from scenthound.cli.topic_options import warn_skipped
from scenthound.core.command_options import ReplayOptions
from scenthound.crawler.caches import cache_choice, open_equipment
from scenthound.crawler.metrics import Result, read_labels
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayJob, build_plan
from scenthound.crawler.scope import exclude_advice
from scenthound.similarity.topic_file import read_topic, without_examples
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.files import STDOUT, check_target
from scenthound.strategies.catalogue import DEFAULT_STRATEGY, STRATEGIES


@opt.with_options(
    *("budget", "random_seed", "count_missing", "wordnet", "weights", "inlinks", "cache"),
    *("cache_limit", "judge", "threshold", "pdf"),
    models=(ReplayOptions,),
    spelled={**opt.SPELLED, "pdf": "--pdf/--no-pdf"},
)
def replay(
    archive: Path = opt.argument(
        "ARCHIVE", "WARC or WACZ file, or a folder of those or of HTML files."
    ),
    topic: list[Path] = opt.option(
        "T.toml", "Topic file; may be repeated.", "--topic -t", default=...
    ),
    strategy: list[str] | None = opt.option(
        "NAME", f"Strategy; may be repeated. [default: {DEFAULT_STRATEGY}]", "--strategy -s"
    ),
    labels: Path | None = opt.option(
        "L.tsv", "Human labels to measure by: URL, tab, topic on each line."
    ),
    config: Path | None = opt.CONFIG_FILE,
    assignments: list[str] | None = opt.option(
        "TABLE.KEY=VALUE", "One setting, over those of the file; may be repeated.", "--set"
    ),
    json_file: Path | None = opt.JSON_FILE,
    out: Path | None = opt.option("DIR", "Write a crawl folder DIR/TOPIC/STRATEGY for each run."),
    *,
    given: opt.Given,
    keywords_only: bool = opt.switch(
        "--keywords-only", "Do not use the example pages of the topics."
    ),
    quiet: bool = opt.NO_PROGRESS,
) -> None:
    """Crawl an archive as if it were the web, and compare strategies."""
    names = strategy or [DEFAULT_STRATEGY]
    specs = [STRATEGIES[name] for name in names]
    settings = read_settings(config, assignments or [], names, STRATEGIES)
    options = ReplayOptions(**{**settings.of(REPLAY), **given})
    topics = [read_topic(path) for path in topic]
    topics = [*map(without_examples, topics)] if keywords_only else topics
    check_target(json_file, "--json")
    plan = build_plan(
        [(spec, settings.for_strategy(spec)) for spec in specs],
        options,
        labels=None if labels is None else read_labels(labels),
        out=out,
    )
    choice = cache_choice(options.cache, options.cache_limit)
    runs: list[Result] = []
    try:
        with ui.bars(ui.notices(), quiet) as progress, open_equipment(choice) as equipment:
            with ui.reading_bar(progress, archive.name) as on_bytes:
                opened = open_archive(archive, progress=on_bytes)
            with opened:
                warn_skipped(opened)
                for advice in chain.from_iterable(map(exclude_advice, topics)):
                    ui.print_warning(advice)
                jobs = replace(plan, equipment=equipment).jobs(opened, topics)
                _run_all(opened, jobs, runs, progress, json_file, quiet)
    finally:  # whatever ends the work, what is finished is shown
        if runs and json_file == STDOUT:
            write_figures(figures(runs), STDOUT)
        elif runs and not quiet:
            print_runs(runs, ui.output())
            if out is not None:
                ui.output().print()
                ui.say(f"crawl folders: {out}/TOPIC/STRATEGY", ui.output())


def _run_all(
    archive: Archive,
    jobs: Sequence[ReplayJob],
    runs: list[Result],
    progress: Progress,
    json_file: Path | None,
    quiet: bool,
) -> None:
    """Run each job in turn, into ``runs``. The figures so far are written after every one."""
    for number, job in enumerate(jobs, start=1):
        name = f"{number}/{len(jobs)} {job.topic.name} {job.spec.name}"
        with ui.crawl_bar(progress, name, job.budget.pages) as on_page:
            runs.append(run_job(archive, job, on_page))
        if json_file != STDOUT:
            write_figures(figures(runs), json_file)
        if not quiet and not ui.can_redraw(progress.console):
            ui.say(run_line(runs[-1]), progress.console)
