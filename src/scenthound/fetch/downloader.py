"""The downloader: Scrapy in a process of its own.

``python -m scenthound.fetch.downloader`` reads frames from its standard input, the network
settings first, then requests; responses go to its standard output. It ends when its input does, so
it never outlives the crawl, however that ends. Apart from the crawl it shares neither the
interpreter's lock nor, between two crawls, a reactor that can be started only once.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any, Literal, cast
from urllib.parse import urlsplit

from scrapy import Request, Spider, exceptions, signals
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler, TunnelError
from scrapy.crawler import Crawler, CrawlerRunner
from scrapy.http import Headers, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.reactor import install_reactor
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.error import ConnectError
from twisted.internet.interfaces import IHostnameResolver, IHostResolution, IResolutionReceiver
from twisted.web._newclient import HEADER, STATUS, ConnectionAborted
from twisted.web.client import ResponseFailed
from zope.interface import implementer

from scenthound.core.errors import SettingsError
from scenthound.core.urls import PRIVATE, host_of, is_public, literal_address, rejection_reason
from scenthound.fetch.browser import ROOT, is_root
from scenthound.fetch.client import (
    CONNECTION_REFUSED,
    HEARTBEAT,
    HEARTBEAT_SECONDS,
    NO_CONNECTION,
    NO_HOST,
    READING,
    READY,
    SETTINGS_ERROR,
    TIMEOUT,
    TOO_LARGE,
    WARNINGS,
    FetchError,
    FetchRequest,
    FetchResponse,
    Message,
    Purpose,
    message_frame,
    read_frame,
    read_request,
    read_response_page,
    request_head,
    unwanted_type,
    write_frame,
)
from scenthound.fetch.cookies import RENEWED, SECRET, Logins, read_logins
from scenthound.fetch.network import ASYNCIO, Network, scrapy_settings
from scenthound.fetch.rendering import Renderer, new_renderer
from scenthound.storage.pages import Headers as Pairs

_REASONS: tuple[tuple[type[BaseException], str, bool], ...] = (
    (ConnectionAborted, "headers too large", False),  # only BoundedHandler aborts
    (exceptions.DownloadTimeoutError, TIMEOUT, True),
    (exceptions.CannotResolveHostError, NO_HOST, True),
    (exceptions.DownloadConnectionRefusedError, CONNECTION_REFUSED, True),
    (exceptions.DownloadCancelledError, TOO_LARGE, False),
    (ConnectError, NO_CONNECTION, True),
)


def explain(error: BaseException) -> tuple[str, bool]:
    """The reason for the journal, and whether the URL is worth another try.

    A failure that wraps others (a TLS error, say) is named by the innermost one.
    """
    causes = _causes(error)
    for cause in causes:
        for kind, reason, again in _REASONS:
            if isinstance(cause, kind):
                return reason, again
        if type(cause).__module__.startswith("OpenSSL"):
            # OpenSSL's errors are rows of library, function and reason: the reasons alone.
            rows = cause.args[0] if cause.args and isinstance(cause.args[0], list) else []
            reasons = ", ".join(str(row[-1]) for row in rows if isinstance(row, tuple) and row)
            return f"TLS error: {reasons[:120] or _words(cause)}", False
        if isinstance(cause, TunnelError):
            return "the proxy opens no tunnel for https", True
    if isinstance(error, exceptions.DownloadFailedError | ResponseFailed):
        return f"broken answer: {_words(causes[-1])}", True
    return f"{type(error).__name__}: {_words(error)}", True


def _causes(error: BaseException) -> list[BaseException]:
    """The error and what lies behind it, outermost first."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting and len(found) < 20:
        each = waiting.pop(0)
        if each in found:
            continue
        found.append(each)
        reasons = [reason.value for reason in getattr(each, "reasons", None) or ()]
        waiting += filter(None, [*reasons, each.__cause__])
    return found


def _words(error: BaseException) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:120]


# Scrapy bounds bodies and time; a head that never ends would fill the memory within that time.


MAX_HEAD = 256 * 1024


