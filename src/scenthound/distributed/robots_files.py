"""The robots.txt files that workers have read, for all of them: a site is asked once a day."""

from __future__ import annotations

import zlib
from struct import Struct
from typing import TYPE_CHECKING

from scenthound.core.sharing import RobotsFile
from scenthound.core.urls import host_of
from scenthound.distributed.keys import partition_of, partition_prefix

if TYPE_CHECKING:
    from redis import Redis

MOST_BYTES = 16 * 1024
"""A file that is longer when packed is not shared: sites must not fill the server."""
_HEAD = Struct("<dH")
_QUICKLY = 1


class ServerRobotsFiles:
    """One text a site, which the server lets go when its time is over.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    partitions : how many slots of a cluster share the hosts.
    """

    def __init__(self, client: Redis, crawl: str, partitions: int) -> None:
        self._client = client
        self._crawl = crawl
        self._partitions = partitions

    def find(self, origin: str) -> RobotsFile | None:
        """What a worker has read there lately; None where none has, or it was too long."""
        packed = self._client.get(self._key(origin))
        if packed is None:
            return None
        told = bytes(packed)  # type: ignore[arg-type]
        until, status = _HEAD.unpack_from(told)
        return RobotsFile(until, status, zlib.decompress(told[_HEAD.size :]))

    def keep(self, origin: str, found: RobotsFile) -> None:
        """Tell the others."""
        packed = _HEAD.pack(found.until, found.status) + zlib.compress(found.body, _QUICKLY)
        if len(packed) <= MOST_BYTES:
            self._client.set(self._key(origin), packed, pxat=round(1_000 * found.until))

    def _key(self, origin: str) -> str:
        partition = partition_of(host_of(origin + "/"), self._partitions)
        return f"{partition_prefix(self._crawl, partition)}:robots:{origin}"
