"""A browser that shows pages: Chromium, driven by Playwright, without a network of its own.

A page is shown from the bytes that the crawl has fetched; what its scripts ask for is fetched by
the crawl too (see ``subresources``). Each page has a profile of its own that is thrown away.
Playwright is an extra: it is imported here alone, and only when a browser is wanted.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from scenthound.core.errors import SettingsError
from scenthound.live.showing import Fetch, Showing, Source

VARIABLE = "SCENTHOUND_BROWSER"
"""Names the program of the browser, where it is not found by itself."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 20.0
"""For one page, all in all."""
AT_ONCE = 2
"""Pages shown at the same time."""
ROOT = "the browser runs without its sandbox, as it must for root; use another account if you can"
_CLOSE_SECONDS = 5.0
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",  # should a request ever get past us, it goes nowhere
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--js-flags=--max-old-space-size=512",
)


class RenderingError(Exception):
    """A page could not be shown; the message says why in a few words."""


class Browser:
    """Shows pages, a few at a time. Everything happens in the event loop it is made in.

    Parameters
    ----------
    fetch : answers the requests of scripts.
    user_agent : the name that scripts see.
    max_body : characters of a shown page; the rest is cut off.
    """

    def __init__(self, fetch: Fetch, user_agent: str, max_body: int) -> None:
        self._fetch = fetch
        self._user_agent = user_agent
        self._max_body = max_body
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._starting = asyncio.Lock()
        self._driver: Any = None
        self._chromium: Any = None

    async def start(self) -> None:
        """Start it. One that dies later is started again when the next page comes.

        SettingsError, in one sentence, where there is none or it does not start.
        """
        try:
            from playwright.async_api import Error, async_playwright
        except ImportError:
            raise SettingsError(
                "--javascript needs Playwright; install it with: pip install 'scenthound[js]'."
            ) from None
        try:
            if self._driver is None:
                self._driver = await async_playwright().start()
            self._chromium = await self._driver.chromium.launch(**launch_options(os.environ))
        except (Error, OSError) as error:
            raise SettingsError(no_browser(str(error))) from None

    async def show(self, source: Source) -> bytes:
        """The HTML of a page once its scripts have run, in UTF-8.

        RenderingError where nothing comes of it in time.
        """
        from playwright.async_api import Error

        try:
            async with self._turn, asyncio.timeout(SECONDS):
                return await self._show(source)
        except TimeoutError:
            raise RenderingError("the browser took too long") from None
        except (Error, SettingsError):
            raise RenderingError("the browser failed") from None

    async def stop(self) -> None:
        """End it, and its driver."""
        if self._driver is not None:
            await self._chromium.close()
            await self._driver.stop()

    async def _show(self, source: Source) -> bytes:
        async with self._starting:
            if not self._chromium.is_connected():
                await self.start()
        context = await self._chromium.new_context(
            user_agent=self._user_agent, service_workers="block", accept_downloads=False
        )
        try:
            return await Showing(source, self._fetch, self._max_body).run(context)
        finally:
            await self._throw_away(context)

    async def _throw_away(self, context: Any) -> None:
        """Close a profile; a page that does not let go takes the whole browser with it."""
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await context.close()
        except TimeoutError:
            with suppress(TimeoutError):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await self._chromium.close()


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
    found = named or next(filter(None, on_path), None)
    return {
        "executable_path": found,
        "args": list(_ARGUMENTS),
        "chromium_sandbox": not is_root(),
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


def is_root() -> bool:
    """Does this process belong to root? Chromium's sandbox does not work for root."""
    return os.geteuid() == 0


def no_browser(error: str) -> str:
    """What to do about a browser that did not start, in one sentence."""
    if "Executable doesn't exist" in error or "executable doesn't exist" in error:
        return (
            "--javascript needs a browser and none was found; install Chromium (apt install "
            f"chromium, or: playwright install chromium), or name one in {VARIABLE}."
        )
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    why = next((line for line in lines if "sandbox" in line.lower()), lines[0] if lines else "")
    return f"the browser for --javascript does not start ({why[:200]}); try to start it by hand."
