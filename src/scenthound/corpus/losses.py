"""What of a crawl cannot be read any more: the export goes on without it, and tells."""

from __future__ import annotations

from dataclasses import dataclass

LOST = "lost: its WARC record cannot be read"
"""The problem of a page whose record is gone or damaged."""


@dataclass(slots=True)
class Losses:
    """How many pages are lost, and the first damage that was met, in a sentence.

    There may be damage without a lost page: to the record of a request, say.
    """

    pages: int = 0
    damage: str = ""

    def met(self, damage: str) -> None:
        """Some damage, of which the first is remembered."""
        self.damage = self.damage or damage

    def lose(self, damage: str) -> None:
        """One more page is lost by some damage."""
        self.pages += 1
        self.met(damage)
