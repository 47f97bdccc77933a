"""What pages are called on the server, and by one worker."""

from __future__ import annotations

from dataclasses import replace

from scenthound.core.model import Candidate, Inlink, Sighting
from scenthound.core.page_numbers import foreign

WORKERS = 4_096
"""Pages are numbered on the server as ``n * WORKERS + worker``: small numbers take few bytes."""


class PageNames:
    """Page ``n`` of this worker is ``n`` to itself; those of others have their number above.

    Parameters
    ----------
    worker : the number of this worker.
    """

    def __init__(self, worker: int) -> None:
        self._worker = worker

    def outgoing(self, sighting: Sighting) -> Sighting:
        """The link as all workers know it."""
        inlink = sighting.inlink
        if inlink is None:
            return sighting
        source = inlink.source * WORKERS + self._worker
        told = Inlink(source, inlink.score, inlink.anchor)  # dataclasses.replace takes six times
        return Sighting(sighting.url, sighting.depth, told)

    def incoming(self, candidate: Candidate) -> Candidate:
        """The candidate as this worker names pages."""
        return replace(candidate, inlinks=tuple(map(self._named, candidate.inlinks)))

    def _named(self, inlink: Inlink) -> Inlink:
        n, worker = divmod(inlink.source, WORKERS)
        source = n if worker == self._worker else foreign(worker, n)
        return Inlink(source, inlink.score, inlink.anchor)
