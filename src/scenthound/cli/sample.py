"""``scenthound sample``: draw pages of a crawl for a person to judge, and judge them on the
terminal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from scenthound.cli.options import CrawlFolderPath
from scenthound.cli.screen import Prompt, notices, output, plain, prompt_choice, table
from scenthound.core.errors import InputError, SettingsError
from scenthound.crawler.arguments import command
from scenthound.evaluation.judged_file import (
    BAND,
    JUDGEMENT,
    TITLE,
    URL,
    JudgedFile,
    JudgedLine,
    write_judged,
)
from scenthound.evaluation.judging import JudgingSession, draw_sample, passages
from scenthound.evaluation.sampling import (
    DEFAULT_BANDS,
    DEFAULT_N,
    DEFAULT_SEED,
    Band,
    Sample,
    read_frame,
)
from scenthound.evaluation.scoring import NO, UNSURE, YES
from scenthound.storage.files import unguard_formula
from scenthound.storage.merge import open_whole_crawl
from scenthound.storage.stored_crawl import PageRecord, StoredCrawl

_BACK, _QUIT = "back", "quit"

_ANSWERS = {"y": YES, "n": NO, "?": UNSURE, "b": _BACK, "q": _QUIT}

_ANSWERS |= {word: word for word in (YES, NO, _BACK, _QUIT)}

_PROMPT = "  y(es), n(o), ? (cannot say), b(ack), q(uit), then Enter: "


class JudgingPrompt:
    """Asks a person about every page of a sample that is not judged yet.

    Parameters
    ----------
    crawl : open, for the texts of the pages.
    path : of the sample, which is written after each answer.
    screen : where pages are shown.
    ask : how an answer is got.
    show_relevance : tell what the crawl thinks of the page; a judge had better not know.
    """

    def __init__(
        self, crawl: StoredCrawl, path: Path, screen: Console, ask: Prompt, *, show_relevance: bool
    ) -> None:
        self._crawl = crawl
        self._path = path
        self._screen = screen
        self._ask = ask
        self._show_relevance = show_relevance

    def run(self, file: JudgedFile) -> JudgedFile:
        """Until all are judged or the person has had enough; the file as it is then."""
        session, records = JudgingSession(file), self._records(file)
        words = ", ".join(self._crawl.topic.keywords)
        self._screen.print(plain(f"Topic: {self._crawl.topic.name} ({words})"), style="bold")
        while (line := session.current) is not None:
            self._show(line, f"{session.number} of {len(file.lines)}", records)
            said = prompt_choice(self._ask, _PROMPT, _ANSWERS, at_end=_QUIT)
            if said == _QUIT:
                break
            if said == _BACK:
                session.back()
            else:
                session.answer(said)
                write_judged(self._path, session.file)
        return session.file

    def _show(self, line: JudgedLine, place: str, records: Mapping[str, PageRecord]) -> None:
        record = records.get(line.cell(URL))
        self._screen.print()
        title = unguard_formula(line.cell(TITLE)) or "(no title)"
        self._screen.print(plain(f"[{place}] {title}"), style="bold")
        self._screen.print(plain(line.cell(URL)), soft_wrap=True)
        if record is None:
            return
        if self._show_relevance:
            called = "relevant" if record.relevant else "not relevant"
            self._screen.print(f"relevance {record.similarity:.3f}: {called}")
        for passage in self._passages(record):
            self._screen.print(plain(f"  {passage}"), style="dim")

    def _passages(self, record: PageRecord) -> list[str]:
        try:
            page = self._crawl.bodies.page(record)
        except InputError as error:
            return [f"its text cannot be shown: {error}"]
        if page is None:
            return ["its text was not kept"]
        return passages(page.document.text, self._crawl.topic.keywords) or ["it has no text"]

    def _records(self, file: JudgedFile) -> dict[str, PageRecord]:
        wanted = {line.cell(URL) for line in file.lines}
        return {record.url: record for record in self._crawl.pages() if record.url in wanted}


# ``scenthound sample``: pages of a crawl for a person to judge.


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
    drawn = draw_sample(folder, out, n, bands=bands, random_seed=random_seed, labels=labels)
    file = _judge_pages(folder, out, drawn.file, show_relevance) if judge else drawn.file
    _print_summary(folder, out, drawn, file)


def _judge_pages(folder: Path, out: Path, file: JudgedFile, show_relevance: bool) -> JudgedFile:
    screen = notices()
    with open_whole_crawl([folder]) as crawl:
        judging = JudgingPrompt(crawl, out, screen, screen.input, show_relevance=show_relevance)
        return judging.run(file)


def _print_summary(folder: Path, out: Path, drawn: Sample, file: JudgedFile) -> None:
    with open_whole_crawl([folder]) as crawl:
        bands = drawn.of.cut(read_frame(crawl.pages()))
    _print_bands(bands, file)
    judged = sum(bool(line.cell(JUDGEMENT)) for line in file.lines)
    lines = len(file.lines)
    kept = f", {drawn.kept} of them there before" if drawn.kept else ""
    typed = command("score", folder, str(out))
    _print_notice(f"{out}: {lines} pages{kept}; {judged} judged.")
    if judged < lines:
        here = command("sample", folder, "--out", str(out), "--judge")
        _print_notice(f"Write yes, no or ? into the column 'judgement', or judge here: {here}")
    _print_notice(f"Then: {typed}")


def _print_bands(bands: tuple[Band, ...], file: JudgedFile) -> None:
    drawn = Counter(line.cell(BAND) for line in file.lines)
    rows = table("", ("band", "relevance", "called"), ("documents", "drawn"))
    for band in bands:
        called = "relevant" if band.relevant else "not relevant"
        limits = f"{band.low:.3f} to {band.high:.3f}"
        size, number = str(len(band.documents)), str(band.number)
        rows.add_row(number, limits, called, size, str(drawn[number]))
    output().print(rows)


def _print_notice(text: str) -> None:
    notices().print(plain(text), soft_wrap=True)
