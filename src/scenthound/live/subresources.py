"""What the scripts of a page ask for, fetched by the crawler itself.

The browser has no network: each of its requests ends here, and is made like any request of the
crawl, with its name, its limits, its check of addresses and its passwords. So nothing that a
page does reaches what the crawl itself could not.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

from scrapy.http import Response

from scenthound.archive.http_body import decode
from scenthound.core.addresses import refusal
from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical, host_of
from scenthound.engines.redirects import REDIRECTS

KINDS = frozenset({"script", "xhr", "fetch"})
"""What is fetched, in the browser's words. The rest shows a page more prettily, or tracks."""
MOST_HOPS = 5
CACHE_BYTES = 64 * 1024 * 1024
_NOT_PASSED_ON = frozenset(
    {"user-agent", "accept-encoding", "host", "connection", "cookie", "content-length", "range"}
)
_LEFT_OUT = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "set-cookie", "set-cookie2"}
)

Download = Callable[[str, Mapping[str, str], bool], Awaitable[Response]]
"""Makes a request to a URL, with these headers besides the crawl's own; signed, or not."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request of the browser for a ``page``; ``kind`` is its resource type."""

    page: str
    url: str
    kind: str
    method: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the browser is given for it, unpacked."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Subresources:
    """Fetches for all pages; scripts are kept, since the pages of a site share them.

    Parameters
    ----------
    download : makes the requests.
    allow_private : may private addresses be asked?
    max_body : bytes of an unpacked body.
    """

    def __init__(self, download: Download, allow_private: bool, max_body: int) -> None:
        self._download = download
        self._allow_private = allow_private
        self._max_body = max_body
        self._scripts: OrderedDict[str, Fetched] = OrderedDict()
        self._size = 0

    async def fetch(self, wanted: Wanted) -> Fetched | None:
        """The answer, redirects followed; None for what is not asked for, or does not come."""
        if wanted.method != "GET" or wanted.kind not in KINDS:
            return None
        if wanted.kind != "script":
            return await self._fetch(wanted)
        kept = self._scripts.get(wanted.url)
        if kept is None:
            kept = await self._fetch(wanted)
            self._keep(wanted.url, kept)
        return kept

    async def _fetch(self, wanted: Wanted) -> Fetched | None:
        headers = {k: v for k, v in wanted.headers.items() if passed_on(k)}
        home = host_of(wanted.page)
        url, hops = self._allowed(wanted.url, home), 0
        while url is not None and hops <= MOST_HOPS:
            try:
                response = await self._download(url, headers, host_of(url) == home)
            except Exception:  # noqa: BLE001 - to the browser every failure is the same
                return None
            location = _location(response)
            if location is None:
                return fetched(response, self._max_body)
            target = self._allowed(location, home)
            if target is not None and host_of(target) != host_of(url):
                if wanted.kind != "script":  # the browser could not see that it is read elsewhere
                    return None
                headers.pop("authorization", None)
            url, hops = target, hops + 1
        return None

    def _allowed(self, url: str, home: str) -> str | None:
        """The URL in canonical form, if it may be asked for; its address is checked later.

        Private addresses may be asked for by pages that lie there themselves, if at all.
        """
        try:
            address = canonical(url)
        except MalformedUrlError:
            return None
        host = host_of(address)
        private = refusal(host) is not None
        return None if private and not (self._allow_private and host == home) else address

    def _keep(self, url: str, script: Fetched | None) -> None:
        if script is None or script.status != 200 or url in self._scripts:
            return
        self._scripts[url] = script
        self._size += len(script.body)
        while self._size > CACHE_BYTES:
            self._size -= len(self._scripts.popitem(last=False)[1].body)


def passed_on(name: str) -> bool:
    """Is a header that the browser would send passed on? What says who we are is ours."""
    name = name.lower()
    return name not in _NOT_PASSED_ON and not name.startswith(("sec-", "proxy-", ":"))


def fetched(response: Response, max_body: int) -> Fetched:
    """A response for the browser: unpacked, without what belongs to the connection."""
    by_name = {
        name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
        for name, values in response.headers.items()
    }
    encoding = {"content-encoding": by_name.get("content-encoding", "")}
    body = decode(iter((response.body,)), encoding, max_body)[0]
    headers = {name: value for name, value in by_name.items() if name not in _LEFT_OUT}
    return Fetched(response.status, headers, body)


def _location(response: Response) -> str | None:
    """Where a response leads; None for one that is no redirect."""
    location = response.headers.get("Location")
    if response.status not in REDIRECTS or not location:
        return None
    return urljoin(response.url, location.decode("latin-1"))
