"""Webs of numbers, drawn page by page: some pages are linked to by many, most by few."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scenthound.papers.olmoaco.link_graph import LinkGraph

LINKS = 30
_NEW = 0.3
"""Share of the links that lead to URLs that no page has linked to before."""
_RELEVANT = 0.2
"""Share of the anchors that are about the topic at all."""


@dataclass(frozen=True)
class PageDrawn:
    """A page: its URL, those it links to, and the relevance of the anchors."""

    url: str
    targets: list[str]
    anchors: list[float]

    def into(self, graph: LinkGraph) -> int:
        """Add it to ``graph``; the number of it."""
        return graph.add_page(self.url, self.targets, self.anchors)


def grown_web(pages: int, urls: int | None = None, seed: int = 0) -> Iterator[PageDrawn]:
    """Pages in the order of a breadth-first crawl, with 30 links each.

    A link leads to where a link drawn before leads (so what many link to gets more), or to a new
    URL.

    Parameters
    ----------
    pages : how many.
    urls : that the web has in all; with as many as pages it is fetched to its end. None: new
        ones without end, about nine for each page, as when a crawl begins.
    """
    rng = np.random.default_rng(seed)
    drawn = np.zeros(pages * LINKS, np.int64)
    met = 1
    for page in range(pages):
        start = page * LINKS
        new = rng.random(LINKS) < (_NEW if page else 1.0)
        targets = drawn[rng.integers(0, max(start, 1), LINKS)]
        fresh = np.arange(met, met + new.sum())
        if urls is not None:
            fresh = np.where(fresh < urls, fresh, rng.integers(0, urls, len(fresh)))
        targets[new] = fresh
        drawn[start : start + LINKS] = targets
        met += int(new.sum())
        anchors = np.where(rng.random(LINKS) < _RELEVANT, rng.random(LINKS), 0.0)
        yield PageDrawn(f"u{page}", [f"u{each}" for each in targets.tolist()], anchors.tolist())
