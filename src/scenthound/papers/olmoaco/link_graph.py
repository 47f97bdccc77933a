"""The graph of fetched pages and their links.

URLs are numbered as they are seen, so that all that is known about them fits into arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scenthound.core.protocols import State

Numbers = npt.NDArray[np.int32]
Reals = npt.NDArray[np.float64]
_JOIN = "\n"
"""No URL holds one."""
_MOST_LEADS = 20
"""Redirects in a row; more of them are a circle."""


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """The links of a page: targets, each once, and the relevance of the anchor of each."""

    targets: Numbers
    anchors: Reals

    def __len__(self) -> int:
        return len(self.targets)


_NONE = Links(np.empty(0, np.int32), np.empty(0))


class LinkGraph:
    """A graph that grows with the crawl; a page is added once."""

    def __init__(self) -> None:
        self._urls: list[str] = []
        self._numbers: dict[str, int] = {}
        self._links: dict[int, Links] = {}
        self._places: dict[int, int] = {}
        self._leads: dict[int, int] = {}

    def __len__(self) -> int:
        """Number of URLs seen."""
        return len(self._urls)

    @property
    def pages(self) -> int:
        """Number of pages fetched."""
        return len(self._links)

    def number(self, url: str) -> int:
        """Return the number of ``url``; a new one if it was never seen."""
        found = self._numbers.get(url)
        if found is None:
            found = self._numbers[url] = len(self._urls)
            self._urls.append(url)
        return found

    def find(self, url: str) -> int | None:
        """Return the number of ``url``; None if it was never seen."""
        return self._numbers.get(url)

    def url(self, number: int) -> str:
        """Return the URL of that number."""
        return self._urls[number]

    def is_page(self, number: int) -> bool:
        """Return whether it was fetched."""
        return number in self._links

    def place(self, page: int) -> int:
        """Return how many pages had been fetched before this one; all, if it was not fetched."""
        return self._places.get(page, len(self._places))

    def links(self, number: int) -> Links:
        """Return the links of a page, in their order; none of a URL that was not fetched."""
        return self._links.get(number, _NONE)

    def add_page(self, url: str, targets: Sequence[str], anchors: Sequence[float]) -> int:
        """Add a fetched page and return its number.

        Of several links to one target the best anchor counts; a link to the page itself is none.
        """
        page = self.number(url)
        if page in self._links:
            return page
        best: dict[int, float] = {}
        for target, anchor in zip(targets, anchors, strict=True):
            number = self.number(target)
            if number != page:
                best[number] = max(anchor, best.get(number, anchor))
        self._links[page] = Links(
            np.fromiter(best, np.int32, len(best)), np.fromiter(best.values(), np.float64)
        )
        self._places[page] = len(self._places)
        return page

    def lead(self, url: str, page: str) -> None:
        """Record that ``url`` redirects to ``page``."""
        number, target = self.number(url), self.number(page)
        if number != target:
            self._leads[number] = target

    def where(self, number: int) -> int:
        """Return the URL that this one finally redirects to; itself, if it does not redirect."""
        for _ in range(_MOST_LEADS):
            if number not in self._leads:
                break
            number = self._leads[number]
        return number

    def state(self) -> State:
        """Return everything, as few arrays."""
        pages = list(self._links)
        sizes = [len(self._links[page]) for page in pages]
        joined = [self._links[page] for page in pages] or [_NONE]
        return {
            "urls": np.frombuffer(_JOIN.join(self._urls).encode(), np.uint8),
            "pages": np.array(pages, np.int32),
            "sizes": np.array(sizes, np.int32),
            "targets": np.concatenate([links.targets for links in joined]),
            "anchors": np.concatenate([links.anchors for links in joined]),
            "leads": np.array(list(self._leads.items()), np.int32).reshape(-1, 2),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        urls, pages, sizes = state["urls"], state["pages"], state["sizes"]
        targets, anchors, leads = state["targets"], state["anchors"], state["leads"]
        text = urls.tobytes().decode()
        self._urls = text.split(_JOIN) if text else []
        self._numbers = {url: number for number, url in enumerate(self._urls)}
        ends = np.cumsum(sizes)[:-1]
        each = zip(np.split(targets, ends), np.split(anchors, ends), strict=True)
        rows = [Links(own.astype(np.int32), values.astype(np.float64)) for own, values in each]
        self._links = dict(zip(pages.tolist(), rows, strict=False))
        self._places = {page: place for place, page in enumerate(self._links)}
        self._leads = {int(first): int(second) for first, second in leads}
