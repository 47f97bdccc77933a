"""What the scripts of a page ask for, fetched by the crawler itself.

The browser has no network: each of its requests ends here, and is made like any request of the
crawl, with its name, its limits, its check of addresses and its passwords. So nothing that a
page does reaches what the crawl itself could not.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from urllib.parse import urljoin

from scrapy.http import Response

from scenthound.archive.http_body import decode
from scenthound.core.addresses import refusal
from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical, host_of
from scenthound.engines.redirects import REDIRECTS
from scenthound.live.cross_origin import may_read
from scenthound.live.robots import origin_of
from scenthound.live.script_cache import ScriptCache
from scenthound.live.wanted import Fetched, Wanted

KINDS = frozenset({"script", "xhr", "fetch"})
"""What is fetched, in the browser's words. The rest shows a page more prettily, or tracks."""
MOST_HOPS = 5
_NOT_PASSED_ON = frozenset(
    {"user-agent", "accept-encoding", "host", "connection", "cookie", "content-length", "range"}
)
_LEFT_OUT = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "set-cookie", "set-cookie2"}
)

Download = Callable[[str, Mapping[str, str], bool], Awaitable[Response]]
"""Makes a request to a URL, with these headers besides the crawl's own; signed, or not."""


Rule = Callable[[str], bool]
"""Is something so of a canonical URL?"""


class Subresources:
    """Fetches for all pages; scripts are kept, since the pages of a site share them.

    Parameters
    ----------
    download : makes the requests.
    allow_private : may private addresses be asked?
    max_body : bytes of an unpacked body.
    denied : is this URL one that nobody may ask for?
    opens : does a signed request to this URL carry what opens doors?
    """

    def __init__(
        self,
        download: Download,
        allow_private: bool,
        max_body: int,
        denied: Rule = lambda _: False,
        opens: Rule = lambda _: False,
    ) -> None:
        self._download = download
        self._allow_private = allow_private
        self._max_body = max_body
        self._denied = denied
        self._opens = opens
        self._scripts = ScriptCache()

    async def fetch(self, wanted: Wanted) -> Fetched | None:
        """The answer, redirects followed; None for what is not asked for, or does not come."""
        if wanted.method != "GET" or wanted.kind not in KINDS:
            return None
        address = self._allowed(wanted.url, wanted)
        if address is None:
            return None
        if wanted.kind != "script" or self._is_secret(address, wanted):
            return await self._fetch(address, wanted)
        # By what the answer may depend on, and by the page's site: no other one is given it.
        key = (origin_of(wanted.page), wanted.headers.get("origin", ""), address)
        return await self._scripts.get(key, lambda: self._fetch(address, wanted))

    async def _fetch(self, address: str, wanted: Wanted) -> Fetched | None:
        headers = {k: v for k, v in wanted.headers.items() if passed_on(k)}
        url, secret = address, False
        for _ in range(MOST_HOPS + 1):
            secret = secret or self._is_secret(url, wanted)
            try:
                response = await self._download(url, headers, origin_of(url) == wanted.asker)
            except Exception:  # noqa: BLE001 - to the browser every failure is the same
                return None
            location = _location(response)
            if location is None:
                found = replace(fetched(response, self._max_body), secret=secret)
                return found if _is_for(wanted, (address, url), found) else None
            target = self._allowed(location, wanted)
            if target is None:
                return None
            if origin_of(target) != origin_of(url):
                if wanted.kind != "script":  # the browser could not see that it is read elsewhere
                    return None
                headers.pop("authorization", None)
            url = target
        return None

    def _allowed(self, url: str, wanted: Wanted) -> str | None:
        """The URL in canonical form, if it may be asked for; its address is checked later.

        Private addresses may be asked for by pages that lie there themselves, if at all.
        """
        try:
            address = canonical(url)
        except MalformedUrlError:
            return None
        host = host_of(address)
        at_home = self._allow_private and host == host_of(wanted.page)
        if (refusal(host) is not None and not at_home) or self._denied(address):
            return None
        return address

    def _is_secret(self, url: str, wanted: Wanted) -> bool:
        return origin_of(url) == wanted.asker and self._opens(url)


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


def _is_for(wanted: Wanted, way: Iterable[str], found: Fetched) -> bool:
    """May the page have an answer: is all the way to it its own, or does the server say so?"""
    at_home = all(origin_of(url) == wanted.asker for url in way)
    return at_home or not wanted.is_read or may_read(wanted.asker, found.headers)
