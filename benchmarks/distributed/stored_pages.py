"""What workers have stored, read from their journals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scenthound.storage.journal import read_journal


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page in a journal."""

    url: str
    at: float
    worked: bool


def pages_of(folders: Iterable[Path]) -> list[StoredPage]:
    """All pages, in the order of time."""
    found = (page for folder in folders for page in _pages(folder))
    return sorted(found, key=lambda page: page.at)


def _pages(folder: Path) -> Iterator[StoredPage]:
    for event in read_journal(folder / "journal.jsonl"):
        if event["event"] == "page":
            yield StoredPage(str(event["url"]), float(str(event["at"])), event["status"] == 200)


def span(pages: list[StoredPage]) -> float:
    """Seconds from the first page to the last."""
    return pages[-1].at - pages[0].at if pages else 0.0
