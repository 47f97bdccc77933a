"""One worker of several does what must be done once: an office that is held for a time.

Who has it keeps it by asking again before it expires. When the worker dies, or cannot reach the
server, another takes it over. Time is the server's.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from scenthound.distributed.keys import crawl_prefix
from scenthound.distributed.scripts import Scripts, Step

if TYPE_CHECKING:
    from redis import Redis


class Election:
    """An office of a crawl, and this worker's wish to have it.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    office : what it is called.
    worker : who wants it.
    seconds : until it expires.
    """

    def __init__(self, client: Redis, crawl: str, office: str, worker: str, seconds: float) -> None:
        self._scripts = Scripts(client)
        self.key = f"{crawl_prefix(crawl)}:elected:{office}"
        self.owner = f"{worker}/{secrets.token_hex(8)}"
        """Another one for each process: of two of one name only one has the office."""
        self._milliseconds = max(1, round(1000 * seconds))

    @property
    def step(self) -> Step:
        """Take the office if it is free, or keep it; the server answers 1 where one has it."""
        return "elect", self.key, (self.owner, self._milliseconds)

    def holds(self) -> bool:
        """Take the office if it is free, or keep it; is it this worker's?"""
        name, key, arguments = self.step
        return bool(self._scripts.run(name, key, *arguments))

    def resign(self) -> None:
        """Leave the office to others at once; one that another has is left alone."""
        self._scripts.run("resign", self.key, self.owner)
