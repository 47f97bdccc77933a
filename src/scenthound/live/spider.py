"""Our Scrapy spider: it passes answers on and decides nothing."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Literal

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Headers, Response
from scrapy.http.request import NO_CALLBACK
from twisted.python.failure import Failure

from scenthound.core.addresses import PRIVATE
from scenthound.live.answers import wanted_type
from scenthound.live.failures import explain
from scenthound.live.logins import RENEWED, SECRET, Logins
from scenthound.live.messages import Answer, Ask, Message, NoAnswer, Purpose
from scenthound.live.messages import Headers as Pairs
from scenthound.live.network import Network
from scenthound.live.reasons import NO_HOST

_CUT: dict[str, Literal["length", "disconnect"]] = {
    "dataloss": "disconnect",
    "download_stopped": "length",
}


class LeaseSpider(Spider):
    """Turns asks into requests, and responses into answers.

    Parameters
    ----------
    network : how requests are made.
    hand_over : gets every answer, in the thread of the reactor.
    is_private : was the host of this URL not found because its address is private?
    logins : what some hosts are sent besides; None for nothing.
    """

    name = "scenthound"

    def __init__(
        self,
        network: Network,
        hand_over: Callable[[Message], None],
        is_private: Callable[[str], bool],
        logins: Logins | None = None,
    ) -> None:
        super().__init__()
        self._network = network
        self._is_private = is_private
        self._hand_over = hand_over
        self._headers = network.request_headers
        self._logins = logins

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> LeaseSpider:
        """As Scrapy makes it; unwanted bodies are then stopped at their headers."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.headers_received, signals.headers_received)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """There is nothing to begin with: URLs come by lease."""
        nothing: tuple[Any, ...] = ()
        for each in nothing:
            yield each

    def request(self, ask: Ask) -> Request:
        """The request for an ask."""
        request = Request(
            ask.url,
            callback=self.answered,
            errback=self.unanswered,
            headers=self._headers,
            meta=self._meta(),
            cb_kwargs={"ask": ask},
            dont_filter=True,
        )
        if self._logins is not None:
            self._logins.sign(request)
        return request

    def subrequest(self, url: str, headers: Mapping[str, str], signed: bool) -> Request:
        """A request on behalf of a page's script: with its headers, and with ours over them."""
        ours = {name.lower(): value for name, value in self._headers.items()}
        accept = headers.get("accept", "*/*")  # ours asks for pages
        merged = {**headers, **ours, "accept": accept}
        request = Request(
            url, callback=NO_CALLBACK, headers=merged, meta=self._meta(), dont_filter=True
        )
        if signed and self._logins is not None:
            self._logins.sign(request)
        return request

    def _meta(self) -> dict[str, object]:
        return {} if self._network.proxy is None else {"proxy": self._network.proxy}

    def headers_received(self, headers: Headers, body_length: int, request: Request) -> None:
        """Stop a body that nobody will read before it comes."""
        ask: Ask | None = request.cb_kwargs.get("ask")
        if ask is None or ask.purpose is not Purpose.PAGE:
            return
        kind = (headers.get(b"Content-Type") or b"").decode("latin-1")
        if wanted_type(kind, ask.url, self._network.pdf) is not None:
            raise StopDownload(fail=False)

    def answered(self, response: Response, ask: Ask) -> Iterator[Any]:
        """A response is here: hand it over."""
        request = response.request
        assert request is not None
        proxied = bool(request.meta.get("proxy"))
        ip = None if proxied or response.ip_address is None else str(response.ip_address)
        cut = next((_CUT[flag] for flag in response.flags if flag in _CUT), None)
        self._hand_over(
            Answer(
                ask=ask,
                ended=time.time(),
                status=response.status,
                headers=self._received(response, request),
                body=response.body,
                request_headers=_sent(request),
                protocol=response.protocol or "HTTP/1.1",
                ip=ip,
                cut=cut,
            )
        )
        return iter(())

    def _received(self, response: Response, request: Request) -> Pairs:
        """The headers of the response, without what would let its reader in."""
        pairs = _pairs(response.headers)
        if self._logins is None or not self._logins.know(request.url):
            return pairs
        self._logins.learn(response, request)
        return tuple(pair for pair in pairs if pair[0].lower() not in RENEWED)

    def unanswered(self, failure: Failure) -> None:
        """There is no response: hand over why."""
        request: Request = failure.request  # type: ignore[attr-defined]
        assert failure.value is not None
        reason, again = explain(failure.value)
        if reason == NO_HOST and self._is_private(request.url):
            reason, again = PRIVATE, False
        self._hand_over(NoAnswer(request.cb_kwargs["ask"], time.time(), reason, again))


def _pairs(headers: Headers) -> Pairs:
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in headers.items()
        for value in values
    )


def _sent(request: Request) -> Pairs:
    """The headers of the request, without what is for the proxy or for the server alone."""
    return tuple(pair for pair in _pairs(request.headers) if not _is_secret(pair[0].lower()))


def _is_secret(name: str) -> bool:
    return name in SECRET or name.startswith("proxy-")
