"""The worker processes of a comparison: kept busy, replaced when they die, ended in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import wait
from types import TracebackType
from typing import Self

from scenthound.comparison.messages import Begun, Drawn, Ended, Fetched, Told, WorkOrder
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.schedule import Schedule
from scenthound.comparison.watching import Watch
from scenthound.comparison.worker_process import LEAVING_S, PATIENCE_S, WorkerProcess

_ATTEMPTS = 2
"""A run whose process dies is tried once more: something else may have eaten the memory."""


class Crew:
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
        self, order: WorkOrder, schedule: Schedule, workers: int, threads: int, watch: Watch
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
            worker.close(PATIENCE_S if error is not None else LEAVING_S)
        self._places.clear()
        self._leaving.clear()

    def outcomes(self) -> Iterator[Ended]:
        """The runs as they end, until none is left."""
        self._occupy()
        while busy := {w.connection: place for place, w in self._places.items() if w is not None}:
            for connection in wait(list(busy)):
                ended = self._hear(busy[connection])  # type: ignore[index]
                if ended is not None:
                    yield ended
            self._occupy()

    def _occupy(self) -> None:
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

    def _hear(self, place: int) -> Ended | None:
        """One thing that a worker says, passed on; the end of its run where it is that."""
        worker = self._places[place]
        assert worker is not None
        report, cell = worker.hear(), worker.cell
        match report:
            case None:
                return self._bury(place, worker)
            case Begun(budget) if cell is not None:
                self._watch.begun(cell, budget)
            case Fetched(pages) if cell is not None:
                worker.pages = pages
                self._watch.fetched(cell, pages)
            case Told(message) if message not in self._warned:
                self._warned.add(message)
                self._watch.warned(message)
            case Ended():
                worker.cell = None
                return report
        return None

    def _bury(self, place: int, worker: WorkerProcess) -> Ended | None:
        """A worker has died: its run is tried again, or has failed; another will take its place."""
        self._places[place] = None
        cause, cell = worker.cause_of_death(), worker.cell
        worker.close()
        if cell is None:
            return None
        self._deaths[cell] += 1
        if self._deaths[cell] < _ATTEMPTS:
            self._watch.died(cell, cause)
            self._schedule.again(cell)
            return None
        error = f"WorkerDied: its process died {self._deaths[cell]} times, the last time {cause}"
        return Ended(Outcome(cell, error, fetched=worker.pages), Drawn())
