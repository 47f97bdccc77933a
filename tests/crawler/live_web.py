"""A scripted web, on loopback or in memory: many hosts, any behaviour at any address."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import pytest

from crawler.linked_web import Place, linked_web
from crawler.live_replies import Served, no, ok, page
from crawler.live_running import Kept
from scenthound.core.urls import canonical
from scenthound.crawler import session
from scenthound.fetch import fetcher
from scenthound.fetch.client import (
    DownloaderClient,
    FetchRequest,
    FetchResponse,
    Purpose,
    read_response_page,
    unwanted_type,
)
from scenthound.fetch.network import Network
from scenthound.sample.server import Reply, Request, WebServer

__all__ = ["LiveWeb", "MemoryWeb", "Place", "linked_web", "ok", "page"]

Host = int | str
Made = Callable[[str], Reply]
"""What is at a path (with its query)."""


class LiveWeb:
    """Hosts 1 to ``hosts`` are the addresses 127.0.0.1, 127.0.0.2, ... on one port.

    A host may also be a name: then the crawler has to come through ``proxy``. Addresses without
    a reply are a 404. Replies may be added while a crawl runs.

    Parameters
    ----------
    hosts : how many addresses to listen at.
    port : 0 for one that is free.
    """

    def __init__(self, hosts: int = 50, port: int = 0) -> None:
        addresses = [f"127.0.0.{number}" for number in range(1, hosts + 1)]
        self._server = WebServer(self._answer, addresses=addresses, port=port, keep_log=True)
        self._served: dict[Place, Served] = {}
        self._made: dict[Place, Made] = {}

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.__exit__(kind, error, trace)

    @property
    def port(self) -> int:
        return self._server.port

    @property
    def proxy(self) -> str:
        return self._server.proxy

    @property
    def log(self) -> list[Request]:
        """All requests so far, in the order they came."""
        return self._server.log

    def url(self, host: Host, path: str = "/") -> str:
        """Canonical address of a path; names have no port, since the proxy has it."""
        name = _name(host)
        numeric = name.replace(".", "").isdigit()
        return canonical(f"http://{name}:{self.port}{path}" if numeric else f"http://{name}{path}")

    def add(self, host: Host, path: str, served: Served | str) -> str:
        """Put a reply (or the HTML of a page) there; returns its URL."""
        url = self.url(host, path)
        self._served[place_of(url)] = ok(served) if isinstance(served, str) else served
        return url

    def add_below(self, host: Host, prefix: str, made: Made) -> None:
        """Every path that begins with ``prefix`` is made when it is asked for."""
        self._made[_name(host), prefix] = made

    def add_linked(self, pages: int = 1_000, hosts: int = 20, seed: int = 0) -> list[str]:
        """A :func:`linked_web` on hosts 1 to ``hosts``; its URLs, the seed first."""
        names = [_name(number) for number in range(1, hosts + 1)]
        web = linked_web(self.url, names, pages, seed)
        return [self.add(host, path, html) for (host, path), html in web.items()]

    def urls_of(self, hosts: Sequence[Host]) -> list[str]:
        """The addresses on these hosts that have a reply."""
        names = set(map(_name, hosts))
        return [self.url(*place) for place in self._served if place[0] in names]

    def requested(self) -> list[str]:
        """The URLs asked for, in order, robots.txt too."""
        return [request.url for request in self.log]

    def requested_pages(self) -> list[str]:
        """The URLs asked for, in order, but for robots.txt."""
        return [url for url in self.requested() if not url.endswith("/robots.txt")]

    def requested_of(self, host: Host) -> list[str]:
        """The paths that the host was asked for, in order."""
        places = map(place_of, self.requested())
        return [path for name, path in places if name == _name(host)]

    def arrivals(self, host: Host) -> list[float]:
        """When the host was asked for something."""
        name = _name(host)
        return [request.time for request in self.log if place_of(request.url)[0] == name]

    def gaps(self, host: Host) -> list[float]:
        """Seconds between two requests to the host that follow each other."""
        return [later - sooner for sooner, later in pairwise(self.arrivals(host))]

    def _answer(self, url: str) -> Reply | None:
        host, path = place_of(url)
        served = self._served.get((host, path))
        if served is not None:
            return served if isinstance(served, Reply) else served()
        for (name, prefix), made in self._made.items():
            if name == host and path.startswith(prefix):
                return made(path)
        return None


@dataclass(frozen=True)
class Scene:
    """A web, and what a crawl of it left: several tests look at the same one."""

    web: LiveWeb
    kept: Kept


class MemoryWeb(LiveWeb):
    """The same without a network: crawls in this process fetch from memory while it is open.

    To start a downloader takes longer than most crawls here. Only replies of bytes can be served.
    """

    def __init__(self) -> None:
        super().__init__()
        self._patch = pytest.MonkeyPatch()
        self._log: list[Request] = []

    def __enter__(self) -> Self:
        for module in (session, fetcher):
            self._patch.setattr(
                module, "DownloaderClient", lambda network: _MemoryDownloads(network, self)
            )
        return self

    def __exit__(self, *error: object) -> None:
        self._patch.undo()

    @property
    def port(self) -> int:
        return 80

    @property
    def log(self) -> list[Request]:
        return self._log

    def fetch(self, request: FetchRequest, headers: Mapping[str, str]) -> FetchResponse:
        """The response to a request."""
        now = time.time()
        self._log.append(Request(now, request.url, "GET", headers))
        raw = b"".join(map(bytes, (self._answer(request.url) or no(404)).steps))  # type: ignore[arg-type]
        head, _, body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        pairs = tuple((name, value.strip()) for name, _, value in (x.partition(":") for x in lines))
        length = int(dict(pairs).get("Content-Length", len(body)))
        cut: Any = "disconnect" if length > len(body) else None
        return FetchResponse(request, now, int(first.split()[1]), pairs, body, cut=cut)


class _MemoryDownloads(DownloaderClient):
    """Answers at once from a web in memory."""

    def __init__(self, network: Network, web: MemoryWeb) -> None:
        super().__init__(network)
        self._headers = {name.lower(): value for name, value in network.request_headers.items()}
        self._headers["user-agent"] = network.user_agent
        self._web = web

    def __enter__(self) -> _MemoryDownloads:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing was started."""

    def hangs(self) -> bool:
        return False

    def fetch(self, requests: Sequence[FetchRequest]) -> None:
        for request in requests:
            response = self._web.fetch(request, self._headers)
            kind = response.header("content-type")
            is_page = request.purpose is Purpose.PAGE and 200 <= response.status < 300
            if is_page and unwanted_type(kind, request.url, self._network.pdf) is None:
                response = read_response_page(response, self._network.max_body, self._network.pdf)
            self.inbox.put(response)


def place_of(url: str) -> Place:
    """Host and path (with its query) of a canonical URL."""
    parts = urlsplit(url)
    return parts.hostname or "", parts.path + (f"?{parts.query}" if parts.query else "")


def _name(host: Host) -> str:
    return f"127.0.0.{host}" if isinstance(host, int) else host
