"""Judgements of one group of pages, counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """Of ``pages`` pages ``judged`` were drawn and judged, ``right`` of them about the topic."""

    pages: int
    judged: int
    right: int

    @property
    def share(self) -> float:
        """Of the judged pages, how many are about the topic; ``judged`` must not be 0."""
        return self.right / self.judged

    @property
    def unseen(self) -> int:
        """Pages that nobody has judged."""
        return self.pages - self.judged

    @property
    def drawn(self) -> float:
        """How many pages, each put back before the next is drawn, tell as much.

        Without replacement the variance of a share is ``p (1 - p) / n * (N - n) / (N - 1)``
        (Cochran 1977, section 3.2): as if ``n (N - 1) / (N - n)`` pages had been drawn with it.
        If all are judged no doubt is left: infinitely many.
        """
        return self.judged * (self.pages - 1) / self.unseen if self.unseen > 0 else math.inf


def added(counts: Sequence[Count]) -> Count:
    """All groups as one; zeros for none."""
    return Count(
        sum(count.pages for count in counts),
        sum(count.judged for count in counts),
        sum(count.right for count in counts),
    )
