"""Which pages need a browser, and whether it was of use."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import Counter
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
from scenthound.fetch.client import NO_BROWSER, NOT_RENDERED, FetchResponse, read_response_page
from scenthound.fetch.cookies import Logins
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
"""Hosts that are remembered; with one more all are forgotten."""
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_HTML = frozenset({"", "text/html", "application/xhtml+xml"})


class Renderer:
    """Renders the pages that need it, and learns which hosts that is of no use for.

    Used by the thread that reads pages and by the one with the sockets; no step leaves it half
    done.

    Parameters
    ----------
    browser : renders pages; it is started and stopped by the owner of this object.
    max_body : bytes of a decoded body that are read.
    delay : seconds that a host rests between a page and the requests of its scripts; longer
        where its robots.txt asks for more.
    clock : the time.
    """

    def __init__(
        self,
        browser: Browser,
        max_body: int,
        delay: float = 0.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.browser = browser
        self._max_body = max_body
        self._delay = delay
        self._clock = clock
        self._lost = False
        self._helped: set[str] = set()
        self._in_vain: Counter[str] = Counter()

    def wants(self, response: FetchResponse) -> bool:
        """Return whether the page of a response is worth rendering."""
        host = host_of(response.request.url)
        useless = host not in self._helped and self._in_vain[host] >= MAX_USELESS_RENDERINGS
        return not (self._lost or useless) and needs_browser(response, self._max_body)

    async def render(self, plain: FetchResponse) -> FetchResponse:
        """The response with what the browser shows of its page, still to be read.

        Where that fails, the page has a problem that says why. Whatever happens, there is a
        response.
        """
        url, content_type = plain.request.url, plain.header("content-type") or "text/html"
        try:
            await asyncio.sleep(max(self._delay, plain.request.crawl_delay))
            rendered = await self.browser.show(
                PageSource(url, content_type, plain.content(self._max_body))
            )
            return replace(plain, ended=self._clock(), rendered=rendered)
        except BrowserLostError:
            self._lost = True
            problem = NO_BROWSER
        except RenderingError as error:
            if not isinstance(error, BrowserCrashedError):
                self._learn(host_of(url), helped=False)
            problem = f"{NOT_RENDERED}: {error}"
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - the crawl waits for a response
            _LOG.exception("not rendered: %s", url)
            problem = f"{NOT_RENDERED}: {type(error).__name__}"
        assert plain.page is not None
        return replace(plain, ended=self._clock(), page=replace(plain.page, problem=problem))

    def read(self, response: FetchResponse) -> FetchResponse:
        """The page as the browser rendered it, or as it came, where that says no less."""
        read = read_rendered_page(response, self._max_body)
        assert response.page is not None and read.page is not None
        helped = shows_more(response.page, read.page)
        self._learn(host_of(response.request.url), helped)
        return read if helped else replace(response, rendered=None)

    def _learn(self, host: str, helped: bool) -> None:
        if len(self._helped) + len(self._in_vain) > MAX_HOSTS:
            self._helped.clear()
            self._in_vain.clear()
        if helped:
            self._helped.add(host)
        else:
            self._in_vain[host] += 1


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


def new_renderer(network: Network, logins: Logins, download: Download) -> Renderer:
    """The renderer of a downloader; its browser is not started. ``download`` is for scripts."""
    bounds = UrlRules(deny_host=network.deny_host, exclude=network.exclude)
    subresources = Subresources(
        download,
        network.allow_private,
        network.max_body,
        denied=lambda url: bounds.denial(url) is not None,
        opens=logins.know,
    )
    browser = Browser(subresources.fetch, network.user_agent, network.max_body)
    return Renderer(browser, network.max_body, network.delay)
