"""Pages read by several processes at once, in order, whatever a page does to one of them."""

from __future__ import annotations

import os
import queue
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from scenthound.core.errors import SettingsError
from scenthound.corpus.bodies import Body
from scenthound.corpus.main_text import PageText
from scenthound.corpus.text_child import COMMAND, PATIENCE_S, TextChild

MOST_JOBS = 64
_MOST_BY_DEFAULT = 8
_AHEAD = 3
"""Pages under way for each process: enough that none waits, few enough for memory."""

_Item = TypeVar("_Item")


def default_jobs() -> int:
    """As many processes as this one may use cores, eight at most."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return min(_MOST_BY_DEFAULT, cores)


def check_jobs(jobs: int) -> int:
    """``jobs`` itself; SettingsError where so many processes make no sense."""
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= MOST_JOBS:
        raise SettingsError(f"jobs is {jobs!r}; give a number of processes from 1 to {MOST_JOBS}.")
    return jobs


@dataclass(frozen=True, slots=True)
class Task(Generic[_Item]):
    """Something to keep, and the body to read for it; None where there is nothing to read."""

    item: _Item
    body: Body | None


class TextReaders:
    """Processes that read pages. Use it as a context manager.

    A page over which a process hangs or dies is read once more, for its visible text alone; one
    that does it again has no text. Either is marked as ``failed``.

    Parameters
    ----------
    jobs : how many processes; each is started when it is first needed.
    patience_s : how long one page may take.
    command : what to start.
    """

    def __init__(
        self, jobs: int, patience_s: float = PATIENCE_S, command: Sequence[str] = COMMAND
    ) -> None:
        self._jobs = check_jobs(jobs)
        self._threads = ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="text")
        self._children = [TextChild(patience_s, command) for _ in range(jobs)]
        self._idle: queue.SimpleQueue[TextChild] = queue.SimpleQueue()
        for child in self._children:
            self._idle.put(child)

    def __enter__(self) -> TextReaders:
        return self

    def __exit__(self, *error: object) -> None:
        """End the processes; what is under way is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for child in self._children:
            child.end()
        self._threads.shutdown(wait=True)
        for child in self._children:
            child.close()

    def read(self, tasks: Iterable[Task[_Item]]) -> Iterator[tuple[Task[_Item], PageText]]:
        """What each page says, in the order of the tasks, which are taken a few ahead."""
        waiting: deque[tuple[Task[_Item], Future[PageText]]] = deque()
        for task in tasks:
            waiting.append((task, self._threads.submit(self._read, task.body)))
            if len(waiting) >= _AHEAD * self._jobs:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())

    def _read(self, body: Body | None) -> PageText:
        """In a thread, which waits for a process of its own."""
        if body is None or not body.content:
            return PageText()
        child = self._idle.get()
        try:
            return child.read(body)
        finally:
            self._idle.put(child)


def _result(task: Task[_Item], read: Future[PageText]) -> tuple[Task[_Item], PageText]:
    return task, read.result()
