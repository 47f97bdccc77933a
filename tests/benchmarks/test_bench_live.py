"""The live bench: the web it serves, the plain crawlers, and how figures become ratios."""

from __future__ import annotations

from pathlib import Path

from benchmarks.live.campus_server import campus_proxy, pages_as_http
from benchmarks.live.compare import plain
from benchmarks.live.figures import TOPIC

from scenthound.sample.responses import Response, make_response
from scenthound.sample.web import SampleWeb, write_warc
from scenthound.similarity.topic_file import read_topic

SEEDS = read_topic(TOPIC).seeds
SIZE = 40


def star() -> list[Response]:
    """The first seed links to some pages; in the archive they are all ``https``."""
    home = SEEDS[0].replace("http://", "https://")
    urls = [f"{home}page/{number}" for number in range(SIZE)]
    items = "".join(f'<p><a href="{url}">research {url[-1]}</a>' for url in urls)
    pages = [make_response(url, f"<p>Statistics, number {n}.") for n, url in enumerate(urls)]
    return [make_response(home, f"<title>Home</title>{items}"), *pages]


def test_pages_are_served_as_http_and_plain_crawlers_stop_at_their_number(tmp_path: Path) -> None:
    archive = tmp_path / "star.warc.gz"
    write_warc(SampleWeb(0, {page.url: page for page in star()}, (), {}), archive)
    pages = pages_as_http(archive)
    home = pages[SEEDS[0]]
    assert len(pages) == SIZE + 1
    assert b"https" not in home.body and b"http://" in home.body
    assert home.header("Content-Length") == str(len(home.body))
    with campus_proxy(archive) as proxy:
        for module, options in (("bare_aiohttp", ()), ("plain_scrapy", ("--robots",))):
            figures = plain(module, proxy, 30, *options)
            assert figures.pages == 30 < figures.requests
            assert figures.seconds > 0 and figures.cpu_seconds > 0
