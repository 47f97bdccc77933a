"""What the keys of a crawl are called, and what lies under each.

Of the crawl ``NAME`` as a whole (hash tag ``{NAME}``):

=====================================  ======  =====================================================
``scenthound:{NAME}:frontier``         HASH    ``layout`` and ``partitions``: how it is written
``scenthound:{NAME}:numbers``          STRING  the last number given to a URL, in order of arrival
``scenthound:{NAME}:shapes``           HASH    number of a shape -> names and weights of parts
``scenthound:{NAME}:crawl``            HASH    its settings, its topic, its limits, its id
``scenthound:{NAME}:workers``          HASH    name of a worker -> its last heartbeat
``scenthound:{NAME}:clock``            HASH    the last time reported, and how far it is ahead
``scenthound:{NAME}:requests``         SET     ``pause``, ``stop``: for all workers
``scenthound:{NAME}:allowed``          HASH    worker -> pages that it may have in all
``scenthound:{NAME}:kept``             HASH    worker -> pages that it has kept
``scenthound:{NAME}:lock:LOCK``        STRING  who holds it, until it expires: reader, learner, ...
``scenthound:{NAME}:terms``            STRING  what all workers counted, up to a number of updates
``scenthound:{NAME}:learning``         HASH    documents, sums over links, weights, their version
``scenthound:{NAME}:updates``          STREAM  what each worker counted since, by number
``scenthound:{NAME}:shared_pages``     HASH    worker -> the last of its pages that it has shared
=====================================  ======  =====================================================

Of partition ``P``, which has a share of the hosts (hash tag ``{NAME/P}``, so that each step touches
one slot of a cluster; every key begins with ``scenthound:{NAME/P}``):

=====================================  ======  =====================================================
``:rows``                              HASH    digest of a URL -> its row; every URL ever seen
``:hosts``                             HASH    name of a host -> counts, delay, when to ask, state
``:leases``                            HASH    digest -> is the answer awaited, worker, host
``:ready:HOST``                        ZSET    number and digest of the URLs to lease, best first
``:lease_requests``                    HASH    worker -> its last request for leases, and the answer
``:due``                               ZSET    digest and host, by end of lease or time of retry
``:tops``                              ZSET    hosts with ready URLs by the best, as number and host
``:worst``                             ZSET    the same hosts by their worst
``:free``                              ZSET    hosts that may be asked now, by their best
``:resting``                           ZSET    hosts that rest, by when they may be asked again
``:busy``                              ZSET    hosts asked for as many URLs as may be, by pages had
``:greedy``, ``:greedy_had``           ZSET    hosts that had more than their share: by best, by had
``:exhausted``                         SET     hosts whose URLs are still to be set aside
``:totals``                            HASH    sums of the partition, and the time last heard
``:robots:ORIGIN``                     STRING  the robots.txt of a site, and its status; expires
=====================================  ======  =====================================================

Scores in the sets are negative, so that the best come first; numbers are six bytes, high byte
first, so that of equal scores the earlier comes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from hashlib import blake2b, sha1
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from zlib import crc32

from scenthound.core.errors import SettingsError

if TYPE_CHECKING:
    from redis import Redis


LAYOUT = 4
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


@lru_cache(maxsize=65_536)
def partition_of(host: str, partitions: int) -> int:
    """Which of the partitions a host belongs to."""
    return crc32(host.encode()) % partitions


def digest_of(url: str) -> bytes:
    """80 bits of hash: among a billion URLs two are alike once in two million crawls."""
    return blake2b(url.encode(), digest_size=10).digest()


# The steps that the server takes as one: the files ``lua/*.lua``, by name.


Argument = str | bytes | int | float
Step = tuple[str, str, Sequence[Argument]]
"""Name of a script, its key, its arguments."""
_SHARED = ("base", "hosts", "leases", "schedule")
"""Files with what several scripts need, each after those before it."""
_NEEDS = re.compile(r"-- needs (\w+)\n")
"""The first line of a script names the last of them that it needs."""


@cache
def source_of(name: str) -> str:
    """The text of a script, with what it shares with others before it."""
    folder = files("scenthound.frontier.redis") / "lua"
    own = (folder / f"{name}.lua").read_text(encoding="utf-8")
    last = _NEEDS.match(own)
    needed = () if last is None else _SHARED[: _SHARED.index(last[1]) + 1]
    texts = [(folder / f"{each}.lua").read_text(encoding="utf-8") for each in needed]
    return "".join((*texts, own))


@cache
def _digest(name: str) -> str:
    return sha1(source_of(name).encode(), usedforsecurity=False).hexdigest()


class Scripts:
    """Runs scripts on a server; one it does not know (it was restarted) is loaded first."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def run(self, name: str, key: str, *arguments: Argument) -> Any:
        """Return what one script answers."""
        from redis.exceptions import NoScriptError

        try:
            return self._client.evalsha(_digest(name), 1, key, *arguments)
        except NoScriptError:
            return self._client.eval(source_of(name), 1, key, *arguments)

    def run_all(self, steps: Sequence[Step]) -> list[Any]:
        """Return what several scripts answer, in one round trip; in a cluster, in one to each node.

        A step that was not taken is sent again alone, which loads its script, and waits where a
        node of a cluster is away or another has taken over.
        """
        from redis.exceptions import NoScriptError, ReadOnlyError

        passing = getattr(self._client, "passing_errors", (ReadOnlyError,))
        answers: list[Any] = [NoScriptError()] * len(steps)
        if len(steps) > 1:
            try:
                with self._client.pipeline(transaction=False) as pipeline:
                    for name, key, arguments in steps:
                        # A pipeline of a cluster has no evalsha, but takes the command.
                        step = ("EVALSHA", _digest(name), 1, key, *arguments)
                        pipeline.execute_command(*step)  # type: ignore[no-untyped-call]
                    answers = list(pipeline.execute(raise_on_error=False))
            except passing:
                pass
        for place, answer in enumerate(answers):
            if isinstance(answer, (NoScriptError, *passing)):
                name, key, arguments = steps[place]
                answers[place] = self.run(name, key, *arguments)
            elif isinstance(answer, Exception):
                raise answer
        return answers
