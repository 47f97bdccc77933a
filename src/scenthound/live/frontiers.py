"""What a live crawl asks of its frontier besides leases: in its folder, or shared with others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from scenthound.core.model import Candidate
from scenthound.core.protocols import PoliteFrontier


class LiveFrontier(PoliteFrontier, Protocol):
    """A polite frontier that lasts longer than the process."""

    @property
    def host_count(self) -> int:
        """How many hosts are known."""
        ...

    def candidate(self, url: str) -> Candidate | None:
        """Any URL ever seen; None where it never was."""
        ...

    def where(self, url: str) -> str | None:
        """``waiting``, ``leased``, ``closed`` or ``spent``; None if never seen."""
        ...

    def reopen(self, urls: Iterable[str]) -> None:
        """Let those of these URLs that were given up wait again."""
        ...

    def spent_urls(self) -> int:
        """How many URLs were set aside with spent hosts since this was last asked."""
        ...