class BoundedHandler(HTTP11DownloadHandler):
    """Downloads over HTTP/1.1; a connection whose response has too long a head is aborted."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool.retryAutomatically = False  # a second request at once would be impolite
        # Twisted has no public hook for the protocols of a pool, hence the private names.
        factory = self._pool._factory

        class Bounded(factory):  # type: ignore[misc, valid-type]
            """The factory of the pool; its protocols count the bytes before a body."""

            def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
                """A protocol that gives up on an endless head."""
                protocol = super().buildProtocol(addr)
                protocol.dataReceived = _bounded_head(protocol)
                return protocol

        self._pool._factory = Bounded


def _bounded_head(protocol: Any) -> Callable[[bytes], None]:
    """What takes data for the protocol, and ends the connection where a head does not end."""
    receive, known, head = protocol.dataReceived, None, 0

    def received(data: bytes) -> None:
        nonlocal known, head
        parser = protocol._parser
        if parser is not known:  # each response has a parser of its own
            known, head = parser, 0
            if parser is not None:
                parser.MAX_LENGTH = MAX_HEAD  # of one line; Twisted's own 16 kB loses pages
        if parser is not None and parser.state in (STATUS, HEADER):
            if head > MAX_HEAD:
                protocol.abort()
                return
            head += len(data)
        receive(data)

    return received


# Host names to addresses; private addresses are not handed on. The check sits where the connection
# is made: the addresses that are handed on are the very ones that were checked, so that neither a
# redirect nor a second, different answer of the DNS can slip past. Twisted resolves names and
# spelt-out addresses alike (``HostnameEndpoint``), so both end here. Only a tunnel through a proxy
# given as an address does not, nor need it.

MAX_NAMES = 10_000
"""Names that are cached, and names that are refused."""
CACHE_SECONDS = 300.0
"""Seconds that addresses are cached; the DNS's own times do not reach us."""
NEGATIVE_CACHE_SECONDS = 30.0
"""Seconds until a name without addresses is looked up again."""
_Address = IPv4Address | IPv6Address
_Resolved = tuple[_Address, ...]


@implementer(IHostResolution)
class Resolution:
    """One question to the resolver."""

    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """A response that nobody waits for does no harm."""


@implementer(IResolutionReceiver)
class Lookup:
    """Collects what the system's resolver finds for one name."""

    def __init__(self, done: Callable[[_Resolved], None]) -> None:
        self._done = done
        self._found: list[_Address] = []

    def resolutionBegan(self, resolution: object) -> None:  # noqa: N802
        """Nothing to note."""

    def addressResolved(self, address: object) -> None:  # noqa: N802
        """One more address."""
        if isinstance(address, IPv4Address | IPv6Address):
            self._found.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        """No more will come."""
        self._done(tuple(self._found))


