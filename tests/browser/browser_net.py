"""A real browser on a net that is a few lines of Python."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from scenthound.fetch.browser import Browser, PageSource
from scenthound.fetch.subresources import Subresource, SubresourceRequest

Value = TypeVar("Value")
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

    return asyncio.run(run())


def show(html: str, net: Net | None = None, content_type: str = "text/html; charset=utf-8") -> str:
    source = PageSource("http://a.test/page", content_type, html.encode())
    return browse(net or Net(), lambda browser: browser.show(source)).decode()
