"""Folders that are damaged, or that somebody has made to annoy: they are shown as what they are."""

from __future__ import annotations

import io
import json
import os
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from dashboard.app_asking import Time, ask, at, crawls, get, open_app
from dashboard.crawl_making import (
    FIRST,
    ID,
    SECOND,
    append,
    line,
    made_crawl,
    made_worker,
    marked,
    page,
    started,
    stop,
    summary,
)
from output.explained_web import crawled
from scenthound.core.errors import FolderError
from scenthound.core.model import global_page_number
from scenthound.crawler.control import ControlRequests
from scenthound.output.dashboard.crawl_folder import open_watched_crawl
from scenthound.output.dashboard.journal_tail import read_tail
from scenthound.output.dashboard.page_details import PageExplainer
from scenthound.output.dashboard.pages import PageQuery, search_pages
from scenthound.output.dashboard.values import as_int, as_number, crawl_id, distributed_id, to_plain
from scenthound.storage.folder import (
    LOCK_NAME,
    PAUSE,
    STOP,
    CrawlFolder,
    FolderLock,
)
from scenthound.storage.journal import JournalReader

HUGE = 10**400
PATHS = ("", "/curve", "/pages", "/pages/1")


def told(folder: Path) -> dict[str, Any]:
    (only,) = crawls(folder)
    assert isinstance(only, dict)
    return only


def test_a_damaged_crawl_spec(tmp_path: Path) -> None:
    for number, text in enumerate(
        ["{", "[]", "\x00\xff", '{"format": "scenthound-crawl", "version": 9}']
    ):
        folder = made_crawl(tmp_path / str(number), 3, stopped="stopped")
        CrawlFolder(folder).spec_path.write_text(text)
        only = told(folder)
        assert (only["state"], only["kind"]) == ("damaged", "unknown") and only["problem"]
        assert only["summary"]["fetched"] == 3 and only["started_at"] is None
        assert get(folder, at(folder))["recent"][0]["n"] == 3
    with FolderLock(folder):  # one that runs can be stopped all the same
        only = told(folder)
        assert only["state"] == "running" and only["controls"]["stop"]
        ControlRequests(folder).leave(STOP)
        assert told(folder)["state"] == "stopping"
    with CrawlFolder(folder).spec_path.open("r+b") as file:
        file.truncate(17 * 1024 * 1024)
    assert "too large" in told(folder)["problem"]


def test_a_journal_of_something_else_or_that_was_emptied(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    (folder / "journal.jsonl").write_bytes(bytes(range(256)) * 50)
    only = told(folder)
    assert only["state"] == "damaged" and "nothing that Scenthound writes" in only["problem"]
    assert get(folder, at(folder))["recent"] == []
    for number, left in enumerate(["results.json", "state.npz"]):
        folder = made_crawl(tmp_path / str(number), 0, begun=False)
        assert told(folder)["state"] == "not begun"
        (folder / left).touch()
        for empty in (True, False):
            only = told(folder)
            assert only["state"] == "damaged" and "is gone or was emptied" in only["problem"]
            if empty:
                (folder / "journal.jsonl").unlink()
        with FolderLock(folder):
            assert told(folder)["state"] == "running"


def test_a_page_with_values_of_another_kind(tmp_path: Path) -> None:
    cases: list[dict[str, object]] = [
        {"similarity": "high"},
        {"relevant": "yes"},
        {"url": 3},
        {"depth": None},
    ]
    for number, wrong in enumerate(cases):
        folder = made_crawl(tmp_path / str(number), 3)
        append(folder, page(4, **wrong), page(5), stop("budget spent", 5))
        only = told(folder)
        assert only["state"] == "finished" and only["summary"]["fetched"] == 5
        assert only["problem"] == "its journal is damaged: 1 of its last lines cannot be read."
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, similarity="high"), *(page(n) for n in range(5, 200)))
    assert told(folder)["problem"] == "", "the end alone is read for the list"
    detail = get(folder, at(folder))
    assert "1 of its last lines cannot be read" in detail["problem"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    for number, name in enumerate(["journal.jsonl", "crawl.json", LOCK_NAME]):
        folder = made_crawl(tmp_path / str(number), 3)
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)
        only = told(folder)
        if name == LOCK_NAME:
            assert only["state"] == "interrupted"
            return
        assert only["state"] == "damaged" and "it is no file" in only["problem"]
        for path in PATHS:
            assert ask(open_app(folder), at(folder, path)).status in (200, 503)
        with pytest.raises(FolderError, match="it is no file"), open_watched_crawl(folder):
            pass


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


