"""The live web from Python: the same crawl, a watcher of one's own, warnings as warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import scenthound
from scenthound import CATALOGUE, CrawlOptions, ScenthoundWarning, Status, Topic
from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.events import Event, PageEvent
from scenthound.crawler.argument_checks import command
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer

SEED = "http://storms.test/"
TOPIC = Topic("storms", ("storm",), (SEED,))


@dataclass
class Notes:
    """A watcher that writes everything down."""

    pages: list[str] = field(default_factory=list)
    looks: list[Status] = field(default_factory=list)

    def saw(self, event: Event) -> None:
        if isinstance(event, PageEvent):
            self.pages.append(event.url)

    def look(self, status: Status) -> None:
        self.looks.append(status)


@pytest.fixture(scope="module")
def options() -> Iterator[CrawlOptions]:
    html = (("Content-Type", "text/html"),)
    home = b'<title>Storms</title><p>A storm.</p><a href="/a">hail</a> <a href="/b">gale</a>'
    pages = [Response(SEED, 200, html, home)] + [
        Response(f"{SEED}{name}", 200, html, f"<p>All of {name * 9} and its storm.</p>".encode())
        for name in "ab"
    ]
    with WebServer({page.url: page for page in pages}) as server:
        yield CrawlOptions(max_pages=2, delay=0.0, proxy=server.proxy, min_disk=0)


def test_crawl_and_resume(options: CrawlOptions, tmp_path: Path) -> None:
    notes, spec = Notes(), replace(CATALOGUE["vsm"], name="mine")
    run = scenthound.crawl(TOPIC, tmp_path / "c", spec, options=options, watcher=notes)
    assert (run.strategy, run.fetched, run.stopped) == ("mine", 2, "budget spent")
    assert notes.pages[0] == SEED and len(notes.pages) == 2
    assert notes.looks[-1].summary.fetched == 2
    opened = scenthound.open_crawl(tmp_path / "c")
    run = opened.resume(max_pages=9, strategy=spec, watcher=notes)
    assert (run.fetched, run.stopped) == (3, "frontier empty")
    assert set(notes.pages) == {SEED, f"{SEED}a", f"{SEED}b"}


def test_what_is_of_the_wrong_type(tmp_path: Path) -> None:
    crawl: dict[str, Any] = {"topic": TOPIC, "out": tmp_path / "c", "strategy": "vsm"}
    replay: dict[str, Any] = {"archive": tmp_path, "topic": TOPIC}
    cases: list[tuple[Callable[..., object], dict[str, Any], str]] = [
        (scenthound.crawl, {**crawl, "strategy": "shark", "parameters": {"decay": 7.0}}, "decay"),
        (scenthound.crawl, {**crawl, "strategy": "oracle"}, "only replays archives"),
        (scenthound.crawl, {**crawl, "topic": "storms.toml"},
         r"topic takes a Topic, not 'storms.toml'; .* read_topic"),
        (scenthound.crawl, {**crawl, "out": 7}, "out takes a path, not a value of type int."),
        (scenthound.crawl, {**crawl, "out": ""}, "out is an empty path"),
        (scenthound.crawl, {**crawl, "strategy": 7}, "strategy takes a name or a StrategySpec"),
        (scenthound.crawl, {**crawl, "options": {"max_pages": 5}},
         r"options takes CrawlOptions\(...\)"),
        (scenthound.crawl, {**crawl, "parameters": [1]}, "parameters takes a dict"),
        (scenthound.crawl, {**crawl, "wordnet": 7}, "wordnet takes the path"),
        (scenthound.resume, {"folder": 7}, "folder takes a path"),
        (scenthound.resume, {"folder": tmp_path, "max_pages": "9"},
         "max_pages takes a whole number, not '9'."),
        (scenthound.resume, {"folder": tmp_path, "max_time": "soon"}, "max_time takes a time"),
        (scenthound.replay, {**replay, "topic": "storms"}, "topic takes a Topic"),
        (scenthound.replay, {**replay, "archive": None}, "archive takes a path, not None"),
        (scenthound.understand, {"topic": "storms"}, "topic takes a Topic"),
        (scenthound.topic_graph, {"topic": "storms"}, "topic takes a Topic"),
    ]  # fmt: skip
    for function, given, message in cases:
        with pytest.raises(SettingsError, match=message):
            function(**given)
        assert not (tmp_path / "c").exists()


def test_commands_can_be_pasted_into_a_shell() -> None:
    for folder, typed in [
        ("storms", "scenthound resume storms --max-pages 9"),
        ("x1 \u00fc\u2602", "scenthound resume 'x1 \u00fc\u2602' --max-pages 9"),
        ("it's; rm", "scenthound resume 'it'\"'\"'s; rm' --max-pages 9"),
        ("-q", "scenthound resume ./-q --max-pages 9"),
    ]:
        assert command("resume", folder, "--max-pages", "9") == typed


def test_only_a_running_crawl_can_be_asked(tmp_path: Path) -> None:
    for ask in [scenthound.pause, scenthound.unpause, scenthound.stop]:
        assert callable(ask)
        with pytest.raises(FolderError, match="holds no crawl"):
            ask(tmp_path)


def test_the_crawl_object(options: CrawlOptions, tmp_path: Path) -> None:
    topic = replace(TOPIC, examples=(f"{SEED}gone",))
    with pytest.warns(ScenthoundWarning, match="gone") as heard:
        crawl = scenthound.crawl(topic, tmp_path / "c", "vsm", options=options)
    assert heard[0].filename == __file__
    assert crawl.result is not None and crawl.fetched == crawl.result.fetched == 2
    opened = scenthound.open_crawl(tmp_path / "c")
    assert (opened.result, opened.folder) == (None, tmp_path / "c")
    assert (opened.status().state, opened.status().pages) == ("finished", 2)
    assert next(page["url"] for page in opened.pages(text=False)) == SEED
    assert opened.export(tmp_path / "c.jsonl", text=False).rows == 2
    assert opened.explain(1).url == SEED
    with pytest.raises(AttributeError, match="no attribute 'fetched'"):
        opened.fetched  # noqa: B018
    with pytest.raises(FolderError, match="no crawl is running"):
        opened.stop()
    with pytest.raises(FolderError):
        scenthound.open_crawl(tmp_path / "nowhere")
