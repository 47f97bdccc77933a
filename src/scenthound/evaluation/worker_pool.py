"""The worker processes of a comparison: schedule, progress, start, replacement and end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from scenthound.core.errors import warn_caller
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import Cell, Outcome


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """The first thing a worker gets; then runs follow, as cells, and None at the end.

    ``crawls`` is where every run leaves its crawl folder, None for nowhere; ``indexes`` the folder
    for indexes of archives, None for the user's own.
    """

    grid: Grid
    crawls: Path | None = None
    indexes: Path | None = None


class RunEnded(NamedTuple):
    """The outcome of a run, and the seeds and example pages it had: enough to repeat it."""

    outcome: Outcome
    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


class ComparisonProgress:
    """Follows a comparison; here every method does nothing.

    All calls come from the process that compares.
    """

    def reading(self, archive: str, done: int, total: int) -> None:
        """An archive is indexed for the first time; ``done`` of its ``total`` bytes are read."""

    def planned(self, total: int, finished: int, workers: int) -> None:
        """The work begins: all runs, those that were finished before, and the processes."""

    def begun(self, cell: Cell, budget: int) -> None:
        """A run begins to fetch; it begins again if its process died."""

    def fetched(self, cell: Cell, pages: int) -> None:
        """A run has fetched so many pages; a few times a second."""

    def ended(self, outcome: Outcome) -> None:
        """A run is over, successful or not."""


class Schedule:
    """The runs that wait, by web and topic: runs of a topic read many of the same pages.

    A worker goes on with the topic it has. One without takes the untouched topic with the most
    runs, or, where all are touched, helps with the one that has the most left, from its end.
    """

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._waiting: dict[tuple[str, str], deque[Cell]] = {}
        for cell in cells:
            self._waiting.setdefault((cell.web, cell.topic), deque()).append(cell)
        self._own: dict[int, tuple[str, str]] = {}

    def next(self, worker: int) -> Cell | None:
        """Take the next run of a worker; None where none waits."""
        left = {topic: len(cells) for topic, cells in self._waiting.items() if cells}
        if not left:
            return None
        if self._own.get(worker) not in left:
            untouched = [topic for topic in left if topic not in self._own.values()]
            if not untouched:
                return self._waiting[max(left, key=left.__getitem__)].pop()
            self._own[worker] = max(untouched, key=left.__getitem__)
        return self._waiting[self._own[worker]].popleft()

    def again(self, cell: Cell) -> None:
        """Put back a run that has to be done once more, first of its topic."""
        self._waiting[cell.web, cell.topic].appendleft(cell)


TERMINATION_TIMEOUT_S = 2.0
"""For a process that was asked to end."""
SHUTDOWN_TIMEOUT_S = 30.0
"""For one that has done its work and puts what it has read into the cache."""
_STDERR_TAIL_BYTES = 2_000


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
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "scenthound.evaluation.worker", str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                env={"OMP_NUM_THREADS": str(threads), **os.environ, "PYTHONPATH": path},
                # Nothing is written to this pipe: it closes when this process ends, even by
                # kill -9, and then the worker ends too.
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                start_new_session=True,  # Ctrl-C is for this process
            )
        self.connection = Connection(ours.detach())
        self.cell: Cell | None = None
        """The run it does now."""
        self.pages = 0
        """That this run has fetched, by its last message."""
        self.send(order)

    def send(self, what: object) -> None:
        """Send an order or a run; the death of the process is noticed when it is read from."""
        with contextlib.suppress(OSError):
            self.connection.send(what)

    def close(self, patience_s: float) -> None:
        """Wait until it has ended, kill it if that takes longer, and close everything."""
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.connection.close()
        assert self.process.stdin is not None
        self.process.stdin.close()
        self._stderr.close()

    def exit_reason(self) -> str:
        """Say how a process that is gone has ended, and the last line of its stderr."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(TERMINATION_TIMEOUT_S)
        code = self.process.returncode or 0
        self._stderr.seek(max(0, os.fstat(self._stderr.fileno()).st_size - _STDERR_TAIL_BYTES))
        last = self._stderr.read().decode("utf-8", "replace").strip().rpartition("\n")[2].strip()
        how = f"exit code {code}"
        if code < 0:
            known = -code in set(signal.Signals)
            name = signal.Signals(-code).name if known else f"signal {-code}"
            hint = ", perhaps for lack of memory" if -code == signal.SIGKILL else ""
            how = f"killed by {name}{hint}"
        return f"{how}: {last}" if last else how


