"""What is open to everyone and what is not, in every spelling that reaches a socket."""

from __future__ import annotations

import ipaddress

from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.urls import is_public, literal_address, names_this_machine, rejection_reason

PUBLIC = [
    "1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.0.1",
    "172.32.0.1", "192.169.0.1", "198.17.0.1", "198.20.0.0", "223.255.255.255",
    "2606:4700::1111", "2a00:1450:4001::200e", "2400:cb00::1",
    "::ffff:8.8.8.8", "2002:808:808::1", "64:ff9b::8.8.8.8",
]  # fmt: skip
NOT_PUBLIC = [
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
    assert [address for address in PUBLIC if not is_public(address)] == []
    assert [(address, why) for address, why in NOT_PUBLIC if is_public(address)] == []


@settings(max_examples=40)
@given(st.ip_addresses(v=4))
def test_never_more_open_than_the_standard_library(address: ipaddress.IPv4Address) -> None:
    assert not is_public(str(address)) or (address.is_global and not address.is_multicast)


@settings(max_examples=40)
@given(st.ip_addresses(v=4))
def test_an_address_inside_another_is_as_public_as_alone(address: ipaddress.IPv4Address) -> None:
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


def test_names_of_this_machine() -> None:
    for host in ["localhost", "LOCALHOST", "localhost.", "a.b.localhost", "localhost.localdomain"]:
        assert names_this_machine(host)
        assert rejection_reason(host) == "private address"
    for host in ["localhost.test", "notlocalhost", "", "test"]:
        assert not names_this_machine(host)


def test_hosts_refused_unseen_and_hosts_that_may_be_looked_up() -> None:
    addresses = ["127.1:8080", "[::1]:80", "0x7f.1", "2130706433", "::1", "010.0.0.1"]
    names = ["localhost:8000", "printer.local", "metadata.google.internal", "nas.home.arpa:80"]
    for host in [*addresses, *names]:
        assert rejection_reason(host) == "private address"
    for host in ("a.test:8080", "8.8.8.8", "8.8.8.8:53", "[2606:4700::1111]:443", "local.test"):
        assert rejection_reason(host) is None
