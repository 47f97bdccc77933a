"""How a live crawl has ended: why, what to do next, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from scenthound.api.advice import command
from scenthound.cli.results import figures, print_runs, save_runs
from scenthound.cli.screen import notices, output, plain
from scenthound.core.crawl import BUDGET_SPENT, FRONTIER_EMPTY
from scenthound.experiments.result import Run
from scenthound.live.options import CrawlOptions
from scenthound.live.stopping import DISK_FULL, INTERRUPTED, LOW_HARVEST, OUT_OF_TIME, STOPPED

STDOUT = Path("-")
BROKEN_OFF = 130
_WENT_WRONG = 1
_WELL = frozenset({BUDGET_SPENT, OUT_OF_TIME, FRONTIER_EMPTY, LOW_HARVEST, STOPPED})


class ToldExit(SystemExit):
    """The command ends with this code, and has said why."""


def exit_code(run: Run) -> int:
    """0 for a crawl that ended as was asked; 1 for an error or without a page; 130 for Ctrl-C."""
    if run.stopped == INTERRUPTED:
        return BROKEN_OFF
    if run.stopped == FRONTIER_EMPTY and not run.fetched:
        return _WENT_WRONG
    return 0 if run.stopped in _WELL else _WENT_WRONG


def show_end(
    run: Run, folder: Path, options: CrawlOptions, json_file: Path | None, quiet: bool
) -> None:
    """Figures, files, the reason, what to do next; ToldExit where the exit code is not 0."""
    write_figures(run, json_file)
    code = exit_code(run)
    if not quiet and json_file != STDOUT:
        _print_figures(run, folder)
    if not quiet or code == _WENT_WRONG:
        notices().print(plain(reason_text(run, folder, options)), style="bold", soft_wrap=True)
    if code:
        raise ToldExit(code)


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
    why, next_step = _told(run, command("resume", folder), options)
    return f"stopped: {why}. {next_step}"


def _told(run: Run, resume: str, options: CrawlOptions) -> tuple[str, str]:
    go_on = f"Go on with: {resume}"
    if run.stopped == BUDGET_SPENT:
        pages = f"{run.fetched:,} pages are fetched (--max-pages)"
        return pages, f"{go_on} --max-pages {2 * run.fetched}"
    if run.stopped == OUT_OF_TIME:
        more = f"{2 * (options.max_time or run.seconds):g}"
        return "the time is up (--max-time)", f"{go_on} --max-time {more}"
    if run.stopped == FRONTIER_EMPTY:
        return _nothing_left(run)
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


def _nothing_left(run: Run) -> tuple[str, str]:
    """The frontier is empty: was there anything at all?"""
    if run.fetched:
        found = f"all that could be reached is fetched, {run.fetched:,} pages"
        return found, "For more, start a new crawl with more seeds."
    reasons = {**run.problems, **run.dropped}
    why = ", ".join(f"{reason} {count:,}" for reason, count in reasons.items()) or "no answer"
    return f"not one page could be fetched ({why})", "Check the seeds, the network and the proxy."
