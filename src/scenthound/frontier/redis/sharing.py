"""What workers learn from each other: term counts, sums over links, weights, robots.txt files.

Term counts: a worker sends what it has counted on its own pages since it last did, and reads what
is new of the others. Now and then one of them, who has read everything, folds the updates into one
sum; a worker that is new or has fallen behind reads the sum, and the updates since. To the server
all of it is a few texts: it adds up nothing but the sums over links.

Exact: what a worker sends is added once, however often it is sent. With it the server notes the
last page that it is about; a worker that was killed goes on from there. Approximate: what a server
forgets when it restarts stays forgotten; of two copies of a page that two workers fetched both
count; beyond ``MAX_TERMS`` the sum has the most frequent terms.

Weights: every set has a version. Only the worker that holds the learner's lock can publish, and
only on top of the version that it knows: a learner that was thought dead overwrites nothing. The
server also knows by which version all that waits was rescored last; where that is not the newest,
a learner died over it, and the next one does it again.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import FittedWeights, LinkSums, RobotsFile, TermCounts
from scenthound.core.urls import host_of
from scenthound.frontier.redis.scripts import (
    Scripts,
    Step,
    crawl_prefix,
    partition_of,
    partition_prefix,
)
from scenthound.frontier.redis.workers import LeaderLock

if TYPE_CHECKING:
    from redis import Redis


Client: TypeAlias = "Redis"
"""The server, for callers that must not import redis."""
MAX_TERMS = 1_000_000
"""Terms in the sum: some 10 MB on the server."""
FOLD_DOCUMENTS, FOLD_SHARE = 128, 2
"""Updates are folded when they are about so many documents, and one in so many of all before."""
MAX_OLD_UPDATES = 64
"""Folded updates that are kept for workers that have not read them."""
READ_AT_ONCE = 64
_QUICKLY = 1


class SharedTermCounts:
    """The term counts of a crawl, and how much of them one worker has read."""

    def __init__(self, client: Redis, crawl: str, worker: str) -> None:
        self._client = client
        self._scripts = Scripts(client)
        self._worker = worker
        self._at = crawl_prefix(crawl)
        self._read = 0

    def last_page(self) -> int:
        """The last page of this worker that others know of; 0 for none."""
        return int(self._client.hget(f"{self._at}:shared_pages", self._worker) or 0)

    def set_last_page(self, page: int) -> None:
        """This worker's pages after ``page`` are none that others know of."""
        self._client.hset(f"{self._at}:shared_pages", self._worker, str(page))

    def everything(self) -> TermCounts:
        """What all workers have counted so far; updates are read from here on."""
        folded, (last, upto, documents), updates = self._scripts.run("read_counts", self._at)
        counts: Counter[str] = Counter(_counts(folded) if folded else {})
        for number, fields in updates:
            if int(number.partition(b"-")[0]) > int(upto or 0):
                counts.update(_counts(fields[-1]))
        self._read = int(last or 0)
        return TermCounts(int(documents or 0), dict(counts))

    def share_step(self, after: int, upto: int, tally: TermCounts, sums: LinkSums) -> Step:
        """Share what was learned from the pages after ``after``, up to ``upto``.

        The server answers with the last page that others know of.
        """
        row = sums.astype("<f8").tobytes()
        about = self._worker, after, upto, tally.documents
        return "add_counts", self._at, (*about, _packed(tally), row)

    def request_step(self) -> Step:
        """Ask for what others have counted since."""
        fold = FOLD_DOCUMENTS, FOLD_SHARE
        return "read_updates", self._at, (self._worker, self._read, READ_AT_ONCE, *fold)

    def receive(self, answer: Sequence[Any]) -> tuple[list[TermCounts] | None, bool]:
        """What others have counted, by the server's answer to :meth:`request_step`.

        None for a worker that has fallen behind and must read everything. The second value says
        whether this worker is to fold all of it.
        """
        read, is_behind, is_to_compact, others = answer
        if is_behind:
            return None, False
        self._read = int(read)
        counts = [TermCounts(int(documents), _counts(terms)) for documents, terms in others]
        return counts, bool(is_to_compact)

    def fold(self, tally: TermCounts) -> None:
        """Store what all workers have counted, up to the last update that was read here."""
        counts = tally.counts
        if len(counts) > MAX_TERMS:
            counts = dict(Counter(counts).most_common(MAX_TERMS))
        packed = _packed(TermCounts(tally.documents, counts))
        self._scripts.run(
            "compact_counts", self._at, self._read, tally.documents, packed, MAX_OLD_UPDATES
        )


