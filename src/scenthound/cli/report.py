"""``scenthound report``: a crawl, a comparison or a tuning as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.screen import bars, notices, output, plain, stage_bar
from scenthound.output import report as report_api
from scenthound.output.report import TOP


def report(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR", help="Folder of a crawl, replay, comparison or tuning; or "
                       "those of a crawl's workers.", show_default=False),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where to. [default: DIR/report.html]"),
    ] = None,
    files: Annotated[
        bool,
        typer.Option("--files/--no-files", help="Also write each plot as SVG, PNG and CSV, into "
                     "a folder named like FILE."),
    ] = True,
    top: Annotated[
        int | None,
        typer.Option(metavar="N", help=f"Crawl: pages to explain. [default: {TOP}]"),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="L.tsv", help="Crawl: human labels to measure by. [default: as its "
                     "results have them]"),
    ] = None,
    judged: Annotated[
        Path | None,
        typer.Option(metavar="CSV", help="Crawl: a judged sample of its pages."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Comparison: compare with this strategy. [default: as "
                     "its grid says]"),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Comparison: compare by this indicator. [default: "
                     "labelled_harvest, or hr without labels]"),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:  # fmt: skip
    """Write a report: one HTML file with curves, tables and explained pages.

    It needs no network and no script. What lies in DIR may be running: the report shows it as it
    stands. A report that is there is replaced; nothing else in DIR is changed.
    """
    with bars(notices(), quiet) as progress:
        path = report_api.report(
            folders,
            out,
            files=files,
            top=top,
            labels=labels,
            judged=judged,
            baseline=baseline,
            measure=measure,
            on_progress=stage_bar(progress),
        )
    output().print(plain(str(path)), soft_wrap=True)
