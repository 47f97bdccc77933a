"""The downloader: Scrapy in a process of its own.

``python -m scenthound.live.downloader`` reads frames from its standard input, the network
settings first, then what to ask for; answers go to its standard output. It ends when its input
does, so it never outlives the crawl, however that ends. Apart from the crawl it shares neither
the interpreter's lock nor, between two crawls, a reactor that can be started only once.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any, TypeGuard, cast
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.crawler import CrawlerRunner
from scrapy.http import Response
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.reactor import install_reactor

from scenthound.core.addresses import PRIVATE, refusal
from scenthound.core.errors import SettingsError
from scenthound.core.urls import host_of
from scenthound.live.browsing import Browsing
from scenthound.live.browsing_assembly import new_browsing
from scenthound.live.launching import ROOT, is_root
from scenthound.live.logins import Logins, read_logins
from scenthound.live.messages import Answer, Ask, Message, NoAnswer, Purpose
from scenthound.live.network import ASYNCIO, Network, scrapy_settings
from scenthound.live.pages import read_answer
from scenthound.live.spider import LeaseSpider
from scenthound.live.wire import (
    BEAT,
    BEAT_SECONDS,
    READING,
    READY,
    REFUSED,
    WARNINGS,
    ask_head,
    message_frame,
    read_ask,
    read_frame,
    write_frame,
)

_SWITCH_SECONDS = 0.0005
"""How long the thread that reads pages may keep the one with the sockets waiting."""
_STOP_SECONDS = 4.0
"""For the browser to end in; the crawl waits a little longer for this process."""


class Downloader:
    """Runs Scrapy between two streams.

    Parameters
    ----------
    network : how requests are made.
    asks, answers : where frames come from and go to.
    logins : what some hosts are sent besides.
    warnings : what the user should know.
    """

    def __init__(
        self,
        network: Network,
        asks: IO[bytes],
        answers: IO[bytes],
        logins: Logins,
        warnings: Sequence[str] = (),
    ) -> None:
        self._network = network
        self._logins = logins
        self._warnings = list(warnings)
        self._browsing: Browsing | None = None
        if network.javascript:
            self._browsing = new_browsing(network, logins, self._download)
            self._warnings += [ROOT] if is_root() else []
        self._asks = asks
        self._answers = answers
        self._outbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._one_at_a_time = threading.Lock()

    def run(self) -> None:
        """Download until the asks end."""
        install_reactor(ASYNCIO)
        from twisted.internet import reactor

        from scenthound.live.resolver import Policy, install

        self._reactor = cast(Any, reactor)
        self._resolver = install(reactor)
        self._resolver.policy = Policy(self._network.allow_private, self._network.proxy_hosts)
        runner = CrawlerRunner(scrapy_settings(self._network))
        self._crawler = runner.create_crawler(LeaseSpider)
        self._crawler.signals.connect(self._begin, signals.engine_started)
        done = runner.crawl(
            self._crawler,
            network=self._network,
            hand_over=self._outbox.put,
            is_private=self._is_private,
            logins=self._logins or None,
        )
        done.addErrback(_die)
        self._reactor.run(installSignalHandlers=False)

    async def _begin(self) -> None:
        if self._browsing is not None:
            try:
                await self._browsing.start()
            except SettingsError as error:
                self._tell({REFUSED: str(error)})
                os._exit(1)
        self._tell({**READY, WARNINGS: self._warnings} if self._warnings else READY)
        for work in (self._read, self._write, self._beat):
            threading.Thread(target=work, daemon=True).start()

    def _tell(self, head: Mapping[str, object], body: bytes = b"") -> None:
        """Send a frame; without the crawl there is nothing left to do."""
        try:
            with self._one_at_a_time:
                write_frame(self._answers, head, body)
        except BrokenPipeError:
            os._exit(0)

    def _beat(self) -> None:
        """In a thread: say now and then that this process is alive."""
        while True:
            time.sleep(BEAT_SECONDS)
            self._tell(BEAT)

    def _read(self) -> None:
        """In a thread: pass on what is asked for."""
        while (frame := read_frame(self._asks)) is not None:
            self._reactor.callFromThread(self._send, read_ask(frame[0]))
        if self._browsing is not None:
            self._stop(self._browsing)
        os._exit(0)  # nobody waits for what is still under way

    def _stop(self, browsing: Browsing) -> None:
        """End the browser, which takes its profiles with it; it is not waited for very long."""
        ended = threading.Event()

        async def end() -> None:
            await browsing.stop()
            ended.set()

        self._reactor.callFromThread(lambda: deferred_from_coro(end()))
        ended.wait(_STOP_SECONDS)

    def _write(self) -> None:
        """In a thread: neither reading pages nor a slow crawl may hold up the downloads."""
        while True:
            self._tell(*message_frame(self._read_page(self._outbox.get())))

    def _read_page(self, message: Message) -> Message:
        """The message with its page read; no page may end the thread that reads them all."""
        if not _holds_page(message):
            return message
        self._tell({READING: ask_head(message.ask)})
        try:
            if self._browsing is not None:
                return self._browsing.read(message)
            return read_answer(message, self._network.max_body, self._network.pdf)
        except Exception as error:  # noqa: BLE001
            reason = f"cannot be read: {type(error).__name__}"
            return NoAnswer(message.ask, message.ended, reason, False)

    def _send(self, ask: Ask) -> None:
        held = None if self._browsing is None else self._browsing.take(ask)
        if held is not None:
            deferred_from_coro(self._render(ask, held))
            return
        spider = self._spider
        try:
            if self._network.allow_private or refusal(host_of(ask.url)) is None:
                self._crawler.engine.crawl(spider.request(ask))
                return
            reason = PRIVATE  # a proxy does not ask our resolver; robots.txt may move anywhere
        except (ValueError, IndexError) as error:  # a URL that Scrapy does not take
            reason = f"malformed: {error}"
        self._outbox.put(NoAnswer(ask, time.time(), reason, False))

    async def _render(self, ask: Ask, held: Answer) -> None:
        assert self._browsing is not None
        self._outbox.put(await self._browsing.render(ask, held))

    async def _download(self, url: str, headers: Mapping[str, str], signed: bool) -> Response:
        """For the scripts of a page: past the scheduler, through everything else."""
        return await self._crawler.engine.download_async(
            self._spider.subrequest(url, headers, signed)
        )

    @property
    def _spider(self) -> LeaseSpider:
        spider = self._crawler.spider
        assert isinstance(spider, LeaseSpider)
        return spider

    def _is_private(self, url: str) -> bool:
        return (urlsplit(url).hostname or "") in self._resolver.refused


def _holds_page(message: Message) -> TypeGuard[Answer]:
    return (
        isinstance(message, Answer)
        and message.ask.purpose is Purpose.PAGE
        and 200 <= message.status < 300
    )


def _die(failure: Any) -> None:
    """Scrapy did not start: say why, and be gone."""
    sys.stderr.write(failure.getTraceback())
    os._exit(1)


def main() -> None:
    """Read the settings, then work."""
    asks, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not come between the frames
    frame = read_frame(asks)
    if frame is None:
        return
    sys.setswitchinterval(_SWITCH_SECONDS)
    settings = frame[0]
    level = settings.pop("log_level")
    logging.basicConfig(level=str(level), stream=sys.stderr)
    network = Network.from_json(settings)
    warnings: list[str] = []
    try:
        logins = read_logins(network, time.time(), warnings.append)
    except SettingsError as error:
        write_frame(answers, {REFUSED: str(error)})
        return
    Downloader(network, asks, answers, logins, warnings).run()


if __name__ == "__main__":
    main()
