"""The server that workers share: how it is opened, its errors as sentences, and its clock.

:func:`open_server` checks everything that would otherwise fail in the middle of a crawl: scripts,
permissions, eviction. No message may hold the password of the URL, hence ``without_password`` and
the many ``from None``. :class:`ServerClock` is the time of all leases and delays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from scenthound.core.errors import ServerError, SettingsError
from scenthound.frontier.redis.scripts import Scripts, crawl_prefix
from scenthound.frontier.redis.workers import ERROR

if TYPE_CHECKING:
    from redis import Redis, RedisCluster


SECONDS_TO_CONNECT = 5.0
SECONDS_TO_ANSWER = 30.0
TRIES_AT_FIRST, SECONDS_AT_FIRST = 3, 5.0
"""A wrong address is reported soon."""
TRIES = 8
"""A server that does not answer is asked again so often, with pauses of up to ``LONGEST_PAUSE``."""
TRIES_OF_WORKERS = 40
"""A server that restarts, or reads its log again, is waited for: for two minutes and more."""
LONGEST_PAUSE = 4.0
_EXAMPLE = "redis://localhost:6379/0"
_HIDDEN = "the given URL"
_MAX_QUOTED = 100
PARTITIONS_OF_A_NODE = 4
"""Hosts are shared out by chance: with several partitions a node, none has far more than others."""


def open_server(url: str, tries: int = TRIES) -> Redis:
    """A client of the server at ``url``, asked whether it can hold a frontier.

    Where that is a node of a cluster, the client is one of the whole cluster.

    Parameters
    ----------
    url : ``redis://``, ``rediss://`` (encrypted) or ``unix://``, with user and password if needed.
    tries : how often a server that does not answer is asked again.

    Raises
    ------
    SettingsError
        There is no server, it lets nobody in with this password, runs no scripts, or may evict
        keys. No message holds the password.
    """
    try:
        import redis
    except ImportError:
        raise SettingsError(
            "a crawl by many workers needs the package redis; "
            "install it with: pip install 'scenthound[redis]'."
        ) from None
    at = without_password(url)
    client = _client(url, min(tries, TRIES_AT_FIRST), SECONDS_AT_FIRST)
    try:
        client.ping()
        together = bool(int(client.info("cluster").get("cluster_enabled", 0)))
        if together and url.startswith("unix:"):
            raise SettingsError(
                f"the server at {at} belongs to a cluster, whose nodes are found by the network; "
                "give an address such as redis://host:6379."
            )
        client.close()
        client = _client(url, tries, of_cluster=together)
        # The steps of the frontier are scripts: is one run, and may it touch our keys?
        client.eval("return redis.call('EXISTS', KEYS[1])", 1, "scenthound:{check}")
        _check_memory(client, at)
    except (redis.RedisError, redis.RedisClusterException) as error:
        client.close()
        raise SettingsError(_connection_problem(error, at)) from None
    except TypeError:  # an option behind the '?', which may be a password
        raise SettingsError(
            f"the address of the server at {at} has an unknown option; "
            "check what stands behind its '?'."
        ) from None
    except SettingsError:
        client.close()
        raise
    return client


def _client(
    url: str, tries: int, seconds: float = SECONDS_TO_ANSWER, of_cluster: bool = False
) -> Redis:
    from redis import Redis
    from redis.backoff import ExponentialBackoff
    from redis.exceptions import ConnectionError, ReadOnlyError, TimeoutError
    from redis.retry import Retry

    # A server that a replica has taken over from takes no writes; by its name one finds the other.
    passing: tuple[type[Exception], ...] = (ConnectionError, ReadOnlyError)
    if seconds > SECONDS_AT_FIRST:  # the first look is not repeated after a timeout
        passing += (TimeoutError,)
    retry = Retry(ExponentialBackoff(cap=LONGEST_PAUSE, base=0.05), tries, passing)
    options = {
        "decode_responses": False,
        "protocol": 2,
        "socket_connect_timeout": SECONDS_TO_CONNECT,
        "socket_timeout": seconds,
    }
    try:
        if of_cluster:
            # No subclass of the client of one server, but it has every command that is used here.
            return cast(Redis, _retrying_cluster().from_url(url, patience=retry, **options))
        return Redis.from_url(url, retry=retry, **options)
    except ValueError:  # its text may hold a part of the password
        raise SettingsError(
            f"{without_password(url)} is no address of a Redis server; give one such as {_EXAMPLE}."
        ) from None


@cache
def _retrying_cluster() -> type[RedisCluster]:
    """The client of a cluster that asks again, with pauses, while a node restarts or a replica
    takes over. The library's own does so at once and then gives up.
    """
    from redis import RedisCluster, exceptions
    from redis.retry import Retry

    # Within a function, since redis is an extra and may be missing when this module is imported.
    class RetryingCluster(RedisCluster):
        passing_errors = (
            exceptions.ClusterDownError, exceptions.ConnectionError, exceptions.ReadOnlyError,
            exceptions.RedisClusterException, exceptions.TimeoutError, exceptions.TryAgainError,
        )  # fmt: skip

        def __init__(self, patience: Retry, **options: Any) -> None:
            self._patience = patience
            patience.update_supported_errors(list(self.passing_errors))
            super().__init__(**options)

        def execute_command(self, *arguments: Any, **options: Any) -> Any:
            execute = super().execute_command
            try:
                return self._patience.call_with_retry(
                    lambda: execute(*arguments, **options),  # type: ignore[no-untyped-call]
                    lambda error: None,
                )
            except exceptions.RedisClusterException as error:  # none of the errors that others know
                raise exceptions.ConnectionError(str(error)) from None

    return RetryingCluster


def suitable_partitions(client: Redis) -> int:
    """How many partitions a crawl has by default: one on a server that is alone."""
    nodes = len(client.get_primaries()) if hasattr(client, "get_primaries") else 1
    return 1 if nodes == 1 else nodes * PARTITIONS_OF_A_NODE


def _connection_problem(error: Exception, at: str) -> str:
    """An error of the client library as one sentence that says what to do."""
    from redis import exceptions

    text = str(error)
    if "certificate" in text.lower() or "ssl" in text.lower():
        return (
            f"there is no encrypted connection to {at}: {text[:_MAX_QUOTED]!r}; check the "
            "certificate (?ssl_ca_certs=FILE), or whether the server speaks TLS at that port."
        )
    if isinstance(error, exceptions.AuthenticationError) or text.startswith("NOAUTH"):
        return (
            f"the server at {at} does not let us in; "
            "give user and password in the URL: redis://user:password@host."
        )
    if isinstance(error, exceptions.NoPermissionError):
        return (
            f"the server at {at} does not let this user work; allow it PING, INFO, EVAL, EVALSHA "
            "and all commands on keys ~scenthound:* (examples/distributed/users.acl), and CLUSTER "
            "SLOTS where there is a cluster."
        )
    if isinstance(error, exceptions.TimeoutError | exceptions.InvalidResponse):
        return (
            f"what is at {at} does not answer as a Redis server does; check the address, "
            "and whether the server speaks TLS there (rediss://) or not (redis://)."
        )
    if isinstance(error, exceptions.ConnectionError):
        return f"there is no Redis server at {at}; start one, or give its address."
    return f"the server at {at} cannot be used: it says {text!r}."


def _check_memory(client: Redis, at: str) -> None:
    """A server that evicts keys when its memory is full would lose URLs that nobody fetched."""
    found = [client.info("memory")]
    if hasattr(client, "get_primaries"):  # a cluster: what each node that has keys reports
        memory = client.info("memory", target_nodes="primaries")
        found = [memory] if "maxmemory" in memory else list(memory.values())
    for memory in found:
        policy = str(memory.get("maxmemory_policy", "noeviction"))
        if int(memory.get("maxmemory", 0)) and policy != "noeviction":
            raise SettingsError(
                f"the server at {at} forgets keys when its memory is full ({policy}); "
                "set maxmemory-policy to noeviction."
            )


def without_password(url: str) -> str:
    """The URL without user and password, for messages; one that is hard to read not at all."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return _HIDDEN
    host = parts.hostname or ""
    # A password with a sign that ends the address shows as an @ elsewhere.
    hidden = ("@" in url and "@" not in parts.netloc) or "@" in parts.path
    if hidden or not (parts.scheme == "unix" or host):
        return _HIDDEN
    return f"{parts.scheme}://{host}{port}{parts.path}"


