"""A process that does runs of a comparison, one after the other.

``python -m scenthound.comparison.worker FD LIFELINE`` speaks through the socket ``FD``. Nothing
comes through the pipe ``LIFELINE``: it is closed when the comparison ends, however that ends, and
then this process ends too.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.connection import Connection

from scenthound.comparison.messages import Begun, Drawn, Ended, Fetched, Report, Told
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.workplace import Workplace
from scenthound.core.events import PageEvent
from scenthound.experiments.equipping import told_once
from scenthound.experiments.result import Run
from scenthound.experiments.runner import run, told_error
from scenthound.experiments.steering import STOPPED

_TOLD_EVERY_S = 0.25
_GRACE_S = 2.0
_ALLOCATIONS = 50_000
"""Objects between two looks of the garbage collector: at 700, its default, it took a tenth of a
worker's time."""
Clock = Callable[[], float]
Say = Callable[[Report], None]


def serve(connection: Connection, clock: Clock = time.monotonic) -> None:
    """Do the runs that come, until None or the end of the connection does."""
    with ExitStack() as resources:
        warn = told_once(lambda message: connection.send(Told(message)))
        try:
            workplace = Workplace(connection.recv(), resources, warn)
            while (cell := connection.recv()) is not None:
                connection.send(do_run(workplace, cell, connection.send, clock))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return  # nobody is there to hear the rest


def do_run(workplace: Workplace, cell: Cell, say: Say, clock: Clock) -> Ended:
    """One run; an error ends it, not the process."""
    drawn, counting = Drawn(), _Counting(say, clock)
    try:
        job = workplace.job(cell)
        drawn = Drawn(job.topic.seeds, job.topic.examples)
        say(Begun(job.budget.pages))
        result = run(workplace.archive(cell.web), job, counting)
        if result.stopped == STOPPED:  # its figures are those of a shorter crawl
            error = f"stopped by hand after {result.fetched:,} pages"
            return Ended(Outcome(cell, error, fetched=result.fetched), drawn)
        return Ended(outcome_of(cell, result), drawn)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:  # noqa: BLE001  whatever a strategy raises is its own run's end
        return Ended(Outcome(cell, told_error(error), fetched=counting.pages), drawn)


def outcome_of(cell: Cell, result: Run) -> Outcome:
    """What a run came to, without the order of its pages."""
    return Outcome(
        cell=cell,
        budget=result.budget,
        fetched=result.fetched,
        missing=result.missing,
        failed=result.failed,
        stopped=result.stopped,
        seconds=result.seconds,
        peak_rss_mb=result.peak_rss_mb,
        labelled_pages=result.labelled_pages,
        relevant_by=result.judge,
        threshold=result.threshold.value,
        parameters=dict(result.parameters),
        final=result.final,
        checkpoints=result.checkpoints,
        ways=result.ways,
    )


class _Counting:
    """Knows how many pages a run has fetched, and tells it a few times a second."""

    def __init__(self, say: Say, clock: Clock) -> None:
        self._say = say
        self._clock = clock
        self._last = clock()
        self.pages = 0

    def __call__(self, event: PageEvent) -> None:
        self.pages = event.n
        if self._clock() - self._last >= _TOLD_EVERY_S:
            self._last = self._clock()
            self._say(Fetched(event.n))


def _end_with_parent(lifeline: int) -> None:
    """Wait until nobody holds the other end of the pipe; then end, tidily if there is time."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE_S)
    os._exit(1)


def _end(number: int, frame: object) -> None:
    """Leave by way of everything that tidies up; SystemExit may also be that of a strategy."""
    raise KeyboardInterrupt


def _spare_the_collector() -> None:
    """Look for circles of objects less often, and never among what was loaded, which stays."""
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS, 10, 10)


def _main(connection: int, lifeline: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the comparison, which ends us
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()
    _spare_the_collector()
    with Connection(connection) as opened:
        try:
            serve(opened)
        except KeyboardInterrupt:
            sys.exit(1)


if __name__ == "__main__":
    _main(*map(int, sys.argv[1:3]))