def _packed(tally: TermCounts) -> bytes:
    """The terms and their counts; nothing where there is no document."""
    # As ASCII: a page may carry half a surrogate pair, which has no UTF-8 form.
    text = json.dumps(tally.counts, separators=(",", ":"))
    return zlib.compress(text.encode("ascii"), _QUICKLY) if tally.documents else b""


def _counts(packed: bytes) -> dict[str, int]:
    counts: dict[str, int] = json.loads(zlib.decompress(packed))
    return counts


# --- weights: fitted by the learner, used by all


LEARNER = "learner"
LEARNER_SECONDS = 30.0
"""After so many seconds without a sign of the learner another takes over."""
RESCORING_SECONDS = 120.0
"""The same once it has published, while all that waits is rescored."""


class SharedWeights:
    """The weights of a crawl, as one worker knows them; the learner publishes them."""

    def __init__(self, client: Redis, crawl: str, worker: str) -> None:
        self._client = client
        self._scripts = Scripts(client)
        self._crawl = crawl
        self._at = crawl_prefix(crawl)
        self.lock = LeaderLock(client, crawl, LEARNER, worker, LEARNER_SECONDS)
        self.version = 0
        self._rescored = 0
        self._has_rescored = 0

    def agree(self, names: Sequence[str]) -> None:
        """SettingsError unless all workers weigh parts of these names."""
        key, own = f"{self._at}:learning", json.dumps(list(names))
        self._client.hsetnx(key, "names", own)
        theirs = json.loads(self._client.hget(key, "names") or own)
        if theirs != list(names):
            raise SettingsError(
                f"the workers of crawl {self._crawl!r} weigh {', '.join(theirs)}, and this one "
                f"would weigh {', '.join(names)}; install the same extras on all machines, or "
                "begin a crawl of another name."
            )

    def request_step(self) -> Step:
        """Ask for the weights and sums of now; report what was rescored."""
        return "weights", self._at, (self.version, self._has_rescored)

    def receive(self, answer: Sequence[Any]) -> tuple[FittedWeights | None, LinkSums]:
        """New weights, if there are any, and the sums over links, by the server's answer."""
        version, rescored, fitted, sums = answer
        self.version, self._rescored, self._has_rescored = int(version), int(rescored), 0
        return json.loads(fitted) if fitted else None, np.frombuffer(sums, "<f8").astype(np.float64)

    def publish(self, fitted: FittedWeights) -> bool:
        """Publish weights as the learner; False where another is, or knows more."""
        milliseconds = round(1000 * RESCORING_SECONDS)
        weights = self.lock.owner, self.version, json.dumps(fitted), milliseconds
        is_published, version = self._scripts.run("publish", self._at, *weights)
        if is_published:
            self.version = int(version)
        return bool(is_published)

    def has_rescored(self) -> None:
        """All that waits was rescored by the last weights; reported with the next step."""
        self._has_rescored = self.version

    @property
    def has_all_rescored(self) -> bool:
        """Was all that waits rescored by the newest weights, as of the server's last answer?"""
        return self._rescored == self.version


# --- robots.txt files: a site is asked once a day for all workers


MAX_ROBOTS_BYTES = 16 * 1024
"""A file that is longer when packed is not shared: sites must not fill the server."""
_HEAD = Struct("<dH")


class ServerRobotsCache:
    """One text a site, which expires on the server."""

    def __init__(self, client: Redis, crawl: str, partitions: int) -> None:
        self._client = client
        self._crawl = crawl
        self._partitions = partitions

    def find(self, origin: str) -> RobotsFile | None:
        """What a worker has read there lately; None where none has, or it was too long."""
        packed = self._client.get(self._key(origin))
        if packed is None:
            return None
        stored = bytes(packed)  # type: ignore[arg-type]
        until, status = _HEAD.unpack_from(stored)
        return RobotsFile(until, status, zlib.decompress(stored[_HEAD.size :]))

    def keep(self, origin: str, found: RobotsFile) -> None:
        """Share a file with the other workers."""
        packed = _HEAD.pack(found.until, found.status) + zlib.compress(found.body, _QUICKLY)
        if len(packed) <= MAX_ROBOTS_BYTES:
            self._client.set(self._key(origin), packed, pxat=round(1_000 * found.until))

    def _key(self, origin: str) -> str:
        partition = partition_of(host_of(origin + "/"), self._partitions)
        return f"{partition_prefix(self._crawl, partition)}:robots:{origin}"
