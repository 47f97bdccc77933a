"""The options of ``scenthound replay``, each with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scenthound.api import DEFAULT_STRATEGY
from scenthound.relevance.judge_names import SIMILARITY

# fmt: off
ArchivePath = Annotated[
    Path,
    typer.Argument(
        metavar="ARCHIVE", help="WARC or WACZ file, or a folder of those or of HTML.",
        show_default=False,
    ),
]
TopicFiles = Annotated[
    list[Path],
    typer.Option("--topic", "-t", metavar="T.toml", help="Topic file; may be repeated.",
                 show_default=False),
]
StrategyNames = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", metavar="NAME",
                 help=f"Strategy; may be repeated. [default: {DEFAULT_STRATEGY}]"),
]
BudgetText = Annotated[
    str | None,
    typer.Option(metavar="N|2x", help="Pages to fetch, or a multiple of the topic's labelled "
                 "pages. [default: 2x with labels, 1000 without]"),
]
LabelsFile = Annotated[
    Path | None,
    typer.Option(metavar="L.tsv", help="Human labels to measure by: URL, tab, topic a line."),
]
RandomSeed = Annotated[
    int | None, typer.Option(help="Seed of the random generator. [default: 0]")
]
ConfigFile = Annotated[
    Path | None, typer.Option(metavar="C.toml", help="Settings file.")
]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TABLE.KEY=VALUE", help="One setting, over the file's; "
                 "may be repeated. 'scenthound strategies' lists them."),
]
CountMissing = Annotated[
    bool | None,
    typer.Option("--count-missing/--free-missing",
                 help="Charge the budget for links that lead out of the archive. "
                 "[default: free]", show_default=False),
]
JsonFile = Annotated[
    Path | None, typer.Option(
        "--json", metavar="OUT", help="Write all figures to this file (- for stdout)."
    ),
]
OutFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write a crawl folder DIR/TOPIC/STRATEGY for each run."),
]
WordNetFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="WordNet folder to use instead of the shipped one."),
]
WeightsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Weights of a link's texts, as 'tune' writes them."),
]
Inlinks = Annotated[
    str | None,
    typer.Option(metavar="max|mean|last", help="How several links to a page count."),
]
JudgeName = Annotated[
    str | None,
    typer.Option("--judge", metavar="similarity|ontology", help="What tells relevant pages. "
                 f"[default: {SIMILARITY}]"),
]
ThresholdValue = Annotated[
    float | None,
    typer.Option("--threshold", metavar="X", help="Similarity of relevant pages; else calibrated."),
]
ReadPdf = Annotated[
    bool | None,
    typer.Option("--pdf/--no-pdf", help="PDF documents are pages too. [default: no]",
                 show_default=False),
]
KeywordsOnly = Annotated[
    bool, typer.Option("--keywords-only", help="Do without the topics' example pages."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no table.")]
# fmt: on
