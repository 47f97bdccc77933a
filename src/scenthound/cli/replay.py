"""``scenthound replay``: crawl an archive with one or more strategies and say how they did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from scenthound.api import DEFAULT_STRATEGY
from scenthound.archive import Archive, open_archive
from scenthound.cli.progress import bars, crawl_bar, reading_bar
from scenthound.cli.results import check_writable, figures, print_runs, run_line, save_runs
from scenthound.cli.screen import can_redraw, notices, output, plain, say_warning
from scenthound.experiments.jobs import Job, Plan
from scenthound.experiments.labels import read_labels
from scenthound.experiments.result import Run
from scenthound.experiments.runner import run
from scenthound.lexicon.wordnet import WordNet, load_wordnet
from scenthound.live.scoping import exclude_advice
from scenthound.settings import Settings, read_settings
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.topics.file import read_topic

STDOUT = Path("-")


def replay(
    archive: Annotated[
        Path,
        typer.Argument(
            metavar="ARCHIVE", help="WARC or WACZ file, or a folder of those or of HTML.",
            show_default=False,
        ),
    ],
    topic: Annotated[
        list[Path],
        typer.Option("--topic", "-t", metavar="T.toml", help="Topic file; may be repeated.",
                     show_default=False),
    ],
    strategy: Annotated[
        list[str] | None,
        typer.Option("--strategy", "-s", metavar="NAME",
                     help=f"Strategy; may be repeated. [default: {DEFAULT_STRATEGY}]"),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(metavar="N|2x", help="Pages to fetch, or a multiple of the topic's labelled "
                     "pages. [default: 2x with labels, 1000 without]"),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="L.tsv", help="Human labels to measure by: URL, tab, topic a line."),
    ] = None,
    random_seed: Annotated[
        int | None, typer.Option(help="Seed of the random generator. [default: 0]")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="C.toml", help="Settings file.")
    ] = None,
    assignments: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="TABLE.KEY=VALUE", help="One setting, over the file's; "
                     "may be repeated. 'scenthound strategies' lists them."),
    ] = None,
    count_missing: Annotated[
        bool | None,
        typer.Option("--count-missing/--free-missing",
                     help="Charge the budget for links that lead out of the archive. "
                     "[default: free]", show_default=False),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option(
            "--json", metavar="OUT", help="Write all figures to this file (- for stdout)."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a crawl folder DIR/TOPIC/STRATEGY for each run."),
    ] = None,
    wordnet: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="WordNet folder to use instead of the shipped one."),
    ] = None,
    pdf: Annotated[
        bool | None,
        typer.Option("--pdf/--no-pdf", help="PDF documents are pages too. [default: no]",
                     show_default=False),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no table.")] = False,
) -> None:  # fmt: skip
    """Crawl an archive as if it were the web, with one or more strategies, and compare them."""
    names = strategy or [DEFAULT_STRATEGY]
    recipes = [CATALOGUE[name] for name in names]
    settings = read_settings(config, assignments or [], names, CATALOGUE)
    topics = [read_topic(path) for path in topic]
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
        threshold=_threshold(settings),
        out=out,
        wordnet=_wordnet(settings, wordnet),
        pdf=bool(settings.replay("pdf")) if pdf is None else pdf,
    )
    runs: list[Run] = []
    try:
        with bars(notices(), quiet) as progress:
            with reading_bar(progress, archive.name) as on_bytes:
                opened = open_archive(archive, progress=on_bytes)
            with opened:
                _tell_skipped(opened)
                for advice in chain.from_iterable(map(exclude_advice, topics)):
                    say_warning(advice)
                jobs = plan.jobs(opened, topics, say_warning)
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


def _threshold(settings: Settings) -> float | None:
    value = settings.replay("threshold")
    return float(value) if isinstance(value, int | float) else None
