"""The live bench: the web it serves, the plain crawlers, and how figures become ratios."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from benchmarks.live.bare_aiohttp import cosine, crawl, links
from benchmarks.live.campus_server import campus_proxy, pages_as_http
from benchmarks.live.compare import compared, described, measure, plain
from benchmarks.live.figures import TOPIC, Figures, read_figures

from scenthound.core.model import Topic
from scenthound.sample.files import write_warc
from scenthound.sample.response import Response, answer
from scenthound.sample.server import WebServer
from scenthound.sample.web import SampleWeb
from scenthound.topics.file import read_topic

SEEDS = read_topic(TOPIC).seeds
SIZE = 40


def star() -> list[Response]:
    """The first seed links to some pages; in the archive they are all ``https``."""
    home = SEEDS[0].replace("http://", "https://")
    urls = [f"{home}page/{number}" for number in range(SIZE)]
    items = "".join(f'<p><a href="{url}">research {url[-1]}</a>' for url in urls)
    pages = [answer(url, f"<p>Statistics, number {n}.") for n, url in enumerate(urls)]
    return [answer(home, f"<title>Home</title>{items}"), *pages]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "star.warc.gz"
    write_warc(SampleWeb(0, {page.url: page for page in star()}, (), {}), path)
    return path


def test_pages_are_served_as_http(archive: Path) -> None:
    pages = pages_as_http(archive)
    home = pages[SEEDS[0]]
    assert len(pages) == SIZE + 1
    assert b"https" not in home.body and b"http://" in home.body
    assert home.header("Content-Length") == str(len(home.body))


def test_plain_crawlers_stop_at_the_number_of_pages(archive: Path) -> None:
    with campus_proxy(archive) as proxy:
        for module, options in (("bare_aiohttp", ()), ("plain_scrapy", ("--robots",))):
            figures = plain(module, proxy, 30, *options)
            assert figures.pages == 30 < figures.requests
            assert figures.seconds > 0 and figures.cpu_seconds > 0


def test_the_bare_crawler_ends_when_nothing_is_left(archive: Path) -> None:
    topic = Topic("research", keywords=("research",), seeds=SEEDS)
    with WebServer(pages_as_http(archive)) as server:
        figures = asyncio.run(crawl(topic, server.proxy, pages=1_000, concurrency=4))
    assert figures.pages == SIZE + 1
    assert figures.requests == SIZE + len(SEEDS)


def test_the_words_of_a_link_are_compared_with_the_topic() -> None:
    topic = frozenset({"data", "mining"})
    assert cosine("Data mining", topic) == pytest.approx(1.0)
    assert cosine("data", topic) == pytest.approx(0.5**0.5)
    assert cosine("", topic) == 0.0
    body = b'<a href="/a#b">Data</a><a href="mailto:x">x</a><a href="http://[bad">y</a>'
    assert list(links(body, "http://a.test/")) == [("http://a.test/a", "Data")]


def test_figures_come_back_from_their_line() -> None:
    figures = Figures(pages=10, requests=12, seconds=2.0, cpu_seconds=0.1)
    assert read_figures(figures.line()) == figures
    assert figures.pages_per_second == 5.0
    assert figures.cpu_ms_a_page == pytest.approx(10.0)
    assert Figures(0, 0, 0.0, 0.0).pages_per_second == Figures(0, 0, 0.0, 1.0).cpu_ms_a_page == 0.0


def test_crawlers_take_turns_and_are_compared() -> None:
    turns: list[str] = []

    def run(name: str, seconds: float) -> Figures:
        turns.append(name)
        return Figures(100, 150, seconds, 1.0)

    measured = measure({"ours": lambda: run("ours", 1.0), "theirs": lambda: run("theirs", 4.0)}, 2)
    assert turns == ["ours", "theirs"] * 2
    assert "100.0 pages/s" in described("ours", measured["ours"])
    assert "100 pages of 150 requests" in described("ours", measured["ours"])
    line = compared("theirs", measured["ours"], measured["theirs"], 2.0, 2.5)
    assert line.startswith("ratio to theirs: 4.00 ") and "bar: 2.0" in line
