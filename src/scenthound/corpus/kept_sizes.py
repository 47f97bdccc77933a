"""How many bytes a live crawl keeps of each page."""

from __future__ import annotations

from collections.abc import Iterator

from scenthound.corpus.stored_crawl import StoredCrawl

_SIZES = "SELECT url, length FROM pages WHERE length IS NOT NULL ORDER BY n"


def kept_sizes(stored: StoredCrawl) -> Iterator[tuple[str, int]]:
    """URL and compressed bytes of every stored page, in order; nothing for a replay."""
    if stored.database is None:
        return
    for url, length in stored.database.execute(_SIZES):
        yield str(url), int(length)
