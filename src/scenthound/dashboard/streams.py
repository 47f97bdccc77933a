"""News of a crawl as they come: server-sent events."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from scenthound.core.errors import FolderError
from scenthound.dashboard.asked import Refused
from scenthound.dashboard.crawl_reader import CrawlReader
from scenthound.dashboard.curve import as_lists, thinned
from scenthound.dashboard.following import Follower, News
from scenthound.dashboard.page_row import page_row
from scenthound.dashboard.plain_values import Json

MOST_STREAMS = 50
MEDIA_TYPE = "text/event-stream; charset=utf-8"
_log = logging.getLogger(__name__)
_PAUSE = 0.5
_SIGN_OF_LIFE = 15.0
_POINTS = 200
_PAGES = 50


class Streams:
    """Streams of news, not too many at once.

    Parameters
    ----------
    told : how a crawl stands.
    closing : is the server about to end?
    """

    def __init__(self, told: Callable[[CrawlReader], Json], closing: Callable[[], bool]) -> None:
        self._told = told
        self._closing = closing
        self._open = 0

    def open(self, reader: CrawlReader, place: int | None) -> Response:
        """The news of one crawl, from a place in its journal on; ends when the crawl is gone.

        Refused (503) where there are too many already: each counts from here on.
        """
        if self._open >= MOST_STREAMS:
            raise Refused(503, "too many windows watch this dashboard: close one of them.")
        self._open += 1
        return _Stream(self._news(_Watch(reader, self._told, place)), self._closed)

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

    def __init__(
        self, reader: CrawlReader, told: Callable[[CrawlReader], Json], place: int | None
    ) -> None:
        self._reader = reader
        self._told = told
        self._follower = Follower(place)
        self._was_there = reader.is_there
        self._sent: Json | None = None
        self._failed = False

    def safe_look(self) -> str | None:
        """The next event; "" where looking failed, which is logged once and tried again."""
        try:
            return self.look()
        except Exception:  # noqa: BLE001  the journal may hold anything, and goes on
            if not self._failed:
                _log.exception("a look at %r failed", str(self._reader.path))
            self._failed = True
            return ""

    def look(self) -> str | None:
        """The next event; "" where nothing is new, None where the crawl is gone."""
        if self._reader.is_there:
            self._was_there = True
        elif self._was_there:
            return None
        news = self._news()
        crawl = self._told(self._reader)
        if not news.pages and not news.anew and crawl == self._sent:
            return ""
        self._sent = crawl
        return _event(crawl, news, self._follower.place)

    def _news(self) -> News:
        if not self._reader.has_journal:
            return News()
        try:
            with self._reader.journal() as journal:
                return self._follower.look(journal)
        except FolderError:
            return News()  # the crawl itself says what is wrong


def _event(crawl: Json, news: News, place: int) -> str:
    update = {
        **crawl,
        "points": as_lists(thinned(news.points, _POINTS)),
        "pages": [page_row(page.event) for page in reversed(news.pages[-_PAGES:])],
        "anew": news.anew,
    }
    return f"event: update\nid: {max(0, place)}\ndata: {as_json(update)}\n\n"


def as_json(value: object) -> str:
    """In ASCII, on one line, whatever strangers wrote into it."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
