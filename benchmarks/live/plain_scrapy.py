"""A plain Scrapy spider that does the work of ``scenthound crawl --strategy vsm``.

Written as a user of Scrapy would: LinkExtractor, every link a Request whose priority is the VSM
score of page and anchor, ties first in first out, pages to a gzipped WARC as they come. Cosines
are worked out by our own model, so that scoring costs both the same. What Scrapy does that is
not asked for here (cookies, retries, logging, telnet) is off. The priority queue is Scrapy's
default, which takes hosts in turn and looks at priorities within a host; ``ScrapyPriorityQueue``
looks at priorities alone, but is slower with as many of them.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from benchmarks.live.figures import Figures, crawler_arguments
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.similarity.text_models import Cosine, TopicModel
from scenthound.similarity.topic_file import read_topic
from scenthound.text.analyzer import Analyzer

SCALE = 1_000_000
VISIBLE = "//body//text()[not(parent::script or parent::style)]"


class PlainSpider(scrapy.Spider):
    """Fetches the pages with the most promising links, up to a number of pages."""

    name = "plain"

    def __init__(self, topic: Topic, pages: int, writer: WARCWriter) -> None:
        super().__init__()
        profile = TopicProfile(topic.name, topic.keywords, (), topic.language)
        self._model = TopicModel(
            profile, Analyzer(topic.language, phrases=topic.keywords), Cosine()
        )
        self._extractor = LinkExtractor()
        self._topic, self._most, self._writer = topic, pages, writer
        self.pages = 0
        self.started = self.ended = time.perf_counter()

    async def start(self) -> AsyncIterator[Any]:
        """The seeds, before everything else."""
        self.started = time.perf_counter()
        for url in self._topic.seeds:
            yield scrapy.Request(url, priority=SCALE)

    def parse(self, response: Response, **kwargs: Any) -> Iterator[scrapy.Request]:
        """Store the page, learn from it, ask for its links."""
        if self.pages >= self._most:
            return
        store(self._writer, response)
        self.pages += 1
        self.ended = time.perf_counter()
        if self.pages == self._most:
            raise CloseSpider("pages")
        if isinstance(response, HtmlResponse):
            yield from self._follow(response)

    def _follow(self, response: HtmlResponse) -> Iterator[scrapy.Request]:
        text = " ".join(response.xpath(VISIBLE).getall())
        document = Document(response.css("title::text").get(""), text)
        self._model.learn(document)
        links = [link for link in self._extractor.extract_links(response) if not link.nofollow]
        texts = [document.full, *(link.text for link in links)]
        of_page, *of_anchors = self._model.similarities(texts, document)
        for link, of_anchor in zip(links, of_anchors, strict=True):
            score = (of_page + of_anchor) / 2
            yield scrapy.Request(link.url, priority=int(score * SCALE))


def store(writer: WARCWriter, response: Response) -> None:
    """A request and a response record."""
    request = response.request
    assert request is not None
    parts = urlsplit(response.url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    asked = StatusAndHeaders(
        f"{request.method} {target} HTTP/1.1", _headers(request.headers), is_http_request=True
    )
    said = StatusAndHeaders(f"{response.status} OK", _headers(response.headers), "HTTP/1.1")
    body = response.body
    writer.write_request_response_pair(
        writer.create_warc_record(
            response.url, "request", payload=BytesIO(), length=0, http_headers=asked
        ),
        writer.create_warc_record(
            response.url, "response", payload=BytesIO(body), length=len(body), http_headers=said
        ),
    )


def _headers(headers: Any) -> list[tuple[str, str]]:
    pairs = ((name, value) for name, values in headers.items() for value in values)
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in pairs]


def settings(concurrency: int, robots: bool) -> dict[str, Any]:
    """Scrapy's settings: as fast as it goes, without what was not asked for."""
    off = ("COOKIES_ENABLED", "RETRY_ENABLED", "TELNETCONSOLE_ENABLED", "LOG_ENABLED")
    return {
        **dict.fromkeys(off, False),
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": robots,
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "EXTENSIONS": {
            "scrapy.extensions.logstats.LogStats": None,
            "scrapy.extensions.memusage.MemoryUsage": None,
        },
    }


def crawl(topic: Topic, pages: int, concurrency: int, robots: bool) -> Figures:
    """Crawl once, by the proxy that the environment names; only one crawl a process."""
    process = AsyncCrawlerProcess(settings(concurrency, robots))
    crawler = process.create_crawler(PlainSpider)
    with TemporaryDirectory() as folder, (Path(folder) / "pages.warc.gz").open("wb") as stream:
        writer = WARCWriter(stream, gzip=True, warc_version="WARC/1.1")
        process.crawl(crawler, topic=topic, pages=pages, writer=writer)
        process.start()
    spider = crawler.spider
    assert isinstance(spider, PlainSpider) and crawler.stats is not None
    answered = int(crawler.stats.get_value("downloader/response_count", 0))
    return Figures(spider.pages, answered, spider.ended - spider.started, time.process_time())


def main() -> None:
    """Print the figures of one crawl."""
    parser = crawler_arguments("A plain Scrapy spider.")
    parser.add_argument("--robots", action="store_true")
    given = parser.parse_args()
    os.environ["http_proxy"] = given.proxy  # so that Scrapy asks it for robots.txt as well
    topic = read_topic(given.topic)
    print(crawl(topic, given.pages, given.concurrency, given.robots).line())


if __name__ == "__main__":
    main()
