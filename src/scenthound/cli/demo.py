"""``scenthound demo``: the embedded sample web, crawled live or replayed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from scenthound.api import DEFAULT_STRATEGY
from scenthound.api.advice import command
from scenthound.cli.crawl_options import StrategyName
from scenthound.cli.demo_live import LiveDemo, crawl_sample
from scenthound.cli.demo_replay import replay_sample
from scenthound.cli.demo_serve import DEFAULT_PORT, serve_sample
from scenthound.cli.screen import output, plain
from scenthound.cli.strategy_names import named_strategies
from scenthound.core.errors import FolderError, SettingsError, UnknownNameError
from scenthound.sample import SampleWeb, build, write_labels, write_topics, write_warc
from scenthound.settings import option_values

_TOPIC = "storms"


def demo(
    topic: Annotated[
        list[str] | None,
        typer.Option("--topic", "-t", metavar="NAME", help="Topic of the sample web; with --replay "
                     "may be repeated. [default: storms; all with --replay]"),
    ] = None,
    strategy: StrategyName = DEFAULT_STRATEGY,
    max_pages: Annotated[
        str | None,
        typer.Option(metavar="N", help="Pages of each crawl. [default: twice those of the topic]"),
    ] = None,
    delay: Annotated[
        str, typer.Option(metavar="TIME", help="Rest of a host after an answer.")
    ] = "0.1",
    replay: Annotated[
        bool, typer.Option("--replay", help="Replay an archive of it with several strategies.")
    ] = False,
    serve: Annotated[
        bool, typer.Option("--serve", help="Only serve it, for crawls of your own.")
    ] = False,
    port: Annotated[
        int, typer.Option(metavar="N", min=1, max=65535, help="Port for --serve.")
    ] = DEFAULT_PORT,
    random_seed: Annotated[
        int, typer.Option(help="Seed the sample web is generated from.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep the sample web and the crawls here."),
    ] = None,
) -> None:  # fmt: skip
    """Crawl the embedded sample web, live on this machine, and show what was found."""
    screen, web = output(), build(random_seed)
    (recipe,) = named_strategies([strategy])
    recipe.refuse_unlabelled(None)
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
            pages = int(str(given["max_pages"])) if "max_pages" in given else None
            wanted = LiveDemo(names[0], strategy, float(str(given["delay"])), pages)
            crawl_sample(web, folder, wanted, screen)
    _what_next(out, names[0], screen)


def _wanted(web: SampleWeb, names: Sequence[str] | None, replay: bool) -> list[str]:
    """The topics that are asked for; all of them for a replay, one for a live crawl."""
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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_warc(web, folder / "sample.warc.gz")
        write_topics(web, folder / "topics")
        write_labels(web, folder / "labels.tsv")
    except OSError as error:
        raise FolderError(f"--out {folder} cannot be written: {error.strerror}.") from None


def _what_next(out: Path | None, topic: str, screen: Console) -> None:
    screen.print("\nNext:", style="bold")
    steps = [("scenthound demo --replay", "compares strategies on all topics, from an archive")]
    if out is None:
        steps.append(("scenthound demo --out sample", "keeps the sample web and the crawls"))
    else:
        file = f"{out}/topics/{topic.replace(' ', '-')}.toml"
        labels = str(out / "labels.tsv")
        archive = command("replay", out / "sample.warc.gz", "--topic", file, "--labels", labels)
        steps.append((archive, "crawls its archive, measured by labels"))
    steps += [
        ("scenthound crawl --topic T.toml --out DIR", "crawls the web for a topic of your own"),
        ("scenthound strategies", "lists the strategies"),
    ]
    for typed, what in steps:
        screen.print(plain(f"  {typed:42} {what}"), soft_wrap=True)
