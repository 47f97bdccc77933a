"""``scenthound crawl`` and ``resume`` on a small web on loopback, to the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands import Command
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.storage.journal import read_journal

PAGES = 12
HTML = (("Content-Type", "text/html"),)


def page(number: int) -> Response:
    links = "".join(f'<a href="/{n}">storm {n}</a> ' for n in range(PAGES))
    body = f"<title>Storm {number}</title><p>A storm named {'abcdefghijkl'[number] * 9}.</p>{links}"
    return Response(f"http://storms.test/{number}", 200, HTML, body.encode())


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    with WebServer({each.url: each for each in map(page, range(PAGES))}) as server:
        yield server.proxy


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://storms.test/0"]\n')
    return path


def fetched(folder: Path) -> list[str]:
    events = read_journal(folder / "journal.jsonl")
    return [str(event["url"]) for event in events if event["event"] == "page"]


def test_a_crawl_that_is_resumed_until_all_is_fetched(
    scenthound: Command, proxy: str, topic: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    answer = scenthound(
        "crawl", "-t", topic, "--out", out, "-s", "vsm", "--proxy", proxy, "--delay", "0",
        "--max-pages", "5", "--set", "crawl.min_disk=0",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert len(fetched(out)) == 5
    assert f"Go on with: scenthound resume {out} --max-pages 10" in answer.err
    assert f"{out}/pages-*.warc.gz (1 file)" in answer.out
    assert "has fetched all of its 5 pages" in scenthound("resume", out).err
    answer = scenthound("resume", out, "--max-pages", "50", "--json", "-")
    assert answer.code == 0, answer.err
    assert len(fetched(out)) == len(set(fetched(out))) == PAGES
    (run,) = json.loads(answer.out)["runs"]
    assert (run["stopped"], run["fetched"]) == ("frontier empty", PAGES)
    assert "all that could be reached is fetched, 12 pages" in answer.err


def test_a_seed_that_may_not_be_asked(scenthound: Command, tmp_path: Path) -> None:
    topic = tmp_path / "t.toml"
    topic.write_text('name = "x"\nkeywords = ["storm"]\nseeds = ["http://127.0.0.1:9/"]\n')
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", "-s", "vsm")
    assert answer.code == 1
    assert "not one page could be fetched (private address 1)" in answer.err
