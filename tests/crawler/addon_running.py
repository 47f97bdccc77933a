"""Runs Scrapy's own command with the add-on, in a process of its own; makes the add-on's parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy.settings import Settings

from scenthound.crawler.scrapy_addon.addon import read_focus
from scenthound.crawler.scrapy_addon.focus import Focus

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
