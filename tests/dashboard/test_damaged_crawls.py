"""Folders that are damaged, or that somebody has made to annoy: they are shown as what they are."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from dashboard.app_asking import Time, ask, at, open_app
from dashboard.crawl_making import append, line, made_crawl, page, started, stop, summary
from explanation.explained_web import crawled
from scenthound.core.errors import FolderError
from scenthound.dashboard.plain_values import number, plain, whole
from scenthound.dashboard.reasons import Reasons
from scenthound.dashboard.searching import Wanted, search_pages
from scenthound.dashboard.tail import read_tail
from scenthound.dashboard.watched_crawl import watched_crawl
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal_places import JournalPlaces, open_places
from scenthound.store.lock import LOCK_NAME, FolderLock
from scenthound.store.requests import STOP, Requests

HUGE = 10**400
PATHS = ("", "/curve", "/pages", "/pages/1")


def told(folder: Path) -> dict[str, Any]:
    (only,) = ask(open_app(folder), "/api/crawls").json["crawls"]
    assert isinstance(only, dict)
    return only


@pytest.mark.parametrize("text", ["{", "[]", "\x00\xff", '{"format": "another"}'])
def test_a_damaged_order(tmp_path: Path, text: str) -> None:
    folder = made_crawl(tmp_path / "c", 3, stopped="stopped")
    CrawlFolder(folder).order_path.write_text(text)
    only = told(folder)
    assert (only["state"], only["kind"]) == ("damaged", "unknown") and only["problem"]
    assert only["summary"]["fetched"] == 3 and only["started_at"] is None
    assert ask(open_app(folder), at(folder)).json["recent"][0]["n"] == 3


def test_a_damaged_crawl_that_runs_can_be_stopped(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    CrawlFolder(folder).order_path.write_text("{")
    with FolderLock(folder):
        only = told(folder)
        assert only["state"] == "running" and only["controls"]["stop"]
        Requests(folder).leave(STOP)
        assert told(folder)["state"] == "stopping"


def test_a_folder_without_a_crawl_is_of_no_kind(tmp_path: Path) -> None:
    only = told(tmp_path / "later")
    assert (only["state"], only["kind"], only["started_at"]) == ("not begun", "unknown", None)


def test_a_journal_of_something_else(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    (folder / "journal.jsonl").write_bytes(bytes(range(256)) * 50)
    only = told(folder)
    assert only["state"] == "damaged" and "nothing that Scenthound writes" in only["problem"]
    assert ask(open_app(folder), at(folder)).json["recent"] == []


@pytest.mark.parametrize("left", ["results.json", "state.npz"])
def test_a_journal_that_was_emptied_is_not_a_crawl_to_come(tmp_path: Path, left: str) -> None:
    folder = made_crawl(tmp_path / "c", 0, begun=False)
    assert told(folder)["state"] == "not begun"
    (folder / left).touch()
    for empty in (True, False):
        only = told(folder)
        assert only["state"] == "damaged" and "is gone or was emptied" in only["problem"]
        if empty:
            (folder / "journal.jsonl").unlink()
    with FolderLock(folder):
        assert told(folder)["state"] == "running"


def test_some_lines_that_are_none(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write("what?\n" + line(page(4)))
    only = told(folder)
    assert only["state"] == "interrupted" and only["summary"]["fetched"] == 4
    assert "1 of its last lines cannot be read" in only["problem"]


@pytest.mark.parametrize(
    "wrong", [{"similarity": "high"}, {"relevant": "yes"}, {"url": 3}, {"depth": None}]
)
def test_a_page_with_values_of_another_kind(tmp_path: Path, wrong: dict[str, object]) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, **wrong), page(5), stop("budget spent", 5))
    only = told(folder)
    assert only["state"] == "finished" and only["summary"]["fetched"] == 5
    assert only["problem"] == "its journal is damaged: 1 of its last lines cannot be read."


def test_a_page_far_back_with_values_of_another_kind(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, similarity="high"), *(page(n) for n in range(5, 200)))
    assert told(folder)["problem"] == "", "the end alone is read for the list"
    detail = ask(open_app(folder), at(folder)).json
    assert "1 of its last lines cannot be read" in detail["problem"]


@pytest.mark.parametrize("name", ["journal.jsonl", "crawl.json", LOCK_NAME])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    only = told(folder)
    if name == LOCK_NAME:
        assert only["state"] == "interrupted"
        return
    assert only["state"] == "damaged" and "it is no file" in only["problem"]
    for path in PATHS:
        assert ask(open_app(folder), at(folder, path)).status in (200, 503)
    with pytest.raises(FolderError, match="it is no file"), watched_crawl(folder):
        pass


def test_an_order_that_is_too_large(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    with CrawlFolder(folder).order_path.open("r+b") as order:
        order.truncate(17 * 1024 * 1024)
    assert "too large" in told(folder)["problem"]


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
    assert [each.number for each in JournalPlaces(file).spread(200)] == [1, 2]
    assert file.count < size / 2
    cut = Counted(text[: size // 2])
    assert read_tail(JournalPlaces(cut)).strange == 1 and cut.count < size / 4


def test_a_search_goes_on_behind_a_line_without_end() -> None:
    portion = 1024 * 1024
    text = line(page(1)).encode() + b"x" * 20 * portion + b"\n" + line(page(2)).encode()
    journal, before, found = JournalPlaces(io.BytesIO(text)), None, list[int]()
    for _ in range(40):
        answer: Any = search_pages(journal, Wanted(), before, 9, portion)
        found += [row["n"] for row in answer["pages"]]
        before = answer["next"]
        if answer["complete"]:
            break
    assert found == [2, 1] and before is None


def test_absurd_figures_are_none() -> None:
    assert number(HUGE) is None and number(1e308) is None and number(True) is None
    assert number(float("nan")) is None and number(-2.5) == -2.5
    assert whole(HUGE) == whole(True) == whole(1.5) == 0 and whole(7) == 7
    assert plain({"a": [1, float("inf"), "x", None, HUGE]}) == {"a": [1, None, "x", None, None]}
    deep: object = "end"
    for _ in range(500):
        deep = [deep]
    assert "end" not in str(plain(deep))


def test_a_page_with_absurd_figures(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    append(folder, page(4, summary={**summary(4), "fetched": HUGE}, parts={"a": [1e308, 1e308]}))
    assert told(folder)["harvest"] is None
    app = open_app(folder)
    assert ask(app, at(folder, "/curve")).json["points"][-1][:3] == [4, 1, None]
    assert ask(app, at(folder)).json["recent"][0]["parts"] == [["a", None, None, "a"]]
    news = ask(app, at(folder, "/events"), until=lambda body: b"\n\n" in body)
    assert b'"fetched":null' in news.body


def test_numbers_that_are_no_page(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    strange: list[object] = [True, 0, -5, HUGE]
    path.write_text("".join(line({**page(1), "n": n}) for n in strange) + line(page(2)))
    with open_places(path) as places:
        assert [each.number for each in places.pages()] == [2]


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


def test_a_frontier_that_cannot_be_read_in_a_watchers_words(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3, kind="crawl")
    for content in (b"", b"no database" * 500):
        (folder / "frontier.sqlite").write_bytes(content)
        answer = ask(open_app(folder), at(folder)).json
        assert (
            "frontier.sqlite" in answer["problem"] and "the journal tells of" in answer["problem"]
        )
        unexplained = ask(open_app(folder), at(folder, "/pages/1")).json["unexplained"]
        for sentence in (answer["problem"], unexplained):
            assert "frontier.sqlite" in sentence
            assert "another folder" not in sentence and "go on with" not in sentence


def test_explanations_do_not_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.dashboard.reasons._WAITING", 0)
    explanation, why = Reasons(Time()).of(tmp_path, 1)
    assert explanation is None and "ask again" in why


@pytest.mark.parametrize("in_place", [True, False])
def test_a_crawl_that_begins_anew_in_the_same_folder(tmp_path: Path, in_place: bool) -> None:
    folder = made_crawl(tmp_path / "c", 3, kind="crawl")
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
