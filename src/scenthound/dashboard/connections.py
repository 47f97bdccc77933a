"""Connections that are not waited for without end: who sends or takes nothing is let go.

A connection counts as idle until the head of a request has come. When there are too many, the one
that has been idle for longest makes room, so that nobody can lock others out by doing nothing.
"""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from scenthound.dashboard.security import HEADERS

MOST = 200
"""Connections at once; some systems let a program open 256 files."""
HEAD_S = 10.0
"""For the head of a request, and for what is left of one that is answered already."""
TAKING_S = 30.0
"""For a client to take what is sent to him."""


class Connection(H11Protocol):
    """One connection; made by uvicorn."""

    _deadline: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come; another one may have to go."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._watch()
        if len(self.connections) > MOST:
            _longest_idle(cast("set[Connection]", self.connections)).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Something was sent, which may be part of a head."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """He is gone."""
        self._stop_watching()
        self._stop_taking()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """He takes more slowly than we send."""
        super().pause_writing()
        self._taking = self.loop.call_later(TAKING_S, self.transport.abort)

    def resume_writing(self) -> None:
        """He has taken most of it."""
        super().resume_writing()
        self._stop_taking()

    def on_response_complete(self) -> None:
        """An answer is on its way, and no request is open."""
        self._since = self.loop.time()
        super().on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing came after an answer; what he has not taken by then is not kept for ever."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(TAKING_S, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """The answer to what is no request, with our headers too."""
        if self.is_idle:
            self.transport.write(_BAD_REQUEST)
        self.transport.close()

    @property
    def is_idle(self) -> bool:
        """Is no request being answered?"""
        return self.cycle is None or self.cycle.response_complete

    def _watch(self) -> None:
        """One deadline for a whole head, however many pieces it comes in."""
        if not self.is_idle:
            self._stop_watching()
        elif self._deadline is None and self.timeout_keep_alive_task is None:
            self._deadline = self.loop.call_later(HEAD_S, self._give_up)

    def _give_up(self) -> None:
        self._deadline = None
        if self.is_idle:
            self.transport.abort()

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _stop_taking(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None


def _longest_idle(connections: set[Connection]) -> Connection:
    """Who makes room; the newest one where all others are being answered."""
    idle = [each for each in connections if each.is_idle]
    return min(idle, key=lambda each: each._since)


def _head(lines: list[str]) -> bytes:
    return "\r\n".join([*lines, "", ""]).encode()


_BAD_REQUEST = _head([
    "HTTP/1.1 400 Bad Request",
    "content-length: 0",
    "connection: close",
    *(f"{name}: {value}" for name, value in HEADERS.items()),
])  # fmt: skip
