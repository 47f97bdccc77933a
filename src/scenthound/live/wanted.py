"""What a page in the browser asks for, and what it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.live.robots import origin_of


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request of the browser for a ``page``; ``kind`` is its resource type."""

    page: str
    url: str
    kind: str
    method: str
    headers: Mapping[str, str]

    @property
    def asker(self) -> str:
        """The origin that asks: the page's, unless it has a frame that stands for nobody."""
        return self.headers.get("origin") or origin_of(self.page)

    @property
    def is_read(self) -> bool:
        """Does the page get to see the answer? A plain script is run and not seen."""
        return self.kind != "script" or "origin" in self.headers


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the browser is given for it, unpacked; ``secret`` where a login was sent for it."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    secret: bool = False
