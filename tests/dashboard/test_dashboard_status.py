"""Crawls are shown as what they are: running, ended, not begun, damaged, or made to annoy."""

from __future__ import annotations

import io
import os
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.crawl_making import (
    Time,
    append,
    ask,
    at,
    crawls,
    get,
    line,
    made_crawl,
    open_app,
    page,
    started,
    stop,
)
from scenthound.crawler.control import ControlRequests
from scenthound.output.dashboard.journal_tail import RateMeter, page_rate, read_tail
from scenthound.output.dashboard.pages import PageQuery, search_pages
from scenthound.output.dashboard.values import crawl_id
from scenthound.storage.folder import PAUSE, STOP, CrawlFolder, FolderLock, find_crawls
from scenthound.storage.journal import JournalReader


def test_how_a_crawl_ended(tmp_path: Path) -> None:
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
    cases: list[tuple[str, str, str]] = [
        ("frontier empty", "finished", "frontier empty"), ("time is up", "finished", "time is up"),
        ("stopped", "stopped", "on request"), ("interrupted", "stopped", "by Ctrl-C or a signal"),
        ("error: KeyError", "failed", "KeyError"),
        ("disk nearly full", "stopped", "disk nearly full"),
        ("", "interrupted", "its process was killed"),
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


def test_where_crawls_are_looked_for_also_later(tmp_path: Path) -> None:
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
    base = tmp_path / "looked"
    deep = made_crawl(base / "1" / "2" / "3", 1)
    made_crawl(base / "1" / "2" / "3x" / "4", 1)
    made_crawl(base / ".hidden", 1)
    made_crawl(deep / "below", 1)
    (base / "link").symlink_to(deep)
    near = made_crawl(base / "9", 1)
    assert find_crawls(base) == [near, deep]
    assert find_crawls(base / "nowhere") == []


def test_an_id_is_that_of_its_folder_and_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    one, other = made_crawl(tmp_path / "a", 1), made_crawl(tmp_path / "b", 1)
    before = {each["folder"]: each["id"] for each in crawls(one, other)}
    assert {each["folder"]: each["id"] for each in crawls(other, one)} == before
    (tmp_path / "link").symlink_to(one)
    assert crawls(tmp_path / "link")[0]["id"] == before[str(one)]
    assert len(set(before.values())) == 2
    assert all(each.isascii() and each.isalnum() and len(each) < 16 for each in before.values())
    one, other = made_crawl(tmp_path / "a" / "run", 1), made_crawl(tmp_path / "b" / "run", 1)
    assert [each["name"] for each in crawls(one, other, tmp_path / "c", one)] == [
        f"run ({one})", f"run ({other})", "c",
    ]  # fmt: skip


def test_a_live_crawl_is_as_fast_as_its_pages_say_and_a_replay_as_it_is_seen_to_be(
    tmp_path: Path,
) -> None:
    folder = made_crawl(tmp_path / "c", 0, kind="crawl")
    append(folder, started(), *(page(n, at=1000.0 + n / 2) for n in range(1, 21)))
    with FolderLock(folder):
        assert crawls(folder, clock=Time(1010.5))[0]["rate"] == pytest.approx(1.9)
        assert crawls(folder, clock=Time(1100.0))[0]["rate"] == 0.0
    folder, clock = made_crawl(tmp_path / "replay", 10), Time()
    app = open_app(folder, clock=clock)
    with FolderLock(folder):
        assert ask(app, "/api/crawls").json["crawls"][0]["rate"] is None
        append(folder, *(page(n) for n in range(11, 31)))
        clock.now += 4
        assert ask(app, "/api/crawls").json["crawls"][0]["rate"] == 5.0
    assert page_rate([], 5.0) is None
    assert page_rate([(1.0, 1), (2.0, 3)], 3.0) == 1.0
    assert page_rate([(1.0, 1)], 1.2) is None
    assert page_rate([(1.0, 1), (100.0, 9), (110.0, 19)], 110.0) == 1.0
    meter = RateMeter()
    rates = [meter.rate(second * 3, float(second)) for second in range(200)]
    assert rates[0] is None and rates[-1] == pytest.approx(3.0)
    assert meter.rate(0, 200.0) is None


# Folders that are damaged, or that somebody has made to annoy.


def reported(folder: Path) -> dict[str, Any]:
    (only,) = crawls(folder)
    assert isinstance(only, dict)
    return only


def test_a_damaged_crawl_spec(tmp_path: Path) -> None:
    for number, text in enumerate(
        ["{", "[]", "\x00\xff", '{"format": "scenthound-crawl", "version": 9}']
    ):
        folder = made_crawl(tmp_path / str(number), 3, stopped="stopped")
        CrawlFolder(folder).spec_path.write_text(text)
        only = reported(folder)
        assert (only["state"], only["kind"]) == ("damaged", "unknown") and only["problem"]
        assert only["summary"]["fetched"] == 3 and only["started_at"] is None
        assert get(folder, at(folder))["recent"][0]["n"] == 3
    with FolderLock(folder):  # one that runs can be stopped all the same
        only = reported(folder)
        assert only["state"] == "running" and only["controls"]["stop"]
        ControlRequests(folder).leave(STOP)
        assert reported(folder)["state"] == "stopping"


def test_a_journal_of_something_else(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    (folder / "journal.jsonl").write_bytes(bytes(range(256)) * 50)
    only = reported(folder)
    assert only["state"] == "damaged" and "its journal is damaged" in only["problem"]
    assert get(folder, at(folder))["recent"] == []


def test_a_page_with_values_of_another_kind(tmp_path: Path) -> None:
    cases: list[dict[str, object]] = [
        {"similarity": "high"},
        {"relevant": "high"},
        {"url": 3},
        {"depth": None},
    ]
    for number, wrong in enumerate(cases):
        folder = made_crawl(tmp_path / str(number), 3)
        append(folder, page(4, **wrong), page(5), stop("budget spent", 5))
        only = reported(folder)
        assert only["state"] == "finished" and only["summary"]["fetched"] == 5
        assert only["problem"] == "its journal is damaged: 1 of its last lines cannot be read."
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, similarity="high"), *(page(n) for n in range(5, 200)))
    assert reported(folder)["problem"] == "", "the end alone is read for the list"
    detail = get(folder, at(folder))
    assert "1 of its last lines cannot be read" in detail["problem"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    (folder / "journal.jsonl").unlink()
    os.mkfifo(folder / "journal.jsonl")
    only = reported(folder)
    assert only["state"] == "damaged" and "it is no file" in only["problem"]


class Counted(io.BytesIO):
    """Counts the bytes that are read of it."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(size)
        self.count += len(found)
        return found

    def readline(self, size: int | None = -1, /) -> bytes:
        found = super().readline(size)
        self.count += len(found)
        return found


def test_a_line_without_end_is_read_once_and_a_search_goes_on_behind_it() -> None:
    size = 40 * 1024 * 1024
    text = line(page(1)).encode() + b"x" * size + b"\n" + line(page(2)).encode()
    file = Counted(text)
    assert [each.number for each in JournalReader(file).spread(200)] == [1, 2]
    assert file.count < size / 2
    cut = Counted(text[: size // 2])
    assert read_tail(JournalReader(cut)).strange == 1 and cut.count < size / 3
    portion = 1024 * 1024
    text = line(page(1)).encode() + b"x" * 20 * portion + b"\n" + line(page(2)).encode()
    journal, before, found = JournalReader(io.BytesIO(text)), "", list[int]()
    for _ in range(40):
        answer: Any = search_pages([(None, journal)], PageQuery(), before, 9, portion)
        found += [row["n"] for row in answer["pages"]]
        before = str(answer["next"])
        if answer["complete"]:
            break
    assert found == [2, 1] and answer["next"] is None


def test_a_page_that_no_crawl_writes_is_left_out(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 1)
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write('{"event":"page","n":2,"at":NaN,"url":7,"title":["x"],"similarity":1e999,')
        journal.write(
            '"relevant":"yes","parts":[1],"inlinks":[3],"summary":{"fetched":Infinity}}\n'
        )
    (only,) = crawls(folder)
    assert only["harvest"] == 0.0 and "1 of its last lines" in only["problem"]
    app = open_app(folder)
    assert [row["n"] for row in ask(app, at(folder)).json["recent"]] == [1]
    assert [row["n"] for row in ask(app, at(folder, "/pages")).json["pages"]] == [1]
    assert [point[0] for point in ask(app, at(folder, "/curve")).json["points"]] == [1]


ENDS = ("", "no event\n", '{"event":"paused","at":3.0}\n', '{"event":"page","n":')
STEPS = st.tuples(st.integers(0, 9), st.integers(0, 4), st.sampled_from(ENDS))


@settings(max_examples=40, deadline=None)
@given(st.lists(STEPS, min_size=2, max_size=4))
def test_what_is_added_to_what_is_remembered_is_what_a_first_look_finds(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int, str]]
) -> None:
    folder = made_crawl(tmp_path_factory.mktemp("steps") / "c", 9)
    app, journal = open_app(folder), folder / "journal.jsonl"
    for step, (cut, added, end) in enumerate(steps):
        text = journal.read_text()
        if cut > 4:  # a resumed crawl takes off what was not committed
            text = "".join(text.splitlines(keepends=True)[: 1 - cut])
        first = text.count('"event":"page"') + 1
        more = (page(n, title=f"Step {step}") for n in range(first, first + added))
        journal.write_text("".join([text, *map(line, more), end]))
        fresh = open_app(folder)
        for path in ("", "/curve"):
            assert ask(app, at(folder, path)).json == ask(fresh, at(folder, path)).json


def test_little_of_a_long_journal_is_read_again_when_pages_are_added(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3_000)
    app = open_app(folder)
    curves = []
    for first in (3_001, 3_031, 3_061, 6_001):
        append(folder, *map(page, range(first, first + 30)))
        answer = ask(app, at(folder)).json
        assert answer["summary"]["fetched"] == answer["recent"][0]["n"] == first + 29
        points = ask(app, at(folder, "/curve")).json["points"]
        curves.append([point[0] for point in points])
        assert len(points) <= 200 and points[-1][:2] == [first + 29, (first + 29) // 3]
    gaps = [max(b - a for a, b in pairwise(numbers[:-1])) for numbers in curves[:3]]
    assert max(gaps) < 50 and all(numbers == sorted(set(numbers)) for numbers in curves)


def test_a_frontier_that_cannot_be_read(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3, kind="crawl")
    for content in (b"", b"no database" * 500):
        (folder / "frontier.sqlite").write_bytes(content)
        problem = get(folder, at(folder))["problem"]
        unexplained = get(folder, at(folder, "/pages/1"))["unexplained"]
        assert "the journal tells of" in problem
        assert all("frontier.sqlite" in sentence for sentence in (problem, unexplained))


def test_a_crawl_that_begins_again_in_the_same_folder(tmp_path: Path) -> None:
    for number, in_place in enumerate([True, False]):
        folder = made_crawl(tmp_path / str(number), 3, kind="crawl")
        app = open_app(folder)
        assert ask(app, at(folder)).json["threshold"] == 0.2
        if in_place:
            (folder / "journal.jsonl").write_text("")
        else:
            shutil.rmtree(folder)
            made_crawl(folder, 0, kind="crawl", begun=False)
        append(folder, {**started(), "at": 77.5, "threshold": 0.6}, *(page(n) for n in range(1, 9)))
        answer = ask(app, at(folder)).json
        assert answer["threshold"] == 0.6 and answer["started_at"] == 77.5
