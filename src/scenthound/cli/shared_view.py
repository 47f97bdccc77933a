"""How a crawl of many workers looks: a panel for a terminal, a line for a file."""

from __future__ import annotations

from rich.console import Group, RenderableType

from scenthound.cli.live_drawing import clock_time
from scenthound.cli.screen import figure, plain, table
from scenthound.distributed.overview import Overview
from scenthound.distributed.roll import ENDED, LOST, WorkerEntry

_COLUMNS = ("pages", "relevant", "harvest", "under way", "failed", "time")


def draw_overview(stands: Overview) -> RenderableType:
    """The crawl, and a row for each of its workers."""
    head = plain(f"{stands.name}: {stands.topic}, {stands.strategy}, {state_text(stands)}")
    head.stylize("bold", 0, len(stands.name))
    return Group(head, plain(figures_text(stands)), _workers(stands))


def overview_line(stands: Overview) -> str:
    """The same in a line."""
    states = [worker.shown_state(stands.at) for worker in stands.workers]
    at_work = sum(state not in (ENDED, LOST) for state in states)
    told = f"{figures_text(stands)}, workers at work: {at_work}"
    return f"{stands.name}: {told}, {state_text(stands)}"


def state_text(stands: Overview) -> str:
    """The state, and why it ended."""
    return f"{stands.state} ({stands.reason})" if stands.reason else stands.state


def figures_text(stands: Overview) -> str:
    """Pages, harvest, what waits."""
    return (
        f"{stands.pages:,} of {stands.budget:,} pages, harvest {figure(stands.harvest)}, "
        f"{stands.waiting:,} URLs wait on {stands.hosts:,} hosts, {stands.leased:,} under way"
    )


def _workers(stands: Overview) -> RenderableType:
    if not stands.workers:
        return plain("no worker has begun yet")
    made = table("", ("worker", "state", "where"), _COLUMNS, wrapped=("where", "state"))
    for worker in stands.workers:
        made.add_row(
            plain(worker.name),
            plain(_worker_state(worker, stands.at)),
            plain(worker.folder),
            f"{worker.pages:,}",
            f"{worker.relevant:,}",
            figure(worker.relevant / worker.pages if worker.pages else None),
            f"{worker.under_way:,}",
            f"{worker.failed:,}",
            clock_time(worker.seconds),
        )
    return made


def _worker_state(worker: WorkerEntry, now: float) -> str:
    state, silent = worker.shown_state(now), worker.silent_for(now)
    if silent is not None:
        return f"{state}, silent for {silent:.0f} s"
    return f"{state} ({worker.reason})" if worker.reason else state
