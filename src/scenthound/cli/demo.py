"""``scenthound demo``: the embedded sample web, crawled with several strategies."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from scenthound.archive import Archive, open_archive
from scenthound.cli.progress import bars, crawl_bar
from scenthound.cli.screen import notices, output, plain, say_warning, table
from scenthound.core.errors import FolderError, UnknownNameError
from scenthound.experiments import runner
from scenthound.experiments.jobs import Plan
from scenthound.experiments.labels import read_labels
from scenthound.experiments.result import Run
from scenthound.sample import SampleWeb, build, write_labels, write_topics, write_warc
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.text.extract import extract

_STRATEGIES = ("breadth-first", "shark", "vsm", "vsm-mean", "soft-svsm", "soft-sdvsm", "oracle")
_FIRST, _BASELINE = "soft-sdvsm", "breadth-first"
_TITLES_SHOWN = 4


def demo(
    topic: Annotated[
        list[str] | None,
        typer.Option("--topic", "-t", metavar="NAME", help="Only this topic; may be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed the sample web is generated from.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep the sample web (WARC, topics, labels) here."),
    ] = None,
) -> None:
    """Crawl the embedded sample web with several strategies and show who found what."""
    screen = output()
    web = build(seed)
    wanted = _wanted(web, topic)
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        _write(web, folder)
        hosts = len({url.split("/")[2] for url in web.responses})
        screen.print(
            f"The sample web: {len(web.responses)} pages on {hosts} hosts, {len(web.topics)} "
            f"topics, generated from seed {seed}. Each strategy may fetch twice as many pages "
            "as the topic has.\n"
        )
        cache = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        archive = stack.enter_context(open_archive(folder / "sample.warc.gz", cache=cache))
        runs = _crawl(archive, web, folder, wanted)
        _print_found(runs, screen)
        _who_found_what(runs, web, archive, screen)
    _what_next(out, screen)


def _wanted(web: SampleWeb, names: Sequence[str] | None) -> set[str]:
    known = [topic.name for topic in web.topics]
    for name in names or []:
        if name not in known:
            raise UnknownNameError("topic of the sample web", name, known)
    return set(names or known)


def _write(web: SampleWeb, folder: Path) -> None:
    for name in ("sample.warc.gz", "topics", "labels.tsv"):
        if (folder / name).exists():
            raise FolderError(f"--out {folder} holds {name} already; choose another folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_warc(web, folder / "sample.warc.gz")
        write_topics(web, folder / "topics")
        write_labels(web, folder / "labels.tsv")
    except OSError as error:
        raise FolderError(f"--out {folder} cannot be written: {error.strerror}.") from None


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


def _what_next(out: Path | None, screen: Console) -> None:
    screen.print("\nNext:", style="bold")
    if out is None:
        screen.print("  scenthound demo --out sample   keeps the sample web to play with")
    else:
        screen.print(
            f"  scenthound replay {out}/sample.warc.gz --topic {out}/topics/storms.toml "
            f"--labels {out}/labels.tsv --strategy soft-sdvsm --out crawl",
            soft_wrap=True,
        )
    screen.print("  scenthound strategies          lists the strategies")
