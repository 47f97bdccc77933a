"""What was asked for when seeds are looked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.live.options import CrawlOptions

DEFAULT_COUNT = 20
MOST_PROPOSALS = 1_000
MOST_FETCHED = 500


@dataclass(frozen=True, slots=True)
class Order:
    """Where to look, for what, and how much to bring.

    Parameters
    ----------
    topic : what pages should be about; the sites of its seeds are looked at.
    sources : names of places to look: see ``seeding.sources``.
    count : proposals wanted.
    fetch : how many of the best are fetched and judged by their text.
    searxng : address of a SearXNG server, for the source of that name.
    archive : a WARC, WACZ or folder, for the source of that name, and for example pages.
    options : how requests are made: delay, contact, proxy, ...
    """

    topic: Topic
    sources: tuple[str, ...]
    count: int = DEFAULT_COUNT
    fetch: int = 0
    searxng: str | None = None
    archive: Path | None = None
    options: CrawlOptions = field(default_factory=CrawlOptions)

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_PROPOSALS:
            raise SettingsError(f"count is 1 to {MOST_PROPOSALS}, not {self.count}.")
        if not 0 <= self.fetch <= MOST_FETCHED:
            raise SettingsError(f"fetch is 0 to {MOST_FETCHED}, not {self.fetch}.")
