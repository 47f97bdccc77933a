"""``scenthound demo``: the embedded sample web, crawled live, replayed from its archive, or
served.
"""

from __future__ import annotations

import shlex
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from rich.console import Console

from scenthound.cli import screen as ui
from scenthound.cli.live_view import Heading, run_watched
from scenthound.cli.options import option, option_values, switch
from scenthound.cli.results import representation_lines
from scenthound.cli.topic_options import STRATEGY_NAME
from scenthound.core.errors import FolderError, SettingsError, UnknownNameError
from scenthound.crawler import crawl as crawling
from scenthound.crawler import replay
from scenthound.crawler.argument_checks import command
from scenthound.crawler.metrics import Result, read_labels
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.sample.server import WebServer, serve
from scenthound.sample.web import SampleWeb, build, write_labels, write_topics, write_warc
from scenthound.storage.archive import open_archive
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import folder_name
from scenthound.storage.journal import INTERRUPTED, read_journal
from scenthound.strategies.catalogue import CATALOGUE, DEFAULT_STRATEGY, STRATEGIES

DEFAULT_PORT = 8190
BASELINE = "breadth-first"
_TOPIC = "storms"
_FINDS_SHOWN, _PARTS_SHOWN = 5, 4
_TITLE_WIDTH = 44
_STRATEGIES = (BASELINE, "shark", "vsm", "vsm-mean", "soft-sdvsm", "scent", "oracle")


def serve_sample(web: SampleWeb, folder: Path, topic: str, port: int, screen: Console) -> None:
    """Serve the sample web as a proxy on loopback until Ctrl-C; print how to crawl it."""
    with listening(web, port) as server:
        typed = ["scenthound", "crawl", "--topic", str(_topic_file(folder, topic))]
        typed += ["--out", "DIR", "--proxy", server.proxy]
        screen.print(ui.plain(f"It is served by the proxy {server.proxy}; crawl it with:"))
        ui.say(f"  {shlex.join(typed)}", screen)
        wait_for_signal(screen)


def _topic_file(folder: Path, topic: str) -> Path:
    return folder / "topics" / f"{topic.replace(' ', '-')}.toml"


def wait_for_signal(screen: Console) -> None:
    """Serve a web until Ctrl-C."""
    screen.print("Ctrl-C ends it.")
    try:
        signal.pause()
    except KeyboardInterrupt:
        screen.print("The web is no longer served.")


@contextmanager
def listening(web: SampleWeb, port: int) -> Iterator[WebServer]:
    """A web as a proxy at a port; SettingsError where that is taken."""
    with ExitStack() as stack:
        with os_errors_as(SettingsError, f"--port {port}", "; give another one"):
            server = stack.enter_context(WebServer(web.responses, port=port))
        yield server


def crawl_sample(
    web: SampleWeb, folder: Path, name: str, strategy: str, delay: float, max_pages: int | None
) -> None:
    """Crawl the sample web live for a topic, with a strategy and with the baseline.

    Without ``max_pages`` each crawl fetches twice as many pages as are about the topic.
    """
    screen = ui.output()
    (topic,) = (each for each in web.topics if each.name == name)
    about = {url for url, label in web.labels.items() if label == name}
    pages = max_pages or 2 * len(about)
    screen.print(
        f"It is served on this machine and crawled live: robots.txt is obeyed, and a host rests "
        f"{delay:g} s after each response. {len(about)} pages are about {name}; each "
        f"crawl may fetch {pages}.\n"
    )
    runs: dict[str, Result] = {}
    with serve(web) as server:
        options = CrawlOptions(max_pages=pages, delay=delay, proxy=server.proxy, retry_wait=1)
        for each in dict.fromkeys((strategy, BASELINE)):
            out, labels = folder / each, folder / "labels.tsv"
            work = partial(crawling.crawl, topic, out, each, options=options, labels=labels)
            heading = Heading(name, each, str(out), pages)
            runs[each] = run_watched(work, heading, False, None, resumable=False)
            if runs[each].stopped == INTERRUPTED:
                ui.print_error("interrupted.")
                raise ui.CommandExit(ui.INTERRUPTED_CODE)
    columns = ("pages", "about the topic", "of", "harvest", "pages/s")
    rows = ui.table("Pages about the topic found", ("strategy",), columns)
    for run in runs.values():
        found, speed = str(run.final.labelled or 0), ui.figure(run.pages_per_second, 1)
        harvest = ui.figure(run.final.labelled_harvest)
        rows.add_row(run.strategy, str(run.fetched), found, str(run.labelled_pages), harvest, speed)
    screen.print(rows)
    for line in representation_lines([*runs.values()]):
        ui.say(line, screen)
    _print_finds([folder / each for each in runs], strategy, about, screen)


