"""The weights that all workers use: fitted by the one that is elected, and published.

Every set of weights has a version. Only who is the learner by the server's word can publish, and
only on top of the version that it knows: a learner that was thought dead overwrites nothing. The
server also knows by which version all that waits was weighed last; where that is not the newest, a
learner died over it, and the next one has it done.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scenthound.core.errors import SettingsError
from scenthound.core.sharing import Fitted, Sums
from scenthound.distributed.election import Election
from scenthound.distributed.keys import crawl_prefix
from scenthound.distributed.pool import unpacked
from scenthound.distributed.scripts import Scripts, Step

if TYPE_CHECKING:
    from redis import Redis

LEARNER = "learner"
LEARNER_SECONDS = 30.0
"""After so many seconds without a word of the learner another takes over."""
WEIGHING_SECONDS = 120.0
"""The same once it has published, while it has all that waits weighed anew."""


class Word(NamedTuple):
    """What the server says: new weights, if there are any, and the sums over links."""

    fitted: Fitted | None
    sums: Sums


class Publishing:
    """The weights of a crawl, as one worker knows them.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    worker : who asks and, when elected, publishes.
    """

    def __init__(self, client: Redis, crawl: str, worker: str) -> None:
        self._client = client
        self._scripts = Scripts(client)
        self._crawl = crawl
        self._at = crawl_prefix(crawl)
        self.election = Election(client, crawl, LEARNER, worker, LEARNER_SECONDS)
        self.version = 0
        self._weighed = 0
        self._has_weighed = 0

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

    def asking(self) -> Step:
        """Ask for the weights and sums of now; tell what was weighed anew."""
        return "weights", self._at, (self.version, self._has_weighed)

    def heard(self, answer: Sequence[Any]) -> Word:
        """What the server says."""
        version, weighed, fitted, sums = answer
        self.version, self._weighed, self._has_weighed = int(version), int(weighed), 0
        return Word(json.loads(fitted) if fitted else None, unpacked(sums))

    def publish(self, fitted: Fitted) -> bool:
        """Publish weights as the learner; False where another is, or knows more."""
        milliseconds = round(1000 * WEIGHING_SECONDS)
        told = self.election.owner, self.version, json.dumps(fitted), milliseconds
        is_published, version = self._scripts.run("publish", self._at, *told)
        if is_published:
            self.version = int(version)
        return bool(is_published)

    def has_weighed(self) -> None:
        """All that waits was weighed by the weights published last; the server is told later."""
        self._has_weighed = self.version

    @property
    def has_all_weighed(self) -> bool:
        """Was all that waits weighed by the newest weights, by the server's last word?"""
        return self._weighed == self.version
