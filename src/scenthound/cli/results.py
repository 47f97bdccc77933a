"""How runs are shown and written: a table a person reads, JSON a program reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from rich.console import Console

from scenthound.cli.screen import figure, plain, table
from scenthound.cli.ways_view import ways_lines
from scenthound.cli.weights_view import weights_lines
from scenthound.core.errors import SettingsError
from scenthound.experiments.metrics import Indicators
from scenthound.experiments.result import Run
from scenthound.relevance.judge_names import SIMILARITY
from scenthound.store.atomic import write_json

_LABELLED = ("harvest", "recall")
_JUDGED = ("HR", "AS", "AR", "SD", "AE")
_LABELLED_LEGEND = "harvest, recall: against the labels. "
_LEGEND = (
    "HR, AS: relevant share and its mean similarity; "
    "AR, SD: of all pages; AE: priority against similarity. All by the judge ({})."
)
_JUDGES = {SIMILARITY: "VSM"}


def print_runs(runs: Sequence[Run], console: Console, ends: bool = True) -> None:
    """One row a run, and a mean a strategy where there are several topics.

    ``ends`` tells which crawls ended early, and why.
    """
    labelled = any(run.labelled_pages is not None for run in runs)
    columns = ("pages", *(_LABELLED if labelled else ()), *_JUDGED)
    rows = table("", ("topic", "strategy"), columns)
    for run in runs:
        rows.add_row(plain(run.topic), run.strategy, str(run.fetched), *_cells(run.final, labelled))
    if len({run.topic for run in runs}) > 1:
        _add_means(rows.add_row, runs, labelled)
    console.print(rows)
    judges = ", ".join(dict.fromkeys(_JUDGES.get(run.judge, run.judge) for run in runs))
    console.print((_LABELLED_LEGEND if labelled else "") + _LEGEND.format(judges), style="dim")
    _print_notes(runs, console)
    if ends:
        _print_ends(runs, console)


def _print_notes(runs: Sequence[Run], console: Console) -> None:
    """How texts were read, how links were weighed, and what was left out."""
    for line in (*ways_lines(runs), *weights_lines(runs)):
        console.print(plain(line), soft_wrap=True)
    for title, counts in (
        ("links not followed", [run.dropped for run in runs]),
        ("pages with a problem", [run.problems for run in runs]),
    ):
        total = sum((Counter(each) for each in counts), Counter[str]())
        if total:
            text = ", ".join(f"{reason} {n:,}" for reason, n in total.most_common())
            console.print(plain(f"{title}: {text}"), style="dim", soft_wrap=True)


def _print_ends(runs: Sequence[Run], console: Console) -> None:
    """Which crawls ended early."""
    for run in runs:
        if run.fetched < run.budget:
            early = f"{run.topic} {run.strategy}: {run.stopped} after {run.fetched} pages."
            console.print(plain(early), soft_wrap=True)


def _cells(row: Indicators, labelled: bool) -> list[str]:
    first = [figure(row.labelled_harvest), figure(row.target_recall)] if labelled else []
    return [*first, *(figure(v) for v in (row.hr, row.as_, row.ar, row.sd, row.ae))]


def _add_means(add_row: object, runs: Sequence[Run], labelled: bool) -> None:
    assert callable(add_row)
    add_row()
    for name in dict.fromkeys(run.strategy for run in runs):
        own = [run for run in runs if run.strategy == name]
        fetched = f"{fmean(run.fetched for run in own):.0f}"
        add_row("mean", name, fetched, *_mean_cells([run.final for run in own], labelled))


def _mean_cells(rows: Sequence[Indicators], labelled: bool) -> list[str]:
    names = (("labelled_harvest", "target_recall") if labelled else ()) + (
        "hr", "as_", "ar", "sd", "ae",
    )  # fmt: skip
    return [figure(_mean([getattr(row, name) for row in rows])) for name in names]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def run_line(run: Run) -> str:
    """One run in one line, where no table can be watched growing."""
    found = f"{run.final.rn} relevant"
    if run.final.labelled is not None:
        found += f", {run.final.labelled} of {run.labelled_pages} labelled"
    return f"{run.topic} {run.strategy}: {run.fetched} pages, {found} ({run.stopped})"


def save_runs(runs: Sequence[Run], path: Path) -> None:
    """All figures as JSON, replaced in one step."""
    try:
        write_json(path, figures(runs))
    except OSError as error:
        raise SettingsError(f"--json {path} cannot be written: {error.strerror}.") from None


def figures(runs: Sequence[Run]) -> dict[str, object]:
    """What the results file holds."""
    return {"runs": [run.to_json() for run in runs]}


def check_writable(path: Path) -> None:
    """Find out before the crawl, not after it, that the figures could not be written."""
    if path.is_dir():
        raise SettingsError(f"--json {path} is a folder; give the name of a file.")
    if not path.parent.is_dir():
        raise SettingsError(f"--json {path}: there is no folder {path.parent}; make it first.")
    if path.exists() and not path.is_file():
        return  # a device or a pipe: nothing to try beforehand
    try:
        write_json(path.with_name(f".{path.name}.writable"), {})
        path.with_name(f".{path.name}.writable").unlink()
    except OSError as error:
        raise SettingsError(f"--json {path} cannot be written: {error.strerror}.") from None
