"""Notices when nothing answers any more, on any host: the network or the proxy is down."""

from __future__ import annotations

LEAST_FAILURES = 10
LEAST_HOSTS = 4


class Outage:
    """Counts failures in a row. A single answer ends it, whatever it says.

    Parameters
    ----------
    failures, hosts : so many failures in a row, on so many hosts, are no coincidence.
    """

    def __init__(self, failures: int = LEAST_FAILURES, hosts: int = LEAST_HOSTS) -> None:
        self._least_failures = failures
        self._least_hosts = hosts
        self._failures = 0
        self._hosts: set[str] = set()
        self.on = False

    def failed(self, host: str) -> bool:
        """One more host did not answer; True where that begins an outage."""
        self._failures += 1
        if len(self._hosts) < self._least_hosts:
            self._hosts.add(host)
        enough = self._failures >= self._least_failures and len(self._hosts) >= self._least_hosts
        began = enough and not self.on
        self.on = self.on or enough
        return began

    def answered(self) -> bool:
        """Somebody answered; True where that ends an outage."""
        ended = self.on
        self.on, self._failures = False, 0
        self._hosts.clear()
        return ended