_ATTEMPTS = 2
"""A run whose process dies is tried once more: something else may have eaten the memory."""


class WorkerPool:
    """Does all runs of a schedule with several processes, and replaces those that die.

    Leave it with ``with``: whatever ends the work, no process is left behind.

    Parameters
    ----------
    order : what the workers work on.
    schedule : the runs.
    workers : processes at once.
    threads : of numerical libraries in each.
    watch : follows the runs.
    """

    def __init__(
        self, order: WorkOrder, schedule: Schedule, workers: int, threads: int,
        watch: ComparisonProgress,
    ) -> None:  # fmt: skip
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
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        workers = [*filter(None, self._places.values()), *self._leaving]
        if error is not None:
            for worker in workers:  # all of them first, so that they end side by side
                worker.process.terminate()
        for worker in workers:
            worker.close(SHUTDOWN_TIMEOUT_S if error is None else TERMINATION_TIMEOUT_S)

    def outcomes(self) -> Iterator[RunEnded]:
        """Yield the runs as they end, until none is left."""
        self._assign_runs()
        while busy := {w.connection: place for place, w in self._places.items() if w is not None}:
            for connection in wait(list(busy)):
                ended = self._receive(busy[connection])  # type: ignore[index]
                if ended is not None:
                    yield ended
            self._assign_runs()

    def _assign_runs(self) -> None:
        """Give every idle worker a run, or end it where there is none."""
        for place, worker in self._places.items():
            if worker is not None and worker.cell is not None:
                continue
            cell = self._schedule.next(place)
            if cell is not None:
                worker = worker or WorkerProcess(self._order, self._threads)
                worker.cell, worker.pages = cell, 0
                worker.send(cell)
            elif worker is not None:
                worker.send(None)
                self._leaving.append(worker)
            self._places[place] = None if cell is None else worker

    def _receive(self, place: int) -> RunEnded | None:
        """Pass on one message of a worker; return the end of its run where it is that."""
        worker = self._places[place]
        assert worker is not None
        cell = worker.cell
        try:
            report = worker.connection.recv()
        except (EOFError, OSError):
            return self._replace_dead(place, worker)
        match report:
            case RunEnded():
                worker.cell = None
                return report
            case "warned", str(message) if message not in self._warned:
                self._warned.add(message)
                warn_caller(message)
            case "begun", int(budget) if cell is not None:
                self._watch.begun(cell, budget)
            case "fetched", int(pages) if cell is not None:
                worker.pages = pages
                self._watch.fetched(cell, pages)
        return None

    def _replace_dead(self, place: int, worker: WorkerProcess) -> RunEnded | None:
        """Try the run of a dead worker again, or end it; another worker will take its place."""
        self._places[place] = None
        cause, cell = worker.exit_reason(), worker.cell
        worker.close(TERMINATION_TIMEOUT_S)
        if cell is None:
            return None
        self._deaths[cell] += 1
        if self._deaths[cell] < _ATTEMPTS:
            run = f"{cell.web} {cell.topic} {cell.strategy}"
            warn_caller(f"{run}: its process died ({cause}); it is tried once more")
            self._schedule.again(cell)
            return None
        error = f"WorkerDied: its process died {self._deaths[cell]} times, the last time {cause}"
        return RunEnded(Outcome(cell, error, fetched=worker.pages))