def _print_finds(folders: Sequence[Path], strategy: str, about: set[str], screen: Console) -> None:
    """Pages about the topic that the strategy found and the baseline did not, and why."""
    fetched = [
        [event for event in read_journal(folder / "journal.jsonl") if event["event"] == "page"]
        for folder in folders
    ]
    others = {page["url"] for pages in fetched[1:] for page in pages}
    found = [page for page in fetched[0] if page["url"] in about and page["url"] not in others]
    alone = f", not by {BASELINE}" if len(folders) > 1 else ""
    screen.print(f"\nFound by {strategy}{alone}: {len(found)} pages", style="bold")
    guided = [page for page in found if page.get("priority") is not None]
    for page in guided[:_FINDS_SHOWN]:
        title = str(page["title"])[:_TITLE_WIDTH]
        ui.say(f"  {title:{_TITLE_WIDTH}}  {page['url']}", screen)
        ui.say(f"    {why(page)}", screen, "dim")


def why(page: Mapping[str, object]) -> str:
    """Why a page was fetched, as the journal has it: priority, its largest parts, best link."""
    text = f"page {page['n']}, priority {page['priority']:.2f}"
    parts = page.get("parts")
    if isinstance(parts, dict) and parts:  # the largest first; small parts of many are counted
        ordered = sorted(parts.items(), key=lambda part: -part[1][0] * part[1][1])
        texts = [f"{name} {value:.2f} x {weight:.2f}" for name, (value, weight) in ordered]
        left = len(texts) - _PARTS_SHOWN
        shown = [*texts[:_PARTS_SHOWN], *([f"{left} more"] if left > 0 else [])]
        text += f" = {' + '.join(shown)}"
    inlinks = page.get("inlinks")
    if isinstance(inlinks, list) and inlinks:
        source, _, anchor = inlinks[0]
        text += f"; linked as {anchor!r} from page {source}"
    return text


# ``scenthound demo --replay``: the embedded sample web replayed with several strategies.


def replay_sample(web: SampleWeb, folder: Path, names: Sequence[str], screen: Console) -> None:
    """Replay the sample web that is written in ``folder``, and show which strategy found what."""
    screen.print(
        "Replayed from its archive; each strategy may fetch twice as many pages as a topic has.\n"
    )
    topics = [topic for topic in web.topics if topic.name in names]
    runs: list[Result] = []
    with (
        tempfile.TemporaryDirectory() as scratch,
        open_archive(folder / "sample.warc.gz", cache=Path(scratch)) as archive,
    ):
        crawls = Path(scratch) / "crawls"
        plan = ReplayPlan(
            strategies=[(CATALOGUE[name], {}) for name in _STRATEGIES],
            labels=read_labels(folder / "labels.tsv"),
            out=crawls,
        )
        with ui.bars(ui.notices(), quiet=False) as progress:
            for job in plan.jobs(archive, topics):
                name = f"{job.topic.name} {job.spec.name}"
                with ui.crawl_bar(progress, name, job.budget.pages) as on_page:
                    runs.append(replay.run_job(archive, job, on_page))
        _print_labelled_counts(runs, screen)
        for topic in topics:
            screen.print()
            ui.say(topic.name, screen, "bold")
            about = {url for url, label in web.labels.items() if label == topic.name}
            own = crawls / folder_name(topic.name)
            _print_finds([own / DEFAULT_STRATEGY, own / BASELINE], DEFAULT_STRATEGY, about, screen)


