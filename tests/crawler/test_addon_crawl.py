"""The Scrapy add-on in real runs: a spider of a project's own, Scrapy's own command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from crawler.addon_running import write_topic
from crawler.live_replies import moved, ok
from crawler.live_web import LiveWeb, page
from sample.sample_once import sample_web
from scenthound.sample.server import WebServer

ADDON = {"scenthound.scrapy.FocusedCrawl": 500}
QUIET = {
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
    "CONCURRENT_REQUESTS": 1,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_TIMEOUT": 10,
    "RETRY_ENABLED": False,
}
STORMS = 'name = "storms"\nkeywords = ["storm", "hurricane"]\nexclude = ["*/secret*"]\n'
VSM = {"ADDONS": ADDON, "SCENTHOUND_STRATEGY": "vsm", "SCENTHOUND_THRESHOLD": 0.1}


@dataclass(frozen=True)
class Ran:
    """What a run left: its items, what it logged, how it ended."""

    items: list[dict[str, Any]]
    printed: str
    code: int


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


def test_a_spider_that_follows_every_link_finds_pages_of_the_topic_first(
    tmp_path: Path,
) -> None:
    sample = sample_web()
    topic = sample.topics[0]
    labelled = {url for url, name in sample.labels.items() if name == topic.name}
    names = [f"example{number}.html" for number in range(len(topic.examples))]
    for name, url in zip(names, topic.examples, strict=True):
        (tmp_path / name).write_bytes(sample.responses[url].body)
    lists = f"keywords = {json.dumps(topic.keywords)}\nexamples = {json.dumps(names)}\n"
    file = write_topic(tmp_path, f'name = "{topic.name}"\n{lists}')
    settings = {"ADDONS": ADDON, "SCENTHOUND_TOPIC": file, "CLOSESPIDER_PAGECOUNT": 60}
    prompt = {url: replace(response, delay=0.0) for url, response in sample.responses.items()}
    with WebServer(prompt) as server:
        ran = run_spider(tmp_path, FOLLOWER, list(topic.seeds), settings, server.proxy)
    assert ran.code == 0, ran.printed
    found = len(labelled.intersection(item["url"] for item in ran.items))
    pages = sum(response.is_page for response in sample.responses.values())
    assert found >= 3 * 60 * len(labelled) / pages  # three times what chance would find
    assert found >= 20


@pytest.fixture(scope="module")
def web() -> Iterator[LiveWeb]:
    """A front page with links of growing worth, and one page that two others link to."""
    with LiveWeb(hosts=2) as built:
        links = [
            ("/kettle", "a kettle"), ("/twice", "a kettle of tea"),
            ("/storm", "a storm and a hurricane"), ("/secret", "a storm and a hurricane"),
            ("/gone", "a storm"), ("/moved", "a hurricane"),
        ]  # fmt: skip
        built.add(1, "/", page("Front", "All kinds of pages.", links))
        again = [("/twice", "storm, hurricane, storm"), ("/kettle#top", "a kettle")]
        built.add(1, "/storm", page("Storm", "A storm and a hurricane.", again))
        built.add(1, "/twice", page("Twice", "A hurricane."))
        built.add(1, "/kettle", page("Kettle", "A kettle."))
        built.add(1, "/secret", page("Secret", "A storm."))
        built.add(1, "/moved", moved("/target"))
        built.add(1, "/target", page("Target", "A hurricane moved."))
        built.add(1, "/data", ok('{"a": 1}', {"Content-Type": "application/json"}))
        built.add(1, "/picture", ok("\x89PNG", {"Content-Type": "image/png"}))
        built.add(1, "/empty", ok("", {"Content-Type": "text/html"}))
        yield built


def paths(urls: list[str]) -> list[str]:
    return ["/" + url.split("/", 3)[3] for url in urls]


@pytest.fixture(scope="module")
def topic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_topic(tmp_path_factory.mktemp("topic"), STORMS)


HABITS = """
import scrapy

