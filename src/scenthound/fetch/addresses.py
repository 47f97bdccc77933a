"""Which Internet addresses are open to everyone, and which hosts name one that is not.

A crawler follows links that strangers wrote. A link to ``http://127.0.0.1/`` or to the meta-data
service of a cloud would read, from inside, what is not for the world. The lists are those of
the IANA special-purpose registries, written out, because those of ``ipaddress`` differ from one
version of Python to the next.
"""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

PRIVATE = "private address"
"""The reason in the journal for which a host is rejected."""
_NOT_PUBLIC_4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by the customers of a provider (RFC 6598)
        "127.0.0.0/8",
        "168.63.129.16/32",  # public by its number, but only a cloud's own machines reach it
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")
"""All that was ever given out; the rest is local, multicast, or reserved."""
_NOT_PUBLIC_6 = tuple(
    IPv6Network(network)
    for network in ("2001::/23", "2001:db8::/32", "3fff::/20")  # protocols, documentation
)
_NAT64 = IPv6Network("64:ff9b::/96")
_TEREDO = IPv6Network("2001::/32")
_THIS_MACHINE = frozenset(
    {"localhost", "localhost6", "ip6-localhost", "ip6-loopback", "loopback", "broadcasthost"}
)
_LOCAL_ENDINGS = (".localhost", ".localdomain", ".localdomain6")
_PRIVATE_ENDINGS = (".local", ".internal", ".home.arpa")
"""Names that the public DNS never answers for (RFC 6762, ICANN 2024, RFC 8375)."""


def is_public(address: str) -> bool:
    """Return whether everyone can reach ``address``; False for private, reserved and no address.

    An IPv6 address that carries an IPv4 one (mapped, 6to4, NAT64, Teredo) is as public as that.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        return _is_public_4(parsed)
    carried = parsed.ipv4_mapped or parsed.sixtofour
    if carried is None and parsed in _NAT64:
        carried = IPv4Address(int(parsed) & 0xFFFFFFFF)
    elif carried is None and parsed in _TEREDO:
        carried = IPv4Address(~int(parsed) & 0xFFFFFFFF)
    if carried is not None:
        return _is_public_4(carried)
    return parsed in _GLOBAL_6 and not any(parsed in network for network in _NOT_PUBLIC_6)


def literal_address(host: str) -> str | None:
    """The address that ``host`` spells out, in its usual form; None for a name.

    ``host`` is that of a canonical URL without its port. Every spelling is read that browsers
    and resolvers read: ``127.0.0.1``, ``127.1``, ``2130706433``, ``0x7f.1``, ``0177.0.0.1``,
    ``[::1]``, ``::1``.
    """
    if ":" in host:
        try:
            return IPv6Address(host.strip("[]").partition("%")[0]).compressed
        except ValueError:
            return None
    parts = host.lower().removesuffix(".").split(".")
    if not parts[-1][:1].isdigit():  # nearly every host ends so
        return None
    try:  # browsers read a bare 0x as 0, the C library does not
        packed = socket.inet_aton(".".join("0" if part == "0x" else part for part in parts))
    except (OSError, ValueError):
        return None
    return str(IPv4Address(packed))


def names_this_machine(host: str) -> bool:
    """Return whether ``host`` is a name of every system for itself, such as ``localhost``."""
    name = host.lower().removesuffix(".")
    return name in _THIS_MACHINE or name.endswith(_LOCAL_ENDINGS)


@lru_cache(maxsize=4_096)
def rejection_reason(host: str) -> str | None:
    """Why ``host`` (with or without ``:port``) is refused before it is looked up; None if not.

    A name may still lead to a private address: that is for the resolver to see. Behind a proxy,
    which resolves on its own, this is the only check there is.
    """
    if host.startswith("["):
        host = host.partition("]")[0] + "]"
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    name = host.lower().removesuffix(".")
    if names_this_machine(name) or name.endswith(_PRIVATE_ENDINGS):
        return PRIVATE
    address = literal_address(name)
    if address is not None and not is_public(address):
        return PRIVATE
    # 010.0.0.1 is 8.0.0.1 to most programs, but 10.0.0.1 to some: both must be public.
    parts = name.split(".")
    if len(parts) == 4 and all(part.isdecimal() for part in parts):
        with suppress(ValueError):
            if not _is_public_4(IPv4Address(".".join(str(int(part)) for part in parts))):
                return PRIVATE
    return None


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in network for network in _NOT_PUBLIC_4)
