"""The values that statistics speak of: means, differences, and tables of strategies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.comparison.bootstrap import Interval
from scenthound.comparison.measures import Measure
from scenthound.comparison.pairing import Topic
from scenthound.comparison.wins import Record

TOPICS, DRAWS = "topics", "draws"
ALL = "all"
"""The table over both seed conditions (sdvsm Table 6)."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over ``groups`` topics or draws; without an interval where there is only one."""

    value: float
    interval: Interval | None
    groups: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A strategy less the baseline, over what both have.

    ``p`` is that of the flips of signs and ``p_holm`` the one that counts how many strategies
    were compared; both are None where there are too few topics. The verdict goes by the interval.
    """

    mean: Mean
    verdict: str
    record: Record
    p: float | None = None
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """One strategy: how good it is, and how good against the baseline.

    ``mean`` is None where no run has the figure; ``difference`` is None for the baseline, and
    where nothing can be compared. ``best_at`` counts topics (or draws). ``seed_deviation`` is
    None without several random seeds. ``by_topic`` has the topics it has figures of, and
    ``best_topics`` those among them at which no other strategy is better.
    """

    strategy: str
    runs: int
    failed: int
    mean: Mean | None
    difference: Difference | None
    best_at: int
    seed_deviation: float | None
    by_topic: Mapping[Topic, float]
    best_topics: frozenset[Topic] = frozenset()


@dataclass(frozen=True, slots=True)
class Table:
    """All strategies under one seed condition, or under :data:`ALL`; the best come first.

    ``groups`` says what is counted as independent, :data:`TOPICS` or :data:`DRAWS`.
    """

    seeds: str
    groups: str
    topics: tuple[Topic, ...]
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """A table for each seed condition and, where there are several, one for all together.

    ``remarks`` are sentences on what the figures do not prove and on what was left out. There are
    no tables where there are no runs.
    """

    measure: Measure
    baseline: str
    tables: tuple[Table, ...]
    remarks: tuple[str, ...]
