"""Pages that are empty without a browser, and a browser that needs no program."""

from __future__ import annotations

from collections.abc import Mapping

from crawler.scripted_downloads import HTML, NOW, url
from scenthound.fetch.browser import Browser, PageSource, RenderingError
from scenthound.fetch.client import FetchRequest, FetchResponse, read_response_page
from scenthound.storage.pages import Headers

MOST = 10**6
LONG = "a storm surge rises higher than the sea wall " * 5
SHELL = b"<title>App</title><div id=app>Loading ...</div><script src=/app.js></script>"
SHOWN = f"<title>App</title><h1>{LONG}</h1><a href=/two>two</a>".encode()


def answer(
    name: str = "a/1", body: bytes = SHELL, headers: Headers = HTML, status: int = 200
) -> FetchResponse:
    return FetchResponse(FetchRequest(url(name)), NOW, status, headers, body)


def read(name: str = "a/1", body: bytes = SHELL, headers: Headers = HTML) -> FetchResponse:
    return read_response_page(answer(name, body, headers), MOST)


class FakeBrowser(Browser):
    """Shows what it is given for a URL, or fails so; None where it takes too long."""

    def __init__(self, shown: Mapping[str, bytes | Exception | None]) -> None:
        self._shown = shown
        self.sources: list[PageSource] = []
        self.started = 0

    async def start(self) -> None:
        self.started += 1

    async def stop(self) -> None:
        self.started -= 1

    async def show(self, source: PageSource) -> bytes:
        self.sources.append(source)
        shown = self._shown[source.url]
        if shown is None:
            raise RenderingError("the browser took too long")
        if isinstance(shown, Exception):
            raise shown
        return shown
