"""The values that archives speak of, and what every kind of archive must be able to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple, Protocol

DEFAULT_MAX_BODY = 10 * 1024 * 1024

Progress = Callable[[int, int], None]
"""Called with (bytes done, bytes in all) now and then."""


@dataclass(frozen=True, slots=True)
class Response:
    """What the archive answers for a URL.

    Parameters
    ----------
    url : canonical URL.
    status : HTTP status.
    headers : names in lower case; of a repeated header the last one.
    body : transfer and content encodings undone, at most ``max_body`` bytes.
    truncated : the body is not whole: cut at ``max_body``, when it was archived, or where its
        encoding broke.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Skipped:
    """Records that can never be fetched, for one reason: how many, and up to five of them."""

    count: int
    examples: tuple[str, ...]


class Kind(IntEnum):
    """How a page is stored."""

    RESPONSE = 0
    RESOURCE = 1
    REVISIT = 2
    FILE = 3
    RENDERED = 4
    """As a browser showed it: an HTML ``conversion`` record, which stands for its response."""


class Capture(NamedTuple):
    """Where a page lies. ``refers`` is the URL that a revisit repeats, or the path of a file."""

    url: str
    file: int
    offset: int
    status: int
    kind: Kind
    refers: str | bytes | None = None

    @property
    def ok(self) -> bool:
        """Was this capture a success (2xx)?"""
        return 200 <= self.status < 300


class Notebook(Protocol):
    """Where a source writes down what it finds."""

    def add(self, capture: Capture) -> None:
        """A page. Of several captures of a URL the first 2xx is kept, else the first."""

    def skip(self, reason: str, example: str) -> None:
        """Something that can never be fetched."""


class Source(Protocol):
    """One kind of archive: lists its files, finds its pages, reads one of them."""

    path: Path

    def files(self) -> Iterator[Path]:
        """The files that make up the archive, always in the same order."""

    def scan(self, notebook: Notebook, progress: Progress) -> None:
        """Write every page down; raises ArchiveError where a file is broken."""

    def read(self, capture: Capture, origin: Capture | None, max_body: int) -> Response:
        """The page at ``capture``; ``origin`` is the capture that a revisit repeats."""

    def close(self) -> None:
        """Let go of open files."""
