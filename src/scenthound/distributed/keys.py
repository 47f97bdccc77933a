"""What the keys of a crawl are called, and what lies under each.

Of the crawl ``NAME`` as a whole (hash tag ``{NAME}``):

=====================================  ======  =====================================================
``scenthound:{NAME}:frontier``         HASH    ``layout`` and ``partitions``: how it is written
``scenthound:{NAME}:numbers``          STRING  the last number given to a URL, in order of sighting
``scenthound:{NAME}:shapes``           HASH    number of a shape -> names and weights of parts
``scenthound:{NAME}:crawl``            HASH    what was asked for, its topic, its limits, its id
``scenthound:{NAME}:workers``          HASH    name of a worker -> how it last said it stands
``scenthound:{NAME}:clock``            HASH    the last time told, and how far it is ahead
``scenthound:{NAME}:requests``         SET     ``pause``, ``stop``: for all workers
``scenthound:{NAME}:allowed``          HASH    worker -> pages that it may have in all
``scenthound:{NAME}:kept``             HASH    worker -> pages that it has kept
``scenthound:{NAME}:elected:OFFICE``   STRING  who has it, until it expires: reader, learner, ...
``scenthound:{NAME}:terms``            STRING  what all workers counted, up to a number of the news
``scenthound:{NAME}:learning``         HASH    documents, sums over links, weights, their version
``scenthound:{NAME}:news``             STREAM  what each worker counted since, by number
``scenthound:{NAME}:taught``           HASH    worker -> the last of its pages that it told of
=====================================  ======  =====================================================

Of partition ``P``, which has a share of the hosts (hash tag ``{NAME/P}``, so that each step touches
one slot of a cluster; every key begins with ``scenthound:{NAME/P}``):

=====================================  ======  =====================================================
``:rows``                              HASH    digest of a URL -> its row; every URL ever seen
``:hosts``                             HASH    name of a host -> counts, delay, when to ask, turn
``:leases``                            HASH    digest -> is the answer awaited, worker, host
``:ready:HOST``                        ZSET    number and digest of the URLs to lease, best first
``:told``                              HASH    worker -> its last request for leases, and the answer
``:due``                               ZSET    digest and host, by end of lease or time of retry
``:tops``                              ZSET    hosts with ready URLs by the best, as number and host
``:worst``                             ZSET    the same hosts by their worst
``:free``                              ZSET    hosts that may be asked now, by their best
``:resting``                           ZSET    hosts that rest, by when they may be asked again
``:busy``                              ZSET    hosts asked for as many URLs as may be, by pages had
``:greedy``, ``:sated``                ZSET    hosts that had more than their share: by best, by had
``:spent``                             SET     hosts whose URLs are still to be set aside
``:totals``                            HASH    sums of the partition, and the time last heard
``:robots:ORIGIN``                     STRING  the robots.txt of a site, and its status; expires
=====================================  ======  =====================================================

Scores in the sets are negative, so that the best come first; numbers are six bytes, high byte
first, so that of equal scores the earlier comes first.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from zlib import crc32

from scenthound.core.errors import SettingsError
from scenthound.core.urls import host_of

LAYOUT = 1
"""Grows when rows or keys are written in another way."""
_NAME = re.compile(r"[^\s{}/\x00-\x1f]{1,100}")


def crawl_prefix(crawl: str) -> str:
    """What the keys of the crawl as a whole begin with; SettingsError for a name that none can."""
    if not isinstance(crawl, str) or not _NAME.fullmatch(crawl):
        raise SettingsError(
            f"a crawl cannot be called {crawl!r} on a server; "
            "give a name of up to 100 characters without spaces, '/', '{' and '}'."
        )
    return f"scenthound:{{{crawl}}}"


def partition_prefix(crawl: str, partition: int) -> str:
    """What the keys of one partition begin with."""
    return f"scenthound:{{{crawl}/{partition}}}"


def host_name(url: str) -> str:
    """The host of a URL; "" for a bare name, which has none."""
    return host_of(url) if "//" in url else ""


@lru_cache(maxsize=65_536)
def partition_of(host: str, partitions: int) -> int:
    """Which of the partitions a host belongs to."""
    return crc32(host.encode()) % partitions


def digest_of(url: str) -> bytes:
    """80 bits of hash: among a billion URLs two are alike once in two million crawls."""
    return blake2b(url.encode(), digest_size=10).digest()
