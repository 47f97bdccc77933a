"""A web on loopback: the pages of a mapping over HTTP, by a proxy or directly by address."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from http import HTTPStatus
from types import TracebackType
from typing import Self

from scenthound.sample.exchange import Connection, Reply, Request, refusal
from scenthound.sample.response import Response
from scenthound.sample.web import SampleWeb

__all__ = ["Answer", "Reply", "Request", "WebServer", "serve"]

LOOPBACK = "127.0.0.1"
_ATTEMPTS = 20
_BACKLOG = 512
_BODILESS = frozenset({204, 304})

Answer = Callable[[str], Response | Reply | None]
"""What is at a canonical URL; None where there is nothing."""


class WebServer:
    """Serves pages from a thread of its own while it is entered as a context.

    It answers in two ways: as a proxy for ``http://`` URLs of any host, and directly by its
    address (then the URL that is looked up has that address and port in it). A URL that is not
    there is a 404, ``robots.txt`` too; CONNECT is refused.

    Parameters
    ----------
    answers : the pages by canonical URL, or a function that is asked for each URL.
    addresses : loopback addresses to listen at, all on one port.
    port : 0 for one that is free.
    keep_log : write every request down in ``log``.
    clock : what the log's times are read from.
    """

    def __init__(
        self,
        answers: Mapping[str, Response] | Answer,
        *,
        addresses: Sequence[str] = (LOOPBACK,),
        port: int = 0,
        keep_log: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._answer: Answer = answers.get if isinstance(answers, Mapping) else answers
        self._addresses = addresses
        self._keep_log = keep_log
        self._clock = clock
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="web server", daemon=True)
        self.port = port
        self.log: list[Request] = []

    @property
    def proxy(self) -> str:
        """The server as a proxy, for a crawler's settings."""
        return f"http://{self._addresses[0]}:{self.port}"

    def __enter__(self) -> Self:
        self._sockets = listen(self._addresses, self.port)
        self.port = self._sockets[0].getsockname()[1]
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        connections: set[Connection] = set()

        def connection() -> Connection:
            return Connection(self._reply, self._clock, connections)

        servers = [
            await self._loop.create_server(connection, sock=listening, backlog=_BACKLOG)
            for listening in self._sockets
        ]
        self._started.set()
        await self._stop.wait()
        for server in servers:
            server.close()
        for each in list(connections):
            each.abort()
        await asyncio.gather(*(server.wait_closed() for server in servers))

    def _reply(self, request: Request) -> Reply:
        if self._keep_log:
            self.log.append(request)
        if request.method not in ("GET", "HEAD") or "content-length" in request.headers:
            return refusal(HTTPStatus.NOT_IMPLEMENTED)
        found = self._answer(request.url)
        if isinstance(found, Reply):
            return found
        return reply_of(found or _missing(request.url), request.method == "HEAD")


def serve(web: SampleWeb) -> WebServer:
    """The sample web on loopback, with its redirects, errors, slow host and odd encodings."""
    return WebServer(web.responses)


def reply_of(response: Response, head_only: bool = False) -> Reply:
    """The response as it goes over the wire, after its delay."""
    body = b"" if head_only or response.status in _BODILESS else response.body
    wire = http_head(response.status, response.headers, len(response.body)) + body
    return Reply((response.delay, wire) if response.delay else (wire,))


def http_head(status: int, headers: Iterable[tuple[str, str]], length: int | None) -> bytes:
    """Status line and headers; ``Content-Length`` is added where a length is given and it misses.

    Headers that frame the message in another way (``Transfer-Encoding``) are left alone.
    """
    pairs = list(headers)
    framed = any(name.lower() in ("content-length", "transfer-encoding") for name, _ in pairs)
    if length is not None and not framed and status not in _BODILESS:
        pairs.append(("Content-Length", str(length)))
    lines = [f"HTTP/1.1 {status} {_reason(status)}", *(f"{n}: {v}" for n, v in pairs)]
    return "\r\n".join([*lines, "\r\n"]).encode("latin-1")


def listen(addresses: Sequence[str], port: int) -> list[socket.socket]:
    """Sockets at all ``addresses`` on one port; OSError where the port is taken."""
    for _ in range(_ATTEMPTS if port == 0 else 1):
        try:
            return _listen(addresses, port)
        except OSError as taken:  # free at the first address, but not at another one
            failed = taken
    raise failed


def _listen(addresses: Sequence[str], port: int) -> list[socket.socket]:
    with ExitStack() as opened:
        sockets: list[socket.socket] = []
        for address in addresses:
            chosen = sockets[0].getsockname()[1] if sockets else port
            new = socket.create_server((address, chosen), backlog=_BACKLOG)
            sockets.append(opened.enter_context(new))
        opened.pop_all()
    return sockets


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


def _missing(url: str) -> Response:
    body = b"<html><head><title>Not found</title></head><body>Not found.</body></html>"
    return Response(url, 404, (("Content-Type", "text/html"),), body)
