"""Host names to addresses for every connection of the crawl; private addresses are not handed on.

The check sits where the connection is made: the addresses that are handed on are the very ones that
were checked, so that neither a redirect nor a second, different answer of the DNS can slip past.
Twisted resolves names and spelt-out addresses alike (``HostnameEndpoint``), so both end here. Only
a connection to a proxy given as an address does not, nor need it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

from scenthound.core.urls import is_public, literal_address

MAX_NAMES = 10_000
CACHE_SECONDS = 300.0
"""Seconds that addresses are cached; the DNS's own times do not reach us."""
NEGATIVE_CACHE_SECONDS = 30.0
"""Seconds until a name without addresses is looked up again."""
Address = IPv4Address | IPv6Address
Resolved = tuple[Address, ...]


@implementer(IHostResolution)
class Resolution:
    """One question to the resolver."""

    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """A response that nobody waits for does no harm."""


@implementer(IResolutionReceiver)
class Lookup:
    """Collects what the system's resolver finds for one name."""

    def __init__(self, done: Callable[[Resolved], None]) -> None:
        self._done = done
        self._found: list[Address] = []

    def resolutionBegan(self, resolution: object) -> None:  # noqa: N802
        """Nothing to note."""

    def addressResolved(self, address: object) -> None:  # noqa: N802
        """One more address."""
        if isinstance(address, IPv4Address | IPv6Address):
            self._found.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        """No more will come."""
        self._done(tuple(self._found))


@implementer(IHostnameResolver)
class PublicResolver:
    """Resolves names and hands on the public addresses alone, unless all are allowed.

    A name without any is answered as one that does not exist: Twisted raises DNSLookupError.
    ``refused`` then has its private address, for the names looked up lately.

    Parameters
    ----------
    reactor : the clock, and where this is installed.
    original : does the look-ups. The time limit of a download ends one that hangs.
    most : names that are cached, and names that are refused.
    """

    def __init__(self, reactor: Any, original: Any, most: int = MAX_NAMES) -> None:
        self.allow_private = False
        """May all names have a private address?"""
        self.always_allowed: frozenset[str] = frozenset()
        """Names, or addresses in their usual form, that may whatever the rest may: the proxy. In
        lower case, without port and brackets."""
        self.refused: OrderedDict[str, str] = OrderedDict()
        self._reactor = reactor
        self._original = original
        self._most = most
        self._cache: OrderedDict[tuple[Any, ...], tuple[float, Resolved]] = OrderedDict()

    def resolveHostName(  # noqa: N802
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> object:
        """Find the addresses of a name; see ``IHostnameResolver``."""
        name = hostName.lower()
        types = None if addressTypes is None else frozenset(addressTypes)
        question = (name, types, transportSemantics)
        resolution = Resolution(name)
        resolutionReceiver.resolutionBegan(resolution)

        def hand_on(found: Resolved) -> None:
            for each in self._allowed(name, found):
                # IPv6 addresses carry their zone: it is kept.
                zone = (each.flowInfo, each.scopeID) if isinstance(each, IPv6Address) else ()
                address = type(each)(each.type, each.host, portNumber, *zone)
                resolutionReceiver.addressResolved(address)
            resolutionReceiver.resolutionComplete()

        def learn(found: Resolved) -> None:
            seconds = CACHE_SECONDS if found else NEGATIVE_CACHE_SECONDS
            _put(self._cache, question, (self._reactor.seconds() + seconds, found), self._most)
            hand_on(found)

        address = literal_address(name)
        until, cached = self._cache.get(question, (0.0, ()))
        if address is not None:  # the name itself spells it out: no look-up is needed
            kind: Any = IPv6Address if ":" in address else IPv4Address
            literal = kind(transportSemantics, address, 0)
            hand_on((literal,) if types is None or kind in types else ())
        elif self._reactor.seconds() < until:
            hand_on(cached)
        else:
            kinds = None if types is None else list(types)
            self._original.resolveHostName(Lookup(learn), name, 0, kinds, transportSemantics)
        return resolution

    def _allowed(self, name: str, found: Resolved) -> Resolved:
        """What may be handed on. Cached addresses pass here too: the rules may be others."""
        if self.allow_private or (literal_address(name) or name) in self.always_allowed:
            passed = found
        else:
            passed = tuple(address for address in found if is_public(address.host))
        if found and not passed:
            _put(self.refused, name, found[0].host, self._most)
        else:
            self.refused.pop(name, None)
        return passed


def install(reactor: Any) -> PublicResolver:
    """Make every connection of ``reactor`` resolve through us; a second time changes nothing."""
    current = reactor.nameResolver
    if isinstance(current, PublicResolver):
        return current
    resolver = PublicResolver(reactor, current)
    reactor.installNameResolver(resolver)
    return resolver


def _put(kept: OrderedDict[Any, Any], key: object, value: object, most: int) -> None:
    """Note a value; beyond ``most`` of them forget the oldest."""
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > most:
        kept.popitem(last=False)
