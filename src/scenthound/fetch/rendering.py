"""Which pages need a browser, what waits for it, and whether it was of use."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from scenthound.core.model import Page
from scenthound.core.scope import UrlRules
from scenthound.core.urls import host_of
from scenthound.fetch.browser import (
    Browser,
    BrowserCrashedError,
    BrowserLostError,
    PageSource,
    RenderingError,
)
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
from scenthound.fetch.network import Network
from scenthound.fetch.subresources import Download, Subresources
from scenthound.storage.warc_writer import BODY_HEADERS, RENDERED_TYPE
from scenthound.text.extract import media_type

_LOG = logging.getLogger(__name__)
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
