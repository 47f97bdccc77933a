"""The values that comparisons speak of: one run of the grid, and what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from scenthound.core.ways_read import WaysRead
from scenthound.experiments.metrics import Indicators

GIVEN, RELEVANT, IRRELEVANT = "given", "relevant", "irrelevant"
SEEDS = (GIVEN, RELEVANT, IRRELEVANT)
"""Where a crawl starts: at the seeds of the topic file, or (sdvsm section 5) at pages that are
drawn from those labelled with the topic, or from those that are not."""


class Unit(NamedTuple):
    """What two strategies are compared on: the same web, topic, seeds and examples."""

    web: str
    topic: str
    seeds: str
    draw: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of the grid.

    Parameters
    ----------
    web : name of the archive in the comparison; no two have the same.
    topic : name of the topic.
    strategy : its name and, behind it, the parameters that were set: ``olmoaco xi=2``.
    seeds : one of :data:`SEEDS`.
    draw : 0 for example pages (and given seeds) as the topic file has them; from 1 on they are
        drawn again.
    random_seed : of the random generator of the strategy.
    """

    web: str
    topic: str
    strategy: str
    seeds: str = GIVEN
    draw: int = 0
    random_seed: int = 0

    @property
    def unit(self) -> Unit:
        """What other strategies are compared on."""
        return Unit(self.web, self.topic, self.seeds, self.draw)

    def to_json(self) -> dict[str, object]:
        """By name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to; a run that failed has an ``error`` in words and no ``final``.

    What a failed run had ``fetched`` is told, and enters no figure.

    ``final`` has labelled harvest over the whole budget, spent or not. ``checkpoints`` are in the
    order of pages, the last one is ``final``. ``relevant_by`` is the judge, and ``threshold`` the
    value from which it calls a page relevant. ``ways`` says in which ways texts were read, None
    where that is the same everywhere or not known.
    """

    cell: Cell
    error: str = ""
    budget: int = 0
    fetched: int = 0
    missing: int = 0
    failed: int = 0
    stopped: str = ""
    seconds: float = 0.0
    peak_rss_mb: float = 0.0
    labelled_pages: int | None = None
    relevant_by: str = ""
    threshold: float | None = None
    parameters: Mapping[str, object] | None = None
    final: Indicators | None = None
    checkpoints: tuple[Indicators, ...] = ()
    ways: WaysRead | None = None

    @property
    def pages_per_second(self) -> float:
        """Speed of the whole run, while others ran beside it."""
        return self.fetched / self.seconds if self.seconds > 0 else 0.0
