"""Does the frontier keep its pace as it grows? Each size runs in a process of its own."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

from scenthound.core.model import Candidate, Inlink, Part, Score, ScoredLink
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.storage.database import open_database

SIZES = (100_000, 1_000_000)
HOSTS = 10_000
LINKS_OF_A_PAGE = 50
PAGES_OF_A_COMMIT = 50
LEASES = 20_000
ADDS_BAR, LEASES_BAR, MEMORY_BAR_MB, RATIO_BAR = 10_000, 2_000, 300, 2.5
_MEASURED = 20_000
"""New URLs at the end of the growth over which adding is measured."""
_PARTS = ("full", "anchor", "context", "parent")
_WORDS = "the history of measuring light and of those who first did it with mirrors".split()


@dataclass(frozen=True, slots=True)
class Figures:
    """What one size measured; speeds are per second."""

    size: int
    adds: float
    single: float
    by_32: float
    rss_mb: float
    bytes_per_url: float
    in_order: bool


def frontier_growth(sizes: Sequence[int] = SIZES) -> None:
    """Print speed, memory and disk of the SQLite frontier at each size, and how they grow."""
    print(
        f"SQLite frontier, {HOSTS} hosts, {LINKS_OF_A_PAGE} links a page, a commit every "
        f"{PAGES_OF_A_COMMIT} pages (bars: {ADDS_BAR} adds/s, {LEASES_BAR} leases/s, "
        f"{MEMORY_BAR_MB} MB, cost {RATIO_BAR} x)"
    )
    measured = []
    for size in sizes:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            measured.append(pool.submit(_measure, size).result())
        print(_line(measured[-1]))
    small, large = measured[0], measured[-1]
    print(
        f"cost at {large.size} URLs as a multiple of that at {small.size}: "
        f"adds {small.adds / large.adds:.2f}, leases {small.single / large.single:.2f}, "
        f"by 32 {small.by_32 / large.by_32:.2f}"
    )


def _line(figures: Figures) -> str:
    return (
        f"{figures.size} URLs: {figures.adds:.0f} adds/s, {figures.single:.0f} leases/s with ack, "
        f"{figures.by_32:.0f} by 32, {figures.rss_mb:.0f} MB, "
        f"{figures.bytes_per_url:.0f} bytes a URL on disk, "
        f"order {'kept' if figures.in_order else 'BROKEN'}"
    )


def _measure(size: int) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frontier.sqlite"
        connection = open_database(path, new=True)
        try:
            frontier = SqliteFrontier(connection)
            adds = _fill(connection, frontier, size)
            single = _drain(connection, frontier, 1)
            by_32 = _drain(connection, frontier, 32)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()
        rss = getrusage(RUSAGE_SELF).ru_maxrss / 1024
        in_order = single[1] and by_32[1]
        disk = path.stat().st_size / size
        return Figures(size, adds, single[0], by_32[0], rss, disk, in_order)


def _fill(connection: sqlite3.Connection, frontier: SqliteFrontier, size: int) -> float:
    """Add pages until ``size`` URLs wait; links (known ones too) per second at the end of it."""
    pages = _pages(random.Random(7), size)
    seconds, links = 0.0, 0
    while len(frontier) < size:
        some = [next(pages) for _ in range(PAGES_OF_A_COMMIT)]
        counts = len(frontier) >= size - _MEASURED
        start = perf_counter()
        connection.execute("BEGIN")
        for page in some:
            frontier.add(page)
        connection.execute("COMMIT")
        if counts:
            seconds += perf_counter() - start
            links += sum(map(len, some))
    return links / seconds


def _pages(rng: random.Random, size: int) -> Iterator[list[ScoredLink]]:
    """The links of page after page: three in five stay on its host, one in five is known.

    The hosts differ in size, as hosts do: the largest has about a hundredth of all URLs.
    """
    known: list[str] = []
    number = 0
    while True:
        number += 1
        own = _host(rng)
        page = []
        for i in range(LINKS_OF_A_PAGE):
            if known and i % 5 == 4:
                url = known[rng.randrange(len(known))]
            else:
                url = f"https://{own if i % 5 < 3 else _host(rng)}/{number % 97}/{number}-{i}.html"
                known.append(url)
                if len(known) > 50_000:
                    known[rng.randrange(len(known))] = known.pop()
            page.append(ScoredLink(url, 3, Inlink(number, _score(rng), _anchor(rng))))
        yield page


def _host(rng: random.Random) -> str:
    return f"www.host-{int(HOSTS * rng.random() ** 2)}.example"


def _score(rng: random.Random) -> Score:
    parts = tuple(Part(name, rng.random(), 0.25) for name in _PARTS[: rng.randint(1, 4)])
    return Score(sum(part.value * part.weight for part in parts), parts)


def _anchor(rng: random.Random) -> str:
    return " ".join(rng.choices(_WORDS, k=rng.randint(1, 5)))


def _drain(
    connection: sqlite3.Connection, frontier: SqliteFrontier, most: int
) -> tuple[float, bool]:
    """Lease ``most`` at a time and ack them; per second, and whether no score ever rose.

    No host rests or is busy, so every lease must be of the best URL of all.
    """
    leased: list[Candidate] = []
    start = perf_counter()
    while len(leased) < LEASES:
        connection.execute("BEGIN")
        for _ in range(max(1, PAGES_OF_A_COMMIT // most)):
            some = frontier.lease(most, 0.0)
            for candidate in some:
                frontier.ack(candidate.url)
            leased += some
        connection.execute("COMMIT")
    seconds = perf_counter() - start
    scores = [candidate.score.value for candidate in leased]
    return len(leased) / seconds, scores == sorted(scores, reverse=True)


if __name__ == "__main__":
    frontier_growth()
