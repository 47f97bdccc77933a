"""The options of ``scenthound compare``, each with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.cache_options import DEFAULT_FOLDER, DEFAULT_SIZE

_READING = "How pages are read and judged"

# fmt: off
ArchivePath = Annotated[
    Path | None, typer.Argument(metavar="ARCHIVE", help="WARC or WACZ file, or a folder.",
                                show_default=False),
]
TopicFiles = Annotated[
    list[str] | None, typer.Argument(metavar="TOPIC", help="Topic files, patterns too.",
                                     show_default=False),
]
OutFolder = Annotated[
    Path, typer.Option(metavar="DIR", help="Figures and finished runs; the same again goes on.",
                       show_default=False),
]
GridFile = Annotated[
    Path | None, typer.Option("--grid", metavar="G.toml", help="Grid file; options go over it."),
]
LabelsFile = Annotated[
    Path | None, typer.Option(metavar="L.tsv", help="Labels to measure and draw by."),
]
StrategyNames = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", metavar="NAME", help="'shark decay=0.3', or all; may be "
                 "repeated."),
]
Assignments = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME.KEY=VALUE", help="A parameter; may be repeated."),
]
Baseline = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="What others are compared with. [default: breadth-first]"),
]
SeedKinds = Annotated[
    list[str] | None,
    typer.Option("--seeds", metavar="given|relevant|irrelevant", help="Where crawls start; may "
                 "be repeated. [default: given]"),
]
Draws = Annotated[
    int | None,
    typer.Option(metavar="N", help="Draw seeds and examples N times; first: as the file has them."),
]
KeywordsOnly = Annotated[
    bool | None,
    typer.Option("--keywords-only/--with-examples", show_default=False,
                 help="Do without the topics' example pages? [default: with them]"),
]
RandomSeeds = Annotated[
    int | None, typer.Option(metavar="N", help="For strategies that draw. [default: 1]"),
]
BudgetText = Annotated[
    str | None, typer.Option(metavar="N|2x", help="Pages a run. [default: 2x, or 1000]"),
]
MeasureName = Annotated[
    str | None, typer.Option("--measure", metavar="NAME", help="Figure to compare by. "
                             "[default: labelled_harvest, or hr]"),
]
Workers = Annotated[
    int | None, typer.Option(metavar="N", help="Processes at once. [default: all cores]"),
]
KeepCrawls = Annotated[
    bool | None,
    typer.Option("--keep-crawls/--no-keep-crawls", show_default=False,
                 help="Leave crawl folders in DIR/crawls. [default: as before, or no]"),
]
JudgeName = Annotated[
    str | None, typer.Option("--judge", metavar="similarity|ontology", rich_help_panel=_READING,
                             help="What tells relevant pages. [default: similarity]"),
]
ThresholdValue = Annotated[
    float | None, typer.Option("--threshold", metavar="X", rich_help_panel=_READING,
                               help="Similarity of relevant pages; else calibrated."),
]
CountMissing = Annotated[
    bool | None,
    typer.Option("--count-missing/--free-missing", rich_help_panel=_READING, show_default=False,
                 help="Charge the budget for links out of the archive. [default: free]"),
]
ReadPdf = Annotated[
    bool | None, typer.Option("--pdf/--no-pdf", rich_help_panel=_READING, show_default=False,
                              help="PDF documents are pages too. [default: no]"),
]
Inlinks = Annotated[
    str | None, typer.Option(metavar="max|mean|last", rich_help_panel=_READING,
                             help="How several links to a page count."),
]
WordNetFolder = Annotated[
    Path | None, typer.Option(metavar="DIR", rich_help_panel=_READING,
                              help="WordNet folder to use instead of the shipped one."),
]
CacheFolder = Annotated[
    str | None, typer.Option("--cache", metavar="DIR", help="Keep pages, terms and vectors there, "
                             f"or none. [default: {DEFAULT_FOLDER}]"),
]
CacheLimit = Annotated[
    str | None, typer.Option("--cache-limit", metavar="SIZE", rich_help_panel=_READING,
                             help=f"How large that grows. [default: {DEFAULT_SIZE}]"),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no table.")]
# fmt: on
