"""Which run a worker does next: one topic's runs together, and nobody idle before the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from scenthound.comparison.model import Cell

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
