"""The spider middleware of the add-on: judges every page, scores every request that comes of it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import SEED_SCORE, Candidate, Page, Rejection
from scenthound.core.urls import canonical
from scenthound.crawler.scrapy_addon.focus import Note, Scored, focus_of, note_of, write_result
from scenthound.crawler.scrapy_addon.scheduler import BestFirstScheduler
from scenthound.storage.pages import Response as Archived
from scenthound.storage.pages import read_page
from scenthound.text.extract import MAX_BYTES, is_text

_Reading = tuple[int, dict[str, Scored], Scored]
"""Of a page that was read: its number, its links by URL, and the score of any other request."""


class ScoringMiddleware(BaseSpiderMiddleware):
    """Sits between engine and spider.

    A response gets ``meta["scenthound"]["similarity"]`` and ``["relevant"]`` before its callback
    runs, both None where there is no page to judge; a request that the callback yields gets the
    score of the link that it follows. Items pass untouched.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._focus = focus_of(crawler)
        # Weak keys: a response whose callback raises at once never reaches process_spider_output.
        self._readings: WeakKeyDictionary[Response, _Reading] = WeakKeyDictionary()

    def process_spider_input(self, response: Response) -> None:
        """Read the page before the spider does."""
        assert response.request is not None
        page = _page(response)
        if page is None or not page.ok:
            write_result(response.request, None, None)
            return
        note = note_of(response.request)
        score = note.with_parts(SEED_SCORE if note.score is None else note.score)
        candidate = Candidate(page.url, score, int(response.meta.get("depth", 0)))
        similarity, relevant = self._focus.judge(candidate, page)
        write_result(response.request, similarity, relevant)
        self._readings[response] = (self._focus.pages, *self._focus.score(candidate, page))
        self._count("pages")
        if relevant:
            self._count("relevant")

    def process_spider_output(
        self, response: Response | None, result: Iterable[Any], spider: Spider | None = None
    ) -> Iterable[Any]:
        """Score the requests; then the response is dealt with."""
        try:
            yield from super().process_spider_output(response, result)
        finally:
            self._done(response)

    async def process_spider_output_async(
        self, response: Response | None, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        """The same for callbacks that are asynchronous generators."""
        try:
            async for each in super().process_spider_output_async(response, result):
                yield each
        finally:
            self._done(response)

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        """The request with its score; None where topic or strategy reject it."""
        if response is None:
            return request
        try:
            url = canonical(request.url)
        except MalformedUrlError:
            url = request.url
        if self._focus.excludes(url):
            self._count("dropped/excluded")
            return None
        if response not in self._readings:  # it was no page that is judged
            Note(0.0, source=self._focus.pages).write(request)
            return request
        number, links, other = self._readings[response]
        score, anchor = links.get(url, other)
        if isinstance(score, Rejection):
            self._count(f"dropped/{score.reason}")
            return None
        Note.of(score, anchor, number).write(request)
        return request

    def _done(self, response: Response | None) -> None:
        """The callback has yielded all its requests: this one need not be sent again."""
        if response is None:
            return
        self._readings.pop(response, None)
        engine = self.crawler.engine
        scheduler = None if engine is None else engine.scheduler
        if isinstance(scheduler, BestFirstScheduler) and response.request is not None:
            scheduler.done(response.request)
            scheduler.revise()

    def _count(self, what: str) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"scenthound/{what}")


def _page(response: Response) -> Page | None:
    """The page in a response, as a crawl of ours reads it; None where there is nothing to read.

    Nothing to read are JSON, media, an empty body, and an address that is none.
    """
    kind = (response.headers.get(b"Content-Type") or b"").decode("latin-1")
    if not response.body or not is_text(response.body, kind):
        return None
    try:
        url = canonical(response.url)
    except MalformedUrlError:
        return None
    archived = Archived(url, response.status, {"content-type": kind}, response.body[:MAX_BYTES])
    return read_page(archived, (), time.time())
