"""``scenthound topic``: a topic as the program understands it, and its disambiguation graph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from scenthound.api import topic_graph, understand
from scenthound.archive import Archive, open_archive
from scenthound.cli.progress import bars, reading_bar
from scenthound.cli.screen import notices, output, say_warning
from scenthound.cli.topic_view import print_graph, print_understanding
from scenthound.core.errors import SettingsError
from scenthound.topics.coverage import TERMS
from scenthound.topics.file import read_topic
from scenthound.topics.graph_drawing import draw_graph
from scenthound.topics.graph_file import write_graph

GRAPHS = (".graphml",)
PICTURES = (".svg", ".png", ".pdf")

topic = typer.Typer(
    name="topic",
    help="Look at a topic before, or after, a crawl.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TopicFile = Annotated[
    Path, typer.Argument(metavar="T.toml", help="Topic file.", show_default=False)
]
ArchivePath = Annotated[
    Path | None,
    typer.Option("--archive", metavar="ARCHIVE", help="Where the example pages are, if they are "
                 "given as addresses."),
]  # fmt: skip
CrawlPath = Annotated[
    Path | None,
    typer.Option("--crawl", metavar="DIR", help="Crawl folder of sdvsm or soft-sdvsm: take the "
                 "graph that this crawl has learnt."),
]  # fmt: skip
WordNetPath = Annotated[
    Path | None,
    typer.Option("--wordnet", metavar="DIR", help="WordNet folder to use instead of the shipped "
                 "one."),
]  # fmt: skip


@topic.command()
def show(
    file: TopicFile,
    archive: ArchivePath = None,
    crawl: CrawlPath = None,
    wordnet: WordNetPath = None,
    terms: Annotated[int, typer.Option(metavar="N", help="Topic terms to show.")] = TERMS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Show a topic as the program understands it.

    Its terms, what they mean here, which words are ambiguous, and which are unknown.
    """
    read = read_topic(file)
    with _opened(archive) as opened:
        understood = understand(read, opened, wordnet, crawl=crawl, terms=terms, warn=say_warning)
    if as_json:
        typer.echo(json.dumps(understood.to_json(), indent=1))
    else:
        print_understanding(understood, output())


@topic.command()
def graph(
    file: TopicFile,
    archive: ArchivePath = None,
    crawl: CrawlPath = None,
    wordnet: WordNetPath = None,
    out: Annotated[
        Path | None, typer.Option(metavar="G.graphml", help="Write the graph as GraphML.")
    ] = None,
    draw: Annotated[
        Path | None, typer.Option(metavar="G.svg", help="Draw the graph: .svg, .png or .pdf.")
    ] = None,
) -> None:
    """Print, write or draw a topic's disambiguation graph.

    It tells which words are ambiguous and which words go together.
    """
    _check_target("--out", out, GRAPHS)
    _check_target("--draw", draw, PICTURES)
    read = read_topic(file)
    with _opened(archive if crawl is None else None) as opened:
        found = topic_graph(read, opened, crawl, wordnet, warn=say_warning)
    if out is not None:
        write_graph(found, out)
    if draw is not None:
        draw_graph(found, draw)
    if out is None and draw is None:
        print_graph(found, output())


@contextmanager
def _opened(archive: Path | None) -> Iterator[Archive | None]:
    """The archive, with a bar while it is indexed."""
    if archive is None:
        yield None
        return
    with bars(notices(), quiet=False) as progress, reading_bar(progress, archive.name) as on_bytes:
        opened = open_archive(archive, progress=on_bytes)
    with opened:
        yield opened


def _check_target(option: str, path: Path | None, suffixes: tuple[str, ...]) -> None:
    """Find out before the archive is read that nothing could be written there."""
    if path is None:
        return
    if path.suffix.lower() not in suffixes:
        known = " or ".join(suffixes)
        raise SettingsError(f"{option} {path}: give a file name that ends in {known}.")
    if path.is_dir():
        raise SettingsError(f"{option} {path} is a folder; give the name of a file.")
    if not path.parent.is_dir():
        raise SettingsError(f"{option} {path}: there is no folder {path.parent}; make it first.")
