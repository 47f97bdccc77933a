"""The options of ``scenthound tune``, each with its help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from scenthound.optimise.catalogue import NAMES
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.tuning.plan import DEFAULT_LINKS, DEFAULT_MODEL


class LinksFormat(StrEnum):
    """What training links are written as."""

    CSV = "csv"
    PARQUET = "parquet"


# fmt: off
SourcePath = Annotated[
    Path,
    typer.Argument(
        metavar="SOURCE", help="Archive, crawl folder, or a file of links that --out wrote.",
        show_default=False,
    ),
]
TopicFiles = Annotated[
    list[Path] | None,
    typer.Option("--topic", "-t", metavar="T.toml",
                 help="Topic file; may be repeated. [default: the topic of the crawl folder]"),
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", "-m", metavar="NAME",
                 help=f"Compares texts with the topic: {', '.join(TEXT_MODELS)}. "
                 f"[default: that of the crawl folder's strategy, or {DEFAULT_MODEL}]"),
]
OptimiserName = Annotated[
    str,
    typer.Option("--optimiser", metavar="NAME", help=f"Finds the weights: {', '.join(NAMES)}."),
]
LinkCount = Annotated[
    int | None,
    typer.Option("--links", metavar="N", help="Links to learn from and to test on, half each. "
                 f"[default: {DEFAULT_LINKS}]"),
]
Structure = Annotated[
    bool,
    typer.Option("--structure", help="Weigh host, linking pages and number of inlinks too."),
]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TABLE.KEY=VALUE", help="A parameter of the model or the "
                 "optimiser, e.g. mcoa.generations=500; may be repeated."),
]
RandomSeed = Annotated[
    int, typer.Option(metavar="N", min=0, help="Seed of the random generator.")
]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="Write weights, links and figures there."),
]
Format = Annotated[
    LinksFormat | None,
    typer.Option("--format", "-f", help="Write the links as this. [default: csv]"),
]
WordNetFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="WordNet folder to use instead of the shipped one."),
]
ReadPdf = Annotated[bool, typer.Option("--pdf", help="PDF documents are pages too.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no tables.")]
# fmt: on
