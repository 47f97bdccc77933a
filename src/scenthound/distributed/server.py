"""The server that workers share: how it is opened, and what is wrong with it if anything is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from scenthound.core.errors import ServerError, SettingsError
from scenthound.distributed.roll import ERROR

if TYPE_CHECKING:
    from redis import Redis

SECONDS_TO_CONNECT = 5.0
SECONDS_TO_ANSWER = 30.0
TRIES_AT_FIRST, SECONDS_AT_FIRST = 3, 5.0
"""Who gives a wrong address is told soon."""
TRIES = 8
"""A server that does not answer is asked again so often, with pauses of up to ``LONGEST_PAUSE``."""
TRIES_OF_WORKERS = 40
"""A server that restarts, or reads its log again, is waited for: for two minutes and more."""
LONGEST_PAUSE = 4.0
_EXAMPLE = "redis://localhost:6379/0"
_HIDDEN = "the given URL"
_MOST_SAID = 100


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
        There is no server, it lets nobody in with this password, runs no scripts, or may forget
        what it is told. No message holds the password.
    """
    try:
        import redis
    except ImportError:
        raise SettingsError(
            "a crawl by many workers needs the package redis; "
            "install it with: pip install 'scenthound[redis]'."
        ) from None
    from scenthound.distributed.cluster import is_in_cluster

    if not isinstance(url, str):
        raise SettingsError(f"the address of a server is a text such as {_EXAMPLE}, not {url!r}.")
    client = _client(url, min(tries, TRIES_AT_FIRST), SECONDS_AT_FIRST)
    try:
        client.ping()
        together = is_in_cluster(client)
        if together and url.startswith("unix:"):
            raise SettingsError(
                f"the server at {shown(url)} belongs to a cluster, whose nodes are found by the "
                "network; give an address such as redis://host:6379."
            )
        client.close()
        client = _client(url, tries, of_cluster=together)
        _check_scripts(client, url)
        _check_memory(client, url)
    except (redis.RedisError, redis.RedisClusterException) as error:
        client.close()
        _refuse(error, url)
    except TypeError:  # an option behind the '?', which may be a password
        raise SettingsError(
            f"the address of the server at {shown(url)} has an option that there is not; "
            "check what stands behind its '?'."
        ) from None
    except SettingsError:
        client.close()
        raise
    return client


@contextmanager
def server_told(url: str) -> Iterator[None]:
    """What goes wrong with the server while one works is a ServerError, in a sentence."""
    try:
        from redis.exceptions import RedisError
    except ImportError:  # told where the server is opened
        yield
        return
    try:
        yield
    except RedisError as error:
        if not _is_full(error):
            raise ServerError(
                f"the server at {shown(url)} does not answer as it should ({_first_words(error)}); "
                "what was fetched is kept."
            ) from None
        raise ServerError(
            f"the memory of the server at {shown(url)} is full: give it more (maxmemory), or begin "
            "a crawl with a bound (--max-waiting); what was fetched is kept."
        ) from None


@contextmanager
def at_server(url: str, tries: int = TRIES) -> Iterator[Redis]:
    """A client while one works, as :func:`open_server` and :func:`server_told` have it."""
    with server_told(url):
        client = open_server(url, tries)
        try:
            yield client
        finally:
            client.close()


def in_words(error: BaseException) -> str:
    """What went wrong, for the roll: of a server in a few words of ours."""
    return ERROR + _said(error)


def _said(error: BaseException) -> str:
    plainly = f"{type(error).__name__}: {error}"
    try:
        from redis.exceptions import RedisError
    except ImportError:
        return plainly
    if _is_full(error):
        return "the memory of the server is full"
    if isinstance(error, RedisError):
        return f"the server did not answer as it should ({_first_words(error)})"
    return plainly


def _is_full(error: BaseException) -> bool:
    """Has the server no memory left? Of a script an older one says so in the middle of a text."""
    from redis.exceptions import OutOfMemoryError, RedisError

    return isinstance(error, OutOfMemoryError) or (
        isinstance(error, RedisError) and "-OOM " in str(error)
    )


def _first_words(error: Exception) -> str:
    """What an error says, without an address that may hold a password."""
    return f"{type(error).__name__}: {error}".split("//")[0][:_MOST_SAID]


