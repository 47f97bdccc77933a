"""How a crawl of many workers looks: a panel for a terminal, a line for a file, and what is printed
at its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType

from scenthound.cli import screen as ui
from scenthound.cli.live_view import clock_time
from scenthound.cli.options import ServerCrawl
from scenthound.cli.worker_processes import StartedWorker
from scenthound.core.crawl import BUDGET_EXHAUSTED, FRONTIER_EMPTY
from scenthound.crawler.argument_checks import command
from scenthound.frontier.redis.crawl_status import SharedCrawlStatus
from scenthound.frontier.redis.workers import ENDED, ERROR, LOST, WorkerEntry
from scenthound.storage.journal import OUT_OF_TIME

_FOR_ALL = (FRONTIER_EMPTY, OUT_OF_TIME)
_BY_ITSELF = (BUDGET_EXHAUSTED, *_FOR_ALL)


def draw_overview(stands: SharedCrawlStatus) -> RenderableType:
    """The crawl, and a row for each of its workers."""
    head = ui.plain(f"{stands.name}: {stands.topic}, {stands.strategy}, {state_text(stands)}")
    head.stylize("bold", 0, len(stands.name))
    if not stands.workers:
        return Group(head, ui.plain(figures_text(stands)), ui.plain("no worker has begun yet"))
    columns = ("pages", "relevant", "harvest", "under way", "failed", "time")
    made = ui.table("", ("worker", "state", "where"), columns, wrapped=("where", "state"))
    for worker in stands.workers:
        state, silent = worker.shown_state(stands.at), worker.silent_for(stands.at)
        if silent is not None:
            state += f", silent for {silent:.0f} s"
        elif worker.reason:
            state += f" ({worker.reason})"
        made.add_row(
            *map(ui.plain, (worker.name, state, worker.folder)),
            f"{worker.pages:,}",
            f"{worker.relevant:,}",
            ui.figure(worker.relevant / worker.pages if worker.pages else None),
            f"{worker.under_way:,}",
            f"{worker.failed:,}",
            clock_time(worker.seconds),
        )
    return Group(head, ui.plain(figures_text(stands)), made)


def overview_line(stands: SharedCrawlStatus) -> str:
    """The same in a line."""
    states = [worker.shown_state(stands.at) for worker in stands.workers]
    at_work = sum(state not in (ENDED, LOST) for state in states)
    figures = f"{figures_text(stands)}, workers at work: {at_work}"
    return f"{stands.name}: {figures}, {state_text(stands)}"


def state_text(stands: SharedCrawlStatus) -> str:
    """The state, and why it ended."""
    return f"{stands.state} ({stands.reason})" if stands.reason else stands.state


def figures_text(stands: SharedCrawlStatus) -> str:
    """Pages, harvest, what waits."""
    return (
        f"{stands.pages:,} of {stands.budget:,} pages, harvest {ui.figure(stands.harvest)}, "
        f"{stands.waiting:,} URLs wait on {stands.hosts:,} hosts, {stands.leased:,} under way"
    )


# How a crawl by many workers has ended for the command that followed it, and its exit code.


def report_end(
    stands: SharedCrawlStatus, workers: Sequence[StartedWorker], shared: ServerCrawl, quiet: bool
) -> int:
    """Print the closing table, what went wrong with workers, how to go on; return the exit code."""
    if not quiet:
        ui.output().print(draw_overview(stands))
        text = f"{state_text(stands)}: {figures_text(stands)}."
        if workers:
            parent = workers[0].folder.parent
            text += f" As one crawl: {command('merge', parent, '--out', f'{parent}-merged')}"
        ui.say(text, style="bold")
    failed = [worker for worker in workers if worker.failed]
    failures = ", ".join(worker.how for worker in failed)
    last = _last(stands)
    if ended_by_itself(stands):
        if failed:
            ui.print_warning(f"{failures}; the crawl ended all the same, what was fetched is kept")
    elif failed:
        ui.print_error(
            f"{failures}; the crawl has not ended. Go on with the same command, or with: "
            f"{failed[0].again(shared)}"
        )
        return ui.FAILED
    elif last and (last.shown_state(stands.at) == LOST or last.reason.startswith(ERROR)):
        ui.print_error(
            "no worker is left, and the crawl has not ended. Go on with: "
            f"{shared.command('worker')}"
        )
        return ui.FAILED
    if not stands.pages:
        ui.print_error("not one page could be fetched; check the seeds, the network and the proxy.")
        return ui.FAILED
    return 0


def ended_by_itself(stands: SharedCrawlStatus) -> bool:
    """Are the pages or the time used up, or is the frontier empty, and has a worker seen that?"""
    if stands.pages >= stands.budget:
        return any(worker.reason in _BY_ITSELF for worker in stands.workers)
    last = _last(stands)
    return last is not None and last.state == ENDED and last.reason in _FOR_ALL


def _last(stands: SharedCrawlStatus) -> WorkerEntry | None:
    """The worker that was heard from last."""
    return max(stands.workers, key=lambda worker: worker.heard, default=None)
