"""What the scripts of a page request, fetched by the crawler itself under the rules of a
browser.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urljoin, urlsplit

from scrapy.http import Response

from scenthound.core.cache import LruCache
from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical, host_of, rejection_reason
from scenthound.fetch.robots import origin_of
from scenthound.storage.pages import REDIRECTS, decode_body


@dataclass(frozen=True, slots=True)
class SubresourceRequest:
    """A request of the browser for a ``page``; ``kind`` is its resource type."""

    page: str
    url: str
    kind: str
    method: str
    headers: Mapping[str, str]

    @property
    def origin(self) -> str:
        """The origin of the request: the page's, unless it comes from a frame of opaque origin."""
        return self.headers.get("origin") or origin_of(self.page)

    @property
    def is_read(self) -> bool:
        """Does the page get to see the answer? A plain script is run and not seen."""
        return self.kind != "script" or "origin" in self.headers


@dataclass(frozen=True, slots=True)
class Subresource:
    """What the browser is given for it, unpacked; ``secret`` where a login was sent for it."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    secret: bool = False


# The crawler enforces the same-origin rule of browsers itself: Playwright would let every page read
# everything. Where a response does not say who may read it, Playwright adds the requesting page.


ALLOW = "access-control-allow-origin"


def may_read(origin: str, headers: Mapping[str, str]) -> bool:
    """Does an answer with these headers let another origin read it? Names are in lower case.

    No password or cookie goes to another origin, so what is for everybody is for this one.
    """
    return headers.get(ALLOW, "").strip() in ("*", origin)


def closed(url: str, headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of a response from ``url``; without ALLOW it is for its own origin alone."""
    parts = urlsplit(url)
    return {ALLOW: f"{parts.scheme}://{parts.netloc}", **headers}


MAX_CACHE_BYTES = 64 * 1024 * 1024
_OVERHEAD = 1_000
"""Bytes counted for each script besides its body."""


# The browser has no network: each of its requests ends here, and is made like any request of the
# crawl, with its name, its limits, its check of addresses and its passwords. So nothing that a
# page does reaches what the crawl itself could not.


KINDS = frozenset({"script", "xhr", "fetch"})
"""What is fetched, in the browser's words. The rest shows a page more prettily, or tracks."""
MAX_HOPS = 5
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
    allow_private : may private addresses be requested?
    max_body : bytes of an unpacked body.
    denied : is this URL forbidden by the rules of the crawl?
    opens : does a signed request to this URL carry a password or a cookie?
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
        self._scripts: LruCache[tuple[str, ...], Subresource] = LruCache(
            MAX_CACHE_BYTES, lambda script: len(script.body) + _OVERHEAD
        )

    async def fetch(self, wanted: SubresourceRequest) -> Subresource | None:
        """The response, redirects followed; None for what is not requested, or does not come."""
        if wanted.method != "GET" or wanted.kind not in KINDS:
            return None
        address = self._allowed(wanted.url, wanted)
        if address is None:
            return None
        if wanted.kind != "script" or self._is_secret(address, wanted):
            return await self._fetch(address, wanted)
        # By what the answer may depend on, and by the page's site: no other one is given it.
        key = (origin_of(wanted.page), wanted.headers.get("origin", ""), address)
        script = self._scripts.get(key)
        if script is None:
            script = await self._fetch(address, wanted)
            if script is not None and script.status == 200 and not script.secret:
                self._scripts.put(key, script)
        return script

    async def _fetch(self, address: str, wanted: SubresourceRequest) -> Subresource | None:
        headers = {k: v for k, v in wanted.headers.items() if passed_on(k)}
        url, secret = address, False
        for _ in range(MAX_HOPS + 1):
            secret = secret or self._is_secret(url, wanted)
            try:
                response = await self._download(url, headers, origin_of(url) == wanted.origin)
            except Exception:  # noqa: BLE001 - to the browser every failure is the same
                return None
            location = response.headers.get("Location")
            if response.status not in REDIRECTS or not location:
                found = replace(subresource_of(response, self._max_body), secret=secret)
                # The page may read what lies on its own origin, and what the server says it may.
                at_home = {origin_of(address), origin_of(url)} == {wanted.origin}
                readable = at_home or not wanted.is_read or may_read(wanted.origin, found.headers)
                return found if readable else None
            target = self._allowed(urljoin(response.url, location.decode("latin-1")), wanted)
            if target is None:
                return None
            if origin_of(target) != origin_of(url):
                if wanted.kind != "script":  # the browser could not see that it is read elsewhere
                    return None
                headers.pop("authorization", None)
            url = target
        return None

    def _allowed(self, url: str, wanted: SubresourceRequest) -> str | None:
        """The URL in canonical form, if it may be requested; its address is checked later.

        Private addresses may be requested by pages that are there themselves, if at all.
        """
        try:
            address = canonical(url)
        except MalformedUrlError:
            return None
        host = host_of(address)
        at_home = self._allow_private and host == host_of(wanted.page)
        if (rejection_reason(host) is not None and not at_home) or self._denied(address):
            return None
        return address

    def _is_secret(self, url: str, wanted: SubresourceRequest) -> bool:
        return origin_of(url) == wanted.origin and self._opens(url)


def passed_on(name: str) -> bool:
    """Is a header that the browser would send passed on? What says who we are is ours."""
    name = name.lower()
    return name not in _NOT_PASSED_ON and not name.startswith(("sec-", "proxy-", ":"))


def subresource_of(response: Response, max_body: int) -> Subresource:
    """A response for the browser: unpacked, without what belongs to the connection."""
    by_name = {
        name.decode("latin-1").lower(): b", ".join(values).decode("latin-1")
        for name, values in response.headers.items()
    }
    encoding = {"content-encoding": by_name.get("content-encoding", "")}
    body = decode_body(iter((response.body,)), encoding, max_body)[0]
    headers = {name: value for name, value in by_name.items() if name not in _LEFT_OUT}
    return Subresource(response.status, headers, body)