@contextmanager
def connected(url: str, tries: int = TRIES) -> Iterator[Redis]:
    """A client while the block runs, as :func:`open_server` and :func:`server_errors` have it."""
    with server_errors(url):
        client = open_server(url, tries)
        try:
            yield client
        finally:
            client.close()


@contextmanager
def server_errors(url: str) -> Iterator[None]:
    """Turn errors of the server while the block runs into a ServerError with one sentence."""
    try:
        from redis.exceptions import RedisError
    except ImportError:  # reported where the server is opened
        yield
        return
    try:
        yield
    except RedisError as error:
        at = without_password(url)
        problem = f"the server at {at} does not answer as it should ({_first_words(error)})"
        if _is_full(error):
            problem = (
                f"the memory of the server at {at} is full: give it more (maxmemory), or begin a "
                "crawl with a bound (--max-waiting)"
            )
        raise ServerError(f"{problem}; what was fetched is kept.") from None


def describe_server_error(error: BaseException) -> str:
    """The reason of a worker that ended with an error, for the registry; without addresses."""
    if _is_full(error):
        return f"{ERROR}the memory of the server is full"
    if type(error).__module__.startswith("redis."):
        return f"{ERROR}the server did not answer as it should ({_first_words(error)})"
    return f"{ERROR}{type(error).__name__}: {error}"


