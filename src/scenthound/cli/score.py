"""``scenthound score``: what the judgements of a person prove about a crawl."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from scenthound.cli.options import CrawlFolderPath
from scenthound.cli.screen import figure, output, plain, print_warning, table
from scenthound.evaluation import judging
from scenthound.evaluation.estimates import Count, Estimate
from scenthound.evaluation.scoring import FEWEST_JUDGED, Cutoff, Score, ThresholdAdvice

_COMPLAINTS_SHOWN = 20


def score(
    folder: CrawlFolderPath,
    judged: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV file of judgements.", show_default=False)
    ],
    confidence: Annotated[
        float, typer.Option(metavar="X", help="Confidence of the intervals.")
    ] = 0.95,
    precision: Annotated[
        float, typer.Option(metavar="X", help="Find the threshold that gives this precision.")
    ] = 0.9,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Score a crawl by judged pages: precision, recall, thresholds.

    The file is that of 'scenthound sample', or any CSV with the columns url and judgement.
    """
    found = judging.score(folder, judged, confidence=confidence, precision=precision)
    _warn_complaints(judged, found.judgements.complaints)
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=1, ensure_ascii=False))
    else:
        _print_score(found, output())


def _warn_complaints(judged: Path, complaints: Sequence[str]) -> None:
    for complaint in complaints[:_COMPLAINTS_SHOWN]:
        print_warning(f"{judged.name}, {complaint}")
    if len(complaints) > _COMPLAINTS_SHOWN:
        print_warning(
            f"{judged.name}: {len(complaints) - _COMPLAINTS_SHOWN} more lines like these."
        )


def _print_score(found: Score, screen: Console) -> None:
    interval = f"{100 * found.confidence:g} % interval"
    columns = ("documents", "judged", "on topic", "precision", interval)
    rows = table("", ("", "relevance"), columns)
    for band in found.bands:
        side = "relevant" if band.relevant else "not relevant"
        limits = f"{band.low:.3f} to {band.high:.3f}"
        rows.add_row(f"band {band.number}: {side}", limits, *_cells(band.count, band.precision))
    rows.add_row()
    called = found.count(relevant_only=True)
    rows.add_row("called relevant", "", *_cells(called, found.called_relevant))
    rows.add_row("all documents", "", *_cells(found.count(), found.all_documents))
    screen.print(rows)
    screen.print()
    screen.print(plain(_recall_text(found)), soft_wrap=True)
    for line in _advice_texts(found.advice):
        screen.print(plain(line), soft_wrap=True)
    screen.print(plain(_judged_text(found)), style="dim", soft_wrap=True)


def _cells(count: Count, estimate: Estimate | None) -> list[str]:
    numbers = [f"{value:,}" for value in (count.pages, count.judged, count.right)]
    if estimate is None:
        return [*numbers, "-", "-"]
    return [*numbers, figure(estimate.value), _interval(estimate)]


def _interval(estimate: Estimate) -> str:
    return f"{figure(estimate.low)} to {figure(estimate.high)}"


def _recall_text(found: Score) -> str:
    if found.recall is None:
        return "Recall cannot be told: judge pages of both sides, until one is about the topic."
    share = f"{figure(found.recall.value)} ({_interval(found.recall)})"
    return f"Of the fetched documents about the topic, {share} are called relevant."


def _advice_texts(advice: ThresholdAdvice) -> list[str]:
    """The threshold that would give the wanted precision, or why there is none."""
    wanted = f"Precision {advice.wanted:g}"
    if advice.best is None:
        return [
            f"{wanted}: too few judgements for a threshold; {FEWEST_JUDGED} above it are needed."
        ]
    if advice.likely is None:
        return [f"{wanted} is reached by no threshold; the best is {_cutoff_text(advice.best)}"]
    if advice.sure == advice.likely:
        return [f"{wanted} by the estimate and the whole interval: {_cutoff_text(advice.likely)}"]
    sure = "no threshold; judge more pages."
    return [
        f"{wanted} by the estimate: {_cutoff_text(advice.likely)}",
        f"{wanted} by the whole interval: {_cutoff_text(advice.sure) if advice.sure else sure}",
    ]


def _cutoff_text(cutoff: Cutoff) -> str:
    kept = f"{cutoff.documents:,} documents remain"
    if cutoff.recall is not None:
        kept += f", with {figure(cutoff.recall.value, 2)} of those about the topic"
    share = f"{figure(cutoff.precision.value)} ({_interval(cutoff.precision)})"
    return f"from relevance {cutoff.threshold:.6g} on: {share}; {kept}."


def _judged_text(found: Score) -> str:
    said = found.judgements
    text = f"{len(said.judged)} pages judged, {said.unsure} cannot be told, {said.empty} not judged"
    return f"{text}. Estimates weigh each band by its documents."
