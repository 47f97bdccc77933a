"""Asks the application as a browser would, without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message

from scenthound.output.dashboard.app import build_app
from scenthound.output.dashboard.crawl_list import CrawlList
from scenthound.output.dashboard.security import Access, make_access
from scenthound.output.dashboard.values import crawl_id

HOST = "127.0.0.1:8200"
TOKEN = "a-token-that-nobody-guesses"


@dataclass
class Reply:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def at(folder: Path, rest: str = "") -> str:
    """The address of a crawl."""
    return f"/api/crawls/{crawl_id(folder)}{rest}"


class Time:
    """Goes on by hand."""

    def __init__(self, now: float = 100.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def open_app(*folders: Path, clock: Time | None = None) -> ASGIApp:
    """A dashboard on loopback, open to read."""
    let_in = make_access("127.0.0.1", 8200, None)
    return made_app(let_in, folders, clock or Time())


def closed_app(*folders: Path) -> ASGIApp:
    """A dashboard that other machines reach."""
    return made_app(make_access("192.0.2.7", 8200, TOKEN), folders, Time())


def made_app(let_in: Access, folders: Sequence[Path], clock: Time) -> ASGIApp:
    return build_app(CrawlList(folders, clock, clock), let_in)


def ask(
    app: ASGIApp,
    path: str,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    *,
    twice: Sequence[tuple[str, str]] = (),
    until: Callable[[bytes], bool] | None = None,
) -> Reply:
    """The answer; of one that does not end, all that came before ``until`` was true."""
    sent = [*{"host": HOST, **(headers or {})}.items(), *twice]
    return asyncio.run(_asked(app, path, method, sent, until))


async def _asked(
    app: ASGIApp,
    path: str,
    method: str,
    sent: Sequence[tuple[str, str]],
    until: Callable[[bytes], bool] | None,
) -> Reply:
    address, _, query = path.partition("?")
    reply, enough = Reply(), asyncio.Event()
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
        "method": method, "scheme": "http", "path": address, "raw_path": address.encode(),
        "query_string": query.encode(), "root_path": "", "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8200),
        "headers": [(name.encode(), value.encode()) for name, value in sent],
    }  # fmt: skip
    first = True

    async def receive() -> Message:
        nonlocal first
        if first:
            first = False
            return {"type": "http.request", "body": b"", "more_body": False}
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            reply.status = message["status"]
            reply.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            return
        reply.body += message.get("body", b"")
        if until is not None and until(reply.body):
            enough.set()

    async with asyncio.timeout(20):
        await app(scope, receive, send)
    return reply


def get(folder: Path, path: str, status: int = 200) -> Any:
    """What an open dashboard of this folder answers."""
    answer = ask(open_app(folder), path)
    assert answer.status == status, answer.body
    return answer.json


def crawls(*folders: Path, clock: Time | None = None) -> list[Any]:
    """The overviews of all crawls."""
    found: list[Any] = ask(open_app(*folders, clock=clock), "/api/crawls").json["crawls"]
    return found