@implementer(IHostnameResolver)
class PublicResolver:
    """Resolves names and hands on the public addresses alone, unless all are allowed.

    A name without any is answered as one that does not exist: Twisted raises DNSLookupError.
    ``refused`` then has its private address, for the names looked up lately.

    Parameters
    ----------
    reactor : the clock.
    original : does the look-ups. The time limit of a download ends one that hangs.
    """

    def __init__(self, reactor: Any, original: Any) -> None:
        self.allow_private = False
        """May all names have a private address?"""
        self.always_allowed: frozenset[str] = frozenset()
        """Names, or addresses in their usual form, that may whatever the rest may: the proxy. In
        lower case, without port and brackets."""
        self.refused: OrderedDict[str, str] = OrderedDict()
        self._reactor = reactor
        self._original = original
        self._cache: OrderedDict[tuple[Any, ...], tuple[float, _Resolved]] = OrderedDict()
        self._waiting: dict[tuple[Any, ...], list[Callable[[_Resolved], None]]] = {}
        # Equal questions share a look-up: each takes one of the few threads of the reactor.

    def resolveHostName(  # noqa: N802
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> object:
        """Find the addresses of a name; see ``IHostnameResolver``."""
        name = hostName.lower()
        types = None if addressTypes is None else frozenset(addressTypes)
        question = (name, types, transportSemantics)
        resolution = Resolution(name)
        resolutionReceiver.resolutionBegan(resolution)

        def hand_on(found: _Resolved) -> None:
            for each in self._allowed(name, found):
                # IPv6 addresses carry their zone: it is kept.
                zone = (each.flowInfo, each.scopeID) if isinstance(each, IPv6Address) else ()
                address = type(each)(each.type, each.host, portNumber, *zone)
                resolutionReceiver.addressResolved(address)
            resolutionReceiver.resolutionComplete()

        def learn(found: _Resolved) -> None:
            seconds = CACHE_SECONDS if found else NEGATIVE_CACHE_SECONDS
            _put(self._cache, question, (self._reactor.seconds() + seconds, found))
            for waiting in self._waiting.pop(question):
                waiting(found)

        address = literal_address(name)
        until, cached = self._cache.get(question, (0.0, ()))
        if address is not None:  # the name itself spells it out: no look-up is needed
            kind: Any = IPv6Address if ":" in address else IPv4Address
            literal = kind(transportSemantics, address, 0)
            hand_on((literal,) if types is None or kind in types else ())
        elif self._reactor.seconds() < until:
            hand_on(cached)
        elif question in self._waiting:
            self._waiting[question].append(hand_on)
        else:
            self._waiting[question] = [hand_on]
            kinds = None if types is None else list(types)
            self._original.resolveHostName(Lookup(learn), name, 0, kinds, transportSemantics)
        return resolution

    def _allowed(self, name: str, found: _Resolved) -> _Resolved:
        """What may be handed on. Cached addresses pass here too: the rules may be others."""
        if self.allow_private or (literal_address(name) or name) in self.always_allowed:
            passed = found
        else:
            passed = tuple(address for address in found if is_public(address.host))
        if found and not passed:
            _put(self.refused, name, found[0].host)
        else:
            self.refused.pop(name, None)
        return passed


def _put(kept: OrderedDict[Any, Any], key: object, value: object) -> None:
    """Note a value; beyond :data:`MAX_NAMES` of them forget the oldest."""
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > MAX_NAMES:
        kept.popitem(last=False)


_CUT: dict[str, Literal["length", "disconnect"]] = {
    "dataloss": "disconnect",
    "download_stopped": "length",
}


class ScrapyExchange:
    """Turns fetch requests into Scrapy's, and its responses into ours; it decides nothing.

    Parameters
    ----------
    network : how requests are made.
    logins : passwords and cookies of some hosts.
    """

    def __init__(self, network: Network, logins: Logins | None = None) -> None:
        self._network = network
        self._headers = network.request_headers
        self._logins = logins or None  # most crawls log in nowhere

    def request(self, wanted: FetchRequest) -> Request:
        """The Scrapy request for a fetch request."""
        return self._request(wanted.url, self._headers, True, wanted)

    def subrequest(self, url: str, headers: Mapping[str, str], signed: bool) -> Request:
        """A request on behalf of a page's script: with its headers, and with ours over them."""
        ours = {name.lower(): value for name, value in self._headers.items()}
        accept = headers.get("accept", "*/*")  # ours asks for pages
        return self._request(url, {**headers, **ours, "accept": accept}, signed, None)

    def _request(
        self, url: str, headers: Mapping[str, str], signed: bool, wanted: FetchRequest | None
    ) -> Request:
        proxy = {} if self._network.proxy is None else {"proxy": self._network.proxy}
        meta = {**proxy, "wanted": wanted}
        request = Request(url, NO_CALLBACK, headers=dict(headers), meta=meta)
        if signed and self._logins is not None:
            self._logins.sign(request)
        return request

    def headers_received(self, headers: Headers, body_length: int, request: Request) -> None:
        """Stop a body of an unwanted type before it comes."""
        wanted: FetchRequest | None = request.meta["wanted"]
        if wanted is None or wanted.purpose is not Purpose.PAGE:
            return
        kind = (headers.get(b"Content-Type") or b"").decode("latin-1")
        if unwanted_type(kind, wanted.url, self._network.pdf) is not None:
            # With ``fail=False`` there is a response all the same, and the journal gets the type.
            raise exceptions.StopDownload(fail=False)

    def response(self, response: Response, wanted: FetchRequest) -> FetchResponse:
        """The response, without what would let its reader in."""
        request = response.request
        assert request is not None
        ip = None if request.meta.get("proxy") else response.ip_address
        headers = _pairs(response.headers)
        if self._logins is not None and self._logins.know(request.url):
            self._logins.learn(response, request)
            headers = tuple(pair for pair in headers if pair[0].lower() not in RENEWED)
        # What is for the proxy or for the server alone is on no record.
        sent = tuple(
            (name, value)
            for name, value in _pairs(request.headers)
            if name.lower() not in SECRET and not name.lower().startswith("proxy-")
        )
        cut = next((_CUT[flag] for flag in response.flags if flag in _CUT), None)
        protocol, address = response.protocol or "HTTP/1.1", None if ip is None else str(ip)
        return FetchResponse(
            wanted, time.time(), response.status, headers, response.body, sent, protocol, address,
            cut,
        )  # fmt: skip


def _pairs(headers: Headers) -> Pairs:
    return tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in headers.items()
        for value in values
    )


