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
from collections.abc import Mapping
from typing import IO, Any, TypeGuard, cast
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.crawler import CrawlerRunner
from scrapy.utils.reactor import install_reactor

from scenthound.core.addresses import PRIVATE, refusal
from scenthound.core.urls import host_of
from scenthound.live.messages import Answer, Ask, Message, NoAnswer, Purpose
from scenthound.live.network import ASYNCIO, Network, scrapy_settings
from scenthound.live.pages import read_answer
from scenthound.live.spider import LeaseSpider
from scenthound.live.wire import (
    BEAT,
    BEAT_SECONDS,
    READING,
    READY,
    ask_head,
    message_frame,
    read_ask,
    read_frame,
    write_frame,
)

_SWITCH_SECONDS = 0.0005
"""How long the thread that reads pages may keep the one with the sockets waiting."""


class Downloader:
    """Runs Scrapy between two streams.

    Parameters
    ----------
    network : how requests are made.
    asks, answers : where frames come from and go to.
    """

    def __init__(self, network: Network, asks: IO[bytes], answers: IO[bytes]) -> None:
        self._network = network
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
        )
        done.addErrback(_die)
        self._reactor.run(installSignalHandlers=False)

    def _begin(self) -> None:
        self._tell(READY)
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
        os._exit(0)  # nobody waits for what is still under way

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
            return read_answer(message, self._network.max_body)
        except Exception as error:  # noqa: BLE001
            reason = f"cannot be read: {type(error).__name__}"
            return NoAnswer(message.ask, message.ended, reason, False)

    def _send(self, ask: Ask) -> None:
        spider = self._crawler.spider
        assert isinstance(spider, LeaseSpider)
        try:
            if self._network.allow_private or refusal(host_of(ask.url)) is None:
                self._crawler.engine.crawl(spider.request(ask))
                return
            reason = PRIVATE  # a proxy does not ask our resolver; robots.txt may move anywhere
        except (ValueError, IndexError) as error:  # a URL that Scrapy does not take
            reason = f"malformed: {error}"
        self._outbox.put(NoAnswer(ask, time.time(), reason, False))

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
    Downloader(Network(**settings), asks, answers).run()  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