def test_a_line_without_end_is_not_read_again_and_again() -> None:
    size = 40 * 1024 * 1024
    text = line(page(1)).encode() + b"x" * size + b"\n" + line(page(2)).encode()
    file = Counted(text)
    assert [each.number for each in JournalReader(file).spread(200)] == [1, 2]
    assert file.count < size / 2
    cut = Counted(text[: size // 2])
    assert read_tail(JournalReader(cut)).strange == 1 and cut.count < size / 4


def test_a_search_goes_on_behind_a_line_without_end() -> None:
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


def test_absurd_figures_are_none(tmp_path: Path) -> None:
    assert as_number(HUGE) is None and as_number(1e308) is None and as_number(True) is None
    assert as_number(float("nan")) is None and as_number(-2.5) == -2.5
    assert as_int(HUGE) == as_int(True) == as_int(1.5) == 0 and as_int(7) == 7
    assert to_plain({"a": [1, float("inf"), "x", None, HUGE]}) == {"a": [1, None, "x", None, None]}
    deep: object = "end"
    for _ in range(500):
        deep = [deep]
    assert "end" not in str(to_plain(deep))
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, summary={**summary(4), "fetched": HUGE}, parts={"a": [1e308, 1e308]}))
    assert told(folder)["harvest"] is None
    app = open_app(folder)
    assert ask(app, at(folder, "/curve")).json["points"][-1][:3] == [4, 1, 0.25]
    assert ask(app, at(folder)).json["recent"][0]["parts"] == [["a", None, None, "a"]]
    news = ask(app, at(folder, "/events"), until=lambda body: b"\n\n" in body)
    assert b'"fetched":null' in news.body


def test_a_page_that_makes_no_sense_is_not_explained(tmp_path: Path) -> None:
    folder = crawled(tmp_path / "live").folder
    journal = CrawlFolder(folder).journal_path
    lines = journal.read_text().splitlines(keepends=True)
    for place, text in enumerate(lines):
        event = json.loads(text)
        if event.get("n") == 2:
            strange = "javascript:" + "x" * (len(event["url"]) - len("javascript:"))
            lines[place] = text.replace(json.dumps(event["url"]), json.dumps(strange))
    journal.write_text("".join(lines))
    answer = ask(open_app(folder), at(folder, "/pages/2"))
    assert answer.status == 200 and answer.json["explanation"] is None
    assert "makes no sense" in answer.json["unexplained"]


def test_a_frontier_that_cannot_be_read_in_a_watchers_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_crawl(tmp_path / "c", 3, kind="crawl")
    for content in (b"", b"no database" * 500):
        (folder / "frontier.sqlite").write_bytes(content)
        problem = get(folder, at(folder))["problem"]
        unexplained = get(folder, at(folder, "/pages/1"))["unexplained"]
        assert "the journal tells of" in problem
        for sentence in (problem, unexplained):
            assert "frontier.sqlite" in sentence
            assert "another folder" not in sentence and "go on with" not in sentence
    monkeypatch.setattr("scenthound.output.dashboard.page_details._MAX_WAITING", 0)
    explanation, why = PageExplainer(Time()).explain(folder, 1)
    assert explanation is None and "ask again" in why, "explanations do not pile up"


def test_a_crawl_that_begins_anew_in_the_same_folder(tmp_path: Path) -> None:
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


# Folders of workers are shown as the one crawl that they share.


TEAM = f"/api/crawls/{distributed_id(ID)}"


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """Two workers; pages at 1, 3, 5 and at 2, 4 seconds."""
    made_worker(tmp_path / "worker-1", 1, FIRST, stopped="budget spent")
    made_worker(tmp_path / "worker-2", 2, SECOND, stopped="budget spent")
    return tmp_path


def test_two_folders_are_one_crawl(both: Path) -> None:
    team, first, second = crawls(both)
    assert (team["id"], team["name"], team["folder"]) == (distributed_id(ID), "storms", str(both))
    assert team["state"] == "finished" and team["reason"] == "budget spent"
    assert team["summary"] == {
        "fetched": 5, "relevant": 3, "failed": 2, "similarity": 1.25, "waiting": 105,
    }  # fmt: skip
    assert team["harvest"] == pytest.approx(0.6) and team["kind"] == "live"
    assert team["controls"]["why"] == "no worker is at work now"
    row = team["workers"][0]
    assert row == {
        "id": first["id"], "number": 1, "name": "w1", "state": "finished",
        "reason": "budget spent", "fetched": 3, "relevant": 2, "harvest": pytest.approx(2 / 3),
        "rate": None, "last_at": 5.0, "folder": str(both / "worker-1"), "host": "",
    }  # fmt: skip
    assert [row["fetched"] for row in team["workers"]] == [3, 2]
    assert second["team"] == {"id": distributed_id(ID), "name": "storms", "number": 2}
    assert second["id"] == crawl_id(both / "worker-2") and second["name"] == "w2"


