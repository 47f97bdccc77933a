"""Whoever watches a comparison: what is told while it runs."""

from __future__ import annotations

from typing import Protocol

from scenthound.comparison.model import Cell, Outcome


class Watch(Protocol):
    """Hears how a comparison gets on. All calls come from the process that compares."""

    def reading(self, archive: str, done: int, total: int) -> None:
        """An archive is read for the first time: so many of its bytes are done."""

    def planned(self, total: int, finished: int, workers: int) -> None:
        """There are so many runs, so many were finished before, and so many are done at once."""

    def begun(self, cell: Cell, budget: int) -> None:
        """A run begins to fetch; it begins again if its process died."""

    def fetched(self, cell: Cell, pages: int) -> None:
        """A run has fetched so many pages; a few times a second."""

    def ended(self, outcome: Outcome) -> None:
        """A run is over, well or not."""

    def died(self, cell: Cell, cause: str) -> None:
        """The process of a run has died; the run is tried once more."""

    def warned(self, message: str) -> None:
        """Something was left out, in words."""


class Unwatched:
    """Nobody watches."""

    def reading(self, archive: str, done: int, total: int) -> None:
        """Nobody hears it."""

    def planned(self, total: int, finished: int, workers: int) -> None:
        """Nobody hears it."""

    def begun(self, cell: Cell, budget: int) -> None:
        """Nobody hears it."""

    def fetched(self, cell: Cell, pages: int) -> None:
        """Nobody hears it."""

    def ended(self, outcome: Outcome) -> None:
        """Nobody hears it."""

    def died(self, cell: Cell, cause: str) -> None:
        """Nobody hears it."""

    def warned(self, message: str) -> None:
        """Nobody hears it."""
