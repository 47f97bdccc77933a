"""The partitions of a crawl on the server: each host belongs to one. Which partition has the best
URL, and which URLs are dropped when too many wait.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from struct import pack
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from scenthound.core.errors import SettingsError
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.scripts import (
    LAYOUT,
    Argument,
    Scripts,
    Step,
    crawl_prefix,
    digest_of,
    partition_of,
    partition_prefix,
)
from scenthound.frontier.sqlite_urls import host_name

if TYPE_CHECKING:
    from redis import Redis

_Item = TypeVar("_Item")
FREE, OVER_SHARE = 1, 4
"""States of hosts that may be asked, as ``lua/base.lua`` numbers them; ``HostState`` does not."""
_SCANNED_AT_ONCE = 500
_ASKED_AT_ONCE = 2_000
"""URLs in one script: Lua's ``unpack`` takes fewer than 8,000 values."""
_UNKNOWN = 255


Offer = tuple[float, bytes]
"""The best URL of a partition, or its worst: negative score and number. Smaller is better."""


def offer(rank: bytes, number: bytes) -> Offer | None:
    """An offer as scripts write it; None where there is none."""
    return (float(rank), number) if rank else None


@dataclass(frozen=True, slots=True)
class PartitionStatus:
    """What a partition reports.

    ``waiting`` URLs and ``pages`` fetched; ``free`` and ``greedy`` are the best offers of hosts in
    that state, ``free_urls`` and ``greedy_urls`` how many URLs they have. Where ``fair_one_is_due``
    greedy hosts are not asked. ``rested_at`` and ``due_at`` are when the next host or URL comes
    back.
    """

    waiting: int
    pages: int
    free_urls: int
    greedy_urls: int
    fair_one_is_due: bool
    free: Offer | None
    greedy: Offer | None
    rested_at: float | None
    due_at: float | None

    @classmethod
    def of(cls, answer: Sequence[bytes | int]) -> PartitionStatus:
        """What the script ``wake`` answers."""
        waiting, pages, free_urls, greedy_urls, fair, *rest = answer
        texts = [each if isinstance(each, bytes) else str(each).encode() for each in rest]
        free, greedy = offer(*texts[:2]), offer(*texts[2:4])
        rested, due = (float(text) if text else None for text in texts[4:])
        counts = int(waiting), int(pages), int(free_urls), int(greedy_urls)
        return cls(*counts, bool(fair), free, greedy, rested, due)


class PartitionChoice(NamedTuple):
    """Ask this partition for hosts in this state, down to the ``bound`` that another offers."""

    place: int
    state: int
    bound: Offer | None


def leasable_state(statuses: Sequence[PartitionStatus], politeness: PolitenessPolicy) -> int | None:
    """Hosts in this state may be asked now: free ones, else greedy ones; None for neither."""
    if any(status.free for status in statuses):
        return FREE
    if politeness.share is None or not any(status.greedy for status in statuses):
        return None
    return None if any(status.fair_one_is_due for status in statuses) else OVER_SHARE


def next_choice(
    statuses: Sequence[PartitionStatus], politeness: PolitenessPolicy
) -> PartitionChoice | None:
    """The partition with the best offer of hosts that may be asked; None where none may be."""
    state = leasable_state(statuses, politeness)
    if state is None:
        return None
    best = [
        (each.free if state == FREE else each.greedy, place) for place, each in enumerate(statuses)
    ]
    (_, place), *others = sorted((found, place) for found, place in best if found is not None)
    return PartitionChoice(place, state, others[0][0] if others else None)


