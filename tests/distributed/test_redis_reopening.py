"""Workers come and go, the server restarts: what was written goes on."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from benchmarks.distributed.real_server import running_server
from redis import Redis

from frontier.frontier_contract import order, seed, seen
from scenthound.core.errors import SettingsError
from scenthound.core.model import Inlink, Part, Score, Sighting
from scenthound.distributed.frontier import RedisFrontier
from scenthound.distributed.server import open_server
from scenthound.frontier.combination import Combination
from scenthound.frontier.manners import Manners

A1, A2, A3, B1 = "http://a/1", "http://a/2", "http://a/3", "http://b/1"


def opened(
    server: Redis, crawl: str, manners: Manners | None = None, now: float = 0.0
) -> RedisFrontier:
    return RedisFrontier(server, crawl, Combination.MEAN, manners or Manners(), now=now)


def test_candidates_come_back_as_they_were(server: Redis, crawl: str) -> None:
    frontier = opened(server, crawl)
    parts = (Part("full", 0.1, 0.75), Part("anchor", 1 / 3, 0.25))
    links = [Inlink(n, Score(n / 10, parts[: n % 3]), f"Über {n}") for n in range(1, 8)]
    frontier.add([seed(A1), *(Sighting(A2, 4, link) for link in links), seen(A3, 0.2)])
    frontier.lease(1, 0.0)
    frontier.redirect(A1, B1)
    before = frontier.peek(9)
    assert [c.url for c in before] == [B1, A2, A3]
    assert opened(server, crawl).peek(9) == before


def test_a_retry_is_still_not_due(server: Redis, crawl: str) -> None:
    frontier = opened(server, crawl)
    frontier.add([seen(A1, 0.9)])
    frontier.lease(1, 0.0)
    frontier.fail(A1, 50.0)
    again = opened(server, crawl, now=10.0)
    assert (len(again), again.next_time(10.0)) == (1, 50.0)
    assert [c.attempts for c in again.lease(1, 50.0)] == [1]


def test_a_host_sent_to_rest_still_rests(server: Redis, crawl: str) -> None:
    frontier = opened(server, crawl)
    frontier.add([seen(A1, 0.9)])
    frontier.rest("a", 60.0)
    assert opened(server, crawl, now=10.0).next_time(10.0) == 60.0


def test_a_greedy_host_is_asked_when_shares_no_longer_count(server: Redis, crawl: str) -> None:
    frontier = opened(server, crawl, Manners(share=0.5))
    frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(B1, 0.1)])
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    assert [c.url for c in frontier.peek(1)] == [A2]
    assert [c.url for c in opened(server, crawl).lease(1, 0.0)] == [A2]


def test_many_urls_are_set_aside_with_their_host(server: Redis, crawl: str) -> None:
    frontier = opened(server, crawl, Manners(pages_per_host=1))
    frontier.add([seen(f"http://a/{n}", n / 2_000) for n in range(1_100)])
    frontier.add([seen(B1, 0.0)])
    (best,) = frontier.lease(1, 0.0)
    frontier.ack(best.url)
    assert (best.url, len(frontier), frontier.spent_urls()) == ("http://a/1099", 1, 1_099)


def test_of_a_closed_url_little_is_kept(server: Redis, crawl: str) -> None:
    frontier = opened(server, crawl)
    frontier.add([seen(A1, 0.9, depth=3)])
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    assert frontier.host_count == 1
    closed, unknown = frontier.candidate(A1), frontier.candidate(A2)
    assert closed is not None and unknown is None
    assert (closed.url, closed.score, closed.depth, closed.inlinks) == (A1, Score(0.9), 3, ())
    (row,) = server.hvals(f"scenthound:{{{crawl}/0}}:rows")
    assert len(row) == 25


def test_a_url_given_up_may_be_tried_once_more(server: Redis, crawl: str) -> None:
    frontier = opened(server, crawl)
    frontier.add([seed(A1), seed(B1)])
    frontier.lease(2, 0.0)
    frontier.fail(A1, 5.0)
    frontier.lease(1, 5.0)
    frontier.fail(A1, None)
    frontier.reopen([A1, B1, A3])  # B1 is leased still, A3 was never seen
    assert (len(frontier), frontier.where(B1), frontier.where(A3)) == (1, "leased", None)
    (again,) = frontier.lease(2, 6.0)
    assert (again.url, again.attempts, again.is_seed) == (A1, 0, True)
    frontier.ack(A2)  # closed before it was ever seen
    frontier.reopen([A2])
    assert order(frontier) == [A2]


def test_two_crawls_on_one_server_do_not_meet(server: Redis, crawl: str) -> None:
    one, two = opened(server, crawl), opened(server, f"{crawl}-b")
    one.add([seen(A1, 0.9)])
    assert (len(one), len(two), two.where(A1)) == (1, 0, None)


def test_a_crawl_kept_in_another_way_is_refused(server: Redis, crawl: str) -> None:
    RedisFrontier(server, crawl, partitions=4)
    with pytest.raises(SettingsError, match="begun with 4 partitions, not 1"):
        RedisFrontier(server, crawl)
    server.hset(f"scenthound:{{{crawl}}}:frontier", "layout", "99")
    with pytest.raises(SettingsError, match="another version"):
        RedisFrontier(server, crawl, partitions=4)


@pytest.mark.parametrize("name", ["", "a b", "a{b", "a}b", "a/0", "a\n"])
def test_names_that_keys_cannot_carry_are_refused(server: Redis, name: str) -> None:
    with pytest.raises(SettingsError, match="without spaces"):
        RedisFrontier(server, name)
    assert server.keys() == []


def test_numbers_that_make_no_sense_are_refused(server: Redis) -> None:
    with pytest.raises(SettingsError, match="0 partitions"):
        RedisFrontier(server, "crawl", partitions=0)
    with pytest.raises(SettingsError, match="frontier of 0 URLs"):
        RedisFrontier(server, "crawl", most=0)
    with pytest.raises(SettingsError, match="worker cannot be called ''"):
        RedisFrontier(server, "crawl", worker="")


def test_a_server_that_forgot_its_scripts_is_told_again(server: Redis, crawl: str) -> None:
    frontier = RedisFrontier(server, crawl, partitions=3)
    frontier.add([seen(A1, 0.9)])
    server.script_flush()
    frontier.add([seen(B1, 0.8)])
    server.script_flush()
    assert [c.url for c in frontier.lease(2, 0.0)] == [A1, B1]


def test_a_server_that_restarts_goes_on_and_so_does_the_worker() -> None:
    with tempfile.TemporaryDirectory(prefix="v") as folder:
        kept = ("--appendonly", "yes", "--appendfsync", "always")
        with running_server(Path(folder), kept) as address:
            client = open_server(address)
            frontier = opened(client, "crawl", Manners(delay=2.0))
            frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(B1, 0.1)])
            frontier.lease(1, 0.0)
        with running_server(Path(folder), kept):
            assert [c.url for c in frontier.lease(3, 1.0)] == [B1]
            frontier.ack(A1)
            assert [c.url for c in frontier.lease(3, 2.0)] == [A2]
            client.close()
