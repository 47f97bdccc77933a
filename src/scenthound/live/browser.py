"""A browser that shows pages: Chromium, driven by Playwright, without a network of its own.

A page is shown from the bytes that the crawl has fetched; what its scripts ask for is fetched by
the crawl too (see ``subresources``). Each page has a profile of its own that is thrown away.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from scenthound.core.errors import SettingsError
from scenthound.live.chromium import Chromium
from scenthound.live.network import SHOWN_AT_ONCE
from scenthound.live.showing import Fetch, Showing, Source

SECONDS = 20.0
"""For one page, all in all."""
MOST_DEATHS = 5
"""Deaths in a row, without a page that it survived, until the browser is given up."""
_TRIES = 2
"""For a page under way when the browser dies: another page may have killed it, or somebody."""
_CLOSE_SECONDS = 5.0
_TOO_LONG = "the browser took too long"


class RenderingError(Exception):
    """A page could not be shown; the message says why in a few words."""


class BrowserDiedError(RenderingError):
    """It is not the page that is to blame."""


class BrowserLostError(BrowserDiedError):
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
        self._turn = asyncio.Semaphore(SHOWN_AT_ONCE)
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

    async def show(self, source: Source) -> bytes:
        """The HTML of a page once its scripts have run, in UTF-8.

        Raises
        ------
        RenderingError
            Nothing comes of it in time.
        BrowserDiedError
            The browser died over it more than once.
        BrowserLostError
            The browser has died and cannot be brought back.
        """
        async with self._turn:
            for _ in range(_TRIES):
                with suppress(BrowserDiedError):
                    return await self._try(source)
                if self._lost:
                    raise BrowserLostError("there is no browser any more")
        raise BrowserDiedError("the browser died")

    async def _try(self, source: Source) -> bytes:
        program = await self._running()
        try:
            async with asyncio.timeout(SECONDS):
                shown = await self._show(program, source)
        except RenderingError:
            raise
        except (Exception, asyncio.CancelledError) as error:  # a driver that died raises anything
            if not await self._chromium.is_alive(program):
                await self._count_death(program)
                raise BrowserDiedError from None
            self._deaths = 0
            raise _meaning(error) from error
        self._deaths = 0
        return shown

    async def _running(self) -> Any:
        """The program; one that does not start any more is not tried for ever."""
        if not self._lost:
            try:
                return await self._chromium.running()
            except SettingsError:
                self._lost = True
        raise BrowserDiedError

    async def _count_death(self, program: Any) -> None:
        """One death is counted once, however many pages were under way; ours are no deaths."""
        if await self._chromium.drop(program):
            self._deaths += 1
            self._lost = self._lost or self._deaths >= MOST_DEATHS

    async def _show(self, program: Any, source: Source) -> bytes:
        context = await program.new_context(
            user_agent=self._user_agent, service_workers="block", accept_downloads=False
        )
        try:
            shown = await Showing(source, self._fetch, self._max_body).run(context)
        except (Exception, asyncio.CancelledError):
            if await self._throw_away(program, context):
                raise
            raise RenderingError(_TOO_LONG) from None
        await self._throw_away(program, context)
        return shown

    async def _throw_away(self, program: Any, context: Any) -> bool:
        """Close a profile; a page that does not let go takes the whole browser with it.

        Says whether the page has let go.
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


def _meaning(error: BaseException) -> BaseException:
    """What a failure means for the page; one that nobody has foreseen means itself."""
    from playwright.async_api import Error

    if isinstance(error, TimeoutError):
        return RenderingError(_TOO_LONG)
    return RenderingError("the browser failed") if isinstance(error, Error) else error
