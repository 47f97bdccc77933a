"""What speaks for a link besides its texts: who links to it, and what its host has given so far.

Four of the five papers name link structure as further work. Each piece of evidence is a number
in [0, 1] and a part of the score like a text, so that an optimiser may weigh it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from scenthound.core.model import INLINKS, Link
from scenthound.core.protocols import State
from scenthound.core.urls import host_of

HOST, SOURCE = "host", "source"
STRUCTURE = (HOST, SOURCE, INLINKS)
"""``host``: mean relevance of the pages fetched from the link's host, when the link was seen.
``source``: relevance of the page that holds the link; combined over inlinks, that of the pages
that link here. ``inlinks``: how many they are; the frontier fills it in (``INLINKS``)."""
HOSTS_KEPT = 100_000
_DOUBT = 5.0
"""A host's record counts as if it had also given this many pages of the crawl's mean relevance."""


def host_record(pages: int, relevance: float, mean: float, doubt: float = _DOUBT) -> float:
    """Mean relevance of a host's pages, drawn towards the crawl's mean as long as they are few.

    Parameters
    ----------
    pages : fetched from the host.
    relevance : of all of them together.
    mean : relevance of all pages fetched so far.
    doubt : so many pages of mean relevance are added.

    Examples
    --------
    >>> host_record(5, 4.0, 0.2)
    0.5
    """
    return (relevance + doubt * mean) / (pages + doubt)


class LinkStructure:
    """Keeps the records of hosts, those of the last 100,000 that were fetched from."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._pages = 0
        self._relevance = 0.0

    def observe(self, url: str, relevance: float) -> None:
        """A page was fetched, and is this relevant."""
        host = host_of(url)
        pages, total = self._hosts.pop(host, (0, 0.0))
        self._hosts[host] = (pages + 1, total + relevance)
        if len(self._hosts) > HOSTS_KEPT:
            self._hosts.popitem(last=False)
        self._pages += 1
        self._relevance += relevance

    def of_hosts(self, links: Sequence[Link]) -> list[float]:
        """The record of the host of each link; the mean of all pages for a host without one."""
        mean = self._relevance / self._pages if self._pages else 0.0
        hosts = [host_of(link.url) for link in links]
        known = {host: host_record(*self._hosts.get(host, (0, 0.0)), mean) for host in set(hosts)}
        return [known[host] for host in hosts]

    def state(self) -> State:
        """The records."""
        return {
            "hosts": list(self._hosts),
            "pages": [pages for pages, _ in self._hosts.values()],
            "relevance": [relevance for _, relevance in self._hosts.values()],
            "all_pages": self._pages,
            "all_relevance": self._relevance,
        }

    def restore(self, state: State) -> None:
        """Go on from what :meth:`state` gave."""
        hosts, pages, relevance = state["hosts"], state["pages"], state["relevance"]
        assert isinstance(hosts, list) and isinstance(pages, list) and isinstance(relevance, list)
        self._hosts = OrderedDict(
            (str(host), (int(str(n)), float(str(sum_))))
            for host, n, sum_ in zip(hosts, pages, relevance, strict=True)
        )
        self._pages, self._relevance = (
            int(str(state["all_pages"])),
            float(str(state["all_relevance"])),
        )
