"""Pages that need a browser: Chromium without a network of its own renders the bytes that the
crawl has fetched, each page in a fresh profile.

In order: how one page is rendered (:class:`PageRendering`), the browser and what happens when it
dies (:class:`Browser`), and which pages wait for it (:class:`RenderingQueue`, used by
``downloader``). What scripts request is in ``subresources``, the process itself in ``chromium``.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from scenthound.core.errors import SettingsError
from scenthound.core.model import Page
from scenthound.core.scope import UrlRules
from scenthound.core.urls import host_of
from scenthound.fetch.chromium import Chromium
from scenthound.fetch.cookies import Logins
from scenthound.fetch.messages import (
    NEEDS_BROWSER,
    NO_BROWSER,
    NOT_RENDERED,
    FetchError,
    FetchRequest,
    FetchResponse,
    Message,
    read_response_page,
)
from scenthound.fetch.network import CONCURRENT_RENDERINGS, Network
from scenthound.fetch.subresources import (
    Download,
    Subresource,
    SubresourceRequest,
    Subresources,
    closed,
)
from scenthound.storage.warc_writer import BODY_HEADERS, RENDERED_TYPE
from scenthound.text.extract import media_type

MAX_REQUESTS = 50
"""Requests that the scripts of one page may make: a host sees them at once, without a rest."""
READ_SECONDS = 5.0
_WAITS = (("domcontentloaded", 8.0), ("networkidle", 5.0))
"""How long scripts may hold up the page, and how long it may then go on asking for more."""
_REFRESH = '<meta http-equiv="refresh" content="0; url={url}">'
"""How a page says in HTML what its script did: the reader finds a link in it."""
_BASE = '<base href="{url}">'
"""What relative links refer to, where a script has moved the page to another address."""
_LONGEST_BASE = 2_000
_READ_HTML = """(root => root
? [root.baseURI.slice(0, {longest} + 1), root.outerHTML.slice(0, {most})]
: ["", ""])(document.documentElement)"""
_LOG = logging.getLogger(__name__)
Fetch = Callable[[SubresourceRequest], Awaitable[Subresource | None]]
"""Fetches for a script; None for a request that fails."""


@dataclass(frozen=True, slots=True)
class PageSource:
    """A page as it was sent, its content encoding undone."""

    url: str
    content_type: str
    body: bytes


class PageRendering:
    """Shows one page in a profile of its own.

    The page itself is not requested again; images, styles, fonts, media, frames, sockets and
    windows are refused. Where a script goes elsewhere is noted as a link.

    Parameters
    ----------
    source : the page.
    fetch : fetches what its scripts request.
    most : characters of its HTML that are read.
    """

    def __init__(self, source: PageSource, fetch: Fetch, most: int) -> None:
        self._source = source
        self._fetch = fetch
        self._most = most
        self._given = False
        self._requests = 0
        self._target = ""
        self._left = asyncio.Event()

    async def run(self, context: Any) -> bytes:
        """Show the page in a fresh context of Playwright; its HTML when it has become quiet."""
        await context.route("**/*", self.fulfil)
        # ``route`` does not see WebSockets.
        await context.route_web_socket("**/*", lambda socket: socket.close())
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

    async def fulfil(self, route: Any) -> None:
        """Respond to one request of the browser."""
        from playwright.async_api import Error

        with suppress(Error):  # the page may be closed by now
            request = route.request
            try:
                found = await self._subresource(request)
            except Exception:  # noqa: BLE001 - it would be silent otherwise
                _LOG.exception("what a script requested failed: %s", self._source.url)
                found = None
            if found is None:
                await route.abort("aborted")  # where a page wants to go elsewhere, it stays
            else:
                headers = closed(request.url, found.headers)
                await route.fulfill(status=found.status, headers=headers, body=found.body)

    async def _subresource(self, request: Any) -> Subresource | None:
        if request.is_navigation_request():
            if self._given:
                # A page that goes elsewhere has no more to show; a frame or a window may go.
                if request.frame == request.frame.page.main_frame and not self._target:
                    self._target = request.url
                    self._left.set()
                return None
            self._given = True
            source = self._source
            return Subresource(200, {"content-type": source.content_type}, source.body)
        self._requests += 1
        if self._requests > MAX_REQUESTS:
            return None
        kind, method = request.resource_type, request.method
        return await self._fetch(
            SubresourceRequest(self._source.url, request.url, kind, method, request.headers)
        )

    async def _read(self, context: Any, page: Any) -> bytes:
        """The HTML, read from a world beside the page, where its scripts have no say."""
        session = await context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]
        world = await session.send("Page.createIsolatedWorld", {"frameId": frame})
        answer = await session.send(
            "Runtime.evaluate",
            {
                "expression": _READ_HTML.format(most=self._most, longest=_LONGEST_BASE),
                "contextId": world["executionContextId"],
                "returnByValue": True,
                "timeout": 1000 * READ_SECONDS,
            },
        )
        base, html = map(str, answer["result"].get("value") or ("", ""))
        head = ""
        if base and base != self._source.url and len(base) <= _LONGEST_BASE:
            head = _BASE.format(url=escape(base))
        if self._target:
            head += _REFRESH.format(url=escape(self._target))
        return f"<!DOCTYPE html>{head}{html}".encode("utf-8", "replace")[: self._most]


async def _quiet(page: Any) -> None:
    """Wait until a page asks for nothing more; of one that is too busy, what is there is read."""
    from playwright.async_api import TimeoutError as TooSlow

    for state, seconds in _WAITS:
        with suppress(TooSlow):
            await page.wait_for_load_state(state, timeout=1000 * seconds)


# Chromium has no network of its own: a page is rendered from the bytes that the crawl has fetched,
# and what its scripts request is fetched by the crawl too (see ``subresources``). Each page has a
# profile of its own, which is deleted.


SECONDS = 20.0
"""For one page, all in all."""
MAX_CRASHES = 5
"""Deaths in a row, without a page that it survived, until the browser is given up."""
_TRIES = 2
"""For a page under way when the browser dies: another page may have killed it, or a person."""
_CLOSE_SECONDS = 5.0
_TOO_LONG = "the browser took too long"


class RenderingError(Exception):
    """A page could not be shown; the message says why in a few words."""


class BrowserCrashedError(RenderingError):
    """It is not the page that is to blame."""


class BrowserLostError(BrowserCrashedError):
    """There is no browser any more, and none to be had."""


class Browser:
    """Shows pages, a few at a time. Everything happens in the event loop it is made in.

    Parameters
    ----------
    fetch : answers the requests of scripts.
    user_agent : the name that scripts see.
    max_body : characters of a shown page; the rest is cut off.
    chromium : the program; one that is started with the browser by default.
    """

    def __init__(
        self, fetch: Fetch, user_agent: str, max_body: int, chromium: Chromium | None = None
    ) -> None:
        self._fetch = fetch
        self._user_agent = user_agent
        self._max_body = max_body
        self._turn = asyncio.Semaphore(CONCURRENT_RENDERINGS)
        self._chromium = chromium or Chromium()
        self._deaths = 0
        self._lost = False

    async def start(self) -> None:
        """Start it. One that dies later is started again when the next page comes.

        SettingsError, in one sentence, where there is none or it does not start.
        """
        await self._chromium.start()

    async def stop(self) -> None:
        """End it, and its driver."""
        await self._chromium.stop()

    async def show(self, source: PageSource) -> bytes:
        """The HTML of a page once its scripts have run, in UTF-8.

        RenderingError where nothing comes of it in time, BrowserCrashedError where the browser
        died over it more than once, BrowserLostError where it cannot be brought back.
        """
        async with self._turn:
            for _ in range(_TRIES):
                with suppress(BrowserCrashedError):
                    return await self._try(source)
                if self._lost:
                    raise BrowserLostError("there is no browser any more")
        raise BrowserCrashedError("the browser died")

    async def _try(self, source: PageSource) -> bytes:
        program = await self._running()
        try:
            async with asyncio.timeout(SECONDS):
                shown = await self._show(program, source)
        except RenderingError:
            raise
        except (Exception, asyncio.CancelledError) as error:  # a driver that died raises anything
            if not await self._chromium.is_alive(program):
                # One death is counted once, however many pages were under way; ours are no deaths.
                if await self._chromium.drop(program):
                    self._deaths += 1
                    self._lost = self._lost or self._deaths >= MAX_CRASHES
                raise BrowserCrashedError from None
            self._deaths = 0
            if isinstance(error, TimeoutError):
                raise RenderingError(_TOO_LONG) from error
            from playwright.async_api import Error

            if isinstance(error, Error):
                raise RenderingError("the browser failed") from error
            raise
        self._deaths = 0
        return shown

    async def _running(self) -> Any:
        """The program; one that does not start any more is not tried for ever."""
        if not self._lost:
            try:
                return await self._chromium.running()
            except SettingsError:
                self._lost = True
        raise BrowserCrashedError

    async def _show(self, program: Any, source: PageSource) -> bytes:
        # Requests that a service worker makes would pass by ``route``, so there are none.
        context = await program.new_context(
            user_agent=self._user_agent, service_workers="block", accept_downloads=False
        )
        try:
            shown = await PageRendering(source, self._fetch, self._max_body).run(context)
        except (Exception, asyncio.CancelledError):
            if await self._close(program, context):
                raise
            raise RenderingError(_TOO_LONG) from None
        await self._close(program, context)
        return shown

    async def _close(self, program: Any, context: Any) -> bool:
        """Close a profile; a page that does not close takes the whole browser with it.

        Returns whether the page has closed.
        """
        from playwright.async_api import Error

        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                with suppress(Error):  # it has died, and whoever uses it next will notice
                    await context.close()
        except TimeoutError:
            await self._chromium.drop(program)
            return False
        return True


# --- which pages need a browser, what waits for it, and whether it was of use


FEW_CHARACTERS = 100
"""A page with less text than this is thought to have none: "Loading ..." is no text."""
MAX_USELESS_RENDERINGS = 3
"""A host whose first so many pages gained nothing from a browser is read without one."""
MAX_HOSTS = 10_000
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_HTML = frozenset({"", "text/html", "application/xhtml+xml"})


class RenderingQueue:
    """Reads pages, with a browser where they need one, and learns which hosts it is of use for.

    Used by the thread that reads pages and by the one with the sockets; no step leaves it half
    done.

    Parameters
    ----------
    browser : renders pages; it is started and stopped by the owner of this queue.
    most : pages that wait for it; of more than that the oldest is forgotten, and fetched again.
    max_body : bytes of a decoded body that are read.
    pdf : are PDFs read too?
    clock : the time.
    """

    def __init__(
        self,
        browser: Browser,
        most: int,
        max_body: int,
        pdf: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.browser = browser
        self._most = most
        self._max_body = max_body
        self._pdf = pdf
        self._clock = clock
        self._lost = False
        self._held: OrderedDict[str, FetchResponse] = OrderedDict()
        self._helped: OrderedDict[str, None] = OrderedDict()
        self._in_vain: OrderedDict[str, int] = OrderedDict()

    def read(self, response: FetchResponse) -> Message:
        """The response with its page, or the reason that it needs a browser first.

        Of a page that was rendered: as the browser showed it, or as it came, where that says no
        less.
        """
        if response.rendered is not None:
            read = read_rendered_page(response, self._max_body)
            assert response.page is not None and read.page is not None
            helped = shows_more(response.page, read.page)
            self._learn(host_of(response.request.url), helped)
            return read if helped else replace(response, rendered=None)
        if response.page is not None:  # the browser could not show it
            return response
        read = read_response_page(response, self._max_body, self._pdf)
        url = response.request.url
        in_vain = self._in_vain.get(host_of(url), 0) >= MAX_USELESS_RENDERINGS
        if self._lost or in_vain or not needs_browser(read, self._max_body):
            return read
        # The bytes wait here until the host has rested: scripts may send requests to it. The second
        # request of the crawl then starts the rendering, and downloads nothing.
        self._held[url] = read
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return FetchError(response.request, response.ended, NEEDS_BROWSER, True)

    def take(self, request: FetchRequest) -> FetchResponse | None:
        """The page that was held back until this request; None where there is none, so fetch it."""
        return self._held.pop(request.url, None) if request.render else None

    async def render(self, request: FetchRequest, plain: FetchResponse) -> FetchResponse:
        """The page with what the browser shows of it; without that, and why, where it fails.

        Whatever happens, there is a response. Once the browser is lost no page waits for it.
        """
        content_type = plain.header("content-type") or "text/html"
        source = PageSource(request.url, content_type, plain.content(self._max_body))
        try:
            rendered = await self.browser.show(source)
        except BrowserLostError:
            self._lost = True
            problem = NO_BROWSER
        except RenderingError as error:
            if not isinstance(error, BrowserCrashedError):
                self._learn(host_of(request.url), helped=False)
            problem = f"{NOT_RENDERED}: {error}"
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - the crawl waits for a response
            _LOG.exception("not rendered: %s", request.url)
            problem = f"{NOT_RENDERED}: {type(error).__name__}"
        else:
            return replace(plain, request=request, ended=self._clock(), rendered=rendered)
        assert plain.page is not None
        page = replace(plain.page, problem=problem)
        return replace(plain, request=request, ended=self._clock(), page=page)

    def _learn(self, host: str, helped: bool) -> None:
        if helped:
            self._helped[host] = None
            self._in_vain.pop(host, None)
        elif host not in self._helped:
            self._in_vain[host] = self._in_vain.get(host, 0) + 1
        for known in (self._helped, self._in_vain):
            if len(known) > MAX_HOSTS:
                known.popitem(last=False)


def needs_browser(response: FetchResponse, max_body: int) -> bool:
    """Return whether it is a whole HTML page with scripts, but without text or without links."""
    page = response.page
    if page is None or response.status != 200 or response.cut is not None or not page.index:
        return False
    if media_type(response.header("content-type")) not in _HTML:
        return False
    empty = not page.links or len(page.document.text) < FEW_CHARACTERS
    return empty and _SCRIPT.search(response.content(max_body)) is not None


def read_rendered_page(response: FetchResponse, max_body: int) -> FetchResponse:
    """The response with the page in ``response.rendered``, which must be there."""
    assert response.rendered is not None
    kept = tuple(pair for pair in response.headers if pair[0].lower() not in BODY_HEADERS)
    headers = (*kept, ("Content-Type", RENDERED_TYPE))
    read = read_response_page(replace(response, body=response.rendered, headers=headers), max_body)
    assert read.page is not None
    page = replace(read.page, rendered=True)
    return replace(response, page=page, fingerprint=read.fingerprint)


def shows_more(plain: Page, rendered: Page) -> bool:
    """Return whether there is a link, or text, where there was none."""
    if len(rendered.links) > len(plain.links):
        return True
    gained = len(rendered.document.text) - len(plain.document.text)
    return gained >= FEW_CHARACTERS or (gained > 0 and not plain.document.text)


def new_rendering_queue(network: Network, logins: Logins, download: Download) -> RenderingQueue:
    """The queue for a downloader; its browser is not started yet. ``download`` is for scripts."""
    bounds = UrlRules(deny_host=network.deny_host, exclude=network.exclude)
    subresources = Subresources(
        download,
        network.allow_private,
        network.max_body,
        denied=lambda url: bounds.denial(url) is not None,
        opens=logins.know,
    )
    browser = Browser(subresources.fetch, network.user_agent, network.max_body)
    return RenderingQueue(browser, 2 * network.concurrency, network.max_body, network.pdf)
