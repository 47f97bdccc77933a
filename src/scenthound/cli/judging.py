"""``scenthound sample``: draw pages of a crawl for a person to judge, and judge them on the
terminal. ``scenthound score``: what the judgements prove about the crawl.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from scenthound.cli import screen as ui
from scenthound.cli.options import AS_JSON, CRAWL_FOLDER_PATH, argument, option, switch
from scenthound.core.errors import InputError, SettingsError
from scenthound.crawler.argument_checks import command
from scenthound.evaluation import judged_file, judging, sampling, scoring
from scenthound.evaluation.estimates import Count, Estimate
from scenthound.evaluation.judging import draw_sample, passages
from scenthound.evaluation.scoring import NO, UNSURE, YES
from scenthound.storage.files import unguard_formula
from scenthound.storage.stored_crawl import PageRecord, StoredCrawl, open_whole_crawl

_BACK, _QUIT = "back", "quit"
_ANSWERS = {
    "y": YES, "n": NO, "?": UNSURE, "b": _BACK, "q": _QUIT,
    **{word: word for word in (YES, NO, _BACK, _QUIT)},
}  # fmt: skip
_PROMPT = "  y(es), n(o), ? (cannot say), b(ack), q(uit), then Enter: "
_COMPLAINTS_SHOWN = 5


# ``scenthound sample``.


def sample(
    folder: Path = CRAWL_FOLDER_PATH,
    n: int = option("N", "Number of pages to draw.", "--n", default=sampling.DEFAULT_N),
    bands: int | None = option(
        "N", f"Number of relevance bands. [default: {sampling.DEFAULT_BANDS}]"
    ),
    out: Path = option(
        "FILE", "CSV file to write; an existing sample is continued.", default=Path("judged.csv")
    ),
    random_seed: int | None = option(
        "N", f"The same seed draws the same pages. [default: {sampling.DEFAULT_SEED}]"
    ),
    judge: bool = switch("--judge", "Judge the pages on this terminal, one by one."),
    show_relevance: bool = switch(
        "--show-relevance", "With --judge: show the relevance that the crawl found."
    ),
    labels: Path | None = option("L.tsv", "Fill in judgements from human labels."),
) -> None:
    """Draw pages at random for a person to judge.

    Write yes, no or ? into the column 'judgement', then: scenthound score DIR FILE
    """
    if judge and not sys.stdin.isatty():
        raise SettingsError("--judge needs a terminal; leave it out and fill in the CSV file.")
    if show_relevance and not judge:
        raise SettingsError("--show-relevance goes with --judge; add it.")
    drawn = draw_sample(folder, out, n, bands=bands, random_seed=random_seed, labels=labels)
    file = drawn.file
    if judge:
        with open_whole_crawl([folder]) as crawl:
            screen = ui.notices()
            file = judge_pages(
                crawl, out, file, screen, screen.input, show_relevance=show_relevance
            )
    _print_sample(folder, out, drawn, file)


def judge_pages(
    crawl: StoredCrawl,
    path: Path,
    file: judged_file.JudgedFile,
    screen: Console,
    ask: ui.Prompt,
    *,
    show_relevance: bool,
) -> judged_file.JudgedFile:
    """Ask a person about every page of a sample that is not judged, until all are or they quit.

    Parameters
    ----------
    crawl : open, for the texts of the pages.
    path : of the sample, which is written after each answer.
    file : the sample.
    screen : where pages are shown.
    ask : prompts for an answer.
    show_relevance : show what the crawl thinks of the page; a judge had better not know.
    """
    lines = list(file.lines)
    wanted = {line.cell(judged_file.URL) for line in lines}
    records = {each.url: each for each in crawl.pages() if each.url in wanted}
    words = ", ".join(crawl.topic.keywords)
    screen.print(ui.plain(f"Topic: {crawl.topic.name} ({words})"), style="bold")
    place = _first_unjudged(lines)
    while place < len(lines):
        record = records.get(lines[place].cell(judged_file.URL))
        screen.print()
        title = unguard_formula(lines[place].cell(judged_file.TITLE)) or "(no title)"
        screen.print(ui.plain(f"[{place + 1} of {len(lines)}] {title}"), style="bold")
        ui.say(lines[place].cell(judged_file.URL), screen)
        if record is not None:
            if show_relevance:
                verdict = "relevant" if record.relevant else "not relevant"
                screen.print(f"relevance {record.similarity:.3f}: {verdict}")
            for passage in _passages(crawl, record):
                screen.print(ui.plain(f"  {passage}"), style="dim")
        judgement = ui.prompt_choice(ask, _PROMPT, _ANSWERS, at_end=_QUIT)
        if judgement == _QUIT:
            break
        if judgement == _BACK:  # an answer there leads on to the first page without one
            place = max(0, place - 1)
            continue
        lines[place] = lines[place].judged(judgement)
        file = replace(file, lines=tuple(lines))
        judged_file.write_judged(path, file)
        place = _first_unjudged(lines)
    return file


def _first_unjudged(lines: Sequence[judged_file.JudgedLine]) -> int:
    """Its place; the end where all are judged."""
    judgements = (line.cell(judged_file.JUDGEMENT) for line in lines)
    return next((place for place, each in enumerate(judgements) if not each), len(lines))


def _passages(crawl: StoredCrawl, record: PageRecord) -> list[str]:
    try:
        page = crawl.bodies.page(record)
    except InputError as error:
        return [f"its text cannot be shown: {error}"]
    if page is None:
        return ["its text was not stored"]
    return passages(page.document.text, crawl.topic.keywords) or ["it has no text"]


def _print_sample(
    folder: Path, out: Path, drawn: sampling.Sample, file: judged_file.JudgedFile
) -> None:
    """The bands, and how to go on."""
    with open_whole_crawl([folder]) as crawl:
        bands = drawn.of.cut(sampling.read_frame(crawl.pages()))
    by_band = Counter(line.cell(judged_file.BAND) for line in file.lines)
    rows = ui.table("", ("band", "relevance", "called"), ("documents", "drawn"))
    for band in bands:
        verdict = "relevant" if band.relevant else "not relevant"
        limits = ui.interval(band.low, band.high)
        size, number = str(len(band.documents)), str(band.number)
        rows.add_row(number, limits, verdict, size, str(by_band[number]))
    ui.output().print(rows)
    judged = sum(bool(line.cell(judged_file.JUDGEMENT)) for line in file.lines)
    lines = len(file.lines)
    before = f", {drawn.kept} of them from before" if drawn.kept else ""
    ui.say(f"{out}: {lines} pages{before}; {judged} judged.")
    if judged < lines:
        here = command("sample", folder, "--out", str(out), "--judge")
        ui.say(f"Write yes, no or ? into the column 'judgement', or judge here: {here}")
    ui.say(f"Then: {command('score', folder, str(out))}")


# ``scenthound score``.


def score(
    folder: Path = CRAWL_FOLDER_PATH,
    judged: Path = argument("FILE", "CSV file of judgements."),
    confidence: float = option("X", "Confidence level of the intervals.", default=0.95),
    precision: float = option(
        "X", "Find the relevance threshold that gives this precision.", default=0.9
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Score a crawl by judged pages: precision, recall, thresholds.

    The file is that of 'scenthound sample', or any CSV with the columns url and judgement.
    """
    found = judging.score(folder, judged, confidence=confidence, precision=precision)
    complaints = found.judgements.complaints
    for complaint in complaints[:_COMPLAINTS_SHOWN]:
        ui.print_warning(f"{judged.name}, {complaint}")
    if len(complaints) > _COMPLAINTS_SHOWN:
        more = len(complaints) - _COMPLAINTS_SHOWN
        ui.print_warning(f"{judged.name}: {more} more lines like these.")
    if as_json:
        ui.print_json(found.to_json(), indent=1, ensure_ascii=False)
    else:
        _print_score(found, ui.output())


