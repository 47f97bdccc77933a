"""How a run is reported: tables and JSON of its figures, why it ended, what to do next, and the
exit code.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

import typer
from rich.console import Console

from scenthound.cli.screen import figure, notices, output, plain, table
from scenthound.core.crawl import BUDGET_EXHAUSTED, FRONTIER_EMPTY
from scenthound.core.errors import SettingsError
from scenthound.core.options import SIMILARITY
from scenthound.crawler.arguments import command
from scenthound.crawler.link_weights import IN_CRAWL, OWN, WeightsUsed
from scenthound.crawler.metrics import Indicators
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.result import Run
from scenthound.storage.files import write_json
from scenthound.storage.journal import DISK_FULL, INTERRUPTED, LOW_HARVEST, OUT_OF_TIME, STOPPED


def representation_lines(runs: Sequence[Run]) -> list[str]:
    """``texts were read by words and meaning``, a line for each thing there is to tell.

    Lines name their strategies, unless all runs have the same to tell; none for strategies that
    read alike everywhere.
    """
    described = [(run.strategy, run.ways.describe()) for run in runs if run.ways is not None]
    if len(described) == len(runs) and len({text for _, text in described}) == 1:
        return [f"texts were read {described[0][1]}"]
    return [f"{name}: texts were read {text}" for name, text in dict.fromkeys(described)]


# How weights of links are reported: in one line, where there is something to tell.


_DIGITS = 2

_SEVERAL, _LARGEST = 6, 4
"""Of more than so many weights, the largest are reported."""


def weights_lines(runs: Sequence[Run]) -> list[str]:
    """Weights that were given or learnt, a line each; none for strategies that weigh as always.

    Lines name their runs, unless all runs have the same to tell.
    """
    used = [(run, run.weights) for run in runs]
    described = [(run, weights_text(each)) for run, each in used if each and each.is_remarkable]
    if len(described) == len(runs) and len({text for _, text in described}) == 1:
        return [f"weights: {described[0][1]}"]
    return [f"{run.topic} {run.strategy} weights: {text}" for run, text in described]


def weights_text(used: WeightsUsed) -> str:
    """``full 0.31, anchor 0.42 (learnt from 812 links)``; many that nobody chose are not told."""
    if len(used.values) > _SEVERAL and used.origin == OWN:
        return f"those of the start ({_origin(used)})"
    return f"{values_text(used.values)} ({_origin(used)})"


def values_text(values: Mapping[str, float]) -> str:
    """``full 0.31, anchor 0.42``, the largest of many with "8 others"; empty for none."""
    described, rest = list(values.items()), 0
    if len(described) > _SEVERAL:
        described, rest = (
            sorted(described, key=lambda pair: -pair[1])[:_LARGEST],
            len(described) - _LARGEST,
        )
    texts = [f"{name} {figure(value, _DIGITS)}" for name, value in described]
    return ", ".join([*texts, f"{rest} others"] if rest else texts)


def _origin(used: WeightsUsed) -> str:
    given = "" if used.origin in (OWN, IN_CRAWL) else f"from {used.origin}"
    if used.learned_from is None:
        return given
    learnt = "nothing learnt in the crawl"
    if used.reason:
        learnt += f": {used.reason.rstrip('.')}"
    if used.learned_from:
        learnt = f"learnt from {used.learned_from:,} links"
    return f"{given}, then {learnt}" if given else learnt


# How runs are shown and written: a table a person reads, JSON a program reads.


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
    for line in (*representation_lines(runs), *weights_lines(runs)):
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


# How a live crawl has ended: why, what to do next, and the exit code.


STDOUT = Path("-")

INTERRUPTED_CODE = 130

_FAILED = 1

_NORMAL_STOPS = frozenset({BUDGET_EXHAUSTED, OUT_OF_TIME, FRONTIER_EMPTY, LOW_HARVEST, STOPPED})


class CommandExit(SystemExit):
    """The command ends with this code, and has said why."""


def exit_code(run: Run) -> int:
    """0 for a crawl that ended as was asked; 1 for an error or without a page; 130 for Ctrl-C."""
    if run.stopped == INTERRUPTED:
        return INTERRUPTED_CODE
    if run.stopped == FRONTIER_EMPTY and not run.fetched:
        return _FAILED
    return 0 if run.stopped in _NORMAL_STOPS else _FAILED


def show_end(
    run: Run, folder: Path, options: CrawlOptions, json_file: Path | None, quiet: bool
) -> None:
    """Figures, files, the reason, what to do next; ToldExit where the exit code is not 0."""
    write_figures(run, json_file)
    code = exit_code(run)
    if not quiet and json_file != STDOUT:
        _print_figures(run, folder)
    if not quiet or code == _FAILED:
        notices().print(plain(reason_text(run, folder, options)), style="bold", soft_wrap=True)
    if code:
        raise CommandExit(code)


def write_figures(run: Run, json_file: Path | None) -> None:
    """All figures to a file, or to standard output, where that is wanted."""
    if json_file == STDOUT:
        typer.echo(json.dumps(figures([run]), ensure_ascii=False))
    elif json_file is not None:
        save_runs([run], json_file)


def _print_figures(run: Run, folder: Path) -> None:
    screen = output()
    if run.fetched:
        print_runs([run], screen, ends=False)
    count = len(list(folder.glob("pages-*.warc.gz")))
    pages = f"{folder}/pages-*.warc.gz ({count} file{'' if count == 1 else 's'})"
    screen.print(plain(f"pages: {pages}; journal: {folder}/journal.jsonl"), soft_wrap=True)


def reason_text(run: Run, folder: Path, options: CrawlOptions) -> str:
    """Why it stopped and how to go on, in one line."""
    why, next_step = _stop_reason(run, command("resume", folder), options)
    return f"stopped: {why}. {next_step}"


def _stop_reason(run: Run, resume: str, options: CrawlOptions) -> tuple[str, str]:
    go_on = f"Go on with: {resume}"
    if run.stopped == BUDGET_EXHAUSTED:
        pages = f"{run.fetched:,} pages are fetched (--max-pages)"
        return pages, f"{go_on} --max-pages {2 * run.fetched}"
    if run.stopped == OUT_OF_TIME:
        more = f"{2 * (options.max_time or run.seconds):g}"
        return "the time is up (--max-time)", f"{go_on} --max-time {more}"
    if run.stopped == FRONTIER_EMPTY:
        return _frontier_empty_reason(run)
    if run.stopped == LOW_HARVEST:
        floor = (
            f"fewer than {options.min_harvest or 0.0:.1%} of the last {options.harvest_window:,}"
        )
        return f"{floor} pages were relevant (--min-harvest)", go_on
    if run.stopped == DISK_FULL:
        return f"less than {options.min_disk} MB are free on the disk", f"Make room. {go_on}"
    if run.stopped == STOPPED:
        return f"on request, after {run.fetched:,} pages", go_on
    return f"{run.stopped}, after {run.fetched:,} pages", go_on


def _frontier_empty_reason(run: Run) -> tuple[str, str]:
    """The frontier is empty: was there anything at all?"""
    if run.fetched:
        found = f"all that could be reached is fetched, {run.fetched:,} pages"
        return found, "For more, start a new crawl with more seeds."
    reasons = {**run.problems, **run.dropped}
    why = ", ".join(f"{reason} {count:,}" for reason, count in reasons.items()) or "no answer"
    return f"not one page could be fetched ({why})", "Check the seeds, the network and the proxy."