def _is_full(error: BaseException) -> bool:
    """Has the server no memory left? Older servers say so within the error of a script."""
    is_of_server = type(error).__module__.startswith("redis.")
    return is_of_server and (type(error).__name__ == "OutOfMemoryError" or "-OOM " in str(error))


def _first_words(error: BaseException) -> str:
    """What an error says, without an address that may hold a password."""
    return f"{type(error).__name__}: {error}".split("//")[0][:_MAX_QUOTED]


# --- the clock of the server, which all workers share


SECONDS_BETWEEN = 60.0
"""How often the server is asked for its time."""
_SAMPLES = 3


class ServerClock:
    """Seconds since 1970 by the clock of the server, which never goes back.

    Between two requests it follows the monotonic clock: a machine whose time is corrected by an
    hour must not let the leases of all others expire.
    """

    def __init__(
        self,
        client: Redis,
        crawl: str,
        local: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._crawl = crawl
        self._local = local
        self._monotonic = monotonic
        self._ahead = 0.0
        self.synchronize()

    def __call__(self) -> float:
        """The time now."""
        return self._monotonic() + self._ahead

    def of(self, local: float) -> float:
        """The server's time when it was ``local`` here, a moment ago."""
        return self() - max(0.0, self._local() - local)

    def synchronize(self) -> None:
        """Ask the server what time it is; the quickest of a few answers counts."""
        samples = []
        for _ in range(_SAMPLES):
            before = self._monotonic()
            time_there = server_time(self._client, self._crawl)
            after = self._monotonic()
            # The server read its clock somewhere in the round trip; the middle errs least.
            samples.append((after - before, time_there - (before + after) / 2))
        self._ahead = min(samples)[1]


def server_time(client: Redis, crawl: str) -> float:
    """The time of a crawl; in a cluster it comes from one node, always the same."""
    return float(Scripts(client).run("time", crawl_prefix(crawl)))
