"""A frontier of bounded size forgets the worst, and counts them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redis import Redis

from frontier.frontier_contract import NEW, order, seen
from scenthound.distributed.frontier import RedisFrontier

ROWS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 9)), max_size=12)


@pytest.mark.parametrize("partitions", [1, 3])
def test_the_worst_that_wait_are_forgotten(server: Redis, crawl: str, partitions: int) -> None:
    frontier = RedisFrontier(server, crawl, partitions=partitions, most=3)
    urls = [f"http://{host}/" for host in "abcde"]
    scores = (0.5, 0.1, 0.9, 0.1, 0.7)
    assert frontier.add(map(seen, urls, scores)) == [NEW] * 5
    assert order(frontier) == [urls[2], urls[4], urls[0]]
    assert (len(frontier), frontier.dropped_urls(), frontier.dropped_urls()) == (3, 2, 0)
    assert frontier.where(urls[1]) is None
    assert frontier.add([seen(urls[1], 0.6)]) == [NEW]
    assert order(frontier) == [urls[2], urls[4], urls[1]]


def test_of_equals_the_last_is_forgotten(server: Redis, crawl: str) -> None:
    frontier = RedisFrontier(server, crawl, most=2)
    frontier.add([seen(url, 0.5) for url in ("http://a/1", "http://b/1", "http://a/2")])
    assert order(frontier) == ["http://a/1", "http://b/1"]


def test_what_is_leased_or_tried_again_takes_room_as_it_waits(server: Redis, crawl: str) -> None:
    frontier = RedisFrontier(server, crawl, most=2)
    frontier.add([seen("http://a/1", 0.9), seen("http://a/2", 0.8)])
    frontier.lease(2, 0.0)
    frontier.fail("http://a/2", 5.0)
    frontier.add([seen("http://b/1", 0.2), seen("http://b/2", 0.1)])
    assert order(frontier) == ["http://b/1"]
    assert [frontier.where(f"http://a/{n}") for n in (1, 2)] == ["leased", "waiting"]


@settings(max_examples=20)
@given(ROWS, st.integers(1, 6), st.sampled_from([1, 3]))
def test_what_is_left_is_what_sorting_leaves(
    session_server: Redis, rows: list[tuple[str, int]], most: int, partitions: int
) -> None:
    session_server.flushall()
    frontier = RedisFrontier(session_server, "room", partitions=partitions, most=most)
    kept: list[tuple[int, int, str]] = []
    for number, (host, score) in enumerate(rows):
        url = f"http://{host}/{number}"
        frontier.add([seen(url, float(score))])
        kept = sorted([*kept, (-score, number, url)])[:most]
    assert order(frontier) == [url for _, _, url in kept]
    assert frontier.dropped_urls() == len(rows) - len(kept)
