"""``scenthound demo``: the embedded sample web, served on loopback and crawled live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from scenthound import api
from scenthound.cli.ending import BROKEN_OFF, ToldExit
from scenthound.cli.live_run import run_watched
from scenthound.cli.live_state import Heading
from scenthound.cli.screen import figure, plain, say_error, table
from scenthound.cli.ways_view import ways_lines
from scenthound.core.model import Topic
from scenthound.core.summary import Json
from scenthound.experiments.result import Run
from scenthound.live.options import CrawlOptions
from scenthound.live.stopping import INTERRUPTED
from scenthound.sample import SampleWeb
from scenthound.sample.server import serve
from scenthound.store.journal import read_journal

BASELINE = "breadth-first"
_FINDS_SHOWN = 5
_TITLE_SHOWN = 44
_PARTS_SHOWN = 4


@dataclass(frozen=True, slots=True)
class LiveDemo:
    """What to show: a topic, a strategy, how long hosts rest, and how many pages (None: 2x)."""

    topic: str
    strategy: str
    delay: float
    max_pages: int | None = None


def crawl_sample(web: SampleWeb, folder: Path, demo: LiveDemo, screen: Console) -> None:
    """Crawl the sample web live with a strategy and with the baseline, into ``folder``."""
    (topic,) = (each for each in web.topics if each.name == demo.topic)
    about = {url for url, name in web.labels.items() if name == demo.topic}
    pages = demo.max_pages or 2 * len(about)
    names = list(dict.fromkeys((demo.strategy, BASELINE)))
    screen.print(
        f"It is served on this machine and crawled live: robots.txt is obeyed, and a host rests "
        f"{demo.delay:g} s after each answer. {len(about)} pages are about {demo.topic}; each "
        f"crawl may fetch {pages}.\n"
    )
    with serve(web) as server:
        options = CrawlOptions(max_pages=pages, delay=demo.delay, proxy=server.proxy, retry_wait=1)
        labels = folder / "labels.tsv"
        runs = [_crawl(topic, folder / name, name, options, labels) for name in names]
    _print_runs(runs, screen)
    _print_finds([folder / name for name in names], demo.strategy, about, screen)


def _crawl(topic: Topic, out: Path, strategy: str, options: CrawlOptions, labels: Path) -> Run:
    work = partial(api.crawl, topic, out, strategy, options=options, labels=labels)
    heading = Heading(topic.name, strategy, str(out), options.max_pages)
    run = run_watched(work, heading, False, None, resumable=False)
    if run.stopped == INTERRUPTED:
        say_error("interrupted.")
        raise ToldExit(BROKEN_OFF)
    return run


def _print_runs(runs: Sequence[Run], screen: Console) -> None:
    columns = ("pages", "about the topic", "of", "harvest", "pages/s")
    rows = table("Pages about the topic found", ("strategy",), columns)
    for run in runs:
        found, speed = str(run.final.labelled or 0), figure(run.pages_per_second, 1)
        harvest = figure(run.final.labelled_harvest)
        rows.add_row(run.strategy, str(run.fetched), found, str(run.labelled_pages), harvest, speed)
    screen.print(rows)
    for line in ways_lines(runs):
        screen.print(plain(line), soft_wrap=True)


def _print_finds(folders: Sequence[Path], strategy: str, about: set[str], screen: Console) -> None:
    """Pages about the topic that the strategy found and the baseline did not, and why."""
    fetched = [list(_pages(folder)) for folder in folders]
    others = {page["url"] for pages in fetched[1:] for page in pages}
    found = [page for page in fetched[0] if page["url"] in about and page["url"] not in others]
    alone = f", not by {BASELINE}" if len(folders) > 1 else ""
    screen.print(f"\nFound by {strategy}{alone}: {len(found)} pages", style="bold")
    guided = [page for page in found if page.get("priority") is not None]
    for page in guided[:_FINDS_SHOWN]:
        title = str(page["title"])[:_TITLE_SHOWN]
        screen.print(plain(f"  {title:{_TITLE_SHOWN}}  {page['url']}"), soft_wrap=True)
        screen.print(plain(f"    {why(page)}"), style="dim", soft_wrap=True)


def _pages(folder: Path) -> Sequence[Json]:
    return [e for e in read_journal(folder / "journal.jsonl") if e["event"] == "page"]


def why(page: Mapping[str, object]) -> str:
    """Why a page was fetched, as the journal has it: priority, its largest parts, best link."""
    text = f"page {page['n']}, priority {page['priority']:.2f}"
    parts = page.get("parts")
    if isinstance(parts, dict) and parts:
        text += f" = {_listed(parts)}"
    inlinks = page.get("inlinks")
    if isinstance(inlinks, list) and inlinks:
        source, _, anchor = inlinks[0]
        text += f"; linked as {anchor!r} from page {source}"
    return text


def _listed(parts: Mapping[str, Sequence[float]]) -> str:
    """What adds most to a priority first; small parts of many are only counted."""
    ordered = sorted(parts.items(), key=lambda part: -part[1][0] * part[1][1])
    told = [f"{name} {value:.2f} x {weight:.2f}" for name, (value, weight) in ordered]
    left = len(told) - _PARTS_SHOWN
    return " + ".join([*told[:_PARTS_SHOWN], *([f"{left} more"] if left > 0 else [])])
