"""What does it cost to choose 30 links of all that wait, beside reading the pages of a cycle?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from scenthound.papers.olmoaco.link_graph import Reals
from scenthound.papers.olmoaco.selection import first_front, select
from scenthound.sample.web import build
from scenthound.storage.archive import open_archive
from scenthound.text.extract import extract

WAITING = 20_000
MOST = 30
PAGES = 270
"""Of the first cycle: 30 ants on pages that are fetched, 9 moves each. Later cycles fetch up to
300, 30 starts and 270 moves, and a selection is a smaller part of them."""
PAGE_BYTES = 30_000
"""Size of a page that is put together; those of the schools web have as many in the mean."""
ROUNDS = 5
BAR = 0.2
NAMES = ("anchor", "holders", "target", "PageRank")
Bodies = Sequence[tuple[bytes, str]]
"""Pages and their URLs."""


def selection(web: Path | None, waiting: int = WAITING, pages: int = PAGES) -> None:
    """Print the time of a selection over that of extracting the pages of a cycle.

    Both are measured in turn; the medians make the ratio. Without a ``web`` pages are put together
    from those of the sample web.
    """
    bodies = list(islice(_sample_bodies() if web is None else _bodies(web), pages))
    size = sum(len(body) for body, _ in bodies) / len(bodies) / 1000
    print(f"{MOST} of {waiting:,} waiting links, beside extracting {len(bodies)} pages "
          f"of {size:.0f} kB")  # fmt: skip
    urls = [f"http://host{number % 1000}.test/pages/{number}.html" for number in range(waiting)]
    for kind, objectives in waiting_links(waiting).items():
        front = len(first_front(objectives))
        choose = partial(select, objectives, objectives.mean(axis=1), urls, MOST)
        extracting, selecting = _in_turn(partial(_extract, bodies), choose)
        print(
            f"{kind}: {front:,} in the front, {1e3 * selecting:.1f} ms beside "
            f"{1e3 * extracting:.0f} ms, ratio {selecting / extracting:.3f} (bar: {BAR})"
        )


def waiting_links(count: int, seed: int = 0) -> Mapping[str, Reals]:
    """Objectives of links by kind: as in a crawl, then those that make it hard."""
    rng = np.random.default_rng(seed)
    sphere = np.abs(rng.normal(size=(count, len(NAMES))))
    relevances = np.where(rng.random((count, 3)) < 0.3, rng.random((count, 3)), 0.0)
    ranks = 0.15 + rng.pareto(1.5, count)
    return {
        "as in a crawl": np.column_stack([np.round(relevances, 3), ranks]),
        "independent": rng.random((count, len(NAMES))),
        "none better than another": sphere / np.linalg.norm(sphere, axis=1)[:, None],
        "all equal": np.full((count, len(NAMES)), 0.5),
    }


def _extract(bodies: Bodies) -> None:
    for body, url in bodies:
        extract(body, url, "text/html")


def _in_turn(*ways: Callable[[], object]) -> list[float]:
    """Median seconds of each; they take turns, so that a busy spell meets all."""
    seconds: list[list[float]] = [[] for _ in ways]
    for _ in range(ROUNDS):
        for way, times in zip(ways, seconds, strict=True):
            began = perf_counter()
            way()
            times.append(perf_counter() - began)
    return [median(times) for times in seconds]


def _bodies(web: Path) -> Iterator[tuple[bytes, str]]:
    """Pages of the schools web, every tenth."""
    with open_archive(web / "schools.warc.gz") as archive:
        for url in islice(archive.urls(), 0, None, 10):
            response = archive.fetch(url)
            if response is not None and response.body:
                yield response.body, url


def _sample_bodies() -> Iterator[tuple[bytes, str]]:
    """Pages of the sample web, a few in one to make it as large as ordinary ones; without end."""
    pages = [page for page in build().responses.values() if 0 < len(page.body) < PAGE_BYTES]
    body = b""
    while True:
        for page in pages:
            body += page.body
            if len(body) >= PAGE_BYTES:
                yield body, page.url
                body = b""
