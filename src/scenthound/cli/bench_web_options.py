"""The options of ``scenthound bench-web``, each with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scenthound.api import FIRST_WEB
from scenthound.cli.cache_options import DEFAULT_FOLDER
from scenthound.cli.demo_serve import DEFAULT_PORT
from scenthound.comparison.open_web import FINGERPRINTS

# fmt: off
StrategyNames = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", metavar="NAME",
                 help='Strategy, or "NAME key=value"; may be repeated. [default: the references]'),
]
Quick = Annotated[bool, typer.Option("--quick", help="One web and three topics: seconds.")]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="Keep webs, runs and card there; with --serve "
                 "the topic files and seeds."),
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the card (- for stdout)."),
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Processes at once. [default: one for each core]"),
]
CacheFolder = Annotated[
    str | None, typer.Option("--cache", metavar="DIR", help="Keep pages, terms and vectors there, "
                             f"or none. [default: {DEFAULT_FOLDER}]"),
]
Serve = Annotated[
    bool, typer.Option("--serve", help="Serve a web of it on this machine, for any crawler."),
]
ScoreFile = Annotated[
    Path | None,
    typer.Option("--score", metavar="FILE", help="Score another crawler: URLs in the order of "
                 'fetching, one a line, or JSON lines with "url".'),
]
TopicName = Annotated[
    str | None,
    typer.Option("--topic", "-t", metavar="NAME", help="The topic that --score is about."),
]
WebNumber = Annotated[
    int | None,
    typer.Option("--web", metavar="N", help="The web to serve or score: "
                 f"{', '.join(map(str, FINGERPRINTS))}. [default: {FIRST_WEB}]"),
]
Port = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=65535,
                 help=f"Port for --serve. [default: {DEFAULT_PORT}]"),
]
WithLabels = Annotated[
    bool, typer.Option("--with-labels", help="Write the labels too, with --serve."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no tables.")]
# fmt: on
