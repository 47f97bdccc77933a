"""An office that one worker has: kept while it is alive, taken over when it is not."""

from __future__ import annotations

import time

import pytest
from redis import Redis

from scenthound.distributed.election import Election


def expire(server: Redis, election: Election) -> None:
    """As if the time were over."""
    server.pexpire(election.key, 1)
    while server.exists(election.key):
        time.sleep(0.001)


def test_the_first_has_the_office_and_keeps_it(server: Redis, crawl: str) -> None:
    one, two = (Election(server, crawl, "learner", name, 30.0) for name in ("one", "two"))
    assert one.holds() and not two.holds()
    server.pexpire(one.key, 5_000)
    assert one.holds()
    assert 25_000 < server.pttl(one.key) <= 30_000
    assert not two.holds()


def test_it_is_taken_over_when_it_expires_and_the_old_owner_knows(
    server: Redis, crawl: str
) -> None:
    one, two = (Election(server, crawl, "learner", name, 30.0) for name in ("one", "two"))
    assert one.holds()
    expire(server, one)
    assert two.holds() and not one.holds()
    one.resign()  # it has nothing to leave
    assert two.holds() and not one.holds()


def test_who_resigns_makes_room_at_once(server: Redis, crawl: str) -> None:
    one, two = (Election(server, crawl, "learner", name, 30.0) for name in ("one", "two"))
    assert one.holds()
    one.resign()
    assert two.holds()


def test_two_processes_of_one_name_do_not_both_have_it(server: Redis, crawl: str) -> None:
    one, again = (Election(server, crawl, "learner", "one", 30.0) for _ in range(2))
    assert one.holds() and not again.holds()


@pytest.mark.parametrize("office, name", [("reader", "crawl"), ("learner", "other")])
def test_other_offices_and_other_crawls_are_others_business(
    server: Redis, crawl: str, office: str, name: str
) -> None:
    assert Election(server, crawl, "learner", "one", 30.0).holds()
    assert Election(server, crawl if name == "crawl" else f"{crawl}-2", office, "two", 30.0).holds()
