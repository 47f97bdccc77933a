"""No private address is handed to a connection, whatever the DNS says and however it is spelt."""

from __future__ import annotations

import ipaddress
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.task import Clock

from scenthound.core.urls import is_public, literal_address, names_this_machine, rejection_reason
from scenthound.fetch import downloader
from scenthound.fetch.downloader import CACHE_SECONDS, NEGATIVE_CACHE_SECONDS, PublicResolver

PUBLIC, OTHER, PRIVATE, PUBLIC_6 = "8.8.8.8", "9.9.9.9", "10.0.0.1", "2606:4700::1111"


class Heard:
    """Who asked: keeps what it gets."""

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
    """A resolver that answers as it is set to."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def resolveHostName(self, receiver: Any, name: str, *rest: Any) -> None:  # noqa: N802
        self.asked.append(name)
        for address in self.answers.pop(0):
            kind: Any = IPv6Address if ":" in address else IPv4Address
            receiver.addressResolved(kind("TCP", address, 0))
        receiver.resolutionComplete()


class Scene:
    """A resolver over given answers, and a clock."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.clock = Clock()
        self.dns = ToldDns(*answers)
        self.resolver = PublicResolver(self.clock, self.dns)

    def ask(self, name: str, types: Sequence[type] | None = None) -> Heard:
        heard = Heard()
        self.resolver.resolveHostName(heard, name, 80, types)
        return heard

    def hosts(self, name: str) -> list[str]:
        heard = self.ask(name)
        assert (heard.began, heard.complete) == (1, 1)
        return [host for host, _ in heard.addresses]


def test_public_addresses_are_handed_on_and_private_ones_left_out_also_spelt_out() -> None:
    assert Scene([PUBLIC, PUBLIC_6]).ask("a.test").addresses == [(PUBLIC, 80), (PUBLIC_6, 80)]
    for answers, handed_on, noted in (
        ([PRIVATE, PUBLIC, "::1"], [PUBLIC], {}),
        ([PRIVATE, "fe80::1"], [], {"a.test": PRIVATE}),
        ([], [], {}),
    ):
        scene = Scene(answers)
        assert scene.hosts("A.test") == handed_on
        assert scene.resolver.refused == noted
    for host in ("127.0.0.1", "::1", "2130706433", "0x7f.1", "0177.0.0.1"):
        scene = Scene()
        assert scene.hosts(host) == []
        assert list(scene.resolver.refused.values()) in (["127.0.0.1"], ["::1"])
        assert scene.hosts("134744072") == [PUBLIC]
        assert scene.dns.asked == []
    assert scene.ask(PUBLIC, [IPv4Address]).addresses == [(PUBLIC, 80)]
    other = scene.ask(PUBLIC, [IPv6Address])  # only the kind of address asked for
    assert (other.addresses, other.complete) == ([], 1)


def test_every_answer_of_a_dns_is_checked_by_the_policy_of_the_moment() -> None:
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
    scene = Scene([], [PRIVATE])
    assert scene.hosts("a.test") == scene.hosts("a.test") == []
    scene.clock.advance(NEGATIVE_CACHE_SECONDS)
    scene.resolver.allow_private = True
    assert scene.hosts("a.test") == [PRIVATE]
    scene.resolver.allow_private = False
    assert scene.hosts("a.test") == []
    assert scene.dns.asked == ["a.test"] * 2


def test_memory_is_bounded_and_only_the_proxy_may_be_private(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(downloader, "MAX_NAMES", 5)
    names = [f"h{n}.test" for n in range(20)]
    scene = Scene(*([PRIVATE] for _ in names), [PUBLIC])
    for name in names:
        scene.hosts(name)
    assert list(scene.resolver.refused) == names[-5:]
    assert scene.hosts(names[0]) == [PUBLIC]
    scene = Scene([PRIVATE], [PRIVATE])
    scene.resolver.always_allowed = frozenset({"proxy.test", "127.0.0.1"})
    assert scene.hosts("Proxy.test") == [PRIVATE]
    assert scene.hosts("a.test") == []
    assert scene.hosts("127.0.0.1") == ["127.0.0.1"]
    assert scene.hosts("127.0.0.2") == []


def test_no_connection_reaches_a_private_server() -> None:
    script = Path(__file__).with_name("resolver_script.py")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True
    )
    reported = json.loads(done.stdout)
    by_policy: dict[str, set[tuple[str, str, int]]] = {}
    for policy, host, result, connections in reported["rows"]:
        by_policy.setdefault(policy, set()).add((host, result, connections))
    hosts = {host for _, host, _, _ in reported["rows"]}
    assert by_policy["default"] == {(host, "DNSLookupError", 0) for host in hosts}
    assert by_policy["private"] == {(host, "404", 1) for host in hosts}
    others = hosts - {"localhost"}
    assert by_policy["proxy"] == {
        ("localhost", "404", 1), *((host, "DNSLookupError", 0) for host in others)
    }  # fmt: skip
    assert reported["refused"]["127.0.0.1"] == "127.0.0.1"


# What is open to everyone and what is not, in every spelling that reaches a socket.


