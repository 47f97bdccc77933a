"""What an order of fetches is worth: one way to count for our strategies and for other crawlers.

A page costs one fetch, and so does an address where there is nothing. A redirect costs nothing,
its target one fetch. Whatever was fetched before costs nothing, and neither does ``robots.txt``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from scenthound.comparison.open_web import budget_of, labelled
from scenthound.core.crawl import MOST_REDIRECTS
from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical, host_of
from scenthound.engines.redirects import REDIRECTS
from scenthound.sample import SampleWeb

_FREE = "/robots.txt"


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a crawl has found of a topic within its budget.

    Parameters
    ----------
    budget : fetches that it has.
    labelled_pages : pages about the topic that there are.
    found_at : for each of them that was fetched, the number of the fetch; in order.
    fetches : that were made, up to the budget.
    unknown : of these, addresses where there is nothing.
    hosts : that were asked.
    beyond : fetches past the budget, which do not count.
    """

    budget: int
    labelled_pages: int
    found_at: tuple[int, ...] = ()
    fetches: int = 0
    unknown: int = 0
    hosts: int = 0
    beyond: int = 0

    @property
    def harvest(self) -> float:
        """Labelled pages found / budget, spent or not."""
        return len(self.found_at) / self.budget

    @property
    def recall(self) -> float:
        """Labelled pages found / labelled pages."""
        return len(self.found_at) / self.labelled_pages

    @property
    def area(self) -> float:
        """The mean of the recall after 1, 2, ... fetches of the budget: early finds count more."""
        return sum(self.budget - at + 1 for at in self.found_at) / self.budget / self.labelled_pages


def fetched_in(web: SampleWeb, topic: str, order: Iterable[str | None]) -> Fetched:
    """What a crawl has found that asked for these addresses.

    Parameters
    ----------
    web : where.
    topic : whose pages count.
    order : canonical addresses as they were asked for; None for one where there is nothing.
    """
    targets, budget = labelled(web, topic), budget_of(web, topic)
    seen: set[str] = set()
    found_at: list[int] = []
    spent = unknown = beyond = 0
    hosts: set[str] = set()
    for asked in order:
        url = None if asked is None else final_address(web, asked)
        if url is not None and (url in seen or urlsplit(url).path == _FREE):
            continue
        seen.update(() if url is None else (url,))
        if spent == budget:
            beyond += 1
            continue
        spent += 1
        unknown += url not in web.responses
        hosts.update(() if url is None else (host_of(url),))
        if url in targets:
            found_at.append(spent)
    return Fetched(budget, len(targets), tuple(found_at), spent, unknown, len(hosts), beyond)


def final_address(web: SampleWeb, url: str) -> str:
    """Where a canonical address leads in the end; itself where that is nowhere, or a loop."""
    address = url
    for _ in range(MOST_REDIRECTS + 1):
        target = _target(web, address)
        if target is None:
            return address
        address = target
    return url


def _target(web: SampleWeb, url: str) -> str | None:
    response = web.responses.get(url)
    if response is None or response.status not in REDIRECTS:
        return None
    location = response.header("Location")
    try:
        return None if not location else canonical(location, url)
    except MalformedUrlError:
        return None
