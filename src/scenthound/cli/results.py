"""How a run is reported: tables and JSON of its figures, why it ended, what to do next, and the
exit code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from rich.console import Console

from scenthound.cli import screen as ui
from scenthound.core.command_options import SIMILARITY
from scenthound.core.crawl_loop import BUDGET_EXHAUSTED, FRONTIER_EMPTY
from scenthound.core.errors import SettingsError
from scenthound.crawler.argument_checks import command
from scenthound.crawler.metrics import IN_CRAWL, OWN, Indicators, Result, WeightsUsed
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.files import STDOUT, os_errors_as, write_json
from scenthound.storage.journal import DISK_FULL, INTERRUPTED, LOW_HARVEST, OUT_OF_TIME, STOPPED

# Tables of figures, and notes below them.

_LABELLED = {"harvest": "labelled_harvest", "recall": "target_recall"}
_JUDGED = {"HR": "hr", "AS": "as_", "AR": "ar", "SD": "sd", "AE": "ae"}
"""Heads of columns, with the indicators below them."""
_LABELLED_LEGEND = "harvest, recall: against the labels. "
_LEGEND = (
    "HR, AS: relevant share and its mean similarity; "
    "AR, SD: of all pages; AE: priority against similarity. All by the judge ({})."
)
_JUDGES = {SIMILARITY: "VSM"}
_SEVERAL, _LARGEST = 6, 4
"""Of more than so many weights, the largest are printed."""


def print_runs(runs: Sequence[Result], console: Console, ends: bool = True) -> None:
    """A row for each run, and a mean for each strategy where there are several topics.

    With ``ends`` also which crawls ended early, and why.
    """
    labelled = any(run.labelled_pages is not None for run in runs)
    columns = {**(_LABELLED if labelled else {}), **_JUDGED}
    rows = ui.table("", ("topic", "strategy"), ("pages", *columns))

    def add(topic: str, strategy: str, pages: str, finals: Sequence[Indicators]) -> None:
        values = [[getattr(final, name) for final in finals] for name in columns.values()]
        known = [[value for value in column if value is not None] for column in values]
        cells = [ui.figure(fmean(column) if column else None) for column in known]
        rows.add_row(ui.plain(topic), strategy, pages, *cells)

    for run in runs:
        add(run.topic, run.strategy, str(run.fetched), [run.final])
    if len({run.topic for run in runs}) > 1:
        rows.add_row()
        for name in dict.fromkeys(run.strategy for run in runs):
            own = [run for run in runs if run.strategy == name]
            pages = f"{fmean(run.fetched for run in own):.0f}"
            add("mean", name, pages, [run.final for run in own])
    console.print(rows)
    judges = ", ".join(dict.fromkeys(_JUDGES.get(run.judge, run.judge) for run in runs))
    console.print((_LABELLED_LEGEND if labelled else "") + _LEGEND.format(judges), style="dim")
    _print_notes(runs, console)
    for run in runs if ends else ():
        if run.fetched < run.budget:
            ui.say(f"{run.topic} {run.strategy}: {run.stopped} after {run.fetched} pages.", console)


def _print_notes(runs: Sequence[Result], console: Console) -> None:
    """How texts were read, which weights links had, and what was left out."""
    for line in (*representation_lines(runs), *weights_lines(runs)):
        ui.say(line, console)
    for title, counts in (
        ("links not followed", [run.dropped for run in runs]),
        ("pages with a problem", [run.problems for run in runs]),
    ):
        total = sum((Counter(each) for each in counts), Counter[str]())
        if total:
            text = ", ".join(f"{reason} {n:,}" for reason, n in total.most_common())
            ui.say(f"{title}: {text}", console, "dim")


def representation_lines(runs: Sequence[Result]) -> list[str]:
    """How texts were read, a line for each strategy.

    None for strategies that read texts in the same way everywhere.
    """
    described = [
        f"{run.strategy}: texts were read {run.representations.describe()}"
        for run in runs
        if run.representations is not None
    ]
    return list(dict.fromkeys(described))


def weights_lines(runs: Sequence[Result]) -> list[str]:
    """Weights that were given or learned, a line for each run that has some."""
    return [
        f"{run.topic} {run.strategy} weights: {weights_text(run.weights)}"
        for run in runs
        if run.weights and run.weights.is_remarkable
    ]


def weights_text(used: WeightsUsed) -> str:
    """``full 0.31, anchor 0.42 (learned from 812 links)``; of many the largest, if learned."""
    shown, rest = list(used.values.items()), 0
    if len(shown) > _SEVERAL:
        if used.origin == OWN:
            return f"those of the start ({_origin(used)})"
        shown, rest = sorted(shown, key=lambda pair: -pair[1])[:_LARGEST], len(shown) - _LARGEST
    texts = [f"{name} {ui.figure(value, 2)}" for name, value in shown]
    return f"{', '.join([*texts, f'{rest} others'] if rest else texts)} ({_origin(used)})"


def _origin(used: WeightsUsed) -> str:
    given = "" if used.origin in (OWN, IN_CRAWL) else f"from {used.origin}"
    if used.learned_from is None:
        return given
    learned = "nothing learned in the crawl"
    if used.reason:
        learned += f": {used.reason.rstrip('.')}"
    if used.learned_from:
        learned = f"learned from {used.learned_from:,} links"
    return f"{given}, then {learned}" if given else learned


def run_line(run: Result) -> str:
    """One run in one line, where no bars can be watched."""
    found = f"{run.final.rn} relevant"
    if run.final.labelled is not None:
        found += f", {run.final.labelled} of {run.labelled_pages} labelled"
    return f"{run.topic} {run.strategy}: {run.fetched} pages, {found} ({run.stopped})"


def write_figures(content: object, json_file: Path | None) -> None:
    """Write figures to the file of ``--json``, or to standard output; None writes nothing."""
    if json_file == STDOUT:
        ui.print_json(content, ensure_ascii=False)
    elif json_file is not None:
        with os_errors_as(SettingsError, f"--json {json_file} cannot be written"):
            write_json(json_file, content)


def figures(runs: Sequence[Result]) -> dict[str, object]:
    """The content of a results file."""
    return {"runs": [run.to_json() for run in runs]}


# How a live crawl has ended: why, what to do next, and the exit code.

_NORMAL_STOPS = frozenset({BUDGET_EXHAUSTED, OUT_OF_TIME, FRONTIER_EMPTY, LOW_HARVEST, STOPPED})


def exit_code(run: Result) -> int:
    """0 for a crawl that ended as was asked; 1 for an error or without a page; 130 for Ctrl-C."""
    if run.stopped == INTERRUPTED:
        return ui.INTERRUPTED_CODE
    if run.stopped in (FRONTIER_EMPTY, OUT_OF_TIME) and not run.fetched:
        return ui.FAILED
    return 0 if run.stopped in _NORMAL_STOPS else ui.FAILED


def show_end(
    run: Result, folder: Path, options: CrawlOptions, json_file: Path | None, quiet: bool
) -> None:
    """Figures, files, the reason, what to do next; CommandExit where the exit code is not 0."""
    write_figures(figures([run]), json_file)
    code = exit_code(run)
    if not quiet and json_file != STDOUT:
        if run.fetched:
            print_runs([run], ui.output(), ends=False)
        files = ui.counted(len(list(folder.glob("pages-*.warc.gz"))), "file")
        pages = f"pages: {folder}/pages-*.warc.gz ({files})"
        ui.say(f"{pages}; journal: {folder}/journal.jsonl", ui.output())
    if not quiet or code == ui.FAILED:
        why, next_step = _stop_reason(run, command("resume", folder), options)
        ui.say(f"stopped: {why}. {next_step}", style="bold")
    if code:
        raise ui.CommandExit(code)


def _stop_reason(run: Result, resume: str, options: CrawlOptions) -> tuple[str, str]:
    """Why it stopped, and how to go on."""
    go_on = f"Go on with: {resume}"
    if run.stopped == BUDGET_EXHAUSTED:
        pages = f"{run.fetched:,} pages are fetched (--max-pages)"
        return pages, f"{go_on} --max-pages {2 * run.fetched}"
    if run.stopped == OUT_OF_TIME and run.fetched:
        more = f"{2 * (options.max_time or run.seconds):g}"
        return "the time is up (--max-time)", f"{go_on} --max-time {more}"
    if run.stopped == FRONTIER_EMPTY and run.fetched:
        reached = f"all that could be reached is fetched, {run.fetched:,} pages"
        return reached, "For more, start a new crawl with more seeds."
    if run.stopped in (FRONTIER_EMPTY, OUT_OF_TIME):
        reasons = {**run.problems, **run.dropped}
        why = ", ".join(f"{each} {count:,}" for each, count in reasons.items()) or "no response"
        advice = "Check the seeds, the network and the proxy."
        return f"not one page could be fetched ({why})", advice
    if run.stopped == LOW_HARVEST:
        floor = f"fewer than {options.min_harvest or 0.0:.1%}"
        last = f"of the last {options.harvest_window:,} pages were relevant (--min-harvest)"
        return f"{floor} {last}", go_on
    if run.stopped == DISK_FULL:
        return f"less than {options.min_disk} MB are free on the disk", f"Make room. {go_on}"
    reason = "on request" if run.stopped == STOPPED else run.stopped
    return f"{reason}, after {run.fetched:,} pages", go_on
