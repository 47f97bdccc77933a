"""Folders of workers that share a crawl: pages at the times that are given."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dashboard.crawl_making import append, made_crawl, page, stop

Pages = Sequence[tuple[float, bool]]
"""When each page came, and whether it is relevant."""

FIRST: Pages = ((1.0, True), (3.0, False), (5.0, True))
SECOND: Pages = ((2.0, True), (4.0, False))
ID = "c0ffee"


def made_worker(
    path: Path,
    number: int,
    pages: Pages = (),
    *,
    id_: object = ID,
    stopped: str = "",
    links: Mapping[int, Sequence[object]] | None = None,
    mark: Mapping[str, object] | None = None,
) -> Path:
    """The folder of a worker; ``links`` are the sources of the best link to each page."""
    folder = made_crawl(path, kind="crawl")
    marked(folder, mark or {"crawl": "storms", "id": id_, "name": f"w{number}", "number": number})
    append(folder, *told(pages, links or {}))
    if stopped:
        append(folder, {**stop(stopped, 0), "summary": _summary(pages, len(pages))})
    return folder


def marked(folder: Path, mark: object) -> None:
    """Says in ``crawl.json`` whose folder it is."""
    path = folder / "crawl.json"
    order = json.loads(path.read_text())
    order["settings"]["worker"] = mark
    path.write_text(json.dumps(order))


def told(
    pages: Pages, links: Mapping[int, Sequence[object]], since: int = 0
) -> Iterator[dict[str, object]]:
    """The events of the pages, those left out that came before."""
    for n, (at, relevant) in enumerate(pages, 1):
        if n > since:
            inlinks = [[source, 0.5, f"to {n}"] for source in links.get(n, ())]
            summary = _summary(pages, n)
            yield page(n, at=at, relevant=relevant, summary=summary, inlinks=inlinks)


def _summary(pages: Pages, n: int) -> dict[str, object]:
    relevant = sum(relevant for _, relevant in pages[:n])
    waiting = 100 + int(pages[n - 1][0]) if n else 0
    return {
        "fetched": n, "relevant": relevant, "failed": 1, "similarity": 0.25 * n, "waiting": waiting,
    }  # fmt: skip
