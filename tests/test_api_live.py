"""The live web from Python: the same crawl, a watcher of one's own, warnings as warnings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import scenthound
from scenthound import CATALOGUE, CrawlOptions, ScenthoundWarning, Status, Topic
from scenthound.api.advice import command
from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.events import Event, PageEvent
from scenthound.sample.response import Response
from scenthound.sample.server import WebServer

SEED = "http://storms.test/"
TOPIC = Topic("storms", ("storm",), (SEED,))


class Notes:
    """A watcher that writes everything down."""

    def __init__(self) -> None:
        self.pages: list[str] = []
        self.looks: list[Status] = []

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
    notes, recipe = Notes(), replace(CATALOGUE["vsm"], name="mine")
    run = scenthound.crawl(TOPIC, tmp_path / "c", recipe, options=options, watcher=notes)
    assert (run.strategy, run.fetched, run.stopped) == ("mine", 2, "budget spent")
    assert notes.pages[0] == SEED and len(notes.pages) == 2
    assert notes.looks[-1].summary.fetched == 2
    run = scenthound.resume(tmp_path / "c", max_pages=9, strategy=recipe, watcher=notes)
    assert (run.fetched, run.stopped) == (3, "frontier empty")
    assert set(notes.pages) == {SEED, f"{SEED}a", f"{SEED}b"}


def test_an_example_that_is_gone_is_a_warning(options: CrawlOptions, tmp_path: Path) -> None:
    topic = replace(TOPIC, examples=(f"{SEED}gone",))
    with pytest.warns(ScenthoundWarning, match="gone") as heard:
        scenthound.crawl(topic, tmp_path / "c", "vsm", options=options)
    assert heard[0].filename == __file__


def test_nothing_is_written_for_bad_input(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="decay"):
        scenthound.crawl(TOPIC, tmp_path / "c", "shark", parameters={"decay": 7.0})
    with pytest.raises(SettingsError, match="only replays archives"):
        scenthound.crawl(TOPIC, tmp_path / "c", "oracle")
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"topic": "storms.toml"}, r"topic takes a Topic, not 'storms.toml'; .* read_topic"),
        ({"topic": None}, "topic takes a Topic, not None."),
        ({"out": 7}, "out takes a path, not a value of type int."),
        ({"out": ""}, "out is an empty path"),
        ({"out": None}, "out takes a path, not None."),
        ({"strategy": 7}, "strategy takes a name or a Recipe"),
        ({"options": {"max_pages": 5}}, r"options takes CrawlOptions\(...\)"),
        ({"parameters": [1]}, "parameters takes a dict"),
        ({"labels": 7}, "labels takes a path"),
        ({"wordnet": 7}, "wordnet takes a path"),
    ],
)
def test_what_is_of_the_wrong_type(tmp_path: Path, given: dict[str, object], message: str) -> None:
    arguments = {"topic": TOPIC, "out": tmp_path / "c", "strategy": "vsm", **given}
    with pytest.raises(SettingsError, match=message):
        scenthound.crawl(**arguments)  # type: ignore[arg-type]
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"folder": 7}, "folder takes a path"),
        ({"max_pages": "9"}, "max_pages takes a whole number, not a value of type str."),
        ({"max_pages": True}, "max_pages takes a whole number"),
        ({"max_time": "2h"}, "max_time takes a number"),
    ],
)
def test_a_resume_with_the_wrong_types(
    tmp_path: Path, given: dict[str, object], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        scenthound.resume(**{"folder": tmp_path, **given})  # type: ignore[arg-type]


def test_a_replay_with_the_wrong_types(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="topic takes a Topic"):
        scenthound.replay(tmp_path, "storms")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="archive takes a path, not None"):
        scenthound.replay(None, TOPIC)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="topic takes a Topic"):
        scenthound.understand("storms")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="topic takes a Topic"):
        scenthound.topic_graph("storms")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("folder", "typed"),
    [
        ("storms", "scenthound resume storms --max-pages 9"),
        ("x1 \u00fc\u2602", "scenthound resume 'x1 \u00fc\u2602' --max-pages 9"),
        ("it's; rm", "scenthound resume 'it'\"'\"'s; rm' --max-pages 9"),
        ("-q", "scenthound resume ./-q --max-pages 9"),
    ],
)
def test_commands_can_be_pasted_into_a_shell(folder: str, typed: str) -> None:
    assert command("resume", folder, "--max-pages", "9") == typed


@pytest.mark.parametrize("ask", [scenthound.pause, scenthound.unpause, scenthound.stop])
def test_only_a_running_crawl_can_be_asked(ask: object, tmp_path: Path) -> None:
    assert callable(ask)
    with pytest.raises(FolderError, match="holds no crawl"):
        ask(tmp_path)
