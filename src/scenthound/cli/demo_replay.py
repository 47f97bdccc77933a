"""``scenthound demo --replay``: the embedded sample web replayed with several strategies."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from scenthound.archive import Archive, open_archive
from scenthound.cli.progress import bars, crawl_bar
from scenthound.cli.screen import notices, plain, say_warning, table
from scenthound.cli.ways_view import ways_lines
from scenthound.experiments import runner
from scenthound.experiments.jobs import Plan
from scenthound.experiments.labels import read_labels
from scenthound.experiments.result import Run
from scenthound.sample import SampleWeb
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.text.extract import extract

_STRATEGIES = ("breadth-first", "shark", "vsm", "vsm-mean", "soft-sdvsm", "scent", "oracle")
_FIRST, _BASELINE = "scent", "breadth-first"
_TITLES_SHOWN = 4


def replay_sample(web: SampleWeb, folder: Path, topics: Sequence[str], screen: Console) -> None:
    """Replay the sample web that is written in ``folder``, and show who found what."""
    screen.print(
        "Replayed from its archive; each strategy may fetch twice as many pages as a topic has.\n"
    )
    with (
        tempfile.TemporaryDirectory() as cache,
        open_archive(folder / "sample.warc.gz", cache=Path(cache)) as archive,
    ):
        runs = _crawl(archive, web, folder, set(topics))
        _print_found(runs, screen)
        _who_found_what(runs, web, archive, screen)


def _crawl(archive: Archive, web: SampleWeb, folder: Path, wanted: set[str]) -> list[Run]:
    plan = Plan(
        strategies=[(CATALOGUE[name], {}) for name in _STRATEGIES],
        labels=read_labels(folder / "labels.tsv"),
    )
    topics = [topic for topic in web.topics if topic.name in wanted]
    runs: list[Run] = []
    with bars(notices(), quiet=False) as progress:
        for job in plan.jobs(archive, topics, say_warning):
            name = f"{job.topic.name} {job.recipe.name}"
            with crawl_bar(progress, name, job.budget.pages) as on_page:
                runs.append(runner.run(archive, job, on_page))
    return runs


def _print_found(runs: Sequence[Run], screen: Console) -> None:
    """Labelled pages found: a row a topic, a column a strategy."""
    rows = table("Pages about the topic found", ("topic",), ("of", "budget", *_STRATEGIES))
    found = {(run.topic, run.strategy): run.final.labelled or 0 for run in runs}
    for first in runs[:: len(_STRATEGIES)]:
        cells = [str(found[first.topic, name]) for name in _STRATEGIES]
        rows.add_row(plain(first.topic), str(first.labelled_pages), str(first.budget), *cells)
    totals = [str(sum(found[topic, name] for topic, name in found if name == each))
              for each in _STRATEGIES]  # fmt: skip
    rows.add_row("all", "", "", *totals)
    screen.print(rows)
    for line in ways_lines(runs):
        screen.print(plain(line), soft_wrap=True)


def _who_found_what(runs: Sequence[Run], web: SampleWeb, archive: Archive, screen: Console) -> None:
    """For each topic, pages about it that one strategy found and the baseline did not."""
    by_name = {(run.topic, run.strategy): run for run in runs}
    screen.print(f"\nFound by {_FIRST}, not by {_BASELINE}:", style="bold")
    for topic in dict.fromkeys(run.topic for run in runs):
        others = set(by_name[topic, _BASELINE].order)
        only = [
            url
            for url in by_name[topic, _FIRST].order
            if url not in others and web.labels.get(url) == topic
        ]
        screen.print(plain(f"  {topic}: {len(only)} pages"))
        for url in only[:_TITLES_SHOWN]:
            screen.print(plain(f"    {_title(archive, url)[:50]:50}  {url}"), soft_wrap=True)


def _title(archive: Archive, url: str) -> str:
    response = archive.fetch(url)
    if response is None:
        return ""
    return extract(response.body, url, response.headers.get("content-type", "")).document.title