_SWITCH_SECONDS = 0.0005
"""How long the thread that reads pages may keep the one with the sockets waiting."""
_STOP_SECONDS = 4.0
"""For the browser to end in; the crawl waits a little longer for this process."""


class IdleSpider(Spider):
    """Yields no requests: the crawl decides over its frontier which URL is next.

    So Scrapy has no queue to order and no duplicate to filter, and is never done by itself.
    """

    name = "scenthound"


def _stay_open() -> None:
    raise exceptions.DontCloseSpider


class Downloader:
    """Runs Scrapy between two streams.

    Parameters
    ----------
    network : how requests are made.
    requests, responses : where frames come from and go to.
    logins : what some hosts are sent besides.
    notes : what the user should know.
    """

    def __init__(
        self,
        network: Network,
        requests: IO[bytes],
        responses: IO[bytes],
        logins: Logins,
        notes: Sequence[str],
    ) -> None:
        self._network = network
        self._exchange = ScrapyExchange(network, logins)
        self._notes = list(notes)
        self._renderer: Renderer | None = None
        if network.javascript:
            self._renderer = new_renderer(network, logins, self._download)
            self._notes += [ROOT] if is_root() else []
        self._requests = requests
        self._responses = responses
        # It needs no bound of its own: the crawl bounds the requests that are under way.
        self._outbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._write_lock = threading.Lock()

    def run(self) -> None:
        """Download until the requests end."""
        install_reactor(ASYNCIO)
        from twisted.internet import reactor

        self._reactor = cast(Any, reactor)
        self._resolver = PublicResolver(self._reactor, self._reactor.nameResolver)
        self._reactor.installNameResolver(self._resolver)
        self._resolver.allow_private = self._network.allow_private
        self._resolver.always_allowed = self._network.proxy_hosts
        runner = CrawlerRunner(scrapy_settings(self._network, BoundedHandler))
        self._crawler = runner.create_crawler(IdleSpider)
        for react, signal in (
            (self._begin, signals.engine_started),
            (_stay_open, signals.spider_idle),
            (self._exchange.headers_received, signals.headers_received),
        ):
            self._crawler.signals.connect(react, signal)

        def die(failure: Any) -> None:
            """Scrapy did not start: say why, and be gone."""
            sys.stderr.write(failure.getTraceback())
            os._exit(1)

        runner.crawl(self._crawler).addErrback(die)
        self._reactor.run(installSignalHandlers=False)

    async def _begin(self) -> None:
        if self._renderer is not None:
            try:
                await self._renderer.browser.start()
            except SettingsError as error:
                self._send_frame({SETTINGS_ERROR: str(error)})
                os._exit(1)
        self._send_frame({**READY, WARNINGS: self._notes} if self._notes else READY)
        for work in (self._read, self._write, self._beat):
            threading.Thread(target=work, daemon=True).start()

    def _send_frame(self, head: Mapping[str, object], body: bytes = b"") -> None:
        """Send a frame; without the crawl there is nothing left to do."""
        try:
            with self._write_lock:
                write_frame(self._responses, head, body)
        except BrokenPipeError:
            os._exit(0)

    def _beat(self) -> None:
        """In a thread: say now and then that this process is alive."""
        while True:
            time.sleep(HEARTBEAT_SECONDS)
            self._send_frame(HEARTBEAT)

    def _read(self) -> None:
        """In a thread: pass on what is requested."""
        while (frame := read_frame(self._requests)) is not None:
            self._reactor.callFromThread(self._send, read_request(frame[0]))
        if self._renderer is not None:
            # The browser takes its profiles with it; it is not waited for very long.
            browser, ended = self._renderer.browser, threading.Event()

            async def end() -> None:
                await browser.stop()
                ended.set()

            self._reactor.callFromThread(lambda: deferred_from_coro(end()))
            ended.wait(_STOP_SECONDS)
        os._exit(0)  # what is still under way is not needed any more

    def _write(self) -> None:
        """In a thread: neither reading pages nor a slow crawl may hold up the downloads."""
        while True:
            message = self._read_page(self._outbox.get())
            if message is not None:
                self._send_frame(*message_frame(message))

    def _read_page(self, message: Message) -> Message | None:
        """The message with its page read; None where a browser renders the page first.

        No page may end the thread that reads them all.
        """
        if not isinstance(message, FetchResponse) or message.request.purpose is not Purpose.PAGE:
            return message
        if not 200 <= message.status < 300:
            return message
        # Announced first: if the page kills this process, the crawl knows which page it was.
        self._send_frame({READING: request_head(message.request)})
        try:
            if self._renderer is not None and message.rendered is not None:
                return self._renderer.read(message)
            if message.page is not None:  # the browser could not render it
                return message
            read = read_response_page(message, self._network.max_body, self._network.pdf)
            if self._renderer is not None and self._renderer.wants(read):
                self._send_frame({READING: None})  # the browser has it now, not a parser
                self._reactor.callFromThread(deferred_from_coro, self._render(read))
                return None
            return read
        except Exception as error:  # noqa: BLE001
            reason = f"cannot be read: {type(error).__name__}"
            return FetchError(message.request, message.ended, reason, False)

    def _send(self, request: FetchRequest) -> None:
        try:
            if self._network.allow_private or rejection_reason(host_of(request.url)) is None:
                deferred_from_coro(self._fetch(request, self._exchange.request(request)))
                return
            reason = PRIVATE  # a proxy does not request our resolver; robots.txt may move anywhere
        except (ValueError, IndexError) as error:  # a URL that Scrapy does not take
            reason = f"malformed: {error}"
        self._outbox.put(FetchError(request, time.time(), reason, False))

    async def _fetch(self, wanted: FetchRequest, request: Request) -> None:
        try:
            response = await self._crawler.engine.download_async(request)
            message: Message = self._exchange.response(response, wanted)
        except Exception as error:  # noqa: BLE001 - the crawl waits for a message, whatever happens
            reason, again = explain(error)
            host = urlsplit(request.url).hostname or ""
            if reason == NO_HOST and host in self._resolver.refused:
                reason, again = PRIVATE, False
            message = FetchError(wanted, time.time(), reason, again)
        self._outbox.put(message)

    async def _render(self, plain: FetchResponse) -> None:
        assert self._renderer is not None
        self._outbox.put(await self._renderer.render(plain))

    async def _download(self, url: str, headers: Mapping[str, str], signed: bool) -> Response:
        """For the scripts of a page."""
        request = self._exchange.subrequest(url, headers, signed)
        return await self._crawler.engine.download_async(request)


def main() -> None:
    """Read the settings, then work."""
    requests, responses = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not come between the frames
    frame = read_frame(requests)
    if frame is None:
        return
    sys.setswitchinterval(_SWITCH_SECONDS)
    settings = frame[0]
    logging.basicConfig(level=str(settings.pop("log_level")), stream=sys.stderr)
    network = Network.from_json(settings)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            logins = read_logins(network, time.time())
    except SettingsError as error:
        write_frame(responses, {SETTINGS_ERROR: str(error)})
        return
    notes = [str(each.message) for each in caught]
    Downloader(network, requests, responses, logins, notes).run()


if __name__ == "__main__":
    main()
