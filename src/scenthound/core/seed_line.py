"""The seeds of a crawl that have not had their turn: they are fetched first, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from scenthound.core.model import Candidate
from scenthound.core.protocols import Frontier

_TRIED = 20
"""Seeds whose hosts rest are passed over, but not all of thousands at every turn."""


class SeedLine:
    """A line of URLs, each once.

    Parameters
    ----------
    urls : canonical, the first one first; none is fine.
    """

    def __init__(self, urls: Iterable[str]) -> None:
        self._urls = deque(dict.fromkeys(urls))

    @property
    def urls(self) -> tuple[str, ...]:
        """Those that wait, in order."""
        return tuple(self._urls)

    def drop_closed(self, frontier: Frontier) -> None:
        """Leave out those that were fetched before."""
        self._urls = deque(url for url in self._urls if not frontier.is_closed(url))

    def put_first(self, url: str) -> None:
        """This one is next."""
        self._urls.appendleft(url)

    def take(self, frontier: Frontier, now: float) -> Candidate | None:
        """The first seed that may be fetched now; those whose hosts rest keep their places."""
        resting: list[str] = []
        candidate = None
        while self._urls and candidate is None and len(resting) < _TRIED:
            url = self._urls.popleft()
            candidate = frontier.take(url, now)
            if candidate is None and not frontier.is_closed(url):
                resting.append(url)
        self._urls.extendleft(reversed(resting))
        return candidate