class Habits(scrapy.Spider):
    name = "habits"
    handle_httpstatus_list = [404]

    def parse(self, response):
        yield response.follow("/storm", self.parse_late)
        yield response.follow("/kettle", self.parse_late, priority=1)
        yield response.follow("/twice", lambda answer: self.parse_late(answer))
        yield response.follow("/twice", self.parse_late, dont_filter=True)
        shared = {"shared": []}
        for path in ("/target", "/data", "/picture", "/empty", "/gone"):
            yield response.follow(path, self.part, cb_kwargs=shared)
            yield response.follow(path, self.part, cb_kwargs=shared, meta=response.meta)

    async def parse_late(self, response):
        yield {"url": response.url, "late": True}

    def part(self, response, shared):
        shared.append(response.url)
        yield {"url": response.url, "seen": len(shared), "about": response.meta["scenthound"]}
"""


def test_what_spiders_do_stays_theirs_and_every_response_has_its_keys(
    web: LiveWeb, topic: Path, tmp_path: Path
) -> None:
    """Priorities, callbacks, unfiltered requests, shared objects and meta that is handed on."""
    ran = run_spider(tmp_path, HABITS, [web.url(1)], {**VSM, "SCENTHOUND_TOPIC": topic})
    assert ran.code == 0, ran.printed
    late = paths([item["url"] for item in ran.items if "late" in item])
    assert late[0] == "/kettle" and sorted(late) == ["/kettle", "/storm", "/twice", "/twice"]
    parts = [item for item in ran.items if "seen" in item]
    urls = [item["url"] for item in parts]
    assert sorted(paths(urls)) == ["/data", "/empty", "/gone", "/picture", "/target"]
    assert [item["seen"] for item in parts] == [1, 2, 3, 4, 5]
    keys = {"similarity", "relevant", "score", "parts", "anchor", "linked_from"}
    for item in parts:
        about = item["about"]
        assert set(about) == keys
        judged = item["url"].endswith("/target")
        assert (about["relevant"], about["similarity"] is None) == (judged or None, not judged)


KILLED = """
import json, os, signal
import scrapy

class Killed(scrapy.Spider):
    name = "killed"

    def parse(self, response):
        if response.url.endswith("/twice") and not os.path.exists("killed"):
            open("killed", "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        with open("seen", "a") as seen:
            line = {"url": response.url, "about": response.meta["scenthound"]}
            seen.write(json.dumps(line) + chr(10))
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)
"""


def test_pages_come_best_first_and_a_job_that_was_stopped_or_killed_is_resumed(
    web: LiveWeb, topic: Path, tmp_path: Path
) -> None:
    settings = {**VSM, "SCENTHOUND_TOPIC": topic, "JOBDIR": str(tmp_path / "job")}
    stop = {**settings, "CLOSESPIDER_PAGECOUNT": 1}
    first = run_spider(tmp_path, KILLED, [web.url(1)], stop)
    assert first.code == 0, first.printed
    stopped_after = len((tmp_path / "seen").read_text().splitlines())
    assert stopped_after in (1, 2)  # what was under way at the end is still read
    assert run_spider(tmp_path, KILLED, [web.url(1)], settings).code < 0
    last = run_spider(tmp_path, KILLED, [web.url(1)], settings)
    assert last.code == 0, last.printed
    seen = [json.loads(line) for line in (tmp_path / "seen").read_text().splitlines()]
    order = paths([page["url"] for page in seen])
    assert list(dict.fromkeys(order)) == ["/", "/storm", "/twice", "/target", "/kettle"]
    assert order.count("/") == 1  # the second run went on where the first had stopped
    about = {path: page["about"] for path, page in zip(order, seen, strict=True)}
    assert about["/"]["score"] is None
    assert about["/storm"]["relevant"] and about["/storm"]["similarity"] > 0.5
    assert not about["/kettle"]["relevant"] and about["/kettle"]["similarity"] == 0.0
    twice = about["/twice"]
    assert (twice["linked_from"], twice["anchor"]) == (2, "storm, hurricane, storm")
    assert twice["score"] == pytest.approx(sum(twice["parts"].values()) / 2)
