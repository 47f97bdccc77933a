"""How a crawl by many workers has ended for the command that followed it, and its exit code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scenthound.api.advice import command
from scenthound.cli.screen import notices, output, plain, say_error, say_warning
from scenthound.cli.shared_options import OnServer
from scenthound.cli.shared_view import draw_overview, figures_text, state_text
from scenthound.cli.started_workers import StartedWorker
from scenthound.core.crawl import BUDGET_SPENT, FRONTIER_EMPTY
from scenthound.distributed.overview import Overview
from scenthound.distributed.roll import ENDED, ERROR, LOST, WorkerEntry
from scenthound.live.stopping import OUT_OF_TIME

WENT_WRONG = 1
_FOR_ALL = (FRONTIER_EMPTY, OUT_OF_TIME)
_BY_ITSELF = (BUDGET_SPENT, *_FOR_ALL)


def tell_end(
    stands: Overview, workers: Sequence[StartedWorker], shared: OnServer, quiet: bool
) -> int:
    """The closing table, what went wrong with workers, and how to go on; the exit code."""
    if not quiet:
        _tell_figures(stands, [worker.folder for worker in workers])
    failed = [worker for worker in workers if worker.failed]
    if ended_by_itself(stands):
        if failed:
            say_warning(f"{_told(failed)}; the crawl ended all the same, what was fetched is kept")
    elif failed:
        say_error(
            f"{_told(failed)}; the crawl has not ended. Go on with the same command, or with: "
            f"{failed[0].again(shared)}"
        )
        return WENT_WRONG
    elif _last_went_wrong(stands):
        say_error(
            "nobody works for the crawl any more, and it has not ended. Go on with: "
            f"{shared.command('worker')}"
        )
        return WENT_WRONG
    if not stands.pages:
        say_error("not one page could be fetched; check the seeds, the network and the proxy.")
        return WENT_WRONG
    return 0


def ended_by_itself(stands: Overview) -> bool:
    """Has it had its pages, its time, or all that could be reached, and a worker seen that?"""
    if stands.pages >= stands.budget:
        return any(worker.reason in _BY_ITSELF for worker in stands.workers)
    last = _last(stands)
    return last is not None and last.state == ENDED and last.reason in _FOR_ALL


def _last(stands: Overview) -> WorkerEntry | None:
    """The worker that was last heard of."""
    return max(stands.workers, key=lambda worker: worker.heard, default=None)


def _last_went_wrong(stands: Overview) -> bool:
    last = _last(stands)
    if last is None:
        return False
    return last.shown_state(stands.at) == LOST or last.reason.startswith(ERROR)


def _told(failed: Sequence[StartedWorker]) -> str:
    return ", ".join(worker.how for worker in failed)


def _tell_figures(stands: Overview, folders: Sequence[Path]) -> None:
    output().print(draw_overview(stands))
    text = f"{state_text(stands)}: {figures_text(stands)}."
    if folders:
        parent = folders[0].parent
        text += f" As one crawl: {command('merge', parent, '--out', f'{parent}-merged')}"
    notices().print(plain(text), style="bold", soft_wrap=True)


def tell_interrupted(shared: OnServer, started_here: bool, others: bool) -> None:
    """What becomes of the crawl when nobody follows it here; are ``others`` at work?"""
    own = "the workers that were started here have ended"
    if others:
        who = f"{own}; others go on" if started_here else "the workers go on"
        text = f"{who}. Stop all of them: {shared.command('stop')}"
    elif started_here:
        text = f"{own}. Go on with the same command."
    else:
        text = f"no worker is at work. Start one: {shared.command('worker')}"
    say_error(f"interrupted; {text}")
