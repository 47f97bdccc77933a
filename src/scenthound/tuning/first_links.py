"""The first link to each address that is not fetched yet, and how many pages link there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scenthound.core.model import Link, Score
from scenthound.tuning.links import kept_line


@dataclass(slots=True)
class FirstLink:
    """A link that is the first to an address: on which page, and what its parts are worth.

    ``order`` counts first links; ``pages`` the pages that link to the address so far.
    """

    order: int
    source: str
    anchor: str
    score: Score
    pages: int = 1


class FirstLinks:
    """Keeps one link for each address that was seen and not fetched; ``len`` of them."""

    def __init__(self) -> None:
        self._waiting: dict[str, FirstLink] = {}
        self._fetched: set[str] = set()
        self._noted = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def note(self, source: str, links: Sequence[Link], scores: Sequence[Score]) -> None:
        """The links of one more page; of several to one target the first counts."""
        on_page: dict[str, tuple[Link, Score]] = {}
        for link, score in zip(links, scores, strict=True):
            on_page.setdefault(link.url, (link, score))
        for url, (link, score) in on_page.items():
            if url in self._waiting:
                self._waiting[url].pages += 1
            elif url not in self._fetched:
                self._noted += 1
                anchor = kept_line(link.anchor)
                self._waiting[url] = FirstLink(self._noted, source, anchor, score)

    def fetch(self, addresses: Iterable[str]) -> FirstLink | None:
        """A page was fetched that these addresses lead to: the first link to one of them.

        None where no page linked to any. From now on links to them are not noted.
        """
        own = list(dict.fromkeys(addresses))
        self._fetched.update(own)
        found = [self._waiting.pop(url) for url in own if url in self._waiting]
        return min(found, key=lambda first: first.order, default=None)
