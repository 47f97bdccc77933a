"""The least a best-first crawler can do: fetch, find links, score their words, queue them.

aiohttp and selectolax with a heap; the score of a link is the cosine of its words with the
topic's keywords. Nothing is stored, scored, judged, checked or kept for a restart.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import re
import time
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin

import aiohttp
from selectolax.lexbor import LexborHTMLParser

from benchmarks.live.figures import Figures, crawler_arguments
from scenthound.core.model import Topic
from scenthound.similarity.topic_file import read_topic

WORDS = re.compile(r"\w+")
_IDLE = 0.001


class BareCrawler:
    """A heap of URLs, and workers that fetch the best of them."""

    def __init__(self, topic: Topic, proxy: str, pages: int) -> None:
        self._topic = frozenset(WORDS.findall(" ".join(topic.keywords).lower()))
        self._proxy = proxy
        self._most = pages
        self._numbers = itertools.count()
        self._seen: set[str] = set()
        self._heap: list[tuple[float, int, str]] = []
        self._busy = 0
        self.pages = self.requests = 0
        for url in topic.seeds:
            self._add(url, 1.0)

    async def work(self, session: aiohttp.ClientSession) -> None:
        """Fetch until there are enough pages, or none is waiting and no request is in flight."""
        while self.pages < self._most and (self._heap or self._busy):
            if not self._heap:
                await asyncio.sleep(_IDLE)
                continue
            url = heapq.heappop(self._heap)[2]
            self._busy += 1
            try:
                await self._fetch(session, url)
            finally:
                self._busy -= 1

    async def _fetch(self, session: aiohttp.ClientSession, url: str) -> None:
        try:
            async with session.get(url, proxy=self._proxy) as response:
                body = await response.read()
        except (aiohttp.ClientError, ValueError):
            return
        self.requests += 1
        if response.status == 200 and self.pages < self._most:
            self.pages += 1
            for target, words in links(body, str(response.url)):
                self._add(target, cosine(words, self._topic))

    def _add(self, url: str, score: float) -> None:
        if url not in self._seen:
            self._seen.add(url)
            heapq.heappush(self._heap, (-score, next(self._numbers), url))


def links(body: bytes, url: str) -> Iterator[tuple[str, str]]:
    """Target and anchor of each link; links that are malformed or not http are passed over."""
    for node in LexborHTMLParser(body).css("a[href]"):
        try:
            target = urldefrag(urljoin(url, node.attributes["href"] or "")).url
        except ValueError:
            continue
        if target.startswith("http://"):
            yield target, node.text()


def cosine(anchor: str, topic: frozenset[str]) -> float:
    """Cosine of the sets of words; 0 for an anchor without words."""
    words = set(WORDS.findall(anchor.lower()))
    return len(words & topic) / math.sqrt(len(words) * len(topic)) if words else 0.0


async def crawl(topic: Topic, proxy: str, pages: int, concurrency: int) -> Figures:
    """Crawl once."""
    crawler = BareCrawler(topic, proxy, pages)
    connector = aiohttp.TCPConnector(limit=concurrency)
    started = time.perf_counter()
    async with aiohttp.ClientSession(connector=connector) as session:
        await asyncio.gather(*(crawler.work(session) for _ in range(concurrency)))
        ended = time.perf_counter()
    return Figures(crawler.pages, crawler.requests, ended - started, time.process_time())


def main() -> None:
    """Print the figures of one crawl."""
    given = crawler_arguments("A bare aiohttp crawler.").parse_args()
    topic = read_topic(given.topic)
    print(asyncio.run(crawl(topic, given.proxy, given.pages, given.concurrency)).line())


if __name__ == "__main__":
    main()
