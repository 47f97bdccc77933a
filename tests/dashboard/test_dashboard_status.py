"""Crawls are shown as what they are: running, ended, damaged, not begun."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dashboard.app_asking import Time, ask, at, crawls, open_app
from dashboard.crawl_making import append, made_crawl, page, started
from scenthound.crawler.control import ControlRequests
from scenthound.output.dashboard.journal_tail import RateMeter, page_rate
from scenthound.output.dashboard.values import crawl_id
from scenthound.storage.folder import (
    PAUSE,
    STOP,
    FolderLock,
    find_crawls,
)


def test_a_finished_replay(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "storms", 30, stopped="budget spent")
    (only,) = crawls(folder)
    controls = {"pause": False, "resume": False, "stop": False}
    assert only == {
        "id": crawl_id(folder), "name": "storms", "folder": str(folder), "kind": "replay",
        "topic": "storms", "reading": "",
        "strategy": "vsm", "state": "finished", "reason": "budget spent", "budget": 1000,
        "summary": {"fetched": 30, "relevant": 10, "failed": 0, "similarity": 7.5, "waiting": 60},
        "harvest": pytest.approx(1 / 3), "rate": None, "problem": "",
        "started_at": pytest.approx((folder / "crawl.json").stat().st_mtime),
        "controls": {**controls, "why": "no process crawls in this folder now"},
    }  # fmt: skip


def test_how_a_crawl_ended(tmp_path: Path) -> None:
    cases: list[tuple[str, str, str]] = [
        ("frontier empty", "finished", "frontier empty"), ("time is up", "finished", "time is up"),
        ("stopped", "stopped", "on request"), ("interrupted", "stopped", "by Ctrl-C or a signal"),
        ("error: KeyError", "failed", "KeyError"),
        ("disk nearly full", "stopped", "disk nearly full"),
        ("", "interrupted", "its process ended without a word"),
    ]  # fmt: skip
    for number, (stopped, state, reason) in enumerate(cases):
        (only,) = crawls(made_crawl(tmp_path / str(number), 3, stopped=stopped))
        assert only["state"] == state
        assert only["reason"] == reason
    folder = made_crawl(tmp_path / "c", 3, stopped="stopped")
    append(folder, {"event": "resumed", "at": 9.0, "budget": 1000})
    assert crawls(folder)[0]["state"] == "interrupted"


def test_how_a_running_crawl_stands(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    requests = ControlRequests(folder)
    with FolderLock(folder):
        assert crawls(folder)[0]["state"] == "running"
        assert crawls(folder)[0]["controls"] == {
            "pause": True, "resume": False, "stop": True, "why": "",
        }  # fmt: skip
        requests.leave(PAUSE)
        assert crawls(folder)[0]["state"] == "paused"
        assert crawls(folder)[0]["controls"]["resume"] is True
        requests.leave(STOP)
        assert crawls(folder)[0]["state"] == "stopping"
        assert crawls(folder)[0]["controls"]["why"] == "it is asked to stop already"
    assert crawls(folder)[0]["state"] == "interrupted"


def test_an_empty_crawl_and_none_yet(tmp_path: Path) -> None:
    empty = made_crawl(tmp_path / "empty", 0, begun=False)
    no_journal = made_crawl(tmp_path / "new")
    (no_journal / "journal.jsonl").unlink()
    for each in crawls(empty, no_journal, tmp_path / "later"):
        assert each["state"] == "not begun" and each["problem"] == ""
        assert each["summary"] is None and each["harvest"] is None and each["rate"] is None
    reading = {"ways": ["words", "meaning"], "fewer": "sentences=no"}
    begun = made_crawl(tmp_path / "begun", 0, kind="crawl", begun=False)
    append(begun, {**started(), "reading": reading})
    with FolderLock(begun):
        (only,) = crawls(begun)
    assert only["state"] == "running" and only["summary"] is None
    assert only["started_at"] == 0.5
    assert only["reading"] == "by words and meaning: sentences=no"


def test_crawls_that_begin_later_are_found(tmp_path: Path) -> None:
    clock = Time()
    app = open_app(tmp_path, clock=clock)
    assert [each["state"] for each in ask(app, "/api/crawls").json["crawls"]] == ["not begun"]
    made_crawl(tmp_path / "storms" / "vsm", 3)
    made_crawl(tmp_path / "storms" / "shark", 3)
    clock.now += 5
    found = ask(app, "/api/crawls").json["crawls"]
    ids = [crawl_id(tmp_path / "storms" / name) for name in ("shark", "vsm")]
    assert [(each["id"], each["name"]) for each in found] == [
        (ids[0], "storms/shark"), (ids[1], "storms/vsm"),
    ]  # fmt: skip
    shutil.rmtree(tmp_path / "storms" / "shark")
    clock.now += 5
    assert [each["id"] for each in ask(app, "/api/crawls").json["crawls"]] == ids[1:]
    assert ask(app, f"/api/crawls/{ids[0]}").status == 404


def test_an_id_is_that_of_its_folder(tmp_path: Path) -> None:
    one, other = made_crawl(tmp_path / "a", 1), made_crawl(tmp_path / "b", 1)
    before = {each["folder"]: each["id"] for each in crawls(one, other)}
    assert {each["folder"]: each["id"] for each in crawls(other, one)} == before
    (tmp_path / "link").symlink_to(one)
    assert crawls(tmp_path / "link")[0]["id"] == before[str(one)]
    assert len(set(before.values())) == 2
    assert all(each.isascii() and each.isalnum() and len(each) < 16 for each in before.values())


def test_two_crawls_of_one_name(tmp_path: Path) -> None:
    one, other = made_crawl(tmp_path / "a" / "run", 1), made_crawl(tmp_path / "b" / "run", 1)
    assert [each["name"] for each in crawls(one, other, tmp_path / "c", one)] == [
        f"run ({one})", f"run ({other})", "c",
    ]  # fmt: skip


def test_where_crawls_are_looked_for(tmp_path: Path) -> None:
    deep = made_crawl(tmp_path / "1" / "2" / "3", 1)
    made_crawl(tmp_path / "1" / "2" / "3x" / "4", 1)
    made_crawl(tmp_path / ".hidden", 1)
    made_crawl(deep / "below", 1)
    (tmp_path / "link").symlink_to(deep)
    assert find_crawls(tmp_path) == [deep]
    assert find_crawls(tmp_path / "nowhere") == []


def test_figures_that_are_none(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 1)
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write('{"event":"page","n":2,"at":NaN,"url":7,"title":["x"],"similarity":1e999,')
        journal.write(
            '"relevant":"yes","parts":[1],"inlinks":[3],"summary":{"fetched":Infinity}}\n'
        )
    app = open_app(folder)
    assert ask(app, "/api/crawls").json["crawls"][0]["harvest"] is None
    told = ask(app, at(folder)).json["recent"][0]
    assert told == {
        "n": 2, "at": None, "url": "", "title": "", "relevant": False, "similarity": None,
        "priority": None, "depth": 0, "status": 0, "parts": [], "linked_from": 0, "problem": "",
        "language": None, "anchor": "",
    }  # fmt: skip


def test_a_live_crawl_is_as_fast_as_its_pages_say(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 0, kind="crawl")
    append(folder, started(), *(page(n, at=1000.0 + n / 2) for n in range(1, 21)))
    with FolderLock(folder):
        assert crawls(folder, clock=Time(1010.5))[0]["rate"] == pytest.approx(1.9)
        assert crawls(folder, clock=Time(1100.0))[0]["rate"] == 0.0


def test_a_replay_is_as_fast_as_it_is_seen_to_be(tmp_path: Path) -> None:
    folder, clock = made_crawl(tmp_path / "c", 10), Time()
    app = open_app(folder, clock=clock)
    with FolderLock(folder):
        assert ask(app, "/api/crawls").json["crawls"][0]["rate"] is None
        append(folder, *(page(n) for n in range(11, 31)))
        clock.now += 4
        assert ask(app, "/api/crawls").json["crawls"][0]["rate"] == 5.0


def test_speed() -> None:
    assert page_rate([], 5.0) is None
    assert page_rate([(1.0, 1), (2.0, 3)], 3.0) == 1.0
    assert page_rate([(1.0, 1)], 1.2) is None
    assert page_rate([(1.0, 1), (100.0, 9), (110.0, 19)], 110.0) == 1.0
    watched = RateMeter()
    for second in range(200):
        watched.saw(second * 3, float(second))
    assert watched.rate(199.0) == pytest.approx(3.0)
    watched.saw(0, 200.0)
    assert watched.rate(200.0) is None