def shown(url: str) -> str:
    """The URL without user and password, for messages; one that is hard to read not at all."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return _HIDDEN
    host = parts.hostname or ""
    if "@" in url and "@" not in parts.netloc:  # a password with a sign that ends the address
        return _HIDDEN
    if not (parts.scheme == "unix" or host) or "@" in parts.path:
        return _HIDDEN
    return f"{parts.scheme}://{host}{port}{parts.path}"


def _client(
    url: str, tries: int, seconds: float = SECONDS_TO_ANSWER, of_cluster: bool = False
) -> Redis:
    from redis import Redis
    from redis.backoff import ExponentialBackoff
    from redis.exceptions import ConnectionError, ReadOnlyError, TimeoutError
    from redis.retry import Retry

    # A server that a replica has taken over from takes no writes; by its name one finds the other.
    passing: tuple[type[Exception], ...] = (ConnectionError, ReadOnlyError)
    if seconds > SECONDS_AT_FIRST:  # one who only looks who is there does not look twice
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
            from scenthound.distributed.cluster import open_cluster

            return open_cluster(url, retry, **options)
        return Redis.from_url(url, retry=retry, **options)
    except ValueError:  # its text may hold a part of the password
        raise SettingsError(
            f"{shown(url)} is no address of a Redis server; give one such as {_EXAMPLE}."
        ) from None


def _refuse(error: Exception, url: str) -> NoReturn:
    """The error of the client library in a sentence of ours."""
    from redis import exceptions

    text = str(error)
    if "certificate" in text.lower() or "ssl" in text.lower():
        raise SettingsError(
            f"there is no encrypted connection to {shown(url)}: {text[:_MOST_SAID]!r}; check the "
            "certificate (?ssl_ca_certs=FILE), or whether the server speaks TLS at that port."
        ) from None
    if isinstance(error, exceptions.AuthenticationError) or text.startswith("NOAUTH"):
        raise SettingsError(
            f"the server at {shown(url)} does not let us in; "
            "give user and password in the URL: redis://user:password@host."
        ) from None
    if isinstance(error, exceptions.NoPermissionError):
        raise SettingsError(
            f"the server at {shown(url)} does not let this user work; "
            "allow it PING, INFO, SCRIPT, EVALSHA and all commands on keys ~scenthound:* "
            "(examples/distributed/users.acl), and CLUSTER SLOTS where there is a cluster."
        ) from None
    if isinstance(error, exceptions.TimeoutError | exceptions.InvalidResponse):
        raise SettingsError(
            f"what is at {shown(url)} does not answer as a Redis server does; check the address, "
            "and whether the server speaks TLS there (rediss://) or not (redis://)."
        ) from None
    if isinstance(error, exceptions.ConnectionError):
        raise SettingsError(
            f"there is no Redis server at {shown(url)}; start one, or give its address."
        ) from None
    raise SettingsError(f"the server at {shown(url)} cannot be used: it says {text!r}.") from None


def _check_scripts(client: Redis, url: str) -> None:
    """The steps of the frontier are scripts: is one run, and may it touch our keys?"""
    from redis.exceptions import NoPermissionError, ResponseError

    try:
        client.eval("return redis.call('EXISTS', KEYS[1])", 1, "scenthound:{check}")
    except ResponseError as error:
        if isinstance(error, NoPermissionError) and " key" in str(error):  # not the command
            raise
        raise SettingsError(
            f"the server at {shown(url)} runs no Lua scripts for this user; "
            "allow SCRIPT, EVAL and EVALSHA, or take a server that has them."
        ) from None


def _check_memory(client: Redis, url: str) -> None:
    """A server that makes room by forgetting would lose URLs that nobody fetched."""
    from scenthound.distributed.cluster import memory_of_all

    for memory in memory_of_all(client):
        policy = str(memory.get("maxmemory_policy", "noeviction"))
        if int(memory.get("maxmemory", 0)) and policy != "noeviction":
            raise SettingsError(
                f"the server at {shown(url)} forgets keys when its memory is full ({policy}); "
                "set maxmemory-policy to noeviction."
            )
