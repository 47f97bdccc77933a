"""How long a policy waits for hosts that rest before it takes something else."""

from __future__ import annotations

SECONDS = 5.0
"""Most hosts may be asked again after a second. Less patience, and a polite crawl of a few hosts
would fetch more of what is at hand than of what its policy chose."""


class Pause:
    """The time since a policy last got what it wanted."""

    def __init__(self) -> None:
        self._since: float | None = None

    def begin(self, now: float) -> None:
        """It has got something."""
        self._since = now

    def is_over(self, now: float) -> bool:
        """Has it waited long enough? The first question begins the pause."""
        if self._since is None:
            self._since = now
        return now - self._since >= SECONDS
