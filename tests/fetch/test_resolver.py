"""No private address is handed to a connection, whatever the DNS says, and however often."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.task import Clock

from scenthound.fetch.resolver import CACHE_SECONDS, NEGATIVE_CACHE_SECONDS, PublicResolver, install

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


class Scene:
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


def test_public_addresses_are_handed_on_and_private_ones_left_out() -> None:
    assert Scene([PUBLIC, PUBLIC_6]).ask("a.test").addresses == [(PUBLIC, 80), (PUBLIC_6, 80)]
    for answers, handed_on, noted in (
        ([PRIVATE, PUBLIC, "::1"], [PUBLIC], {}),
        ([PRIVATE, "fe80::1"], [], {"a.test": PRIVATE}),
        ([], [], {}),
    ):
        scene = Scene(answers)
        assert scene.hosts("A.test") == handed_on
        assert scene.resolver.refused == noted


def test_the_second_answer_of_a_rebinding_dns_is_checked_like_the_first() -> None:
    scene = Scene([PUBLIC], [PRIVATE], [PUBLIC])
    assert scene.hosts("a.test") == [PUBLIC]
    assert scene.hosts("a.test") == [PUBLIC]
    assert scene.dns.asked == ["a.test"]
    scene.clock.advance(CACHE_SECONDS)
    assert scene.hosts("a.test") == []
    assert scene.resolver.refused == {"a.test": PRIVATE}
    scene.clock.advance(CACHE_SECONDS)
    assert scene.hosts("a.test") == [PUBLIC]
    assert scene.resolver.refused == {}


def test_no_answer_is_kept_for_a_short_time_and_all_obey_the_policy_of_the_moment() -> None:
    scene = Scene([], [PRIVATE])
    assert scene.hosts("a.test") == scene.hosts("a.test") == []
    scene.clock.advance(NEGATIVE_CACHE_SECONDS)
    scene.resolver.allow_private = True
    assert scene.hosts("a.test") == [PRIVATE]
    scene.resolver.allow_private = False
    assert scene.hosts("a.test") == []
    assert scene.dns.asked == ["a.test"] * 2


def test_the_proxy_may_be_private_and_nobody_else() -> None:
    scene = Scene([PRIVATE], [PRIVATE])
    scene.resolver.always_allowed = frozenset({"proxy.test", "127.0.0.1"})
    assert scene.hosts("Proxy.test") == [PRIVATE]
    assert scene.hosts("a.test") == []
    assert scene.hosts("127.0.0.1") == ["127.0.0.1"]
    assert scene.hosts("127.0.0.2") == []


def test_spelt_out_addresses_are_checked_and_nobody_is_asked() -> None:
    for host in ("127.0.0.1", "::1", "2130706433", "0x7f.1", "0177.0.0.1"):
        scene = Scene()
        assert scene.hosts(host) == []
        assert list(scene.resolver.refused.values()) in (["127.0.0.1"], ["::1"])
        assert scene.hosts("134744072") == [PUBLIC]
        assert scene.dns.asked == []
    assert scene.ask(PUBLIC, [IPv4Address]).addresses == [(PUBLIC, 80)]
    other = scene.ask(PUBLIC, [IPv6Address])  # only the kind of address asked for
    assert (other.addresses, other.complete) == ([], 1)


def test_questions_for_one_name_share_a_lookup() -> None:
    scene = Scene([PUBLIC], held=True)
    first, second = scene.ask("a.test"), scene.ask("a.test")
    assert first.complete == second.complete == 0
    scene.dns.let()
    assert first.addresses == second.addresses == [(PUBLIC, 80)]
    assert scene.dns.asked == ["a.test"]
    assert scene.clock.getDelayedCalls() == []


def test_a_lookup_that_hangs_is_given_up_and_its_late_answer_kept() -> None:
    scene = Scene([PUBLIC], held=True, timeout=20.0)
    heard = scene.ask("a.test")
    scene.clock.advance(20.0)
    assert (heard.addresses, heard.complete) == ([], 1)
    scene.dns.let()
    assert (heard.addresses, heard.complete) == ([], 1)
    assert scene.hosts("a.test") == [PUBLIC]
    scene = Scene([PUBLIC], held=True)  # and nothing is told to who lost interest
    heard = Heard()
    resolution: Any = scene.resolver.resolveHostName(heard, "a.test")
    resolution.cancel()
    scene.dns.let()
    assert (heard.addresses, heard.complete) == ([], 0)


def test_memory_is_bounded() -> None:
    names = [f"h{n}.test" for n in range(20)]
    scene = Scene(*([PRIVATE] for _ in names), [PUBLIC], most=5)
    for name in names:
        scene.hosts(name)
    assert list(scene.resolver.refused) == names[-5:]
    assert scene.hosts(names[0]) == [PUBLIC]


def test_installed_once() -> None:
    class Reactor(Clock):
        nameResolver: Any = ToldDns([PUBLIC])  # noqa: N815

        def installNameResolver(self, resolver: object) -> None:  # noqa: N802
            self.nameResolver = resolver

    reactor = Reactor()
    resolver = install(reactor)
    assert reactor.nameResolver is resolver
    assert install(reactor) is resolver


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