class Partitions:
    """Runs the scripts of the frontier where a host or a URL belongs.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    count : how many partitions; the same as when the crawl began.
    politeness : delay, limits and budgets of hosts.
    """

    def __init__(self, client: Redis, crawl: str, count: int, politeness: PolitenessPolicy) -> None:
        self._client = client
        self._scripts = Scripts(client)
        self._whole = crawl_prefix(crawl)
        self._prefixes = [partition_prefix(crawl, place) for place in range(count)]
        self._pages = [0] * count
        """Pages fetched, by partition, as last heard."""
        self._politeness = politeness
        self._check_layout(crawl, count)

    def __len__(self) -> int:
        return len(self._prefixes)

    @property
    def shapes_key(self) -> str:
        """Where the shapes of parts are."""
        return f"{self._whole}:shapes"

    # --- running scripts

    def step(self, place: int, script: str, *arguments: Argument) -> Step:
        """A script to run in one partition."""
        policy = self._politeness
        limits = policy.delay, policy.per_host or 0, policy.pages_per_host or 0, policy.share or 0
        # Which hosts had more than their share depends on the pages of the other partitions too.
        elsewhere = sum(self._pages) - self._pages[place]
        return script, self._prefixes[place], (pack("<5d", *limits, elsewhere), *arguments)

    def step_on_host(self, host: str, script: str, *arguments: Argument) -> Step:
        """The same where the host belongs, which goes before the other arguments."""
        return self.step(partition_of(host, len(self)), script, host, *arguments)

    def step_on(self, url: str, script: str, *arguments: Argument) -> Step:
        """The same where the URL belongs; digest and host go before the other arguments."""
        host = host_name(url)
        return self.step(partition_of(host, len(self)), script, digest_of(url), host, *arguments)

    def run(self, step: Step) -> Any:
        """What one step answers."""
        name, key, arguments = step
        return self._scripts.run(name, key, *arguments)

    def run_all(self, steps: Sequence[Step], before: Step | None = None) -> list[Any]:
        """What several steps answer, in one round trip; ``before`` is taken before them."""
        if before is not None and len(self) > 1:  # in a cluster it is for another node
            self._scripts.run_all([before])
        elif before is not None:
            return self._scripts.run_all([before, *steps])[1:]
        return self._scripts.run_all(steps) if steps else []

    def run_everywhere(self, script: str, *arguments: Argument) -> list[Any]:
        """What one script answers in each partition."""
        return self.run_all([self.step(at, script, *arguments) for at in range(len(self))])

    # --- how they stand

    def wake(self, now: float) -> list[PartitionStatus]:
        """Let everything come back that is due at ``now``; the status of the partitions then."""
        if self._politeness.share is not None and len(self) > 1:
            self._pages = [pages for _, pages, _ in self.sums()]
        answers = self.run_everywhere("wake", now)
        return [self.read_status(place, answer) for place, answer in enumerate(answers)]

    def read_status(self, place: int, answer: Sequence[bytes | int]) -> PartitionStatus:
        """The status that a partition has answered with."""
        status = PartitionStatus.of(answer)
        self._pages[place] = status.pages
        return status

    def left(self) -> tuple[int, int]:
        """How many URLs wait, and how many are leased, at one moment.

        Partitions are asked one after the other: if a URL came in meanwhile, they are asked again.
        Where nothing is left, they are asked twice: links are written before their page is closed,
        and the partition of the page may be asked after that of the links.
        """
        key, was_empty = f"{self._whole}:numbers", False
        while True:
            before = self._client.get(key)
            found = self.run_everywhere("count_left")
            waiting, leased = (sum(each) for each in zip(*found, strict=True))
            if waiting or len(self) == 1:
                return waiting, leased
            if self._client.get(key) == before:
                if leased or was_empty:
                    return waiting, leased
                was_empty = True

    def sums(self) -> list[tuple[int, int, int]]:
        """Of each partition: URLs that wait, pages fetched, hosts."""
        sums = self._scripts.run_all([("sums", prefix, ()) for prefix in self._prefixes])
        return [tuple(each) for each in sums]

    def exhausted_hosts(self) -> list[str]:
        """The hosts that have had all the pages they may have, and have URLs that wait."""
        if self._politeness.pages_per_host is None:
            return []
        found = [self._client.smembers(f"{prefix}:exhausted") for prefix in self._prefixes]
        return [bytes(name).decode() for names in found for name in names]  # type: ignore[arg-type]

    # --- rows

    def find(self, urls: Sequence[str], numbers: int = 0) -> tuple[dict[str, bytes], int]:
        """The rows of those URLs that are known, and the first of as many new numbers as wanted."""
        pieces, steps = self._lookup("rows", urls)
        if numbers:
            steps.append(("new_numbers", f"{self._whole}:numbers", (numbers,)))
        answers = self.run_all(steps)
        last = int(answers.pop()) if numbers else 0
        found: dict[str, bytes] = {}
        for some, packed in zip(pieces, answers, strict=True):
            found.update((u, row) for u, row in zip(some, packed, strict=True) if row is not None)
        return found, last - numbers + 1

    def get(self, url: str) -> bytes | None:
        """The row of one URL; None where it was never seen."""
        return self.find([url])[0].get(url)

    def states(self, urls: Sequence[str]) -> dict[str, int]:
        """The states of those URLs that are known; one round trip, few bytes."""
        pieces, steps = self._lookup("states", urls)
        found: dict[str, int] = {}
        for some, states in zip(pieces, self.run_all(steps), strict=True):
            found.update((u, s) for u, s in zip(some, states, strict=True) if s != _UNKNOWN)
        return found

    def scan_rows(self) -> Iterator[list[bytes]]:
        """All rows, some at a time. Rows that come or go meanwhile may be missed."""
        for prefix in self._prefixes:
            # HSCAN begins and ends with 0, so the loop needs another value to begin with.
            cursor = -1
            while cursor:
                at = max(cursor, 0)
                cursor, found = self._client.hscan(f"{prefix}:rows", at, count=_SCANNED_AT_ONCE)
                yield list(cast(dict[bytes, bytes], found).values())

    def batches(
        self, items: Iterable[_Item], url_of: Callable[[_Item], str], most: int
    ) -> list[tuple[int, list[_Item]]]:
        """The items by the partition that their URL belongs to, at most so many at a time."""
        groups: defaultdict[int, list[_Item]] = defaultdict(list)
        for item in items:
            groups[partition_of(host_name(url_of(item)), len(self))].append(item)
        return [
            (place, some[start : start + most])
            for place, some in groups.items()
            for start in range(0, len(some), most)
        ]

    def _lookup(self, script: str, urls: Iterable[str]) -> tuple[list[list[str]], list[Step]]:
        """The URLs, each once, in batches, and a step for each batch."""
        lots = self.batches(dict.fromkeys(urls), str, _ASKED_AT_ONCE)
        steps = [self.step(place, script, b"".join(map(digest_of, some))) for place, some in lots]
        return [some for _, some in lots], steps

    def _check_layout(self, crawl: str, count: int) -> None:
        """Store how the crawl is written; SettingsError for one that is written in another way."""
        layout, partitions = self._scripts.run("check_layout", self._whole, LAYOUT, count)
        if int(layout) != LAYOUT:
            raise SettingsError(
                f"crawl {crawl!r} is kept on the server by another version of Scenthound; "
                "use that version, or give another name."
            )
        if int(partitions) != count:
            raise SettingsError(
                f"crawl {crawl!r} was begun with {int(partitions)} partitions, not {count}; "
                f"give {int(partitions)}, or another name."
            )


def check_size(partitions: int | None, most: int | None) -> None:
    """SettingsError for a number of partitions, or of URLs that may wait, that holds nothing."""
    if partitions is not None and partitions < 1:
        raise SettingsError(f"{partitions} partitions hold nothing; give 1 or more.")
    if most is not None and most < 1:
        raise SettingsError(f"a frontier of {most} URLs holds nothing; give 1 or more.")


def drop_worst(partitions: Partitions, most: int) -> int:
    """Drop the worst URLs until at most so many wait; how many were dropped."""
    answers = partitions.run_everywhere("worst")
    excess = sum(waiting for waiting, _, _ in answers) - most
    worst = {place: offer(*last) for place, (_, *last) in enumerate(answers)}
    dropped = 0
    while dropped < excess:
        left = sorted(((last, place) for place, last in worst.items() if last), reverse=True)
        if not left:
            break
        (_, place), *others = left
        bound = others[0][0] if others else ("", b"")
        step = partitions.step(place, "drop_worst", excess - dropped, *bound)
        count, *last = partitions.run(step)
        dropped += count
        worst[place] = offer(*last)
    return dropped
