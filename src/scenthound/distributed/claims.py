"""The budget of a crawl, shared out: a worker claims some pages before it fetches them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scenthound.distributed.keys import crawl_prefix
from scenthound.distributed.scripts import Scripts

if TYPE_CHECKING:
    from redis import Redis


@dataclass(frozen=True, slots=True)
class Claimed:
    """``allowed`` is how many pages a worker may have in all; ``kept`` how many all have kept."""

    allowed: int
    kept: int


class Claims:
    """What one worker has claimed, and what came of it.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    worker : whose claims these are.
    """

    def __init__(self, client: Redis, crawl: str, worker: str) -> None:
        self._client = client
        self._scripts = Scripts(client)
        self._prefix = crawl_prefix(crawl)
        self._worker = worker

    def claim(self, pages: int, budget: int) -> Claimed:
        """Claim so many pages more, as far as the budget goes; 0 only asks.

        What a worker had claimed that has died comes back when it is buried.
        """
        allowed, kept = self._scripts.run("claim", self._prefix, self._worker, pages, budget)
        return Claimed(int(allowed), int(kept))

    def keep(self, pages: int) -> None:
        """The worker has kept so many pages in all."""
        self._client.hset(f"{self._prefix}:kept", self._worker, pages)

    def give_back(self, pages: int) -> None:
        """The worker ends with so many pages: what it claimed beyond them others may fetch."""
        self._scripts.run("give_back", self._prefix, self._worker, pages)

    def kept(self) -> int:
        """How many pages all workers have kept."""
        return sum(map(int, self._client.hvals(f"{self._prefix}:kept")))
