"""The program of the browser with the driver that steers it, started again when one has died.

Playwright is an extra: it is imported only when a browser is wanted.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

from scenthound.core.errors import SettingsError
from scenthound.live.launching import launch_options, no_browser

START_SECONDS = 15.0
PAUSES = (1.0, 5.0)
"""Seconds before a start that failed is tried again."""
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
        """The program, started where none runs; SettingsError where a few tries have failed."""
        async with self._starting:
            if self._program is None:
                await self._start_again()
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

    async def _start_again(self) -> None:
        for pause in PAUSES:
            with suppress(SettingsError):
                await self.start()
                return
            await asyncio.sleep(pause)
        await self.start()


async def _end(ending: Awaitable[None]) -> None:
    """Wait for an end, not for ever: what does not end now ends with this process."""
    with suppress(Exception):
        async with asyncio.timeout(_STOP_SECONDS):
            await ending
