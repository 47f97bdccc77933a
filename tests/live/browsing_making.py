"""Pages that are empty without a browser, and a browser that needs no program."""

from __future__ import annotations

from collections.abc import Mapping

from live.part_building import HTML, NOW, url
from scenthound.live.browser import RenderingError
from scenthound.live.messages import Answer, Ask, Headers
from scenthound.live.pages import read_answer
from scenthound.live.showing import Source

MOST = 10**6
LONG = "a storm surge rises higher than the sea wall " * 5
SHELL = b"<title>App</title><div id=app>Loading ...</div><script src=/app.js></script>"
SHOWN = f"<title>App</title><h1>{LONG}</h1><a href=/two>two</a>".encode()


def answer(
    name: str = "a/1", body: bytes = SHELL, headers: Headers = HTML, status: int = 200
) -> Answer:
    return Answer(Ask(url(name)), NOW, status, headers, body)


def read(name: str = "a/1", body: bytes = SHELL, headers: Headers = HTML) -> Answer:
    return read_answer(answer(name, body, headers), MOST)


class FakeBrowser:
    """Shows what it is told to for a URL, or fails so; None where it takes too long."""

    def __init__(self, shown: Mapping[str, bytes | Exception | None]) -> None:
        self._shown = shown
        self.sources: list[Source] = []
        self.started = 0

    async def start(self) -> None:
        self.started += 1

    async def stop(self) -> None:
        self.started -= 1

    async def show(self, source: Source) -> bytes:
        self.sources.append(source)
        shown = self._shown[source.url]
        if shown is None:
            raise RenderingError("the browser took too long")
        if isinstance(shown, Exception):
            raise shown
        return shown
