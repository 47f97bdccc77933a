"""What is asked about a crawl, be it in one folder or of several workers."""

from __future__ import annotations

from typing import Protocol

from scenthound.dashboard.curve import Point
from scenthound.dashboard.plain_values import Json
from scenthound.dashboard.searching import Wanted


class Answers(Protocol):
    """Answers about one crawl."""

    def detail(self, told: Json) -> Json:
        """All that is shown beside its figures; ``told`` is how it stands."""
        ...

    def curve(self, points: int) -> list[Point]:
        """Its curve, in so many points; none for a crawl without a page."""
        ...

    def pages(self, wanted: Wanted, before: str, most: int) -> Json:
        """Pages that are wanted; ``before`` is what the last answer gave as next, "" at first."""
        ...

    def page(self, page: int) -> Json:
        """One page; Refused (404) where there is none."""
        ...

    def order(self, action: str) -> None:
        """Have it pause, resume or stop."""
        ...
