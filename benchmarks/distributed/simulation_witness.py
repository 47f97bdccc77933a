"""What must hold with any number of workers: polite, no page twice, none lost."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass(slots=True)
class Witness:
    """Sees every request and every lease of all workers, on the simulated clock.

    Parameters
    ----------
    delay : seconds that a host must rest, from the end of a response to the next request.
    lease_seconds : a lease of a worker that does not come back ends after so many.
    """

    delay: float
    lease_seconds: float
    shortest_gap: float = math.inf
    """Between the beginnings of two requests to one host."""
    shortest_rest: float = math.inf
    """Between the end of one (its response is over, or the worker died) and the next."""
    at_once: int = 0
    """Requests to a host while another was under way."""
    leased_twice: int = 0
    """Leases of a URL that another worker held, or that was closed before."""
    closed: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    """All URLs that the frontier was given."""
    _held: dict[str, tuple[str, float]] = field(default_factory=dict)
    _begun: dict[int, float] = field(default_factory=dict)
    _ended: dict[int, float] = field(default_factory=dict)
    _under_way: set[int] = field(default_factory=set)

    def leased(self, url: str, worker: str, now: float) -> None:
        """The frontier gave the URL to a worker."""
        _, until = self._held.get(url, ("", -math.inf))
        self.leased_twice += until > now or url in self.closed
        self._held[url] = worker, now + self.lease_seconds

    def asked(self, host: int, now: float) -> None:
        """A request to the host begins."""
        self.at_once += host in self._under_way
        self.shortest_gap = min(self.shortest_gap, now - self._begun.get(host, -math.inf))
        self.shortest_rest = min(self.shortest_rest, now - self._ended.get(host, -math.inf))
        self._begun[host] = now
        self._under_way.add(host)

    def over(self, host: int, now: float) -> None:
        """The answer is over, or the worker that sent the request has died."""
        self._ended[host] = now
        self._under_way.discard(host)

    def close(self, url: str) -> None:
        """A worker acknowledges the page."""
        self.closed.add(url)
        self._held.pop(url, None)

    def returned(self, worker: str) -> None:
        """A worker of this name has begun again: what was leased to it waits."""
        self._held = {url: held for url, held in self._held.items() if held[0] != worker}

    def lost(self, waiting: int) -> int:
        """URLs that are gone; ``waiting`` are left when all leases have ended."""
        return len(self.seen) - len(self.closed) - waiting

    def complaints(self, lost: int) -> list[str]:
        """What went wrong, a sentence each."""
        found = {
            f"a host was asked {self.shortest_rest:.3f} s after a response, not {self.delay:g}":
                self.shortest_rest < self.delay - 1e-6 or self.shortest_gap < self.delay - 1e-6,
            f"{self.at_once} requests to a host that was still answering": self.at_once > 0,
            f"{self.leased_twice} URLs were leased twice": self.leased_twice > 0,
            f"{lost} URLs were lost": lost != 0,
        }  # fmt: skip
        return [sentence for sentence, is_so in found.items() if is_so]
