"""A loopback HTTP server for the sample web. A reply is a row of steps, so that a server can also
behave badly: pause, drip, never end, stop in the middle.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from http import HTTPStatus
from http.client import responses
from typing import Self

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.sample.responses import Response
from scenthound.sample.web import SampleWeb

MAX_HEAD = 64 * 1024
BURST = 16
"""Steps sent in one go; then other connections have their turn."""
_END = b"\r\n\r\n"
Step = bytes | float


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it arrived.

    Parameters
    ----------
    time : when it arrived, on the server's clock.
    url : canonical; from the absolute form, or from the ``Host`` header and the path.
    method : ``GET``, ``HEAD``, ...
    headers : names in lower case; of a repeated header the last one.
    peer : the client's address.
    keep_alive : does the client want to go on with this connection?
    """

    time: float
    url: str
    method: str
    headers: Mapping[str, str]
    peer: str
    keep_alive: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes over the wire: bytes as they are, and pauses in seconds between them.

    The steps may be endless. ``close`` ends the connection after the last of them.
    """

    steps: Iterable[Step]
    close: bool = False


def error_reply(status: HTTPStatus) -> Reply:
    """An empty answer that ends the connection."""
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\n"
    return Reply((f"{head}Content-Length: 0\r\nConnection: close\r\n\r\n".encode(),), close=True)


def read_request(head: bytes, time: float, peer: str) -> Request:
    """The request in ``head``; MalformedUrlError or ValueError where it is none."""
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, version = first.split(" ")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    whole = target if target.startswith("http://") else f"http://{headers.get('host', '')}{target}"
    url = whole if method == "CONNECT" else canonical(whole)
    wish = headers.get("connection", headers.get("proxy-connection", "")).lower()
    keep_alive = wish == "keep-alive" or (version != "HTTP/1.0" and wish != "close")
    return Request(time, url, method, headers, peer, keep_alive)


class Connection(asyncio.Protocol):
    """Answers the requests of one client in the order they came, pipelined ones too.

    Parameters
    ----------
    reply : what to send for a request.
    clock : tells when a request arrived.
    open_connections : this connection is in it as long as it is open.
    """

    def __init__(
        self,
        reply: Callable[[Request], Reply],
        clock: Callable[[], float],
        open_connections: set[Connection],
    ) -> None:
        self._reply = reply
        self._clock = clock
        self._open = open_connections
        self._received = b""
        self._steps: Iterator[Step] | None = None
        self._close = False
        self._full = False
        self._waiting: asyncio.Handle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is there."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._peer = str(transport.get_extra_info("peername")[0])
        self._open.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        """The client is gone: whatever was under way ends."""
        self._open.discard(self)
        self._steps, self._received = None, b""
        if self._waiting is not None:
            self._waiting.cancel()

    def data_received(self, data: bytes) -> None:
        """Take in what came; while a reply is under way it has to wait."""
        self._received += data
        self._serve()

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        self._full = True

    def resume_writing(self) -> None:
        """The client has caught up."""
        self._full = False
        self._send()
        self._serve()

    def abort(self) -> None:
        """End the connection at once."""
        self._transport.abort()

    def _serve(self) -> None:
        """Begin replies until one takes its time or no whole request is left."""
        while self._steps is None and not self._transport.is_closing():
            head, end, rest = self._received.partition(_END)
            if end:
                self._received = rest
                self._begin(self._reply_to(head))
            elif len(self._received) > MAX_HEAD:
                self._begin(error_reply(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE))
            else:
                return

    def _reply_to(self, head: bytes) -> Reply:
        try:
            request = read_request(head, self._clock(), self._peer)
        except (MalformedUrlError, ValueError):
            return error_reply(HTTPStatus.BAD_REQUEST)
        reply = self._reply(request)
        return reply if request.keep_alive else Reply(reply.steps, close=True)

    def _begin(self, reply: Reply) -> None:
        self._steps, self._close = iter(reply.steps), reply.close
        self._send()

    def _go_on(self) -> None:
        self._waiting = None
        self._send()
        self._serve()

    def _send(self) -> None:
        """Send steps up to a pause, a full buffer, the end of a burst or of the reply."""
        sent = 0
        while self._steps is not None and self._waiting is None and self._may_write():
            step = next(self._steps, None) if sent < BURST else 0.0
            if step is None:
                self._finish()
            elif isinstance(step, bytes):
                self._transport.write(step)
                sent += 1
            else:
                self._wait(step)

    def _may_write(self) -> bool:
        return not self._full and not self._transport.is_closing()

    def _wait(self, seconds: float) -> None:
        self._waiting = asyncio.get_running_loop().call_later(seconds, self._go_on)

    def _finish(self) -> None:
        self._steps = None
        if self._close:
            self._transport.close()


# A web on loopback: the pages of a mapping over HTTP, by a proxy or directly by address.

LOOPBACK = "127.0.0.1"
_ATTEMPTS = 20
_BACKLOG = 512
_BODILESS = frozenset({204, 304})
ResponseSource = Callable[[str], Response | Reply | None]
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
        answers: Mapping[str, Response] | ResponseSource,
        *,
        addresses: Sequence[str] = (LOOPBACK,),
        port: int = 0,
        keep_log: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._answer: ResponseSource = answers.get if isinstance(answers, Mapping) else answers
        self._addresses = addresses
        self._keep_log = keep_log
        self._clock = clock
        self._started = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve()), name="web server", daemon=True
        )
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

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

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
            return error_reply(HTTPStatus.NOT_IMPLEMENTED)
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
    lines = [
        f"HTTP/1.1 {status} {responses.get(status, 'Unknown')}",
        *(f"{n}: {v}" for n, v in pairs),
    ]
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


def _missing(url: str) -> Response:
    body = b"<html><head><title>Not found</title></head><body>Not found.</body></html>"
    return Response(url, 404, (("Content-Type", "text/html"),), body)
