"""One of the workers reads the example pages; all others are told what the topic is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from scenthound.distributed.crawls import SharedCrawl
from scenthound.distributed.election import Election
from scenthound.live.deciding import Heed
from scenthound.live.examples import Learnt
from scenthound.live.membership import Membership

_READER = "reader"
_LEASE_SECONDS = 30.0
_LOOK_AGAIN = 0.25


def learnt_together(
    membership: Membership,
    learn: Callable[[Callable[[], Heed]], Learnt],
    heed: Callable[[], Heed],
    sleep: Callable[[float], None] = time.sleep,
) -> Learnt:
    """The topic as all workers use it.

    Parameters
    ----------
    membership : of this worker.
    learn : fetches and reads the example pages, with a ``heed`` of its own.
    heed : is this worker to end?
    sleep : waits for others.
    """
    crawl = membership.crawl
    election = Election(crawl.client, crawl.name, _READER, membership.worker, _LEASE_SECONDS)

    def heed_and_hold() -> Heed:
        election.holds()
        return heed()

    while True:
        told = crawl.topic()
        if told is not None:
            return Learnt(told)
        if election.holds():
            try:
                return _told(crawl, learn(heed_and_hold))
            finally:
                election.resign()
        if heed() is Heed.END:
            return Learnt(None)
        sleep(_LOOK_AGAIN)


def _told(crawl: SharedCrawl, learnt: Learnt) -> Learnt:
    """What this worker has learnt, and all others are told; nothing where it had to end."""
    if learnt.briefing is None:
        return learnt
    return replace(learnt, briefing=crawl.tell_topic(learnt.briefing))
