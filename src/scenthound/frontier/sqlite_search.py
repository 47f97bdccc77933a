"""The best URLs of all hosts, and one drawn at random, without looking at every row."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator

from scenthound.frontier.sqlite_hosts import Hosts
from scenthound.frontier.sqlite_schema import BUSY, FREE, GREEDY, READY, RESTING
from scenthound.frontier.sqlite_url_row import UrlRow
from scenthound.frontier.sqlite_urls import Urls

_DRAWS = 40
"""How often a number is drawn blindly before the hosts are counted."""


def best_numbers(urls: Urls, hosts: Hosts, most: int) -> list[int]:
    """Numbers of the best ready rows, best first, whatever the turns of their hosts.

    A host is looked into only when its best URL is the next of all.
    """
    found: list[int] = []
    tops = heapq.merge(*(hosts.tops(turn) for turn in (FREE, RESTING, BUSY, GREEDY)))
    top = next(tops, None)
    opened: list[tuple[float, int, Iterator[tuple[float, int]]]] = []
    while len(found) < most and (top is not None or opened):
        if top is not None and (not opened or top[:2] < opened[0][:2]):
            _open(opened, urls.in_order(top[2]))
            top = next(tops, None)
        else:
            _, number, others = heapq.heappop(opened)
            found.append(number)
            _open(opened, others)
    return found


def _open(
    opened: list[tuple[float, int, Iterator[tuple[float, int]]]],
    rows: Iterator[tuple[float, int]],
) -> None:
    first = next(rows, None)
    if first is not None:
        heapq.heappush(opened, (*first, rows))


def drawn(urls: Urls, hosts: Hosts, turn: int, count: int, rng: random.Random) -> UrlRow:
    """One of the ready rows of hosts with this turn, each as likely as another.

    Numbers up to ``count`` are drawn until one fits. Where few do, the hosts' counts say which
    URL it is: slower, and just as fair. There must be such a host.
    """
    for _ in range(_DRAWS):
        row = urls.numbered(rng.randint(1, count))
        if row.state == READY and hosts.numbered(row.host).turn == turn:
            return row
    return _counted_out(urls, hosts, turn, rng)


def _counted_out(urls: Urls, hosts: Hosts, turn: int, rng: random.Random) -> UrlRow:
    place = rng.randrange(sum(ready for _, ready in hosts.ready_counts(turn)))
    for host, ready in hosts.ready_counts(turn):
        if place < ready:
            return urls.numbered(urls.placed(host, place))
        place -= ready
    raise AssertionError("the counts were summed a moment ago")
