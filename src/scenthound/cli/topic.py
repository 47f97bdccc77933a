"""``scenthound topic``: a topic as the program understands it, and its disambiguation graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from scenthound.api import topic_graph, understand
from scenthound.cli.opened_archive import opened_archive
from scenthound.cli.screen import notices, output, plain, say_warning
from scenthound.cli.topic_view import print_graph, print_understanding
from scenthound.core.errors import SettingsError
from scenthound.experiments.graph_drawing import draw_graph
from scenthound.experiments.graph_file import write_graph
from scenthound.topics.coverage import TERMS
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.file import read_topic
from scenthound.topics.understanding import companions_of

GRAPHS = (".graphml",)
PICTURES = (".svg", ".png", ".pdf")

topic = typer.Typer(
    name="topic",
    help="Look at a topic before, or after, a crawl.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def _folder(name: str) -> Path:
    """A folder's name; an empty one would quietly be the folder one stands in."""
    if not name:
        raise SettingsError("--crawl and --wordnet take a folder, and its name is empty; give one.")
    return Path(name)


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
    typer.Option("--crawl", metavar="DIR", parser=_folder, help="Crawl folder of sdvsm or "
                 "soft-sdvsm: take the graph that this crawl has learnt."),
]  # fmt: skip
WordNetPath = Annotated[
    Path | None,
    typer.Option("--wordnet", metavar="DIR", parser=_folder, help="WordNet folder to use instead "
                 "of the shipped one."),
]  # fmt: skip
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@topic.command()
def show(
    file: TopicFile,
    archive: ArchivePath = None,
    crawl: CrawlPath = None,
    wordnet: WordNetPath = None,
    terms: Annotated[
        int, typer.Option(metavar="N", help=f"Topic terms to show; a crawler takes {TERMS}.")
    ] = TERMS,
    as_json: AsJson = False,
) -> None:
    """Show a topic as the program understands it.

    Its terms, what they mean here, which words are ambiguous, and which are unknown.
    """
    read = read_topic(file)
    with opened_archive(archive) as opened:
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
    as_json: AsJson = False,
) -> None:
    """Print, write or draw a topic's disambiguation graph.

    It tells which words are ambiguous and which words go together.
    """
    _check_target("--out", out, GRAPHS)
    _check_target("--draw", draw, PICTURES)
    read = read_topic(file)
    with opened_archive(archive if crawl is None else None) as opened:
        source = opened if crawl is None else archive
        found = topic_graph(read, source, crawl, wordnet, warn=say_warning)
    if out is not None:
        write_graph(found, out)
        _say_written(out)
    if draw is not None:
        draw_graph(
            found, draw, title=f"{read.name}, {'before' if crawl is None else 'after'} a crawl"
        )
        _say_written(draw)
    origin = None if crawl is None else f"learnt by the crawl in {crawl}"
    if as_json:
        typer.echo(json.dumps({"graph_origin": origin, **_facts(found)}, indent=1))
    elif out is None and draw is None:
        print_graph(found, output(), origin)


def _facts(graph: DisambiguationGraph) -> dict[str, object]:
    """All that is known of the terms and pairs of a graph, as JSON knows it.

    Pairs that never occur together are left out.
    """
    names = graph.nodes.names
    terms = [
        {
            "term": name,
            "weight": float(graph.nodes.weights[row]),
            **dict(zip(("TR", "TP", "TI"), graph.indicators[row].tolist(), strict=True)),
            "ambiguity": float(graph.ambiguity[row]),
            "ambiguous": bool(graph.ambiguous[row]),
            "companions": [each.term for each in companions_of(graph, row)],
        }
        for row, name in enumerate(names)
    ]
    pairs = zip(*(ends.tolist() for ends in np.nonzero(np.triu(graph.cooccurrence))), strict=True)
    edges = [
        {"terms": [names[first], names[second]], "cd": float(graph.cooccurrence[first, second])}
        for first, second in pairs
    ]
    return {"terms": terms, "edges": edges}


def _say_written(path: Path) -> None:
    notices().print(plain(f"wrote {path}"), soft_wrap=True)


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