def _print_score(found: scoring.Score, screen: Console) -> None:
    interval = f"{100 * found.confidence:g} % interval"
    columns = ("documents", "judged", "on topic", "precision", interval)
    rows = ui.table("", ("", "relevance"), columns)
    for band in found.bands:
        side = "relevant" if band.relevant else "not relevant"
        limits = ui.interval(band.low, band.high)
        rows.add_row(f"band {band.number}: {side}", limits, *_cells(band.count, band.precision))
    rows.add_row()
    relevant = _cells(found.count(relevant_only=True), found.called_relevant)
    rows.add_row("called relevant", "", *relevant)
    rows.add_row("all documents", "", *_cells(found.count(), found.all_documents))
    screen.print(rows)
    screen.print()
    recall = "Recall cannot be estimated: judge pages of both sides, until one is on topic."
    if found.recall is not None:
        share = f"{ui.figure(found.recall.value)} ({_interval(found.recall)})"
        recall = f"Recall: {share} of the fetched documents on topic are called relevant."
    for line in (recall, *_advice_texts(found.advice)):
        ui.say(line, screen)
    pages = found.judgements
    text = f"{len(pages.judged)} pages judged, {pages.unsure} unsure, {pages.empty} not judged"
    ui.say(f"{text}. Estimates weight each band by its documents.", screen, "dim")


def _cells(count: Count, estimate: Estimate | None) -> list[str]:
    numbers = [f"{value:,}" for value in (count.pages, count.judged, count.right)]
    if estimate is None:
        return [*numbers, "-", "-"]
    return [*numbers, ui.figure(estimate.value), _interval(estimate)]


def _interval(estimate: Estimate) -> str:
    return ui.interval(estimate.low, estimate.high)


def _advice_texts(advice: scoring.ThresholdAdvice) -> list[str]:
    """The threshold that would give the wanted precision, or why there is none."""
    wanted = f"Precision {advice.wanted:g}"
    if advice.best is None:
        few = f"too few judgements for a threshold; {scoring.FEWEST_JUDGED} above it are needed"
        return [f"{wanted}: {few}."]
    if advice.likely is None:
        return [f"{wanted} is reached by no threshold; the best is {_cutoff_text(advice.best)}"]
    if advice.sure == advice.likely:
        return [f"{wanted} by the estimate and the whole interval: {_cutoff_text(advice.likely)}"]
    sure = _cutoff_text(advice.sure) if advice.sure else "no threshold; judge more pages."
    return [
        f"{wanted} by the estimate: {_cutoff_text(advice.likely)}",
        f"{wanted} by the whole interval: {sure}",
    ]


def _cutoff_text(cutoff: scoring.Cutoff) -> str:
    kept = f"{cutoff.documents:,} documents remain"
    if cutoff.recall is not None:
        kept += f", with {ui.figure(cutoff.recall.value, 2)} of those on topic"
    share = f"{ui.figure(cutoff.precision.value)} ({_interval(cutoff.precision)})"
    return f"from relevance {cutoff.threshold:.6g} on: {share}; {kept}."
