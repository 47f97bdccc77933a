"""News of a crawl as they come: server-sent events."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from scenthound.dashboard.asked import Refused
from scenthound.dashboard.curve import as_lists, thinned
from scenthound.dashboard.plain_values import Json
from scenthound.dashboard.team import Shown
from scenthound.dashboard.updates import Update

MOST_STREAMS = 50
MEDIA_TYPE = "text/event-stream; charset=utf-8"
_log = logging.getLogger(__name__)
_PAUSE = 0.5
_SIGN_OF_LIFE = 15.0
_POINTS = 200


class Streams:
    """Streams of news, not too many at once.

    Parameters
    ----------
    told : how a crawl stands.
    closing : is the server about to end?
    """

    def __init__(self, told: Callable[[Shown], Json], closing: Callable[[], bool]) -> None:
        self._told = told
        self._closing = closing
        self._open = 0

    def open(self, crawl: Shown, place: int | None) -> Response:
        """The news of one crawl, from a place in its journal on; ends when the crawl is gone.

        Refused (503) where there are too many already: each counts from here on.
        """
        if self._open >= MOST_STREAMS:
            raise Refused(503, "too many windows watch this dashboard: close one of them.")
        self._open += 1
        return _Stream(self._news(_Watch(crawl, self._told, place)), self._closed)

    def _closed(self) -> None:
        self._open -= 1

    async def _news(self, watch: _Watch) -> AsyncIterator[str]:
        quiet = 0.0
        while not self._closing():
            text = await run_in_threadpool(watch.safe_look)
            if text is None:
                yield "event: gone\ndata: {}\n\n"
                return
            quiet = 0.0 if text else quiet + _PAUSE
            if quiet >= _SIGN_OF_LIFE:
                text, quiet = ": still here\n\n", 0.0
            if text:
                yield text
            await asyncio.sleep(_PAUSE)


class _Stream(StreamingResponse):
    """Says when it has ended, also where nobody has ever read of it."""

    def __init__(self, news: AsyncIterator[str], closed: Callable[[], None]) -> None:
        super().__init__(news, media_type=MEDIA_TYPE)
        self._closed = closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._closed()


class _Watch:
    """One stream's look at one crawl."""

    def __init__(self, crawl: Shown, told: Callable[[Shown], Json], place: int | None) -> None:
        self._crawl = crawl
        self._told = told
        self._following = crawl.following(place)
        self._was_there = crawl.is_there
        self._sent: Json | None = None
        self._failed = False

    def safe_look(self) -> str | None:
        """The next event; "" where looking failed, which is logged once and tried again."""
        try:
            return self.look()
        except Exception:  # noqa: BLE001  the journal may hold anything, and goes on
            if not self._failed:
                _log.exception("a look at %r failed", str(self._crawl.path))
            self._failed = True
            return ""

    def look(self) -> str | None:
        """The next event; "" where nothing is new, None where the crawl is gone."""
        if self._crawl.is_there:
            self._was_there = True
        elif self._was_there:
            return None
        update = self._following.look()
        crawl = self._told(self._crawl)
        if update.is_empty and crawl == self._sent:
            return ""
        self._sent = crawl
        return _event(crawl, update, self._following.place)


def _event(crawl: Json, update: Update, place: int) -> str:
    told = {
        **crawl,
        "points": as_lists(thinned(update.points, _POINTS)),
        "pages": update.rows,
        "anew": update.anew,
    }
    return f"event: update\nid: {place}\ndata: {as_json(told)}\n\n"


def as_json(value: object) -> str:
    """In ASCII, on one line, whatever strangers wrote into it."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
