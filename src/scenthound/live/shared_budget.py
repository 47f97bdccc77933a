"""The pages that one of several workers may fetch: it claims some, fetches them, claims more."""

from __future__ import annotations

from scenthound.core.protocols import Clock
from scenthound.distributed.claims import Claims

_ASK_AGAIN = 0.5
"""Seconds after which it is asked again whether there are pages left."""


class SharedBudget:
    """One worker's part of the budget of a crawl.

    Parameters
    ----------
    claims : on the server.
    pages : what all workers together may fetch.
    at_once : how many pages are claimed at once.
    clock : the time of the server.
    """

    def __init__(self, claims: Claims, pages: int, at_once: int, clock: Clock) -> None:
        self.pages = pages
        self._claims = claims
        self._at_once = at_once
        self._clock = clock
        self._allowed = self._kept = 0
        self._asked = 0.0
        self.tell_alive()

    def allows(self, spent: int) -> bool:
        """May this worker fetch another page? Where it has none left, more are claimed."""
        if spent >= self._allowed and self._clock() - self._asked >= _ASK_AGAIN:
            self._claim(max(self._at_once, spent + 1 - self._allowed))
        return spent < self._allowed

    def is_spent(self, spent: int) -> bool:
        """Have all workers together kept as many pages as they may?"""
        del spent  # others count too
        return self._kept >= self.pages

    def kept(self, pages: int) -> None:
        """This worker has kept so many pages in all."""
        self._claims.keep(pages)

    def tell_alive(self) -> None:
        """Ask how the budget stands; nothing more is claimed."""
        self._claim(0)

    def close(self, pages: int) -> None:
        """This worker ends with so many pages; others may fetch what it does not."""
        self._claims.give_back(pages)

    def _claim(self, pages: int) -> None:
        now = self._clock()
        claimed = self._claims.claim(pages, self.pages)
        if pages and claimed.allowed == self._allowed:
            self._asked = now
        self._allowed, self._kept = claimed.allowed, claimed.kept