def test_pages_and_curve_of_all_by_time(both: Path) -> None:
    told = get(both, f"{TEAM}/pages")
    assert [(row["worker"]["name"], row["n"]) for row in told["pages"]] == [
        ("w1", 3), ("w2", 2), ("w1", 2), ("w2", 1), ("w1", 1),
    ]  # fmt: skip
    assert told["pages"][1]["key"] == global_page_number(2, 2)
    assert told["complete"] and told["next"] is None and told["searched"] == 5
    seen, cursor = [], ""
    while cursor is not None:
        told = get(both, f"{TEAM}/pages?limit=2&before={cursor}")
        seen += [row["at"] for row in told["pages"]]
        cursor = told["next"]
    assert seen == [5.0, 4.0, 3.0, 2.0, 1.0], "in portions too"
    for before in ["1", "1.x", "1.2-", "-", "99999.1", "1.2.3"]:
        assert "takes" in get(both, f"{TEAM}/pages?before={before}", 400)["error"]
    points = get(both, f"{TEAM}/curve")["points"]
    assert [point[0] for point in points] == [1, 2, 3, 4, 5]
    assert [point[1] for point in points] == [1, 2, 2, 2, 3]
    assert [point[2] for point in points] == [1.0, 1.0, 0.66667, 0.5, 0.6]
    assert [point[4] for point in points] == [0.25] * 5
    assert [point[5] for point in points] == [101, 102, 103, 104, 105]
    told = get(both, f"{TEAM}/pages/{global_page_number(2, 9)}", 404)
    assert told["error"] == "this crawl has no page 9 of worker 2."
    assert get(both, f"{TEAM}/pages/{global_page_number(7, 1)}", 404)
    assert get(both, f"{TEAM}/pages/3", 404)


def test_the_details_of_all(both: Path) -> None:
    told = get(both, TEAM)
    assert [row["at"] for row in told["recent"]] == [5.0, 4.0, 3.0, 2.0, 1.0]
    assert [row["at"] for row in told["latest"]] == [5.0, 2.0, 1.0]
    assert sum(host["pages"] for host in told["hosts"]) == 5
    assert told["counted"] == {"pages": 5, "whole": True} and told["hosts_whole"]
    assert told["threshold"] == 0.2 and told["frontier"]["waiting"] == 105
    assert not [row for row in told["settings"] if row[0] == "worker"]
    alone = get(both, at(both / "worker-2"))
    assert alone["summary"]["fetched"] == 2 and alone["problem"] == ""
    assert [row["n"] for row in alone["recent"]] == [2, 1] and "worker" not in alone["recent"][0]


def test_the_way_to_a_page_leads_through_the_folders_of_others(tmp_path: Path) -> None:
    made_worker(tmp_path / "a", 1, FIRST, links={3: [global_page_number(2, 2)]})
    made_worker(tmp_path / "b", 2, SECOND, links={2: [1], 1: [global_page_number(1, 1)]})
    address = f"{TEAM}/pages/{global_page_number(1, 3)}"
    for each in (address, at(tmp_path / "a", "/pages/3")):
        path = get(tmp_path, each)["path"]
        assert [(step["worker"], step["n"]) for step in path] == [(1, 1), (2, 1), (2, 2), (1, 3)]
    assert get(tmp_path, address)["page"]["worker"]["name"] == "w1"


def test_a_way_from_a_worker_that_is_not_shown_and_one_in_a_circle(tmp_path: Path) -> None:
    links = {2: [global_page_number(3, 12)], 3: [global_page_number(1, 2)]}
    made_worker(tmp_path / "alone" / "a", 1, FIRST, links=links)
    path = get(tmp_path / "alone", at(tmp_path / "alone" / "a", "/pages/3"))["path"]
    assert path[0] == {
        "n": 12, "url": "", "title": "page 12 of worker 3", "worker": 3, "elsewhere": True,
    }  # fmt: skip
    assert [step["n"] for step in path] == [12, 2, 3]
    circle = tmp_path / "circle"
    made_worker(circle / "a", 1, FIRST, links={1: [global_page_number(2, 1)]})
    made_worker(circle / "b", 2, SECOND, links={1: [global_page_number(1, 1)]})
    path = get(circle, f"{TEAM}/pages/{global_page_number(1, 1)}")["path"]
    assert [(step["worker"], step["n"]) for step in path] == [(2, 1), (1, 1)]


