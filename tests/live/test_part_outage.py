"""One host that fails is its own trouble; all of them are the network's."""

from __future__ import annotations

from scenthound.live.outage import Outage


def test_failures_on_many_hosts_in_a_row_are_an_outage() -> None:
    outage = Outage(failures=4, hosts=2)
    assert [outage.failed(host) for host in "aaab"] == [False, False, False, True]
    assert outage.on
    assert not outage.failed("c")  # it has begun already


def test_one_host_alone_is_none() -> None:
    outage = Outage(failures=4, hosts=2)
    assert not any(outage.failed("a") for _ in range(100))
    assert not outage.on


def test_one_answer_ends_it_and_the_count_begins_again() -> None:
    outage = Outage(failures=2, hosts=2)
    outage.failed("a")
    assert not outage.answered()
    assert not outage.failed("b")
    assert outage.failed("a")
    assert outage.answered()
    assert not outage.on and not outage.answered()
