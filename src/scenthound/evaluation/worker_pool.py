"""The worker processes of a comparison: schedule, progress, start, replacement and end."""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import wait
from types import ModuleType
from typing import Self

from scenthound.core.errors import warn_caller
from scenthound.evaluation.outcomes import Cell, Outcome, RunEnded
from scenthound.evaluation.run_process import WorkOrder, do_runs


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

    A worker stays with its topic. Then it takes the topic with the most runs left, if possible
    one that no other worker has.
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
            self._own[worker] = max(untouched or left, key=left.__getitem__)
        return self._waiting[self._own[worker]].popleft()

    def again(self, cell: Cell) -> None:
        """Put back a run that has to be done once more, first of its topic."""
        self._waiting[cell.web, cell.topic].appendleft(cell)


_THREADS = "OMP_NUM_THREADS"


@contextmanager
def _start_settings(threads: int) -> Iterator[None]:
    """Start processes with so many threads for numerical libraries, and without the script.

    A process that is spawned imports the main module. No run needs it, and a script may compare
    while it is imported.
    """
    main, before = sys.modules["__main__"], os.environ.get(_THREADS)
    sys.modules["__main__"] = ModuleType("__main__")
    os.environ.setdefault(_THREADS, str(threads))
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if before is None:
            del os.environ[_THREADS]


class _Worker:
    """A process with its end of a pipe. It is spawned: threads, locks and open files stay here."""

    def __init__(self, place: int, order: WorkOrder, threads: int) -> None:
        context = get_context("spawn")
        self.place = place
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=do_runs, args=(theirs, order))
        with _start_settings(threads):
            self.process.start()
        theirs.close()  # so that its death closes the pipe

    def begin(self, cell: Cell) -> None:
        """Let it do a run; that it is dead is noticed when it is read from."""
        self.cell, self.pages = cell, 0
        with suppress(OSError):
            self.connection.send(cell)


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
    threads : of numerical libraries in each, unless the environment says how many.
    watch : follows the runs.
    """

    def __init__(
        self, order: WorkOrder, schedule: Schedule, workers: int, threads: int,
        watch: ComparisonProgress,
    ) -> None:  # fmt: skip
        self._order = order
        self._schedule = schedule
        self._count = workers
        self._threads = threads
        self._watch = watch
        self._busy: dict[int, _Worker] = {}
        self._started: list[_Worker] = []
        self._deaths: Counter[Cell] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        for worker in self._started if kind is not None else ():
            worker.process.kill()
        for worker in self._started:
            worker.process.join()

    def outcomes(self) -> Iterator[RunEnded]:
        """Yield the runs as they end, until none is left."""
        for place in range(self._count):
            self._begin_next(place, None)
        warned: set[str] = set()
        while self._busy:
            ready = wait([worker.connection for worker in self._busy.values()])
            for worker in [each for each in self._busy.values() if each.connection in ready]:
                if (ended := self._receive(worker)) is not None:
                    for message in ended.warnings:
                        if message not in warned:
                            warned.add(message)
                            warn_caller(message)
                    yield ended

    def _receive(self, worker: _Worker) -> RunEnded | None:
        """Take what a worker says of its run; where that is over, its end, and the next begins."""
        cell = worker.cell
        try:
            what, value = worker.connection.recv()
        except (EOFError, OSError):  # the process is dead
            ended = self._end_dead(cell, worker.pages)
            self._begin_next(worker.place, None)
            return ended
        if what == "begun":
            self._watch.begun(cell, value)
        elif what == "fetched":
            worker.pages = value
            self._watch.fetched(cell, value)
        else:
            self._begin_next(worker.place, worker)
            return value  # type: ignore[no-any-return]
        return None

    def _begin_next(self, place: int, worker: _Worker | None) -> None:
        """Let a worker, or a new one, do the next run; end it where none waits."""
        self._busy.pop(place, None)
        cell = self._schedule.next(place)
        if cell is not None:
            if worker is None:
                worker = _Worker(place, self._order, self._threads)
                self._started.append(worker)
            worker.begin(cell)
            self._busy[place] = worker
        elif worker is not None:
            worker.connection.close()

    def _end_dead(self, cell: Cell, pages: int) -> RunEnded | None:
        """Schedule a run again whose process died, or return its end."""
        self._deaths[cell] += 1
        if self._deaths[cell] < _ATTEMPTS:
            run = f"{cell.web} {cell.topic} {cell.strategy}"
            warn_caller(
                f"{run}: its process died, perhaps for lack of memory; it is tried once more"
            )
            self._schedule.again(cell)
            return None
        error = f"WorkerDied: its process died {_ATTEMPTS} times, perhaps for lack of memory"
        return RunEnded(Outcome(cell, error, fetched=pages))
