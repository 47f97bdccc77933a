"""Makes the pictures of the documentation: ``make screenshots`` (``python -m tools.screenshots``).

It needs Chromium and Playwright (``pip install 'scenthound[js]'``), two minutes, and no network:
the sample web is served on this machine, crawled live and replayed. The dashboard is taken while
two crawls go on, the reports of one of them and of a comparison when these are done. The pictures
go to ``docs/images/``; all are 1280 pixels wide, with few colours, so that they stay small.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image

from scenthound.fetch.browser import launch_options
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.sample.web import SampleWeb, build, write_labels, write_topics, write_warc

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
WIDTH = 1280
COLOURS = 128
ANSWER_AFTER = 0.12
"""Seconds; so that the crawls go on while they are looked at."""
LIVE = ("soft-sdvsm", "breadth-first")
COMPARED = ("breadth-first", "shark", "vsm", "soft-sdvsm")
PAGES = 300
WATCHED = 180
"""Pages of the first crawl that are there when the picture is taken."""
_PATIENCE = 60_000


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to take: its name, where from, how high, light or dark.

    ``fetched`` are the pages that a dashboard shows by then; None for what is no dashboard.
    """

    name: str
    address: str
    height: int
    scheme: Literal["light", "dark"] = "light"
    fetched: int | None = None


def main(arguments: Sequence[str] | None = None) -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description="Make the pictures of the documentation.")
    parser.add_argument("--out", type=Path, default=IMAGES, help="folder for them")
    out = parser.parse_args(arguments).out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        web, place = build(0), Path(folder)
        write_warc(web, place / "sample.warc.gz")
        write_labels(web, place / "labels.tsv")
        write_topics(web, place / "topics")
        for picture in pictures(web, place):
            save(take(browser, picture), out / f"{picture.name}.png")


def pictures(web: SampleWeb, place: Path) -> Iterator[Picture]:
    """The pictures, one after the other; while one is taken, what it shows goes on."""
    with slow(web) as server, ExitStack() as stack:
        crawls = [stack.enter_context(crawling(name, server.proxy, place)) for name in LIVE]
        address = stack.enter_context(dashboard(place))
        yield Picture("dashboard", address, 1180, "light", WATCHED)
        yield Picture("dashboard-dark", address, 1180, "dark", WATCHED)
        for crawl in crawls:
            crawl.wait()
    scenthound(place, "report", LIVE[0], "--quiet", "--no-files")
    yield Picture("report-crawl", (place / LIVE[0] / "report.html").as_uri(), 1400)
    compare(place)
    scenthound(place, "report", "comparison", "--quiet", "--no-files")
    yield Picture("report-comparison", (place / "comparison" / "report.html").as_uri(), 1400)


def compare(place: Path) -> None:
    """Some strategies on all topics of the sample web."""
    topics = [f"topics/{path.name}" for path in sorted((place / "topics").glob("*.toml"))]
    strategies = [argument for name in COMPARED for argument in ("--strategy", name)]
    scenthound(
        place, "compare", "sample.warc.gz", *topics, "--labels", "labels.tsv", *strategies,
        "--out", "comparison", "--cache", "cache", "--quiet",
    )  # fmt: skip


@contextmanager
def slow(web: SampleWeb) -> Iterator[WebServer]:
    """The sample web on loopback, answering as slowly as a real one."""

    def answer(url: str) -> Response | None:
        found = web.responses.get(url)
        return None if found is None else replace(found, delay=ANSWER_AFTER)

    with WebServer(answer) as server:
        yield server


@contextmanager
def crawling(strategy: str, proxy: str, place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A crawl for storms, going on in a process of its own."""
    given = ["--topic", "topics/storms.toml", "--out", strategy, "--strategy", strategy, "--quiet"]
    limits = ["--max-pages", str(PAGES), "--delay", "0", "--concurrency", "2"]
    with started(place, "crawl", *given, *limits, "--set", f"crawl.proxy={proxy}") as process:
        yield process


@contextmanager
def dashboard(place: Path) -> Iterator[str]:
    """The address of a dashboard of both crawls."""
    with started(place, "dashboard", "--port", "0", *LIVE) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline().decode())
        if found is None:
            raise SystemExit("the dashboard did not start.")
        yield found.group()


@contextmanager
def started(place: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command that goes on; it is ended with the context."""
    with subprocess.Popen(_command(*arguments), cwd=place, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.terminate()


def scenthound(place: Path, *arguments: str) -> None:
    """Run a command to its end; what goes wrong ends this program too."""
    print("scenthound", *arguments, flush=True)
    subprocess.run(_command(*arguments), cwd=place, check=True, stdout=subprocess.DEVNULL)


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "scenthound.cli.main", *arguments]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser that is installed."""
    from playwright.sync_api import sync_playwright

    options = launch_options(os.environ)
    chosen: dict[str, Any] = {
        name: options[name] for name in ("executable_path", "chromium_sandbox")
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chosen)
        yield browser
        browser.close()


def take(browser: Browser, picture: Picture) -> bytes:
    """The picture as PNG, once the page shows what it is to show."""
    print(picture.name, flush=True)
    page = browser.new_page(
        viewport={"width": WIDTH, "height": picture.height},
        device_scale_factor=1,
        color_scheme=picture.scheme,
        reduced_motion="reduce",
    )
    page.goto(picture.address)
    if picture.fetched is not None:
        wait_for_pages(page, picture.fetched)
    taken: bytes = page.screenshot()
    page.close()
    return taken


def wait_for_pages(page: Page, pages: int) -> None:
    """Until the dashboard shows so many pages and the latest of them."""
    page.wait_for_selector("#latest-pages li[data-page]", timeout=_PATIENCE)
    while int(page.inner_text("[data-figure=fetched]").replace(",", "")) < pages:
        page.wait_for_timeout(200)


def save(png: bytes, path: Path) -> None:
    """Write a picture with few colours; it is a third as large and looks the same."""
    image = Image.open(BytesIO(png)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path} ({path.stat().st_size // 1000} kB)", flush=True)


if __name__ == "__main__":
    main()
