"""The partitions of a crawl on the server: every host belongs to one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from struct import pack
from typing import TYPE_CHECKING, Any, cast

from scenthound.core.errors import SettingsError
from scenthound.distributed.keys import (
    LAYOUT,
    crawl_prefix,
    digest_of,
    host_name,
    partition_of,
    partition_prefix,
)
from scenthound.distributed.scripts import Argument, Scripts, Step
from scenthound.distributed.turns import Standing
from scenthound.frontier.manners import Manners

if TYPE_CHECKING:
    from redis import Redis

_SCANNED_AT_ONCE = 500
_ASKED_AT_ONCE = 2_000
_UNKNOWN = 255


class Partitions:
    """Runs the steps of the frontier where a host or a URL belongs.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    count : how many partitions; the same as when the crawl began.
    manners : delay, limits and budgets of hosts.
    """

    def __init__(self, client: Redis, crawl: str, count: int, manners: Manners) -> None:
        self._client = client
        self._scripts = Scripts(client)
        self._whole = crawl_prefix(crawl)
        self._prefixes = [partition_prefix(crawl, place) for place in range(count)]
        self._pages = [0] * count
        self._manners = manners
        self._begin(crawl, count)

    def __len__(self) -> int:
        return len(self._prefixes)

    @property
    def shapes_key(self) -> str:
        """Where the shapes of parts are."""
        return f"{self._whole}:shapes"

    def place_of(self, url: str) -> int:
        """The partition that a URL belongs to."""
        return partition_of(host_name(url), len(self)) if len(self) > 1 else 0

    def run(self, place: int, script: str, *arguments: Argument) -> Any:
        """What one step answers in one partition."""
        name, key, told = self._step(place, script, arguments)
        return self._scripts.run(name, key, *told)

    def run_on(self, url: str, script: str, *arguments: Argument) -> Any:
        """The same where the URL belongs; digest and host go before the other arguments."""
        host = host_name(url)
        place = partition_of(host, len(self))
        return self.run(place, script, digest_of(url), host, *arguments)

    def run_on_host(self, host: str, script: str, *arguments: Argument) -> Any:
        """The same where the host belongs, which goes before the other arguments."""
        return self.run(partition_of(host, len(self)), script, host, *arguments)

    def run_on_each(
        self, arguments: Iterable[tuple[str, Sequence[Argument]]], script: str
    ) -> list[Any]:
        """One step on each of the URLs, each where it belongs; one round trip."""
        steps = []
        for url, some in arguments:
            host = host_name(url)
            steps.append((partition_of(host, len(self)), (digest_of(url), host, *some)))
        return list(self.run_each(steps, script)) if steps else []

    def run_after(
        self, before: Iterable[tuple[str, str, Sequence[Argument]]], place: int, script: str,
        *arguments: Argument,
    ) -> Any:  # fmt: skip
        """What one step answers in a partition, after others on URLs; one round trip."""
        steps = []
        for url, name, some in before:
            host = host_name(url)
            where = partition_of(host, len(self))
            steps.append(self._step(where, name, (digest_of(url), host, *some)))
        if not steps:
            return self.run(place, script, *arguments)
        return self._scripts.run_all([*steps, self._step(place, script, arguments)])[-1]

    def run_each(
        self,
        arguments: Iterable[tuple[int, Sequence[Argument]]],
        script: str,
        before: Step | None = None,
    ) -> Any:
        """One step with each of the arguments, each in its partition; one round trip.

        ``before`` is a step that is taken before them.
        """
        steps = [self._step(place, script, some) for place, some in arguments]
        if before is not None and len(self) > 1:  # in a cluster it is for another node
            self._scripts.run_all([before])
        elif before is not None:
            return self._scripts.run_all([before, *steps])[1:]
        if len(steps) == 1:
            name, key, told = steps[0]
            return [self._scripts.run(name, key, *told)]
        return self._scripts.run_all(steps)

    def wake(self, now: float) -> list[Standing]:
        """Let everything wake that is due; how the partitions stand."""
        self._hear_pages()
        answers = self.run_each([(place, (now,)) for place in range(len(self))], "wake")
        return [self.heard(place, answer) for place, answer in enumerate(answers)]

    def heard(self, place: int, answer: Sequence[bytes | int]) -> Standing:
        """How a partition stands, as it told."""
        standing = Standing.of(answer)
        self._pages[place] = standing.pages
        return standing

    def find(self, urls: Sequence[str], numbers: int = 0) -> tuple[dict[str, bytes], int]:
        """The rows of those URLs that are known, and the first of as many new numbers as wanted."""
        pieces = self._pieces(urls)
        steps = [self._step(place, "rows", (_joined(some),)) for place, some in pieces]
        if numbers:
            steps.append(("number", f"{self._whole}:numbers", (numbers,)))
        answers = self._scripts.run_all(steps) if steps else []
        last = int(answers.pop()) if numbers else 0
        found: dict[str, bytes] = {}
        for (_, some), packed in zip(pieces, answers, strict=True):
            found.update((u, row) for u, row in zip(some, packed, strict=True) if row is not None)
        return found, last - numbers + 1

    def _pieces(self, urls: Iterable[str]) -> list[tuple[int, list[str]]]:
        """The URLs, each once, by partition, and not too many at a time."""
        groups: defaultdict[int, list[str]] = defaultdict(list)
        for url in dict.fromkeys(urls):
            groups[self.place_of(url)].append(url)
        return [
            (place, some[start : start + _ASKED_AT_ONCE])
            for place, some in groups.items()
            for start in range(0, len(some), _ASKED_AT_ONCE)
        ]

    def get(self, url: str) -> bytes | None:
        """The row of one URL; None where it was never seen."""
        return self.find([url])[0].get(url)

    def states(self, urls: Sequence[str]) -> dict[str, int]:
        """The states of those URLs that are known; one round trip, few bytes."""
        pieces = self._pieces(urls)
        arguments = [(place, (_joined(some),)) for place, some in pieces]
        found: dict[str, int] = {}
        answers = self.run_each(arguments, "states") if arguments else ()
        for (_, some), states in zip(pieces, answers, strict=True):
            found.update((u, s) for u, s in zip(some, states, strict=True) if s != _UNKNOWN)
        return found

    def left(self) -> tuple[int, int]:
        """How many URLs wait, and how many are leased, at one moment.

        Partitions are asked one after the other: if a URL came in meanwhile, they are asked again.
        Where nothing is left, they are asked twice: links are written before their page is closed,
        and the partition of the page may be asked after that of the links.
        """
        key, was_empty = f"{self._whole}:numbers", False
        while True:
            before = self._client.get(key)
            found = self.run_each([(place, ()) for place in range(len(self))], "left")
            waiting, leased = (sum(each) for each in zip(*found, strict=True))
            if waiting or len(self) == 1:
                return waiting, leased
            if self._client.get(key) == before:
                if leased or was_empty:
                    return waiting, leased
                was_empty = True

    def scan_rows(self) -> Iterator[list[bytes]]:
        """All rows, some at a time. Rows that come or go meanwhile may be missed."""
        for prefix in self._prefixes:
            for found in self._scan(f"{prefix}:rows"):
                yield list(found.values())

    def spent_hosts(self) -> list[str]:
        """The hosts that have had all the pages they may have, and have URLs that wait."""
        if self._manners.pages_per_host is None:
            return []
        found = [self._client.smembers(f"{prefix}:spent") for prefix in self._prefixes]
        return [bytes(name).decode() for names in found for name in names]  # type: ignore[arg-type]

    def waiting(self) -> int:
        """How many URLs wait."""
        return sum(waiting for waiting, _, _ in self._sums())

    def host_count(self) -> int:
        """How many hosts are known."""
        return sum(hosts for _, _, hosts in self._sums())

    def _begin(self, crawl: str, count: int) -> None:
        """Write down how the crawl is kept; refuse one that is kept in another way."""
        layout, partitions = self._scripts.run("begin", self._whole, LAYOUT, count)
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

    def _step(self, place: int, script: str, arguments: Sequence[Argument]) -> Step:
        manners = self._manners
        told = pack(
            "<5d",
            manners.delay,
            manners.per_host or 0,
            manners.pages_per_host or 0,
            manners.share or 0,
            sum(self._pages) - self._pages[place],
        )
        return script, self._prefixes[place], (told, *arguments)

    def _hear_pages(self) -> None:
        """How many pages were had elsewhere decides which hosts had more than their share."""
        if self._manners.share is not None and len(self) > 1:
            self._pages = [pages for _, pages, _ in self._sums()]

    def _sums(self) -> list[tuple[int, int, int]]:
        """Of each partition: URLs that wait, pages had, hosts."""
        return [
            tuple(sums)
            for sums in self._scripts.run_all([("sums", at, ()) for at in self._prefixes])
        ]

    def _scan(self, key: str) -> Iterator[dict[bytes, bytes]]:
        cursor = 0
        while True:
            cursor, found = self._client.hscan(key, cursor, count=_SCANNED_AT_ONCE)
            yield cast(dict[bytes, bytes], found)
            if cursor == 0:
                return


def _joined(urls: Iterable[str]) -> bytes:
    return b"".join(map(digest_of, urls))
