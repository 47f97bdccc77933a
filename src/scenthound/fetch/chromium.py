"""The Chromium process and the Playwright driver: how they are started, and restarted after a
crash. Playwright is an extra: it is imported only when a browser is wanted.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from typing import Any

from scenthound.core.errors import SettingsError

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
