"""One page in the browser: what it is given, and what is read off it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any

from scenthound.live.cross_origin import closed
from scenthound.live.wanted import Fetched, Wanted

MOST_REQUESTS = 50
"""Requests that the scripts of one page may make."""
READ_SECONDS = 5.0
_WAITS = (("domcontentloaded", 8.0), ("networkidle", 5.0))
"""How long scripts may hold up the page, and how long it may then go on asking for more."""
_REFRESH = '<meta http-equiv="refresh" content="0; url={url}">'
"""How a page says in HTML what its script did: the reader finds a link in it."""
_BASE = '<base href="{url}">'
"""What relative links refer to, where a script has moved the page to another address."""
_LONGEST_BASE = 2_000
_SHOWN = """(root => root ? [root.baseURI.slice(0, {longest} + 1), root.outerHTML.slice(0, {most})]
: ["", ""])(document.documentElement)"""

_LOG = logging.getLogger(__name__)

Fetch = Callable[[Wanted], Awaitable[Fetched | None]]
"""Answers a request of a script; None for one that fails."""


@dataclass(frozen=True, slots=True)
class Source:
    """A page as it was sent, its content encoding undone."""

    url: str
    content_type: str
    body: bytes


class Showing:
    """Shows one page in a profile of its own.

    The page itself is not asked for again; images, styles, fonts, media, frames, sockets and
    windows are refused. Where a script goes elsewhere is noted as a link.

    Parameters
    ----------
    source : the page.
    fetch : answers what its scripts ask for.
    most : characters of its HTML that are read.
    """

    def __init__(self, source: Source, fetch: Fetch, most: int) -> None:
        self._source = source
        self._fetch = fetch
        self._most = most
        self._given = False
        self._requests = 0
        self._target = ""
        self._left = asyncio.Event()

    async def run(self, context: Any) -> bytes:
        """Show the page in a fresh context of Playwright; its HTML when it has become quiet."""
        await context.route("**/*", self.answer)
        await context.route_web_socket("**/*", _refuse)
        page = await context.new_page()
        await page.goto(self._source.url, wait_until="commit")
        waits = [asyncio.ensure_future(_quiet(page)), asyncio.ensure_future(self._left.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        return await self._read(context, page)

    async def answer(self, route: Any) -> None:
        """Answer one request of the browser."""
        from playwright.async_api import Error

        with suppress(Error):  # the page may be closed by now
            request = route.request
            found = await self._answer(request)
            if found is None:
                await route.abort("aborted")  # where a page wants to go elsewhere, it stays
            else:
                headers = closed(request.url, found.headers)
                await route.fulfill(status=found.status, headers=headers, body=found.body)

    async def _answer(self, request: Any) -> Fetched | None:
        """What is found for a request; a request without any end would hold up the page."""
        try:
            return await self._found(request)
        except Exception:  # noqa: BLE001 - it would be silent otherwise
            _LOG.exception("what a script asked for failed: %s", self._source.url)
            return None

    async def _found(self, request: Any) -> Fetched | None:
        if request.is_navigation_request():
            if self._given:
                self._note_leaving(request)
                return None
            self._given = True
            source = self._source
            return Fetched(200, {"content-type": source.content_type}, source.body)
        self._requests += 1
        if self._requests > MOST_REQUESTS:
            return None
        kind, method = request.resource_type, request.method
        return await self._fetch(
            Wanted(self._source.url, request.url, kind, method, request.headers)
        )

    def _note_leaving(self, request: Any) -> None:
        """A page that goes elsewhere has no more to show; a frame or a window may go anywhere."""
        if request.frame == request.frame.page.main_frame and not self._target:
            self._target = request.url
            self._left.set()

    async def _read(self, context: Any, page: Any) -> bytes:
        """The HTML, read from a world beside the page, where its scripts have no say."""
        session = await context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]
        world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
        answer = await session.send(
            "Runtime.evaluate",
            {
                "expression": _SHOWN.format(most=self._most, longest=_LONGEST_BASE),
                "contextId": world["executionContextId"],
                "returnByValue": True,
                "timeout": 1000 * READ_SECONDS,
            },
        )
        base, html = answer["result"].get("value") or ("", "")
        shown = f"<!DOCTYPE html>{self._said(str(base))}{html}"
        return shown.encode("utf-8", "replace")[: self._most]

    def _said(self, base: str) -> str:
        """What scripts did to the page as a whole, in HTML; nothing, mostly."""
        moved = base != self._source.url and len(base) <= _LONGEST_BASE
        said = _BASE.format(url=escape(base)) if base and moved else ""
        return said + (_REFRESH.format(url=escape(self._target)) if self._target else "")


async def _quiet(page: Any) -> None:
    """Wait until a page asks for nothing more; of one that is too busy, what is there is read."""
    from playwright.async_api import TimeoutError as TooSlow

    for state, seconds in _WAITS:
        with suppress(TooSlow):
            await page.wait_for_load_state(state, timeout=1000 * seconds)


async def _refuse(socket: Any) -> None:
    await socket.close()
