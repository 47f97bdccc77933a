"""The worker processes of a comparison: messages, schedule, progress, start, replacement and
end.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import Cell, Outcome


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """The first thing a worker gets; then runs follow, as cells, and None at the end.

    ``crawls`` is where every run leaves its crawl folder; None where none is kept. ``indexes`` is
    the folder for indexes of archives, None for the user's own.
    """

    grid: Grid
    crawls: Path | None = None
    indexes: Path | None = None


@dataclass(frozen=True, slots=True)
class DrawnTopic:
    """Where a run started, and the example pages it knew: enough to repeat it."""

    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunEnded:
    """A run is over, well or not."""

    outcome: Outcome
    drawn: DrawnTopic


Progress = tuple[Literal["begun", "fetched", "warned"], int | str]
"""A call of :class:`ComparisonProgress` for the run at hand: its name and its value."""

Report = Progress | RunEnded
"""What a worker sends."""


# Which run a worker does next: the runs of a topic together, and no worker idle before the end.

Cost = Callable[[Cell], float]

Bundle = tuple[str, str]
"""Web and topic: runs that read many of the same pages."""


class Schedule:
    """The runs that wait, bundled by topic.

    A worker goes on with the topic it has. One without takes the untouched topic with the most
    work, or, where all are touched, helps with the one that has the most left, from its end.

    Parameters
    ----------
    cells : the runs, in the order in which a topic's are best done.
    cost : what a run costs, on any scale.
    """

    def __init__(self, cells: Iterable[Cell], cost: Cost) -> None:
        self._cost = cost
        self._waiting: dict[Bundle, deque[Cell]] = {}
        for cell in cells:
            self._waiting.setdefault((cell.web, cell.topic), deque()).append(cell)
        self._own: dict[int, Bundle] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def next(self, worker: int) -> Cell | None:
        """The next run of a worker; None where none waits."""
        own = self._own.get(worker)
        if own is not None and self._waiting[own]:
            return self._waiting[own].popleft()
        others = {bundle for bundle in self._own.values() if self._waiting[bundle]}
        untouched = [each for each in self._waiting if self._waiting[each] and each not in others]
        if untouched:
            self._own[worker] = max(untouched, key=self._left)
            return self._waiting[self._own[worker]].popleft()
        if not others:
            return None
        return self._waiting[max(sorted(others), key=self._left)].pop()

    def again(self, cell: Cell) -> None:
        """A run that has to be done once more, first of its topic."""
        self._waiting[cell.web, cell.topic].appendleft(cell)

    def _left(self, bundle: Bundle) -> float:
        return sum(map(self._cost, self._waiting[bundle]))


class ComparisonProgress:
    """Follows a comparison; here every method does nothing.

    All calls come from the process that compares.
    """

    def reading(self, archive: str, done: int, total: int) -> None:
        """An archive is indexed for the first time: so many of its bytes are done."""

    def planned(self, total: int, finished: int, workers: int) -> None:
        """There are so many runs, so many were finished before, and so many workers start."""

    def begun(self, cell: Cell, budget: int) -> None:
        """A run begins to fetch; it begins again if its process died."""

    def fetched(self, cell: Cell, pages: int) -> None:
        """A run has fetched so many pages; a few times a second."""

    def ended(self, outcome: Outcome) -> None:
        """A run is over, successful or not."""

    def died(self, cell: Cell, cause: str) -> None:
        """The process of a run has died; the run is tried once more."""

    def warned(self, message: str) -> None:
        """Something is left out, in words."""


# A worker process as the comparison sees it: started, given runs, and ended.


_MODULE = "scenthound.evaluation.worker"

TERMINATION_TIMEOUT_S = 2.0
"""For a process that was asked to end."""

SHUTDOWN_TIMEOUT_S = 30.0
"""For one that has done its work and puts what it has read into the cache."""

_STDERR_TAIL_BYTES = 2_000

_THREADS = "OMP_NUM_THREADS"


class WorkerProcess:
    """One process. It is no fork of ours: threads and open files stay with us.

    Parameters
    ----------
    order : what it works on.
    threads : that its numerical libraries may use, unless the environment says how many.
    """

    def __init__(self, order: WorkOrder, threads: int) -> None:
        ours, theirs = socket.socketpair()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115  closed by close()
        path = os.pathsep.join(filter(None, sys.path))  # the same code must run there
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", _MODULE, str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                env={_THREADS: str(threads), **os.environ, "PYTHONPATH": path},
                # Nothing is written to this pipe: it closes when this process ends, even by
                # kill -9, and then the worker ends too.
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                start_new_session=True,  # Ctrl-C is for this process
            )
        self.connection = Connection(ours.detach())
        self.cell: Cell | None = None
        """What it does now."""
        self.pages = 0
        """That this run has fetched, by its last message."""
        self._send(order)

    def begin(self, cell: Cell) -> None:
        """Give it a run; one that has died is noticed when it is listened to."""
        self.cell, self.pages = cell, 0
        self._send(cell)

    def receive(self) -> Report | None:
        """The next message; None where the process has died."""
        try:
            report: Report = self.connection.recv()
        except (EOFError, OSError):
            return None
        return report

    def dismiss(self) -> None:
        """There is nothing left to do; :meth:`close` it later."""
        self._send(None)

    def terminate(self) -> None:
        """Request its end, whatever it does; then :meth:`close`."""
        self._process.terminate()

    def close(self, patience_s: float = TERMINATION_TIMEOUT_S) -> None:
        """Wait until it has ended, not longer than this, and let go of everything."""
        self._reap(patience_s)
        self.connection.close()
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._stderr.close()

    def exit_reason(self) -> str:
        """Why it is gone, in words: how it ended, and the last thing it said."""
        self._reap(TERMINATION_TIMEOUT_S)
        code = self._process.returncode
        self._stderr.seek(max(0, os.fstat(self._stderr.fileno()).st_size - _STDERR_TAIL_BYTES))
        lines = self._stderr.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        how = _signal_name(-code) if code < 0 else f"exit code {code}"
        return f"{how}: {last}" if last else how

    def _send(self, what: object) -> None:
        with contextlib.suppress(OSError):
            self.connection.send(what)

    def _reap(self, patience_s: float) -> None:
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _signal_name(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    hint = ", perhaps for lack of memory" if number == signal.SIGKILL else ""
    return f"killed by {name}{hint}"


# The worker processes of a comparison: kept busy, replaced when they die, ended in the end.


_ATTEMPTS = 2
"""A run whose process dies is tried once more: something else may have eaten the memory."""


class WorkerPool:
    """Does all runs of a schedule with so many processes.

    Leave it with ``with``: whatever ends the work, no process is left behind.

    Parameters
    ----------
    order : what the workers work on.
    schedule : the runs.
    workers : processes at once.
    threads : of numerical libraries in each.
    watch : hears how it goes.
    """

    def __init__(
        self,
        order: WorkOrder,
        schedule: Schedule,
        workers: int,
        threads: int,
        watch: ComparisonProgress,
    ) -> None:
        self._order = order
        self._schedule = schedule
        self._threads = threads
        self._watch = watch
        self._places: dict[int, WorkerProcess | None] = dict.fromkeys(range(workers))
        self._leaving: list[WorkerProcess] = []
        self._deaths: Counter[Cell] = Counter()
        self._warned: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        present = [worker for worker in self._places.values() if worker is not None]
        for worker in present if error is None else [*present, *self._leaving]:
            worker.terminate()  # all of them first, so that they end side by side
        for worker in present:
            worker.close()
        for worker in self._leaving:
            worker.close(TERMINATION_TIMEOUT_S if error is not None else SHUTDOWN_TIMEOUT_S)
        self._places.clear()
        self._leaving.clear()

    def outcomes(self) -> Iterator[RunEnded]:
        """The runs as they end, until none is left."""
        self._assign_runs()
        while busy := {w.connection: place for place, w in self._places.items() if w is not None}:
            for connection in wait(list(busy)):
                ended = self._receive(busy[connection])  # type: ignore[index]
                if ended is not None:
                    yield ended
            self._assign_runs()

    def _assign_runs(self) -> None:
        """Give every idle worker a run, and let it go where there is none."""
        for place, worker in self._places.items():
            if worker is not None and worker.cell is not None:
                continue
            cell = self._schedule.next(place)
            if cell is None:
                self._places[place] = None
                if worker is not None:
                    worker.dismiss()
                    self._leaving.append(worker)
                continue
            if worker is None:
                worker = self._places[place] = WorkerProcess(self._order, self._threads)
            worker.begin(cell)

    def _receive(self, place: int) -> RunEnded | None:
        """One thing that a worker says, passed on; the end of its run where it is that."""
        worker = self._places[place]
        assert worker is not None
        report, cell = worker.receive(), worker.cell
        match report:
            case None:
                return self._replace_dead(place, worker)
            case RunEnded():
                worker.cell = None
                return report
            case "warned", str(message):
                if message not in self._warned:
                    self._warned.add(message)
                    self._watch.warned(message)
            case "begun", int(budget) if cell is not None:
                self._watch.begun(cell, budget)
            case "fetched", int(pages) if cell is not None:
                worker.pages = pages
                self._watch.fetched(cell, pages)
        return None

    def _replace_dead(self, place: int, worker: WorkerProcess) -> RunEnded | None:
        """A worker has died: its run is tried again, or has failed; another will take its place."""
        self._places[place] = None
        cause, cell = worker.exit_reason(), worker.cell
        worker.close()
        if cell is None:
            return None
        self._deaths[cell] += 1
        if self._deaths[cell] < _ATTEMPTS:
            self._watch.died(cell, cause)
            self._schedule.again(cell)
            return None
        error = f"WorkerDied: its process died {self._deaths[cell]} times, the last time {cause}"
        return RunEnded(Outcome(cell, error, fetched=worker.pages), DrawnTopic())
