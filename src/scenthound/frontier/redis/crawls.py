"""A crawl that workers share, as the server knows it: its settings, its topic and its limits; how
one is created, opened and deleted.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from scenthound.core.errors import ServerError, SettingsError
from scenthound.core.model import Document, TopicProfile
from scenthound.frontier.redis.partitions import check_size
from scenthound.frontier.redis.scripts import LAYOUT, Scripts, crawl_prefix
from scenthound.frontier.redis.server import suitable_partitions

if TYPE_CHECKING:
    from redis import Redis


Json = Mapping[str, object]


class CrawlLimits(NamedTuple):
    """Settings that may be changed while a crawl goes on; they hold for all workers together.

    ``max_time`` is in seconds from the beginning; None is no limit.
    """

    max_pages: int
    max_time: float | None


LIMITS = CrawlLimits._fields
MAX_PARTITIONS = 1_024
_FORGOTTEN_AT_ONCE = 500
_BESIDE_TOPIC = ("strategy", "parameters")


class SharedCrawl:
    """The settings that workers share. Use :func:`create_crawl` or :func:`open_crawl`."""

    def __init__(self, client: Redis, name: str, stored: Mapping[bytes, bytes]) -> None:
        self.client = client
        self.name = name
        self.key = f"{crawl_prefix(name)}:crawl"
        self.id = stored[b"id"].decode()
        self.version = stored[b"version"].decode()
        self.spec: dict[str, Any] = json.loads(stored[b"order"])
        self.partitions = int(stored[b"partitions"])
        self.most_waiting = int(stored[b"most_waiting"]) or None
        """How many URLs may wait; None is no bound."""

    @property
    def examples(self) -> dict[str, Document]:
        """Example pages that lay in files where the crawl was made, by their names there."""
        stored = json.loads(self.client.hget(self.key, "examples") or b"{}")
        return {name: Document(**each) for name, each in stored.items()}

    def topic(self) -> TopicProfile | None:
        """The topic as it is used; None before a worker has read it."""
        stored = self.client.hget(self.key, "topic")
        if stored is None:
            return None
        read = json.loads(stored)
        examples = tuple(Document(**each) for each in read.pop("examples"))
        return TopicProfile(keywords=tuple(read.pop("keywords")), examples=examples, **read)

    def publish_topic(self, profile: TopicProfile) -> TopicProfile:
        """Store the topic for all workers; the first one stored stays, and is returned."""
        self.client.hsetnx(self.key, "topic", json.dumps(asdict(profile)))
        return self.topic() or profile

    def check_exists(self) -> None:
        """ServerError where the server has lost this crawl, or has another of its name."""
        if crawl_id(self.client, self.name) != self.id:
            raise ServerError(
                f"the server has forgotten the crawl {self.name!r} (was it restarted without its "
                "append-only file?); what was fetched is kept: merge it, and begin a crawl of "
                "another name."
            )

    def begin(self, now: float) -> float:
        """When the first worker began, which is ``now`` for the first."""
        self.client.hsetnx(self.key, "began", repr(now))
        return float(self.client.hget(self.key, "began") or now)

    def limits(self) -> CrawlLimits:
        """The limits of now: those it began with, unless they were changed."""
        changed = {name: self.client.hget(self.key, f"limit:{name}") for name in LIMITS}
        first = self.spec["settings"]
        return CrawlLimits(
            *(first.get(n) if c is None else json.loads(c) for n, c in changed.items())
        )

    def change_limit(self, name: str, value: float) -> None:
        """Another limit from now on, for all workers."""
        self.client.hset(self.key, f"limit:{name}", json.dumps(value))

    def check_version(self, version: str) -> None:
        """SettingsError unless this version of Scenthound began the crawl.

        Workers of two versions could read one page in two ways, and nobody would know.
        """
        if self.version != version:
            raise SettingsError(
                f"crawl {self.name!r} was begun by Scenthound {self.version}, and this is "
                f"{version}; install that version here, or begin a crawl of another name."
            )


def create_crawl(
    client: Redis,
    name: str,
    spec: Json,
    version: str,
    *,
    examples: Mapping[str, Document] | None = None,
    partitions: int | None = None,
    most_waiting: int | None = None,
) -> SharedCrawl:
    """Make a crawl on the server; one of this name that was asked for the same is opened.

    Parameters
    ----------
    spec : what is asked for, as ``crawl.json`` has it.
    version : of this program.
    examples : example pages that lie in files here, where no other machine can read them.
    partitions : how many slots of a cluster share the hosts; None is as many as suit the server.
    most_waiting : how many URLs may wait; beyond that the worst are forgotten.

    SettingsError where the name is taken by another crawl, which stays as it is.
    """
    check_size(partitions, most_waiting)
    if partitions is not None and partitions > MAX_PARTITIONS:
        raise SettingsError(
            f"{partitions:,} partitions are too many: every lease asks each of them; give "
            f"{MAX_PARTITIONS:,} at most."
        )
    whole = crawl_prefix(name)
    # A frontier without a crawl spec is what a server without a log has left of another crawl.
    if client.exists(f"{whole}:frontier") and not client.exists(f"{whole}:crawl"):
        raise SettingsError(
            f"the server has lost the description of the crawl {name!r}; delete the rest of it "
            "with 'scenthound forget', or give another name: --crawl."
        )
    kept = {key: value for key, value in spec.items() if key != "versions"}
    made = secrets.token_hex(8)
    fields = {
        "id": made,
        "layout": str(LAYOUT),
        "version": version,
        "order": json.dumps(kept),
        "examples": json.dumps({name: asdict(each) for name, each in (examples or {}).items()}),
        "partitions": str(partitions or suitable_partitions(client)),
        "most_waiting": str(most_waiting or 0),
    }
    Scripts(client).run("create_crawl", crawl_prefix(name), *chain.from_iterable(fields.items()))
    crawl = open_crawl(client, name)
    # Of two processes that make it at once, the script lets one in: the id shows which.
    if crawl.id != made:
        crawl.check_version(version)
        # Through JSON as on the server: a tuple would differ from the list that it became.
        _check_same(crawl, json.loads(json.dumps(kept)), partitions, most_waiting)
    return crawl


def open_crawl(client: Redis, name: str) -> SharedCrawl:
    """The crawl of this name; SettingsError where the server has none, or keeps it otherwise."""
    found = client.hgetall(f"{crawl_prefix(name)}:crawl")
    stored = cast(dict[bytes, bytes], found)  # nothing is decoded
    if not stored:
        others = crawl_names(client)
        known = f"it has {', '.join(others)}" if others else "it has none"
        raise SettingsError(f"there is no crawl {name!r} on the server; {known}.")
    if stored.get(b"layout") != str(LAYOUT).encode():
        raise SettingsError(
            f"crawl {name!r} is kept on the server by another version of Scenthound; "
            "use that version, or give another name."
        )
    return SharedCrawl(client, name, stored)


def crawl_id(client: Redis, name: str) -> str | None:
    """The id of the crawl of this name; None where the server has none."""
    found = client.hget(f"{crawl_prefix(name)}:crawl", "id")
    return None if found is None else bytes(found).decode()  # type: ignore[arg-type]


def crawl_names(client: Redis) -> list[str]:
    """The crawls on the server, in order of the alphabet."""
    found = client.scan_iter(match="scenthound:{*}:crawl", count=1_000)
    return sorted(key.decode()[len("scenthound:{") : -len("}:crawl")] for key in found)


def delete_crawl(client: Redis, name: str) -> int:
    """Take all keys of a crawl from the server; how many they were. Folders stay."""
    crawl_prefix(name)  # is it a name?
    # A name such as ``a*`` is a pattern to SCAN, and would match the keys of other crawls.
    literal = re.sub(r"([*?\[\]\\])", r"\\\1", name)
    scripts, count = Scripts(client), 0
    for end in ("/*}:*", "}:*"):  # a crawl exists while its settings do: they go last
        keys = client.scan_iter(match=f"scenthound:{{{literal}{end}", count=1_000)
        while some := [("delete_key", key, ()) for key in islice(keys, _FORGOTTEN_AT_ONCE)]:
            count += sum(scripts.run_all(some))
    return count


def _check_same(
    crawl: SharedCrawl, spec: Mapping[str, Any], partitions: int | None, most_waiting: int | None
) -> None:
    """SettingsError where the crawl on the server was asked for something else."""
    if spec["topic"] != crawl.spec["topic"]:
        raise SettingsError(
            f"there is a crawl {crawl.name!r} on the server, about another topic "
            f"({crawl.spec['topic']['name']!r}) or with other seeds; give another name: --crawl."
        )
    mine = {**spec["settings"], **{name: spec[name] for name in _BESIDE_TOPIC}}
    its = {**crawl.spec["settings"], **{name: crawl.spec[name] for name in _BESIDE_TOPIC}}
    mine |= {"partitions": partitions or crawl.partitions, "max_waiting": most_waiting}
    its |= {"partitions": crawl.partitions, "max_waiting": crawl.most_waiting}
    names = sorted({*mine, *its}.difference(LIMITS))
    if differ := [name for name in names if mine.get(name) != its.get(name)]:
        raise SettingsError(
            f"the crawl {crawl.name!r} on the server was begun with other values of: "
            f"{', '.join(differ)}; leave them as they were, or give another name: --crawl."
        )