OPEN = [
    "1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.0.1",
    "172.32.0.1", "192.169.0.1", "198.17.0.1", "198.20.0.0", "223.255.255.255",
    "2606:4700::1111", "2a00:1450:4001::200e", "2400:cb00::1",
    "::ffff:8.8.8.8", "2002:808:808::1", "64:ff9b::8.8.8.8",
]  # fmt: skip
CLOSED = [
    ("0.0.0.0", "this host"),
    ("0.1.2.3", "this network"),
    ("10.0.0.1", "private"),
    ("100.64.0.1", "shared by the customers of a provider"),
    ("100.100.100.200", "the meta-data service of a cloud"),
    ("127.0.0.1", "loopback"),
    ("127.255.255.254", "all of it"),
    ("168.63.129.16", "a cloud's own service"),
    ("169.254.169.254", "link-local: the meta-data service of most clouds"),
    ("172.16.0.1", "private"),
    ("172.31.255.255", "private"),
    ("192.0.0.1", "protocol assignments"),
    ("192.0.2.1", "documentation"),
    ("192.88.99.1", "a relay"),
    ("192.168.1.1", "private"),
    ("198.18.0.1", "benchmarks"),
    ("198.51.100.1", "documentation"),
    ("203.0.113.1", "documentation"),
    ("224.0.0.1", "multicast"),
    ("239.255.255.250", "multicast"),
    ("240.0.0.1", "reserved"),
    ("255.255.255.255", "broadcast"),
    ("::", "unspecified"),
    ("::1", "loopback"),
    ("::127.0.0.1", "IPv4-compatible"),
    ("::8.8.8.8", "IPv4-compatible is routed nowhere"),
    ("::ffff:127.0.0.1", "IPv4-mapped"),
    ("::ffff:a9fe:a9fe", "IPv4-mapped, spelt in hex"),
    ("::ffff:0:127.0.0.1", "IPv4-translated"),
    ("64:ff9b::10.0.0.1", "NAT64"),
    ("64:ff9b:1::10.0.0.1", "NAT64 of a site"),
    ("100::1", "discard"),
    ("2001::1", "Teredo of an odd client"),
    ("2001:0:4136:e378:8000:63bf:80ff:fffe", "Teredo of 127.0.0.1"),
    ("2001:2::1", "benchmarks"),
    ("2001:db8::1", "documentation"),
    ("2002:7f00:1::", "6to4 of 127.0.0.1"),
    ("2002:c0a8:101::1", "6to4 of 192.168.1.1"),
    ("3fff::1", "documentation"),
    ("5f00::1", "segment routing"),
    ("fc00::1", "unique local"),
    ("fd00:ec2::254", "the meta-data service of a cloud"),
    ("fe80::1", "link-local"),
    ("fe80::1%eth0", "link-local with its interface"),
    ("fec0::1", "site-local"),
    ("ff02::1", "multicast"),
    ("", "nothing"),
    ("storms.test", "a name"),
    ("1.2.3", "no address for this function"),
]
LITERALS = {
    **dict.fromkeys(["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001"], "127.0.0.1"),
    **dict.fromkeys(["0X7F.1", "0x7f.0.0.0x1", "0177.0.0.1", "0177.0.0.01"], "127.0.0.1"),
    **dict.fromkeys(["017700000001", "127.0.0.1."], "127.0.0.1"),
    **dict.fromkeys(["0", "0x"], "0.0.0.0"),
    "10.65535": "10.0.255.255",
    "4294967295": "255.255.255.255",
    **dict.fromkeys(["[::1]", "::1"], "::1"),
    "[2001:db8:0:0::1]": "2001:db8::1",
    "[::ffff:127.0.0.1]": "::ffff:7f00:1",
}
NAMES = [
    "", ".", "a.test", "localhost", "1.2.3.4.test", "1.2.3.4.5", "256.1.1.1", "1.2.3.256",
    "4294967296", "1.16777216", "08.0.0.1", "0xg.1", "1..2", "1e3", "1_0.0.0.1", "+1.2.3.4",
    "١٢٧.0.0.1", "[nonsense:1]", "abad.cafe", "0x7f.0.0.1.2",
]  # fmt: skip


def test_which_addresses_are_open_to_everyone() -> None:
    assert [address for address in OPEN if not is_public(address)] == []
    assert [(address, why) for address, why in CLOSED if is_public(address)] == []


@settings(max_examples=40)
@given(st.ip_addresses(v=4))
def test_an_address_inside_another_is_as_public_as_alone(address: ipaddress.IPv4Address) -> None:
    assert not is_public(str(address)) or (address.is_global and not address.is_multicast)
    number = int(address)
    wrapped = [
        ipaddress.IPv6Address(0xFFFF << 32 | number),
        ipaddress.IPv6Address(0x2002 << 112 | number << 80 | 1),
        ipaddress.IPv6Address(0x64FF9B << 96 | number),
        ipaddress.IPv6Address(0x20010000 << 96 | ~number & 0xFFFFFFFF),
    ]
    assert {is_public(str(each)) for each in wrapped} == {is_public(str(address))}


def test_every_spelling_of_an_address_is_read_and_names_are_none() -> None:
    assert {host: literal_address(host) for host in LITERALS} == LITERALS
    assert [host for host in NAMES if literal_address(host) is not None] == []


def test_names_of_this_machine_and_hosts_refused_unseen() -> None:
    for host in ["localhost", "LOCALHOST", "localhost.", "a.b.localhost", "localhost.localdomain"]:
        assert names_this_machine(host)
        assert rejection_reason(host) == "private address"
    for host in ["localhost.test", "notlocalhost", "", "test"]:
        assert not names_this_machine(host)
    addresses = ["127.1:8080", "[::1]:80", "0x7f.1", "2130706433", "::1", "010.0.0.1"]
    names = ["localhost:8000", "printer.local", "metadata.google.internal", "nas.home.arpa:80"]
    for host in [*addresses, *names]:
        assert rejection_reason(host) == "private address"
    for host in ("a.test:8080", "8.8.8.8", "8.8.8.8:53", "[2606:4700::1111]:443", "local.test"):
        assert rejection_reason(host) is None
