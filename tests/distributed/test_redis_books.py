"""After whatever two workers did: counts, sets of hosts and rows tell the same story."""

from __future__ import annotations

import random
from collections import Counter
from struct import Struct
from typing import Any

import pytest
from redis import Redis

from frontier.frontier_contract import seen
from scenthound.core.model import Score
from scenthound.distributed.frontier import RedisFrontier
from scenthound.distributed.rows import LEASED, READY, RETRY
from scenthound.frontier.combination import Combination
from scenthound.frontier.manners import Manners

HOST = Struct("<5I2dB6sd6sd")
FREE, RESTING, BUSY, GREEDY = range(1, 5)
SETS = {FREE: "free", RESTING: "resting", BUSY: "busy", GREEDY: "greedy"}


def act(frontier: RedisFrontier, rng: random.Random, held: list[str], now: float) -> None:
    """One of the things that workers do."""
    page = [f"http://h{rng.randrange(8)}/{rng.randrange(60)}" for _ in range(6)]
    frontier.add([seen(url, rng.randrange(4) / 4) for url in page])
    held += [candidate.url for candidate in frontier.lease(2, now)]
    url = held.pop(rng.randrange(len(held))) if held else page[0]
    frontier.answered(url, now)
    match rng.randrange(8):
        case 0:
            frontier.fail(url, now + 2.0)
        case 1:
            frontier.fail(url, None)
        case 2:
            frontier.redirect(url, page[1])
        case 3:
            frontier.put_back(url)
        case 4:
            frontier.rescore(lambda candidate: Score(1.0 - candidate.score.value))
        case 5:
            frontier.slow_down(url.split("/")[2], 1.5)
        case _:
            frontier.ack(url)


def check_partition(server: Any, prefix: str) -> None:
    """(To the type of a client every answer may be a text; here all are bytes.)"""
    states = Counter(row[2] for row in server.hvals(f"{prefix}:rows"))
    totals = Counter({k.decode(): float(v) for k, v in server.hgetall(f"{prefix}:totals").items()})
    assert totals["waiting"] == states[READY] + states[RETRY]
    assert server.hlen(f"{prefix}:leases") == states[LEASED]
    assert server.zcard(f"{prefix}:due") == states[LEASED] + states[RETRY]
    turns, urls, pages = Counter[int](), Counter[int](), 0
    for name, packed in server.hgetall(f"{prefix}:hosts").items():
        ready, had, *_, turn, top, best, bottom, worst = HOST.unpack(packed)
        members = server.zrange(f"{prefix}:ready:{name.decode()}", 0, -1, withscores=True)
        assert ready == len(members)
        turns[turn] += 1
        urls[turn] += ready
        pages += had
        if turn:
            assert [(member[:6], score) for member, score in (members[0], members[-1])] == [
                (top, best), (bottom, worst),
            ]  # fmt: skip
            assert server.zscore(f"{prefix}:tops", top + name) == best
            assert server.zscore(f"{prefix}:worst", bottom + name) == worst
    assert (urls[FREE], urls[GREEDY]) == (totals["free"], totals["greedy"])
    assert (urls.total(), pages) == (states[READY], totals["pages"])
    assert {turn: server.zcard(f"{prefix}:{name}") for turn, name in SETS.items()} == {
        turn: turns[turn] for turn in SETS
    }
    offering = sum(turns[turn] for turn in SETS)
    assert server.zcard(f"{prefix}:tops") == server.zcard(f"{prefix}:worst") == offering


@pytest.mark.parametrize("partitions", [1, 3])
def test_the_books_agree(server: Redis, crawl: str, partitions: int) -> None:
    rng, now = random.Random(partitions), 0.0
    manners = Manners(delay=0.5, per_host=2, pages_per_host=12, share=0.3)
    workers = [
        RedisFrontier(
            server, crawl, Combination.LAST, manners, lease_seconds=5.0, worker=name,
            partitions=partitions, most=70,
        )
        for name in ("one", "two")
    ]  # fmt: skip
    held: list[str] = []  # now and then one speaks of what the other holds
    for _ in range(150):
        act(rng.choice(workers), rng, held, now)
        now += 0.3
    assert workers[0].host_count == 8
    for place in range(partitions):
        check_partition(server, f"scenthound:{{{crawl}/{place}}}")


def test_the_last_of_equals_is_the_worst_once_its_score_has_fallen(
    server: Redis, crawl: str
) -> None:
    frontier = RedisFrontier(server, crawl, Combination.LAST)
    frontier.add([seen("http://a/1", 0.9), seen("http://a/2", 0.25), seen("http://a/3", 0.5)])
    frontier.add([seen("http://a/3", 0.25)])
    check_partition(server, f"scenthound:{{{crawl}/0}}")
