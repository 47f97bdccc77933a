"""Asks a server on loopback for a page, under several policies; writes down what came of it.

Run on its own: a reactor runs once in a process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from twisted.internet import defer, reactor, task
from twisted.internet.error import CannotListenError
from twisted.web.client import Agent
from twisted.web.resource import Resource
from twisted.web.server import Site

from scenthound.fetch.downloader import PublicResolver

HOSTS = ("127.0.0.1", "[::1]", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]")
POLICIES = {
    "default": (False, frozenset[str]()),
    "private": (True, frozenset[str]()),
    "proxy": (False, frozenset({"localhost"})),
}


class Counting(Site):
    """A site that counts connections, before any request is read."""

    connections = 0

    def buildProtocol(self, addr: object) -> Any:  # noqa: N802
        self.connections += 1
        return super().buildProtocol(addr)  # type: ignore[no-untyped-call]


async def outcomes(
    resolver: PublicResolver, site: Counting, port: int, hosts: Iterable[str]
) -> AsyncIterator[Any]:
    agent = Agent(reactor, connectTimeout=5)  # type: ignore[no-untyped-call]
    for policy, (resolver.allow_private, resolver.always_allowed) in POLICIES.items():
        for host in hosts:
            before = site.connections
            try:
                response = await agent.request(b"GET", f"http://{host}:{port}/".encode())
                result = str(response.code)
            except Exception as error:  # noqa: BLE001 - any error is what we want to know
                result = type(error).__name__
            yield policy, host, result, site.connections - before


async def main(write: Callable[[str], object]) -> None:
    site = Counting(Resource())  # type: ignore[no-untyped-call]
    loop: Any = reactor
    ports = [loop.listenTCP(0, site, interface="127.0.0.1")]
    number = ports[0].getHost().port
    hosts: tuple[str, ...] = HOSTS
    try:
        ports.append(loop.listenTCP(number, site, interface="::1"))
    except CannotListenError:  # a machine without IPv6
        hosts = tuple(host for host in HOSTS if "[" not in host)
    resolver = PublicResolver(loop, loop.nameResolver)
    loop.installNameResolver(resolver)
    found: Iterable[Any] = [row async for row in outcomes(resolver, site, number, hosts)]
    write(json.dumps({"rows": found, "refused": dict(resolver.refused)}))
    await defer.gatherResults([port.stopListening() for port in ports])


if __name__ == "__main__":
    task.react(lambda _: defer.ensureDeferred(main(sys.stdout.write)))
