"""Pages that need a browser: Chromium without a network of its own renders the bytes that the
crawl has fetched, each page in a fresh profile. Which pages need it is in ``rendering``, what their
scripts request in ``subresources``.

In order: the program and the Playwright driver (an extra: it is imported only when a browser is
wanted), how one page is rendered, and the browser that survives crashes.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any

from scenthound.core.errors import SettingsError
from scenthound.fetch.subresources import Subresource, SubresourceRequest, closed

VARIABLE = "SCENTHOUND_BROWSER"
"""Names the program of the browser, where it is not found by itself."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ROOT = "the browser runs without its sandbox, as it must for root; use another account if you can"
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",  # should a request ever get past us, it goes nowhere
    # A proxy where nothing listens; without the second option loopback would go past it.
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    # UDP goes past a proxy: WebRTC here, QUIC below.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--js-flags=--max-old-space-size=512",
)
_STDERR = "[err]"
"""Marks, in Playwright's report, the error output of the program itself."""
_PLACE = re.compile(r"^\[[^]]*:[^]]*\]\s*")
"""Where in the program a line comes from: ``[1:2:0101/1.2:FATAL:file.cc(3)]``."""


def launch_options(environment: Mapping[str, str]) -> dict[str, object]:
    """How Chromium is started: the one that is named, one on the path, or Playwright's own.

    SettingsError where one is named that is not there. It runs in its sandbox; root has none.
    """
    named = environment.get(VARIABLE)
    if named and shutil.which(named) is None:
        raise SettingsError(
            f"{VARIABLE} names {named!r}, which is no program; give the path of a Chromium."
        )
    path = environment.get("PATH")
    on_path = (shutil.which(name, path=path) for name in NAMES)
    return {
        "executable_path": named or next(filter(None, on_path), None),
        "args": list(_ARGUMENTS),
        "chromium_sandbox": not is_root(),
        # The downloader decides when the browser ends, not a signal that Playwright gets.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


def is_root() -> bool:
    """Does this process belong to root? Chromium's sandbox does not work for root."""
    return os.geteuid() == 0


def no_browser(error: str) -> str:
    """What to do about a browser that did not start, in one sentence."""
    if "executable doesn't exist" in error.lower():
        return (
            "--javascript needs a browser and none was found; install Chromium (apt install "
            f"chromium, or: playwright install chromium), or name one in {VARIABLE}."
        )
    # The line that says why, of what the program said; Playwright's own where it said nothing.
    # The line with the command names the sandbox too, as something it does without.
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    errors = [line.partition(_STDERR)[2].strip() for line in lines if _STDERR in line]
    sandbox = [line for line in errors if "sandbox" in line.lower()]
    cause = [*sandbox[:1], *errors[-1:], *lines[:1], ""][0]
    why = _PLACE.sub("", cause)[:200]
    return f"the browser for --javascript does not start ({why}); try to start it by hand."


START_SECONDS = 15.0
_STOP_SECONDS = 2.0
_PROBE_SECONDS = 5.0


class Chromium:
    """Chromium and Playwright's driver; the one is of no use without the other.

    Everything happens in the event loop it is made in.
    """

    def __init__(self) -> None:
        self._starting = asyncio.Lock()
        self._driver: Any = None
        self._program: Any = None

    async def start(self) -> None:
        """Start both; SettingsError, in one sentence, where there is none or it does not start."""
        try:
            from playwright.async_api import async_playwright
        except ImportError:
            raise SettingsError(
                "--javascript needs Playwright; install it with: pip install 'scenthound[js]'."
            ) from None
        options = launch_options(os.environ)
        try:
            async with asyncio.timeout(START_SECONDS):
                self._driver = await async_playwright().start()
                self._program = await self._driver.chromium.launch(**options)
        except Exception as error:  # noqa: BLE001 - a driver that dies raises anything
            await self.stop()
            why = "it took too long" if isinstance(error, TimeoutError) else str(error)
            raise SettingsError(no_browser(why)) from None

    async def running(self) -> Any:
        """The program, started where none runs; SettingsError where it does not start."""
        async with self._starting:
            if self._program is None:
                await self.start()
            return self._program

    async def is_alive(self, program: Any) -> bool:
        """Does this program still answer? Neither it nor its driver says when it has died."""
        if program is not self._program:
            return False
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                await (await program.new_context()).close()
        except Exception:  # noqa: BLE001 - a driver that has died raises anything
            return False
        return True

    async def drop(self, program: Any) -> bool:
        """Be rid of this program, dead or not: the next page has another one started.

        Says whether it was the one in use; another page may have dropped it before.
        """
        if program is not self._program:
            return False
        await self.stop()
        return True

    async def stop(self) -> None:
        """End both, or what is left of them."""
        driver, program = self._driver, self._program
        self._driver = self._program = None
        if program is not None:
            await _end(program.close())
        if driver is not None:
            await _end(driver.stop())


async def _end(ending: Awaitable[None]) -> None:
    """Wait for an end, not for ever: what does not end now ends with this process."""
    with suppress(Exception):
        async with asyncio.timeout(_STOP_SECONDS):
            await ending


CONCURRENT_RENDERINGS = 2
"""Pages that are rendered at the same time."""
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


# Each page has a profile of its own, which is deleted.

SECONDS = 20.0
"""For one page, all in all."""
MAX_CRASHES = 5
"""Crashes and failed starts in a row until the browser is given up."""
_TRIES = 2
"""For a page under way when the browser dies: another page may have killed it, or a person."""
_CLOSE_SECONDS = 5.0
_TOO_LONG = "the browser took too long"


class RenderingError(Exception):
    """A page could not be rendered; the message says why in a few words."""


class BrowserCrashedError(RenderingError):
    """The browser died; the page need not be to blame."""


class BrowserLostError(BrowserCrashedError):
    """There is no browser any more."""


class Browser:
    """Renders pages, a few at a time. Everything happens in the event loop it is made in.

    Parameters
    ----------
    fetch : answers the requests of scripts.
    user_agent : the name that scripts see.
    max_body : characters of a rendered page; the rest is cut off.
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
        self._crashes = 0

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

        RenderingError where that takes too long or fails, BrowserCrashedError where the browser
        died over it twice, BrowserLostError where there is no browser any more.
        """
        async with self._turn:
            for _ in range(_TRIES):
                if self._crashes >= MAX_CRASHES:
                    raise BrowserLostError("there is no browser any more")
                with suppress(BrowserCrashedError):
                    shown = await self._try(source)
                    self._crashes = 0
                    return shown
        raise BrowserCrashedError("the browser died")

    async def _try(self, source: PageSource) -> bytes:
        from playwright.async_api import Error

        try:
            program = await self._chromium.running()
        except SettingsError:
            self._crashes += 1
            raise BrowserCrashedError from None
        try:
            async with asyncio.timeout(SECONDS):
                return await self._show(program, source)
        except RenderingError:
            self._crashes = 0  # the page failed, not the browser
            raise
        except (Exception, asyncio.CancelledError) as error:  # a driver that died raises anything
            if not await self._chromium.is_alive(program):
                # One crash counts once, however many pages were under way.
                self._crashes += await self._chromium.drop(program)
                raise BrowserCrashedError from None
            if isinstance(error, TimeoutError):
                raise RenderingError(_TOO_LONG) from error
            if isinstance(error, Error):
                raise RenderingError("the browser failed") from error
            raise

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
