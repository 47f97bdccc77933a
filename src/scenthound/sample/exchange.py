"""One HTTP connection of the loopback server: requests come in, replies go out one by one.

A reply is a row of steps, so that a server can also behave badly: pause, drip, never end, stop
in the middle.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical

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


def refusal(status: HTTPStatus) -> Reply:
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
                self._begin(refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE))
            else:
                return

    def _reply_to(self, head: bytes) -> Reply:
        try:
            request = read_request(head, self._clock(), self._peer)
        except (MalformedUrlError, ValueError):
            return refusal(HTTPStatus.BAD_REQUEST)
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
