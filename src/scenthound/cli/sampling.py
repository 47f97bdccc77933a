"""``scenthound sample``: pages of a crawl for a person to judge."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from scenthound.api.advice import command
from scenthound.api.assessment import draw_sample
from scenthound.assessment.bands import DEFAULT_BANDS, Band
from scenthound.assessment.frame import read_frame
from scenthound.assessment.judged_file import BAND, JUDGEMENT, JudgedFile
from scenthound.assessment.sampling import DEFAULT_N, DEFAULT_SEED, Sample
from scenthound.cli.crawl_options import CrawlFolderPath
from scenthound.cli.judging import Judging
from scenthound.cli.screen import notices, output, plain, say_warning, table
from scenthound.core.errors import SettingsError
from scenthound.corpus.as_one import open_as_one


def sample(
    folder: CrawlFolderPath,
    n: Annotated[int, typer.Option("--n", metavar="N", help="Pages to draw.")] = DEFAULT_N,
    bands: Annotated[
        int | None,
        typer.Option(metavar="N", help=f"Relevance bands. [default: {DEFAULT_BANDS}]"),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="CSV file; one that is there goes on.")
    ] = Path("judged.csv"),
    random_seed: Annotated[
        int | None,
        typer.Option(metavar="N", help=f"The same draws the same. [default: {DEFAULT_SEED}]"),
    ] = None,
    judge: Annotated[bool, typer.Option("--judge", help="Judge here, page by page.")] = False,
    show_relevance: Annotated[
        bool, typer.Option("--show-relevance", help="With --judge: tell what the crawl thinks.")
    ] = False,
    labels: Annotated[
        Path | None, typer.Option(metavar="L.tsv", help="Fill judgements in from human labels.")
    ] = None,
) -> None:
    """Draw pages at random for a person to judge.

    Write yes, no or ? into the column 'judgement', then: scenthound score DIR FILE
    """
    if judge and not sys.stdin.isatty():
        raise SettingsError("--judge needs a terminal; leave it out and fill in the CSV file.")
    if show_relevance and not judge:
        raise SettingsError("--show-relevance goes with --judge; add it.")
    drawn = draw_sample(
        folder, out, n, bands=bands, random_seed=random_seed, labels=labels, warn=say_warning
    )
    file = _judged_here(folder, out, drawn.file, show_relevance) if judge else drawn.file
    _tell(folder, out, drawn, file)


def _judged_here(folder: Path, out: Path, file: JudgedFile, show_relevance: bool) -> JudgedFile:
    screen = notices()
    with open_as_one([folder]) as crawl:
        judging = Judging(crawl, out, screen, screen.input, show_relevance=show_relevance)
        return judging.run(file)


def _tell(folder: Path, out: Path, drawn: Sample, file: JudgedFile) -> None:
    with open_as_one([folder]) as crawl:
        bands = drawn.of.cut(read_frame(crawl.pages()))
    _print_bands(bands, file)
    judged = sum(bool(line.cell(JUDGEMENT)) for line in file.lines)
    lines = len(file.lines)
    kept = f", {drawn.kept} of them there before" if drawn.kept else ""
    typed = command("score", folder, str(out))
    _say(f"{out}: {lines} pages{kept}; {judged} judged.")
    if judged < lines:
        here = command("sample", folder, "--out", str(out), "--judge")
        _say(f"Write yes, no or ? into the column 'judgement', or judge here: {here}")
    _say(f"Then: {typed}")


def _print_bands(bands: tuple[Band, ...], file: JudgedFile) -> None:
    drawn = Counter(line.cell(BAND) for line in file.lines)
    rows = table("", ("band", "relevance", "called"), ("documents", "drawn"))
    for band in bands:
        called = "relevant" if band.relevant else "not relevant"
        limits = f"{band.low:.3f} to {band.high:.3f}"
        size, number = str(len(band.documents)), str(band.number)
        rows.add_row(number, limits, called, size, str(drawn[number]))
    output().print(rows)


def _say(text: str) -> None:
    notices().print(plain(text), soft_wrap=True)
