"""The add-on in Scrapy's own command, in a process of its own; its parts without a reactor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from scrapy import Request, Spider
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.request import RequestFingerprinter

from scenthound.core.model import Score
from scenthound.crawler.scrapy_addon.addon import read_focus
from scenthound.crawler.scrapy_addon.focus import Focus, Note
from scenthound.crawler.scrapy_addon.scheduler import BestFirstScheduler

ADDON = {"scenthound.scrapy.FocusedCrawl": 500}
QUIET = {
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
    "CONCURRENT_REQUESTS": 1,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_TIMEOUT": 10,
    "RETRY_ENABLED": False,
}

STORM = 'name = "storms"\nkeywords = ["storm"]\n'

FOLLOWER = """
import scrapy
from scrapy.linkextractors import LinkExtractor

class Follower(scrapy.Spider):
    name = "follower"

    def parse(self, response):
        yield {"url": response.url, "about": response.meta.get("scenthound")}
        if isinstance(response, scrapy.http.TextResponse):
            yield from response.follow_all(LinkExtractor().extract_links(response))
"""
"""Follows every link of every page, and knows nothing of the add-on but what it reads."""


@dataclass(frozen=True)
class Ran:
    """What a run left: its items, what it logged, how it ended."""

    items: list[dict[str, Any]]
    said: str
    code: int

    @property
    def urls(self) -> list[str]:
        return [item["url"] for item in self.items]


def run_spider(
    folder: Path, source: str, start: list[str], settings: dict[str, Any], proxy: str = ""
) -> Ran:
    """Run the spider in ``source`` from the pages in ``start``; its items come back."""
    script, out = folder / "spider.py", folder / "items.jsonl"
    script.write_text(f"{source}\n    start_urls = {start!r}\n", encoding="utf-8")
    out.unlink(missing_ok=True)
    values = [
        f"{name}={json.dumps(value) if isinstance(value, dict) else value}"
        for name, value in {**QUIET, **settings}.items()
    ]
    options = [part for value in values for part in ("-s", value)]
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "runspider", str(script), "-o", str(out), *options],
        capture_output=True, text=True, env={**os.environ, "http_proxy": proxy, "no_proxy": ""},
        cwd=folder, timeout=120, check=False,
    )  # fmt: skip
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    return Ran([json.loads(line) for line in lines], done.stderr, done.returncode)


def write_topic(folder: Path, text: str) -> Path:
    path = folder / "topic.toml"
    path.write_text(text, encoding="utf-8")
    return path


def focus(folder: Path, job: Path | None = None, text: str = STORM, **more: Any) -> Focus:
    """The focus of a topic file with this text."""
    path = write_topic(folder, text)
    given = {"topic": str(path), "strategy": "vsm", **more}
    settings = {f"SCENTHOUND_{name.upper()}": value for name, value in given.items()}
    return read_focus(Settings(settings if job is None else {**settings, "JOBDIR": str(job)}))


class Crawling:
    """A crawler as far as the scheduler looks at it; ``active`` is in the downloader."""

    def __init__(self) -> None:
        self.active: set[Request] = set()
        self.stats = MemoryStatsCollector(cast(Any, SimpleNamespace(settings=Settings())))
        self.request_fingerprinter = RequestFingerprinter()
        downloader = SimpleNamespace(
            active=self.active,
            get_slot_key=lambda request: (
                request.meta.get("download_slot") or request.url.split("/")[2]
            ),
        )
        self.engine = SimpleNamespace(downloader=downloader)


@contextmanager
def scheduler(
    folder: Path,
    crawling: Crawling,
    job: Path | None = None,
    spider: Spider | None = None,
    filters: bool = True,
    **settings: Any,
) -> Iterator[BestFirstScheduler]:
    """One that is open, with one request to a host at once."""
    focused = focus(folder, job, **settings)
    made = BestFirstScheduler(cast(Any, crawling), focused, 1, lambda: 1_000.0, filters)
    made.open(spider or Spider(name="any"))
    try:
        yield made
    finally:
        made.close("finished")


def scored(url: str, score: float | Score | None, **more: Any) -> Request:
    """A request with the note of a link with this score."""
    request = Request(url, **more)
    note = Note.of(score, "", 1) if isinstance(score, Score) else Note(score)
    note.write(request)
    return request
