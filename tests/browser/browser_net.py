"""A real browser on a net that is a few lines of Python."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import Any, TypeVar

from scenthound.fetch.browser import Browser, PageSource
from scenthound.fetch.subresources import Subresource, SubresourceRequest

Value = TypeVar("Value")
Show = Callable[..., str]
LIMIT = 100_000


class Net:
    """What the browser asks for; everything is there, as the same answer."""

    def __init__(self, body: bytes = b"here", **headers: str) -> None:
        self.wanted: list[SubresourceRequest] = []
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._answer = Subresource(200, {"content-type": "text/plain", **named}, body)

    async def fetch(self, wanted: SubresourceRequest) -> Subresource | None:
        self.wanted.append(wanted)
        return self._answer

    @property
    def urls(self) -> list[str]:
        return [wanted.url for wanted in self.wanted]


def browse(net: Net, act: Callable[[Browser], Awaitable[Value]]) -> Value:
    async def run() -> Value:
        browser = Browser(net.fetch, "scenthound/1", LIMIT)
        await browser.start()
        try:
            return await act(browser)
        finally:
            await browser.stop()

    # In a thread of its own: Playwright's other interface keeps a loop in the thread of the tests.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()


class SharedBrowser:
    """One browser for pages that know nothing of each other; started once, in a thread."""

    def __init__(self) -> None:
        self.net = Net()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()
        self._browser = Browser(self._fetch, "scenthound/1", LIMIT)
        self._run(self._browser.start())

    async def _fetch(self, wanted: SubresourceRequest) -> Subresource | None:
        return await self.net.fetch(wanted)

    def _run(self, work: Coroutine[Any, Any, Value]) -> Value:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def show(self, html: str, net: Net | None = None) -> str:
        self.net = net or Net()
        source = PageSource("http://a.test/page", "text/html; charset=utf-8", html.encode())
        return self._run(self._browser.show(source)).decode()

    def close(self) -> None:
        self._run(self._browser.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
