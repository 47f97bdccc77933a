"""A loopback HTTP server for the sample web. A reply is a row of steps, so that a server can also
behave badly: pause, drip, never end, stop in the middle.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from http import HTTPStatus
from http.client import responses
from typing import Self

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.sample.responses import Response
from scenthound.sample.web import SampleWeb

LOOPBACK = "127.0.0.1"
MAX_HEAD = 64 * 1024
BURST = 16
"""Steps sent in one go; then other connections have their turn."""
_ATTEMPTS = 20
_BACKLOG = 512
_BODILESS = frozenset({204, 304})
_NOT_FOUND = b"<html><head><title>Not found</title></head><body>Not found.</body></html>"
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
    keep_alive : does the client want to go on with this connection?
    """

    time: float
    url: str
    method: str
    headers: Mapping[str, str]
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
    return Reply((http_head(status, [("Connection", "close")], 0),), close=True)


def read_request(head: bytes, time: float) -> Request:
    """The request in ``head``; MalformedUrlError or ValueError where it is none."""
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, version = first.split(" ")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    whole = target if target.startswith("http://") else f"http://{headers.get('host', '')}{target}"
    url = whole if method == "CONNECT" else canonical(whole)
    wish = headers.get("connection", headers.get("proxy-connection", "")).lower()
    keep_alive = wish == "keep-alive" or (version != "HTTP/1.0" and wish != "close")
    return Request(time, url, method, headers, keep_alive)


ResponseSource = Callable[[str], Response | Reply | None]
"""What is at a canonical URL; None where there is nothing."""


class WebServer:
    """Serves pages from a thread of its own while it is entered as a context.

    It answers as a proxy for ``http://`` URLs of any host, and directly by its address (then the
    URL that is looked up has that address and port in it). A URL that is not there is a 404,
    ``robots.txt`` too; CONNECT is refused. Requests of one client are answered in the order they
    came, pipelined ones too.

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
        self._open: set[asyncio.StreamWriter] = set()
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
        servers = [
            await asyncio.start_server(
                self._converse, sock=listening, backlog=_BACKLOG, limit=MAX_HEAD
            )
            for listening in self._sockets
        ]
        self._started.set()
        await self._stop.wait()
        for server in servers:
            server.close()
        for writer in self._open:
            writer.transport.abort()
        await asyncio.gather(*(server.wait_closed() for server in servers))

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one client until it goes, or a reply ends the connection."""
        self._open.add(writer)
        close = False
        try:
            while not close:
                try:
                    head = await reader.readuntil(b"\r\n\r\n")
                    request = read_request(head.removesuffix(b"\r\n\r\n"), self._clock())
                except asyncio.LimitOverrunError:
                    reply = error_reply(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
                except (MalformedUrlError, ValueError):
                    reply = error_reply(HTTPStatus.BAD_REQUEST)
                else:
                    reply = self._reply(request)
                    close = not request.keep_alive
                await self._send(reply, writer)
                close = close or reply.close
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client is gone
        finally:
            self._open.discard(writer)
            writer.close()

    async def _send(self, reply: Reply, writer: asyncio.StreamWriter) -> None:
        for number, step in enumerate(reply.steps):
            if not isinstance(step, bytes):
                await asyncio.sleep(step)
                continue
            writer.write(step)
            await writer.drain()
            if number % BURST == BURST - 1:
                await asyncio.sleep(0)

    def _reply(self, request: Request) -> Reply:
        if self._keep_log:
            self.log.append(request)
        if request.method not in ("GET", "HEAD") or "content-length" in request.headers:
            return error_reply(HTTPStatus.NOT_IMPLEMENTED)
        found = self._answer(request.url)
        if isinstance(found, Reply):
            return found
        found = found or Response(request.url, 404, (("Content-Type", "text/html"),), _NOT_FOUND)
        bodiless = request.method == "HEAD" or found.status in _BODILESS
        wire = http_head(found.status, found.headers, len(found.body))
        wire += b"" if bodiless else found.body
        return Reply((found.delay, wire) if found.delay else (wire,))


def serve(web: SampleWeb) -> WebServer:
    """The sample web on loopback, with its redirects, errors, slow host and odd encodings."""
    return WebServer(web.responses)


def http_head(status: int, headers: Iterable[tuple[str, str]], length: int | None) -> bytes:
    """Status line and headers; ``Content-Length`` is added where a length is given and it misses.

    Headers that frame the message in another way (``Transfer-Encoding``) are left alone.
    """
    pairs = list(headers)
    framed = any(name.lower() in ("content-length", "transfer-encoding") for name, _ in pairs)
    if length is not None and not framed and status not in _BODILESS:
        pairs.append(("Content-Length", str(length)))
    line = f"HTTP/1.1 {status} {responses.get(status, 'Unknown')}"
    return "\r\n".join([line, *(f"{n}: {v}" for n, v in pairs), "\r\n"]).encode("latin-1")


def listen(addresses: Sequence[str], port: int) -> list[socket.socket]:
    """Sockets at all ``addresses`` on one port; OSError where the port is taken."""
    for left in reversed(range(_ATTEMPTS if port == 0 else 1)):
        with ExitStack() as opened:
            sockets: list[socket.socket] = []
            try:
                for address in addresses:
                    chosen = sockets[0].getsockname()[1] if sockets else port
                    new = socket.create_server((address, chosen), backlog=_BACKLOG)
                    sockets.append(opened.enter_context(new))
            except OSError:  # free at the first address, but not at another one
                if not left:
                    raise
                continue
            opened.pop_all()
            return sockets
    raise AssertionError("the last attempt returns or raises")
