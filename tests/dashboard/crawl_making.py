"""Crawl folders made by hand: journals of any length; the application, asked without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message

from scenthound.core.model import Topic
from scenthound.crawler.options import CrawlOptions
from scenthound.output.dashboard.app import build_app
from scenthound.output.dashboard.crawl_list import CrawlList
from scenthound.output.dashboard.security import Access, make_access
from scenthound.output.dashboard.values import crawl_id
from scenthound.storage.folder import CrawlFolder, CrawlSpec

STORMS = Topic("storms", ("storm",), seeds=("http://a.test/",))
EMPTY: Mapping[str, object] = {}


def made_crawl(
    path: Path,
    pages: int = 0,
    *,
    kind: str = "replay",
    stopped: str = "",
    strategy: str = "vsm",
    begun: bool = True,
) -> Path:
    """A crawl folder with so many pages; without ``stopped`` nothing says how it ended."""
    settings = CrawlOptions().to_json() if kind == "crawl" else {}
    crawl_spec = CrawlSpec(
        kind, STORMS, strategy, {"xi": 2}, 1000, 0, {"archive": "a.warc"}, settings
    )
    folder = CrawlFolder.create(path, crawl_spec)
    with folder.journal_path.open("w", encoding="utf-8") as journal:
        if begun:
            journal.write(line(started()))
        for event in events(1, pages):
            journal.write(line(event))
        if stopped:
            journal.write(line(stop(stopped, pages)))
    return path


def append(folder: Path, *added: Mapping[str, object]) -> None:
    with CrawlFolder(folder).journal_path.open("a", encoding="utf-8") as journal:
        journal.writelines(map(line, added))


def line(event: Mapping[str, object]) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n"


def events(first: int, last: int) -> Iterator[dict[str, object]]:
    """Pages, and now and then something else between them."""
    for n in range(first, last + 1):
        yield page(n)
        if n % 3 == 0:
            url = f"http://gone.test/{'x' * (n % 200)}"
            yield {"event": "refused", "at": 1.0 * n, "url": url, "reason": "robots.txt"}
        if n % 50 == 0:
            for attempt in range(40):
                url = f"http://slow.test/{attempt}"
                yield {"event": "failed", "at": 1.0 * n, "url": url, "reason": "timeout",
                       "attempts": attempt, "retry_at": None}  # fmt: skip


def page(n: int, **fields: object) -> dict[str, object]:
    """Every third page is relevant; the way to a page leads over half its number."""
    event: dict[str, object] = {
        "event": "page", "n": n, "at": float(n), "url": f"http://h{n % 7}.test/p{n}",
        "status": 200, "title": f"Page {n} of storms", "depth": n.bit_length() - 1,
        "priority": None if n == 1 else 0.5, "parts": {"anchor": [0.4, 0.5]},
        "linked_from": 0 if n == 1 else 1,
        "inlinks": [] if n == 1 else [[n // 2, 0.5, f"link to {n}"]],
        "similarity": 0.25, "relevant": n % 3 == 0, "links": {"found": 2, "new": 1},
        "summary": summary(n),
        **fields,
    }  # fmt: skip
    return {name: value for name, value in event.items() if value not in ([], {})}


def summary(n: int) -> dict[str, object]:
    return {"fetched": n, "relevant": n // 3, "failed": 0, "similarity": 0.25 * n, "waiting": 2 * n}


def started() -> dict[str, object]:
    return {"event": "started", "at": 0.5, "topic": "storms", "strategy": "vsm", "budget": 1000,
            "seeds": ["http://a.test/"], "threshold": 0.2}  # fmt: skip


def stop(reason: str, n: int) -> dict[str, object]:
    return {"event": "stopped", "at": n + 1.0, "reason": reason, "summary": summary(n)}


# Folders of workers that share a crawl: pages at the times that are given.


Pages = Sequence[tuple[float, bool]]
"""When each page came, and whether it is relevant."""

FIRST: Pages = ((1.0, True), (3.0, False), (5.0, True))
SECOND: Pages = ((2.0, True), (4.0, False))
ID = "c0ffee"


def made_worker(
    path: Path,
    number: int,
    pages: Pages = (),
    *,
    id_: object = ID,
    stopped: str = "",
    links: Mapping[int, Sequence[object]] | None = None,
    mark: Mapping[str, object] | None = None,
) -> Path:
    """The folder of a worker; ``links`` are the sources of the best link to each page."""
    folder = made_crawl(path, kind="crawl")
    marked(folder, mark or {"crawl": "storms", "id": id_, "name": f"w{number}", "number": number})
    append(folder, *reported(pages, links or {}))
    if stopped:
        append(folder, {**stop(stopped, 0), "summary": _summary(pages, len(pages))})
    return folder


def marked(folder: Path, mark: object) -> None:
    """Says in ``crawl.json`` whose folder it is."""
    path = folder / "crawl.json"
    crawl_spec = json.loads(path.read_text())
    crawl_spec["settings"]["worker"] = mark
    path.write_text(json.dumps(crawl_spec))


def reported(
    pages: Pages, links: Mapping[int, Sequence[object]], since: int = 0
) -> Iterator[dict[str, object]]:
    """The events of the pages, those left out that came before."""
    for n, (at, relevant) in enumerate(pages, 1):
        if n > since:
            inlinks = [[source, 0.5, f"to {n}"] for source in links.get(n, ())]
            summary = _summary(pages, n)
            yield page(n, at=at, relevant=relevant, summary=summary, inlinks=inlinks)


def _summary(pages: Pages, n: int) -> dict[str, object]:
    relevant = sum(relevant for _, relevant in pages[:n])
    waiting = 100 + int(pages[n - 1][0]) if n else 0
    return {
        "fetched": n, "relevant": relevant, "failed": 1, "similarity": 0.25 * n, "waiting": waiting,
    }  # fmt: skip


# Asks the application as a browser would, without a network.


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
) -> Reply:
    """The answer."""
    sent = [*{"host": HOST, **(headers or {})}.items(), *twice]
    return asyncio.run(_asked(app, path, method, sent))


async def _asked(app: ASGIApp, path: str, method: str, sent: Sequence[tuple[str, str]]) -> Reply:
    address, _, query = path.partition("?")
    reply = Reply()
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
        "method": method, "scheme": "http", "path": address, "raw_path": address.encode(),
        "query_string": query.encode(), "root_path": "", "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8200),
        "headers": [(name.encode(), value.encode()) for name, value in sent],
    }  # fmt: skip

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError("nothing here has a body")

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            reply.status = message["status"]
            reply.headers = {k.decode(): v.decode() for k, v in message["headers"]}
            return
        reply.body += message.get("body", b"")

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