def _print_labelled_counts(runs: Sequence[Result], screen: Console) -> None:
    """Labelled pages found: a row for each topic, a column for each strategy."""
    rows = ui.table("Pages about the topic found", ("topic",), ("of", "budget", *_STRATEGIES))
    found = {(run.topic, run.strategy): run.final.labelled or 0 for run in runs}
    for first in runs[:: len(_STRATEGIES)]:
        cells = [str(found[first.topic, name]) for name in _STRATEGIES]
        rows.add_row(ui.plain(first.topic), str(first.labelled_pages), str(first.budget), *cells)
    totals = [str(sum(found[topic, name] for topic, name in found if name == each))
              for each in _STRATEGIES]  # fmt: skip
    rows.add_row("all", "", "", *totals)
    screen.print(rows)
    for line in representation_lines(runs):
        ui.say(line, screen)


# ``scenthound demo``.


def demo(
    topic: list[str] | None = option(
        "NAME", "Topic; with --replay may be repeated, and all by default.", "--topic -t"
    ),
    strategy: str = STRATEGY_NAME,
    max_pages: str | None = option("N", "Pages of each crawl. [default: twice those of the topic]"),
    delay: str = option("TIME", "Delay after each response of a host.", default="0.1"),
    replay: bool = switch("--replay", "Replay an archive of it with several strategies."),
    serve: bool = switch("--serve", "Only serve it, for crawls of your own."),
    port: int = option("N", "Port for --serve.", default=DEFAULT_PORT, min=1, max=65535),
    random_seed: int = option("N", "Seed the sample web is generated from.", default=0),
    out: Path | None = option("DIR", "Keep the sample web and the crawls here."),
) -> None:
    """Crawl the embedded sample web, live on this machine, and show what was found."""
    screen, web = ui.output(), build(random_seed)
    STRATEGIES[strategy].require_labels(None)
    given = option_values({"max_pages": max_pages, "delay": delay})
    if serve and replay:
        raise SettingsError("--serve and --replay are two things; give one of them.")
    names = _wanted(web, topic, replay)
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if not (serve and (folder / "labels.tsv").exists()):
            _write(web, folder)
        hosts = len({url.split("/")[2] for url in web.responses})
        screen.print(
            f"The sample web: {len(web.responses):,} pages on {hosts} hosts, {len(web.topics)} "
            f"topics, generated from seed {random_seed}."
        )
        if serve:
            serve_sample(web, folder, names[0], port, screen)
            return
        if replay:
            replay_sample(web, folder, names, screen)
        else:
            pages = given.get("max_pages")
            crawl_sample(web, folder, names[0], strategy, given["delay"], pages)
    _print_next_steps(out, names[0], screen)


def _wanted(web: SampleWeb, names: Sequence[str] | None, replay: bool) -> list[str]:
    """The chosen topics; by default all of them for a replay, one for a live crawl."""
    known = [topic.name for topic in web.topics]
    for name in names or []:
        if name not in known:
            raise UnknownNameError("topic of the sample web", name, known)
    if names and len(names) > 1 and not replay:
        raise SettingsError("the live demo takes one --topic; give one, or add --replay.")
    return list(names or (known if replay else [_TOPIC]))


def _write(web: SampleWeb, folder: Path) -> None:
    for name in ("sample.warc.gz", "topics", "labels.tsv"):
        if (folder / name).exists():
            raise FolderError(f"--out {folder} holds {name} already; choose another folder.")
    with os_errors_as(FolderError, f"--out {folder} cannot be written"):
        folder.mkdir(parents=True, exist_ok=True)
        write_warc(web, folder / "sample.warc.gz")
        write_topics(web, folder / "topics")
        write_labels(web, folder / "labels.tsv")


def _print_next_steps(out: Path | None, topic: str, screen: Console) -> None:
    screen.print("\nNext:", style="bold")
    steps = [("scenthound demo --replay", "compares strategies on all topics, from an archive")]
    if out is None:
        steps.append(("scenthound demo --out sample", "keeps the sample web and the crawls"))
    else:
        file, labels = str(_topic_file(out, topic)), str(out / "labels.tsv")
        archive = command("replay", out / "sample.warc.gz", "--topic", file, "--labels", labels)
        steps.append((archive, "crawls its archive, measured by labels"))
    steps += [
        ("scenthound crawl --topic T.toml --out DIR", "crawls the web for a topic of your own"),
        ("scenthound strategies", "lists the strategies"),
    ]
    for typed, what in steps:
        ui.say(f"  {typed:42} {what}", screen)
