"""No private address is handed to a connection, whatever the DNS says, and however often."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.task import Clock

from scenthound.live.resolver import KEEP, KEEP_NONE, Policy, PublicResolver, install

PUBLIC, OTHER, PRIVATE, PUBLIC_6 = "8.8.8.8", "9.9.9.9", "10.0.0.1", "2606:4700::1111"


class Heard:
    """Who asked: keeps what is told."""

    def __init__(self) -> None:
        self.addresses: list[tuple[str, int]] = []
        self.began = self.complete = 0

    def resolutionBegan(self, resolution: object) -> None:  # noqa: N802
        self.began += 1

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.addresses.append((address.host, address.port))

    def resolutionComplete(self) -> None:  # noqa: N802
        self.complete += 1


class ToldDns:
    """A resolver that answers as told, at once or when it is let."""

    def __init__(self, *answers: Sequence[str], held: bool = False) -> None:
        self.answers = list(answers)
        self.held = held
        self.asked: list[str] = []
        self.waiting: list[Any] = []

    def resolveHostName(self, receiver: Any, name: str, *rest: Any) -> None:  # noqa: N802
        self.asked.append(name)
        self.waiting.append(receiver)
        if not self.held:
            self.let()

    def let(self) -> None:
        receiver = self.waiting.pop(0)
        for address in self.answers.pop(0):
            kind: Any = IPv6Address if ":" in address else IPv4Address
            receiver.addressResolved(kind("TCP", address, 0))
        receiver.resolutionComplete()


class Desk:
    """A resolver over told answers, and a clock."""

    def __init__(self, *answers: Sequence[str], held: bool = False, **options: Any) -> None:
        self.clock = Clock()
        self.dns = ToldDns(*answers, held=held)
        self.resolver = PublicResolver(self.clock, self.dns, **options)

    def ask(self, name: str, types: Sequence[type] | None = None) -> Heard:
        heard = Heard()
        self.resolver.resolveHostName(heard, name, 80, types)
        return heard

    def hosts(self, name: str) -> list[str]:
        heard = self.ask(name)
        assert (heard.began, heard.complete) == (1, 1)
        return [host for host, _ in heard.addresses]


def test_public_addresses_are_handed_on_with_the_port() -> None:
    assert Desk([PUBLIC, PUBLIC_6]).ask("a.test").addresses == [(PUBLIC, 80), (PUBLIC_6, 80)]


def test_private_addresses_are_left_out() -> None:
    desk = Desk([PRIVATE, PUBLIC, "::1"])
    assert desk.hosts("a.test") == [PUBLIC]
    assert desk.resolver.refused == {}


def test_a_name_with_private_addresses_only_has_none_and_is_noted() -> None:
    desk = Desk([PRIVATE, "fe80::1"])
    assert desk.hosts("A.test") == []
    assert desk.resolver.refused == {"a.test": PRIVATE}


def test_a_name_without_addresses_is_not_noted_as_private() -> None:
    desk = Desk([])
    assert desk.hosts("a.test") == []
    assert desk.resolver.refused == {}


def test_the_second_answer_of_a_rebinding_dns_is_checked_like_the_first() -> None:
    desk = Desk([PUBLIC], [PRIVATE], [PUBLIC])
    assert desk.hosts("a.test") == [PUBLIC]
    assert desk.hosts("a.test") == [PUBLIC]
    assert desk.dns.asked == ["a.test"]
    desk.clock.advance(KEEP)
    assert desk.hosts("a.test") == []
    assert desk.resolver.refused == {"a.test": PRIVATE}
    desk.clock.advance(KEEP)
    assert desk.hosts("a.test") == [PUBLIC]
    assert desk.resolver.refused == {}


def test_no_answer_is_kept_for_a_short_time() -> None:
    desk = Desk([], [PUBLIC])
    assert desk.hosts("a.test") == desk.hosts("a.test") == []
    desk.clock.advance(KEEP_NONE)
    assert desk.hosts("a.test") == [PUBLIC]


def test_kept_answers_obey_the_policy_of_the_moment() -> None:
    desk = Desk([PRIVATE])
    desk.resolver.policy = Policy(allow_private=True)
    assert desk.hosts("a.test") == [PRIVATE]
    desk.resolver.policy = Policy()
    assert desk.hosts("a.test") == []
    assert desk.dns.asked == ["a.test"]


def test_the_proxy_may_be_private_and_nobody_else() -> None:
    desk = Desk([PRIVATE], [PRIVATE])
    desk.resolver.policy = Policy(always=frozenset({"proxy.test", "127.0.0.1"}))
    assert desk.hosts("Proxy.test") == [PRIVATE]
    assert desk.hosts("a.test") == []
    assert desk.hosts("127.0.0.1") == ["127.0.0.1"]
    assert desk.hosts("127.0.0.2") == []


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "2130706433", "0x7f.1", "0177.0.0.1"])
def test_spelt_out_addresses_are_checked_and_nobody_is_asked(host: str) -> None:
    desk = Desk()
    assert desk.hosts(host) == []
    assert list(desk.resolver.refused.values()) in (["127.0.0.1"], ["::1"])
    assert desk.hosts("134744072") == [PUBLIC]
    assert desk.dns.asked == []


def test_only_the_kind_of_address_asked_for() -> None:
    desk = Desk()
    assert desk.ask(PUBLIC, [IPv4Address]).addresses == [(PUBLIC, 80)]
    other = desk.ask(PUBLIC, [IPv6Address])
    assert (other.addresses, other.complete) == ([], 1)


def test_questions_for_one_name_share_a_lookup() -> None:
    desk = Desk([PUBLIC], held=True)
    first, second = desk.ask("a.test"), desk.ask("a.test")
    assert first.complete == second.complete == 0
    desk.dns.let()
    assert first.addresses == second.addresses == [(PUBLIC, 80)]
    assert desk.dns.asked == ["a.test"]
    assert desk.clock.getDelayedCalls() == []


def test_a_lookup_that_hangs_is_given_up_and_its_late_answer_kept() -> None:
    desk = Desk([PUBLIC], held=True, timeout=20.0)
    heard = desk.ask("a.test")
    desk.clock.advance(20.0)
    assert (heard.addresses, heard.complete) == ([], 1)
    desk.dns.let()
    assert (heard.addresses, heard.complete) == ([], 1)
    assert desk.hosts("a.test") == [PUBLIC]


def test_nothing_is_told_to_who_lost_interest() -> None:
    desk = Desk([PUBLIC], held=True)
    heard = Heard()
    resolution: Any = desk.resolver.resolveHostName(heard, "a.test")
    resolution.cancel()
    desk.dns.let()
    assert (heard.addresses, heard.complete) == ([], 0)


def test_memory_is_bounded() -> None:
    names = [f"h{n}.test" for n in range(20)]
    desk = Desk(*([PRIVATE] for _ in names), [PUBLIC], most=5)
    for name in names:
        desk.hosts(name)
    assert list(desk.resolver.refused) == names[-5:]
    assert desk.hosts(names[0]) == [PUBLIC]


def test_installed_once() -> None:
    class Reactor(Clock):
        nameResolver: Any = ToldDns([PUBLIC])  # noqa: N815

        def installNameResolver(self, resolver: object) -> None:  # noqa: N802
            self.nameResolver = resolver

    reactor = Reactor()
    resolver = install(reactor)
    assert reactor.nameResolver is resolver
    assert install(reactor) is PublicResolver.from_crawler(None, reactor) is resolver


def test_no_connection_reaches_a_private_server() -> None:
    script = Path(__file__).with_name("resolver_script.py")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True
    )
    told = json.loads(done.stdout)
    by_policy: dict[str, set[tuple[str, str, int]]] = {}
    for policy, host, result, connections in told["rows"]:
        by_policy.setdefault(policy, set()).add((host, result, connections))
    hosts = {host for _, host, _, _ in told["rows"]}
    assert by_policy["default"] == {(host, "DNSLookupError", 0) for host in hosts}
    assert by_policy["private"] == {(host, "404", 1) for host in hosts}
    others = hosts - {"localhost"}
    assert by_policy["proxy"] == {
        ("localhost", "404", 1), *((host, "DNSLookupError", 0) for host in others)
    }  # fmt: skip
    assert told["again"] and told["refused"]["127.0.0.1"] == "127.0.0.1"
