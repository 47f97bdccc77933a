"""What passes between a comparison and its worker processes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scenthound.comparison.grid import Grid
from scenthound.comparison.model import Outcome


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
class Drawn:
    """Where a run started, and the example pages it knew: enough to repeat it."""

    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Begun:
    """A run has begun to fetch, and may fetch so many pages."""

    budget: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """A run has fetched so many pages; told a few times a second."""

    pages: int


@dataclass(frozen=True, slots=True)
class Told:
    """Something was left out, in words."""

    message: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A run is over, well or not."""

    outcome: Outcome
    drawn: Drawn


Report = Begun | Fetched | Told | Ended
"""What a worker says."""
