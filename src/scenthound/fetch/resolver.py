"""Host names to addresses for every connection of the crawl; private addresses are not handed
on.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer

from scenthound.core.urls import is_public, literal_address

Address = IPv4Address | IPv6Address
Resolved = tuple[Address, ...]


@implementer(IHostResolution)
class Resolution:
    """One question to the resolver; a cancelled one gets no response."""

    def __init__(self, name: str, receiver: Any, port: int) -> None:
        self.name = name
        self._receiver: Any = receiver
        self._port = port
        receiver.resolutionBegan(self)

    def cancel(self) -> None:
        """The caller lost interest."""
        self._receiver = None

    def complete(self, addresses: Resolved) -> None:
        """Pass on the addresses, with the port of the question. Only the first time counts."""
        receiver, self._receiver = self._receiver, None
        if receiver is None:
            return
        for each in addresses:
            # IPv6 addresses carry their zone: it is kept.
            zone = (each.flowInfo, each.scopeID) if isinstance(each, IPv6Address) else ()
            receiver.addressResolved(type(each)(each.type, each.host, self._port, *zone))
        receiver.resolutionComplete()


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


# The check sits where the connection is made: what is handed on are the very addresses that were
# checked, so that neither a redirect nor a second, different answer of the DNS can slip past.
# Twisted asks for names and for spelt-out addresses alike (``HostnameEndpoint``), so both end
# here. Only a connection to a proxy given as an address does not ask, nor has it to.


MAX_NAMES = 10_000
CACHE_SECONDS = 300.0
"""Seconds that addresses are cached; the DNS's own times do not reach us."""
NEGATIVE_CACHE_SECONDS = 30.0
"""Seconds until a name without addresses is looked up again."""
TIMEOUT = 20.0
"""Seconds until a look-up is given up. Its thread cannot be stopped: it stays taken until the
system's resolver gives up too, within a minute as a rule."""
_Question = tuple[str, frozenset[type] | None, str]
"""Name, kinds of address (None for all), transport."""


@implementer(IHostnameResolver)
class PublicResolver:
    """Resolves names and hands on the public addresses alone, unless all are allowed.

    A name without any is answered as one that does not exist: Twisted raises DNSLookupError.
    ``refused`` then has its private address, for the names looked up lately. Several
    questions for one name share a look-up.

    Parameters
    ----------
    reactor : the clock, and where this is installed.
    original : does the look-ups.
    timeout : seconds until a look-up is given up; see :data:`TIMEOUT`.
    most : names that answers, and refusals, are kept of.
    """

    def __init__(
        self, reactor: Any, original: Any, timeout: float = TIMEOUT, most: int = MAX_NAMES
    ) -> None:
        self.allow_private = False
        """May all names have a private address?"""
        self.always_allowed: frozenset[str] = frozenset()
        """Names, or addresses in their usual form, that may whatever the rest may: the proxy. In
        lower case, without port and brackets."""
        self.refused: OrderedDict[str, str] = OrderedDict()
        self._reactor = reactor
        self._original = original
        self._timeout = timeout
        self._most = most
        self._answers: OrderedDict[_Question, tuple[float, Resolved]] = OrderedDict()
        self._waiting: dict[_Question, list[Resolution]] = {}

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
        resolution = Resolution(name, resolutionReceiver, portNumber)
        types = None if addressTypes is None else frozenset(addressTypes)
        question = (name, types, transportSemantics)
        address = literal_address(name)
        if address is not None:  # the name itself spells it out: no look-up is needed
            kind: Any = IPv6Address if ":" in address else IPv4Address
            literal = kind(transportSemantics, address, 0)
            self._resolved(resolution, (literal,) if types is None or kind in types else ())
            return resolution
        until, found = self._answers.get(question, (0.0, ()))
        if self._reactor.seconds() < until:
            self._answers.move_to_end(question)
            self._resolved(resolution, found)
        else:
            self._look_up(question, resolution)
        return resolution

    def _look_up(self, question: _Question, resolution: Resolution) -> None:
        waiting = self._waiting.setdefault(question, [])
        waiting.append(resolution)
        # One look-up for all: each takes a thread of Twisted's small pool until it ends.
        if len(waiting) > 1:
            return
        name, types, transport = question

        def done(found: Resolved) -> None:
            if timer.active():
                timer.cancel()
            self._learn(question, found)

        timer = self._reactor.callLater(self._timeout, self._learn, question, ())
        kinds = None if types is None else list(types)
        self._original.resolveHostName(Lookup(done), name, 0, kinds, transport)

    def _learn(self, question: _Question, found: Resolved) -> None:
        """Cache the addresses, even those that come too late, and pass them on."""
        keep = CACHE_SECONDS if found else NEGATIVE_CACHE_SECONDS
        _put(self._answers, question, (self._reactor.seconds() + keep, found), self._most)
        for resolution in self._waiting.pop(question, []):
            self._resolved(resolution, found)

    def _resolved(self, resolution: Resolution, found: Resolved) -> None:
        """Hand on what may be handed on. Kept answers pass here too: the rules may be others."""
        name = resolution.name
        if self.allow_private or (literal_address(name) or name) in self.always_allowed:
            passed = found
        else:
            passed = tuple(address for address in found if is_public(address.host))
        if found and not passed:
            _put(self.refused, name, found[0].host, self._most)
        else:
            self.refused.pop(name, None)
        resolution.complete(passed)


def install(reactor: Any) -> PublicResolver:
    """Make every connection of ``reactor`` resolve through us; a second time changes nothing."""
    current = reactor.nameResolver
    if isinstance(current, PublicResolver):
        return current
    resolver = PublicResolver(reactor, current)
    reactor.installNameResolver(resolver)
    return resolver


def _put(kept: OrderedDict[Any, Any], key: object, value: object, most: int) -> None:
    """Note a value; beyond ``most`` of them forget the one not used for the longest time."""
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > most:
        kept.popitem(last=False)
