"""``--inlinks``: another way to combine the links to a page, in every command that crawls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scenthound as package
from cli.commands import Command, refused
from scenthound import CATALOGUE, CrawlOptions, Topic
from scenthound.core.errors import FolderError, SettingsError
from scenthound.sample.responses import Response
from scenthound.sample.server import WebServer
from scenthound.storage.journal import read_journal

AT = "http://storms.test/"
HTML = (("Content-Type", "text/html"),)
LINKS = {
    "0": (("1", "cake"), ("2", "tea"), ("twice", "storm"), ("once", "storm wind")),
    "1": (("twice", "cake"),),
    "2": (("twice", "cake"),),
    "once": (), "twice": (),
}  # fmt: skip
"""The last link to "twice" is poor, the best one is good."""


def pages() -> dict[str, str]:
    def body(name: str, links: tuple[tuple[str, str], ...]) -> str:
        anchors = "".join(f'<p><a href="{AT}{to}">{text}</a></p>' for to, text in links)
        return f"<title>storm {name}</title><p>A storm {name * 9}.</p>{anchors}"

    return {f"{AT}{name}": body(name, links) for name, links in LINKS.items()}


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    web = {url: Response(url, 200, HTML, html.encode()) for url, html in pages().items()}
    with WebServer(web) as server:
        yield server.proxy


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text(f'name = "storms"\nkeywords = ["storm", "wind"]\nseeds = ["{AT}0"]\n')
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "web" / "storms.test"
    folder.mkdir(parents=True)
    for url, html in pages().items():
        (folder / url.removeprefix(AT)).write_text(f"<!doctype html><html>{html}</html>")
    return tmp_path / "web"


def replayed(scenthound: Command, sample: Path, *more: str | Path) -> dict[str, Any]:
    file = sample / "inlinks-figures.json"
    answer = scenthound(
        "replay", sample / "sample.warc.gz", "-t", sample / "topics" / "storms.toml",
        "-s", "vsm", "--budget", "60", "--json", file, *more,
    )  # fmt: skip
    assert answer.code == 0, answer.err
    run: dict[str, Any] = json.loads(file.read_text())["runs"][0]
    return run


def test_a_replay_combines_as_it_is_told(scenthound: Command, sample: Path, tmp_path: Path) -> None:
    own = replayed(scenthound, sample)
    mean = replayed(scenthound, sample, "--inlinks", "mean", "--out", tmp_path / "out")
    as_mean = replayed(scenthound, sample, "-s", "vsm-mean")
    last = replayed(scenthound, sample, "--set", "replay.inlinks=last")
    assert [run["inlinks"] for run in (own, mean, as_mean, last)] == ["max", "mean", "max", "last"]
    assert own["order"] != mean["order"] != last["order"]
    twin = package.replay(
        sample / "sample.warc.gz", package.read_topic(sample / "topics" / "storms.toml"),
        "vsm-mean", budget=60,
    )  # fmt: skip
    assert list(twin.order) == mean["order"] and twin.inlinks == "mean"
    settings = json.loads((tmp_path / "out" / "storms" / "vsm" / "crawl.json").read_text())
    assert settings["settings"]["inlinks"] == "mean"


def combination(scenthound: Command, folder: Path, url: str) -> str:
    """How the links to a page counted, as ``explain`` tells it."""
    answer = scenthound("explain", folder, url, "--json")
    assert answer.code == 0, answer.err
    told = json.loads(answer.out)["explanations"][0]["priority"]["combination"]
    assert isinstance(told, str)
    return told


def test_a_live_crawl_goes_on_as_it_began(
    scenthound: Command, proxy: str, topic: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    answer = scenthound(
        "crawl", "-t", topic, "--out", out, "-s", "vsm", "--proxy", proxy, "--delay", "0",
        "--max-pages", "2", "--concurrency", "1", "--set", "crawl.min_disk=0",
        "--inlinks", "last", "-q",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    assert json.loads((out / "crawl.json").read_text())["settings"]["inlinks"] == "last"
    assert scenthound("resume", out, "--max-pages", "5", "-q").code == 0
    assert json.loads((out / "crawl.json").read_text())["settings"]["inlinks"] == "last"
    assert json.loads((out / "results.json").read_text())["inlinks"] == "last"
    assert combination(scenthound, out, f"{AT}twice") == "last"
    scores = {e["url"]: float(str(e["priority"])) for e in read_journal(out / "journal.jsonl")
              if e["event"] == "page" and e["priority"] is not None}  # fmt: skip
    assert len(scores) == 4 and scores[f"{AT}twice"] < scores[f"{AT}once"]


def test_explain_tells_the_one_in_force(
    scenthound: Command, archive: Path, topic: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    more = ("-s", "vsm", "--out", out, "--inlinks", "mean")
    assert scenthound("replay", archive, "-t", topic, "--budget", "5", *more).code == 0
    folder = out / "storms" / "vsm"
    assert combination(scenthound, folder, f"{AT}twice") == "mean"
    order = json.loads((folder / "crawl.json").read_text())
    for stored, told in (("gone", "max"), (None, "max"), ("last", "last")):
        settings = {**order["settings"], "inlinks": stored}
        (folder / "crawl.json").write_text(json.dumps({**order, "settings": settings}))
        assert combination(scenthound, folder, f"{AT}twice") == told


def test_a_damaged_folder_is_told(proxy: str, tmp_path: Path) -> None:
    options = CrawlOptions(max_pages=1, delay=0.0, proxy=proxy, min_disk=0)
    wanted, out = Topic("storms", ("storm",), (f"{AT}0",)), tmp_path / "c"
    run = package.crawl(wanted, out, "vsm", options=options, inlinks="mean")
    assert run.inlinks == "mean"
    order = json.loads((out / "crawl.json").read_text())
    order["settings"]["inlinks"] = "sum"
    (out / "crawl.json").write_text(json.dumps(order))
    with pytest.raises(FolderError, match="is damaged: give max, mean or last as inlinks"):
        package.resume(out, max_pages=2)


def test_bad_input(scenthound: Command, topic: Path, tmp_path: Path) -> None:
    for words in (("replay", "none"), ("crawl", "--out", str(tmp_path / "c"))):
        base = (*words, "-t", topic)
        refused(scenthound(*base, "--inlinks", "sum"), "give max, mean or last as inlinks")
        answer = scenthound(*base, "-s", "breadth-first", "--inlinks", "mean")
        refused(answer, "'breadth-first' scores all links to a page alike")
    assert not (tmp_path / "c").exists()


def test_bad_input_in_python(archive: Path) -> None:
    topic = Topic("storms", ("storm",), (f"{AT}0",))
    with pytest.raises(SettingsError, match='inlinks takes "max", "mean" or "last", not 3'):
        package.replay(archive, topic, "vsm", inlinks=3)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="give max, mean or last as inlinks, not 'min'"):
        package.replay(archive, topic, CATALOGUE["vsm"], inlinks="min")
    with pytest.raises(SettingsError, match="cache_limit takes a size such as"):
        package.replay(archive, topic, "vsm", cache_limit=2.5)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="cache takes a path"):
        package.cache_report(3)
