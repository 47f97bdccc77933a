"""Counts by name that stay small, however many names a crawl meets."""

from __future__ import annotations

import heapq
from collections.abc import Hashable
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)


class Shares(Generic[Name]):
    """Relevant and other pages by name; names beyond the first ``most`` are counted together.

    Those that count much are met early in a crawl, so that what is counted together is small.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: dict[Name, list[int]] = {}
        self.others = [0, 0]
        """Relevant and off-topic pages of all further names."""

    def add(self, name: Name, relevant: bool) -> None:
        """One more page."""
        counts = self._counts.get(name)
        if counts is None:
            full = len(self._counts) >= self._most
            counts = self.others if full else self._counts.setdefault(name, [0, 0])
        counts[not relevant] += 1

    def __len__(self) -> int:
        return len(self._counts)

    def by_name(self) -> list[tuple[Name, int, int]]:
        """Every name with its relevant and off-topic pages, in the order they were met."""
        return [(name, relevant, off) for name, (relevant, off) in self._counts.items()]

    def by_pages(self, most: int) -> list[tuple[Name, int, int]]:
        """Those with the most pages first."""
        return sorted(self.by_name(), key=lambda each: -(each[1] + each[2]))[:most]

    def by_off_topic(self, most: int) -> list[tuple[Name, int, int]]:
        """Those with the most off-topic pages first, without those that have none."""
        off = [each for each in self.by_name() if each[2]]
        return sorted(off, key=lambda each: (-each[2], each[1]))[:most]


class Counts:
    """How often each reason occurred; reasons beyond the first ``most`` are counted together."""

    def __init__(self, most: int = 200) -> None:
        self._most = most
        self._counts: dict[str, int] = {}

    def add(self, name: str, count: int = 1) -> None:
        """So many more."""
        if name not in self._counts and len(self._counts) >= self._most:
            name = "others"
        self._counts[name] = self._counts.get(name, 0) + count

    def ordered(self) -> list[tuple[str, int]]:
        """The most frequent first."""
        return sorted(self._counts.items(), key=lambda each: -each[1])

    def __bool__(self) -> bool:
        return bool(self._counts)


class Best(Generic[Name]):
    """The ``most`` values of the highest rank; the earlier one of two equals."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[float, int, Name]] = []
        self._added = 0

    def add(self, rank: float, value: Name) -> None:
        """Offer a value."""
        self._added += 1
        if self._most <= 0:
            return
        entry = (rank, -self._added, value)
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    def ordered(self) -> list[Name]:
        """The best first."""
        return [value for _, _, value in sorted(self._heap, key=lambda each: each[:2])[::-1]]
