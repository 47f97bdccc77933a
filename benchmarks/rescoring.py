"""What does it cost to rescore all waiting URLs, after a strategy has learned other weights?"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from scenthound.core.model import Combination, Inlink, Part, Parts, Score, ScoredLink
from scenthound.core.protocols import Frontier
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.similarity.link_priority import TEXTS
from scenthound.storage.database import open_database

SIZES = (10_000, 100_000)
HOSTS = 1_000
_WEIGHTS = (0.1, 0.0, 0.6, 0.3)


def rescoring(sizes: Sequence[int] = SIZES) -> None:
    """Print microseconds a URL, in memory and in SQLite, and how the time grows."""
    for kind in ("memory", "SQLite"):
        times = [_seconds(kind, size) for size in sizes]
        each = ", ".join(
            f"{size} URLs {1e6 * t / size:.1f} us a URL ({t:.2f} s)"
            for size, t in zip(sizes, times, strict=True)
        )
        growth = (times[-1] / sizes[-1]) / (times[0] / sizes[0])
        print(f"rescoring in {kind}: {each}; cost a URL {growth:.2f} x at the larger size")


def _seconds(kind: str, size: int) -> float:
    if kind == "memory":
        return _measured(MemoryFrontier(Combination.MEAN), size)
    with tempfile.TemporaryDirectory() as folder:
        connection = open_database(Path(folder) / "frontier.sqlite", new=True)
        try:
            frontier = SqliteFrontier(connection, Combination.MEAN)
            connection.execute("BEGIN")
            seconds = _measured(frontier, size)
            connection.execute("COMMIT")
        finally:
            connection.close()
    return seconds


def _measured(frontier: Frontier, size: int) -> float:
    for start in range(0, size, 1_000):
        frontier.add(_scored_links(start, start + 1_000))
    began = perf_counter()
    frontier.reweight(_reweighed)
    return perf_counter() - began


def _reweighed(score: Score) -> Score:
    parts = Parts.of(score.parts)
    return Parts(parts.names, parts.values, _WEIGHTS).score()


def _scored_links(start: int, stop: int) -> Iterator[ScoredLink]:
    """Two links to each URL, so that the parts are those of no single one."""
    rng = random.Random(start)
    for number in range(start, stop):
        url = f"http://host{number % HOSTS}.test/pages/{number}.html"
        for source in (1, 2):
            parts = Parts.of([Part(name, rng.random(), 0.25) for name in TEXTS])
            yield ScoredLink(url, 2, Inlink(source, parts.score(), "words of a link"))
