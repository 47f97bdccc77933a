"""Crawls that go on in processes of their own, and the dashboard that shows them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from crawler.live_replies import ok
from crawler.live_running import QUICK, again
from crawler.live_web import MemoryWeb, place_of
from sample.sample_once import sample_web
from scenthound.crawler.control import Watcher
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.output.dashboard.server import DashboardServer
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE

if TYPE_CHECKING:
    from playwright.sync_api import Page

Value = TypeVar("Value")
JOURNAL = "journal.jsonl"
_TURN = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@contextmanager
def slow_sample() -> Iterator[WebServer]:
    """The sample web on loopback; every answer takes its time: a crawl goes on while one looks."""
    responses = sample_web().responses

    def answer(url: str) -> Response | None:
        found = responses.get(url)
        return None if found is None else replace(found, delay=0.2)

    with WebServer(answer) as server:
        yield server


def prepare(
    out: Path, proxy: str | None = None, *, max_pages: int = 2_000, strategy: str = "vsm"
) -> Path:
    """The folder of a crawl for storms in the sample web; nothing is fetched yet."""
    (topic,) = (each for each in sample_web().topics if each.name == "storms")
    chosen = {**QUICK, "max_pages": max_pages, "concurrency": 2}
    if proxy is not None:
        chosen["proxy"] = proxy
    options = CrawlOptions.from_json(chosen)
    CrawlFolder.create(out, LiveJob(topic, CATALOGUE[strategy], {}, options).crawl_spec())
    return out


def finish(out: Path, watcher: Watcher | None = None) -> Path:
    """Crawl what was prepared, to the end, from memory."""
    with MemoryWeb() as web:
        for url, response in sample_web().responses.items():
            answer = ok(response.body, dict(response.headers), response.status)
            web.add(*place_of(url), answer)
        assert again(out, watcher).stopped == "budget spent"
    return out


def copied(crawl: Path, to: Path, pages: int | None = None) -> Path:
    """The same crawl in another folder; with so many pages, one whose journal was cut."""
    shutil.copytree(crawl, to, copy_function=os.link)  # nothing is written to either
    if pages is not None:
        lines = (crawl / JOURNAL).read_bytes().splitlines(keepends=True)
        numbered = [n for n, line in enumerate(lines) if json.loads(line)["event"] == "page"]
        replaced(to / JOURNAL, b"".join(lines[: numbered[pages - 1] + 1]))
    return to


def replaced(path: Path, content: bytes) -> None:
    """Put another file in the place of one that may be shared with another folder."""
    path.unlink()
    path.write_bytes(content)


def events(folder: Path, kind: str) -> list[dict[str, object]]:
    """Whole lines of the journal that tell of this; none before there is a journal."""
    journal = folder / JOURNAL
    lines = journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []
    return [event for event in map(json.loads, lines) if event["event"] == kind]


@contextmanager
def dashboard(*folders: Path, port: int = 0) -> Iterator[str]:
    """A dashboard in a thread of its own; gives its address, without a slash at the end."""
    with DashboardServer(folders, "127.0.0.1", port, None) as server:
        thread = Thread(target=server.run)
        thread.start()
        try:
            yield server.address.rstrip("/")
        finally:
            server.stop()
            thread.join()


@contextmanager
def dashboard_command(folder: Path) -> Iterator[str]:
    """``scenthound dashboard``, as people start it, on a free port."""
    command = [sys.executable, "-m", "scenthound.cli.main", "dashboard", "--port", "0"]
    process = subprocess.Popen(
        [*command, str(folder)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    with process:
        try:
            assert process.stdout is not None
            found = filter(None, (re.search(rb"http://\S+", line) for line in process.stdout))
            yield next(found).group().decode().rstrip("/.")
        finally:
            process.terminate()


@contextmanager
def shown(page: Page, *folders: Path) -> Iterator[str]:
    """The dashboard of these folders in a page, which leaves before the dashboard ends."""
    with dashboard(*folders) as address:
        page.goto(address)
        try:
            yield address
        finally:
            page.goto("about:blank")


def turn(page: Page, away: bool) -> None:
    """As a browser does when another tab is opened over this one."""
    page.evaluate(_TURN, away)


def wait_for(ask: Callable[[], Value], what: str) -> Value:
    """What ``ask`` gives as soon as it gives something."""
    end = time.monotonic() + 30.0
    while time.monotonic() < end:
        found = ask()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")
