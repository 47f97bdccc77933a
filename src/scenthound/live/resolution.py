"""One question to the resolver, and the look-up that answers it, as Twisted wants them to be.

What zope calls an interface is no type that a type checker could read: those are Any here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostResolution, IResolutionReceiver
from zope.interface import implementer

Address = IPv4Address | IPv6Address
Found = tuple[Address, ...]


@implementer(IHostResolution)
class Resolution:
    """A question that was asked; nothing more is heard of a cancelled one."""

    def __init__(self, name: str, receiver: Any, port: int) -> None:
        self.name = name
        self._receiver: Any = receiver
        self._port = port
        receiver.resolutionBegan(self)

    def cancel(self) -> None:
        """The asker lost interest."""
        self._receiver = None

    def answer(self, addresses: Found) -> None:
        """Hand on the addresses, with the port that was asked for. Only the first time counts."""
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

    def __init__(self, done: Callable[[Found], None]) -> None:
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