def test_requests_are_left_in_the_folders_of_all_that_work(tmp_path: Path) -> None:
    at_work = [made_worker(tmp_path / name, n, FIRST) for n, name in enumerate("ab", 1)]
    over = made_worker(tmp_path / "c", 3, SECOND, stopped="budget spent")
    app = open_app(tmp_path)
    token = ask(app, "/").body.decode().split('token" content="')[1].split('"')[0]

    def order(action: str) -> Any:
        return ask(app, f"{TEAM}/{action}", "POST", {"x-scenthound-token": token})

    assert order("pause").status == 409
    with ExitStack() as stack:
        for folder in at_work:
            stack.enter_context(FolderLock(folder))
        assert order("pause").json["state"] == "paused"
        assert all(ControlRequests(folder).is_left(PAUSE) for folder in at_work)
        assert order("resume").json["state"] == "running"
        assert not any(ControlRequests(folder).is_left(PAUSE) for folder in at_work)
        assert order("stop").json["state"] == "stopping"
        assert all(ControlRequests(folder).is_left(STOP) for folder in at_work)
        assert not ControlRequests(over).is_left(STOP)


def test_a_worker_that_was_paused_on_its_server(tmp_path: Path) -> None:
    folder = made_worker(tmp_path / "a", 1, FIRST)
    append(folder, {"event": "paused", "at": 9.0, "budget": 10})
    with FolderLock(folder):
        team, worker = crawls(tmp_path)
    assert team["state"] == worker["state"] == "paused"
    assert not team["controls"]["resume"] and "on its server" in team["controls"]["why"]


def test_a_crawl_ends_as_its_last_worker_did(tmp_path: Path) -> None:
    cases: list[tuple[str, str, str]] = [
        ("", "budget spent", "finished"), ("stopped", "budget spent", "stopped"),
        ("budget spent", "stopped", "finished"), ("", "", "interrupted"),
        ("error: KeyError", "budget spent", "failed"),
    ]  # fmt: skip
    for number, (first, second, state) in enumerate(cases):
        here = tmp_path / str(number)
        made_worker(here / "a", 1, FIRST, stopped=first)
        made_worker(here / "b", 2, SECOND, stopped=second)
        assert crawls(here)[0]["state"] == state


def test_of_two_folders_of_one_worker_the_first_counts(tmp_path: Path) -> None:
    made_worker(tmp_path / "a", 1, FIRST)
    made_worker(tmp_path / "copy", 1, FIRST)
    team, first, copy = crawls(tmp_path)
    assert team["summary"]["fetched"] == 3 and len(team["workers"]) == 1
    assert "team" in first and "team" not in copy and copy["name"] == "copy"


def test_two_crawls_of_one_name(tmp_path: Path) -> None:
    made_worker(tmp_path / "old" / "a", 1, FIRST)
    made_worker(tmp_path / "new" / "a", 1, SECOND, id_="another")
    told = crawls(tmp_path)
    names = {crawl["name"] for crawl in told if "team" not in crawl}
    assert len(told) == 4 and names == {
        f"storms ({tmp_path / each / 'a'})" for each in ("old", "new")
    }


def test_a_mark_that_nobody_wrote(tmp_path: Path) -> None:
    cases: list[object] = [
        7, [], {}, {"crawl": "s", "id": "i", "name": "w", "number": "1"},
        {"crawl": "s", "id": "i", "name": "w", "number": 0},
        {"crawl": "s", "id": "i", "name": "w", "number": 2**40},
        {"crawl": "s", "id": None, "name": "w", "number": 1},
    ]  # fmt: skip
    for number, mark in enumerate(cases):
        here = tmp_path / str(number)
        folder = made_crawl(here / "c", 3, kind="crawl")
        marked(folder, mark)
        (only,) = crawls(here)
        assert only["id"] == crawl_id(folder) and "workers" not in only
    hostile = '"/../<script>\ud800'  # which becomes no part of an address
    made_worker(tmp_path / "a" / "a", 1, FIRST, id_=hostile)
    team, _ = crawls(tmp_path / "a")
    assert team["id"] == distributed_id(hostile) and team["id"].isalnum()


def test_a_damaged_journal_of_one_does_not_hide_the_others(both: Path) -> None:
    (both / "worker-1" / "journal.jsonl").write_bytes(b"\0nonsense\n")
    told = get(both, TEAM)
    assert told["summary"]["fetched"] == 2 and told["problem"].startswith("w1: ")
    assert [row["at"] for row in told["recent"]] == [4.0, 2.0]
    assert [point[0] for point in get(both, f"{TEAM}/curve")["points"]] == [1, 2]
