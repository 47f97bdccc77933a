"""What the crawl asks the downloader for, and what comes back."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scenthound.archive.http_body import decode
from scenthound.core.model import Page

Headers = tuple[tuple[str, str], ...]
"""Names and values in the order they were sent; one read as latin-1, as HTTP has it."""


class Purpose(enum.Enum):
    """Why a URL is asked for."""

    PAGE = "page"
    ROBOTS = "robots.txt"
    FILE = "file"
    """Of any type, and not read by the downloader: a sitemap, a feed."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Fetch ``url`` now. ``owner`` is the origin whose robots.txt this is, for robots.txt.

    ``render`` asks for a page once more, which came and needs a browser to be read.
    """

    url: str
    purpose: Purpose = Purpose.PAGE
    owner: str = ""
    hops: int = 0
    render: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sent.

    Parameters
    ----------
    ask : what it is the answer to.
    ended : when the last byte came, in seconds since the epoch.
    body : as it came, transfer encoding undone, content encoding not.
    ip : address of the server; None behind a proxy.
    cut : why the body is not whole, in the words of WARC (``length``, ``disconnect``).
    page : the page in it, where the downloader has read it already; ``fingerprint`` of its text.
    rendered : the page as a browser showed it, HTML in UTF-8; None where none was needed.
    """

    ask: Ask
    ended: float
    status: int
    headers: Headers
    body: bytes
    request_headers: Headers = ()
    protocol: str = "HTTP/1.1"
    ip: str | None = None
    cut: Literal["length", "disconnect"] | None = None
    page: Page | None = None
    fingerprint: int | None = None
    rendered: bytes | None = None

    def header(self, name: str) -> str:
        """Value of the last header of this name (in lower case); empty where there is none."""
        return self.by_name().get(name, "")

    def content(self, most: int) -> bytes:
        """The body with its content encoding undone, ``most`` bytes of it."""
        headers = {"content-encoding": self.header("content-encoding")}
        return decode(iter((self.body,)), headers, most)[0]

    def by_name(self) -> Mapping[str, str]:
        """Headers by name in lower case; of a repeated one the last."""
        return {name.lower(): value for name, value in self.headers}


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Nothing usable came: why, and whether it may go better ``again`` later."""

    ask: Ask
    ended: float
    reason: str
    again: bool


Message = Answer | NoAnswer
