"""How far a crawl of several workers may go, as of now: that may change while it goes on."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.distributed.crawls import SharedCrawl


@dataclass(frozen=True, slots=True)
class Limits:
    """Of all workers together: pages, and seconds from the beginning (None is no limit)."""

    max_pages: int
    max_time: float | None


def limits_of(crawl: SharedCrawl) -> Limits:
    """The limits on the server."""
    limits = crawl.limits()
    pages = limits["max_pages"]
    assert pages is not None
    return Limits(int(pages), limits["max_time"])
