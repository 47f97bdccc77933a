"""A cluster of servers, used like one: each key on its node, patience while a node is away.

Only what reaches for the server imports this: redis is an extra.
"""

from __future__ import annotations

from typing import Any, cast

from redis import Redis, RedisCluster
from redis.exceptions import (
    ClusterDownError,
    ConnectionError,
    ReadOnlyError,
    RedisClusterException,
    TimeoutError,
    TryAgainError,
)
from redis.retry import Retry

PARTITIONS_OF_A_NODE = 4
"""Hosts are shared out by chance: with several partitions a node, none has far more than others."""


class RetryingCluster(RedisCluster):
    """Asks again, with pauses, while a node restarts or a replica takes over.

    The client below does so at once and then gives up.

    Parameters
    ----------
    patience : how often and how long; of the errors below.
    options : of the client.
    """

    passing_errors = (
        ClusterDownError, ConnectionError, ReadOnlyError, RedisClusterException, TimeoutError,
        TryAgainError,
    )  # fmt: skip
    """What is worth waiting for."""

    def __init__(self, patience: Retry, **options: Any) -> None:
        self._patience = patience
        patience.update_supported_errors(list(self.passing_errors))
        super().__init__(**options)

    def execute_command(self, *arguments: Any, **options: Any) -> Any:
        """One command, on the node that has its key."""
        try:
            return self._patience.call_with_retry(
                lambda: super(RetryingCluster, self).execute_command(  # type: ignore[no-untyped-call]
                    *arguments, **options
                ),
                lambda error: None,
            )
        except RedisClusterException as error:  # none of the errors that others know
            raise ConnectionError(str(error)) from None


def open_cluster(url: str, patience: Retry, **options: Any) -> Redis:
    """A client of the cluster that the server at ``url`` belongs to.

    It is no subclass of the client of one server, but has every command that is used here.
    """
    return cast(Redis, RetryingCluster.from_url(url, patience=patience, **options))


def is_in_cluster(client: Redis) -> bool:
    """Does this server belong to a cluster?"""
    return bool(int(client.info("cluster").get("cluster_enabled", 0)))


def primaries(client: Redis) -> int:
    """How many nodes share the keys; 1 for a server that is alone."""
    return len(client.get_primaries()) if isinstance(client, RedisCluster) else 1


def node_memory(client: Redis) -> list[dict[str, Any]]:
    """What each node that has keys tells of its memory."""
    if not isinstance(client, RedisCluster):
        return [client.info("memory")]
    memory = client.info("memory", target_nodes=RedisCluster.PRIMARIES)
    return [memory] if "maxmemory" in memory else list(memory.values())
