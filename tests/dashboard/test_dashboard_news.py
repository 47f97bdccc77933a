"""What is written to a journal reaches whoever watches, once, and only when there is something."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response
from starlette.types import Message

from dashboard.app_asking import Time, ask, at, open_app
from dashboard.crawl_making import append, events, line, made_crawl, page
from scenthound.dashboard import following, streams
from scenthound.dashboard.asked import Refused
from scenthound.dashboard.crawl_reader import CrawlReader
from scenthound.dashboard.following import Follower, News
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal_places import open_places
from scenthound.store.lock import FolderLock
from scenthound.store.requests import PAUSE, Requests


def look(follower: Follower, folder: Path) -> News:
    with open_places(CrawlFolder(folder).journal_path) as journal:
        return follower.look(journal)


def numbers(news: News) -> list[int]:
    return [each.number for each in news.pages]


def test_a_follower_sees_every_page_once(tmp_path: Path) -> None:
    folder, follower = made_crawl(tmp_path / "c", 5), Follower()
    assert numbers(look(follower, folder)) == [1, 2, 3, 4, 5]
    assert look(follower, folder) == News()
    append(folder, page(6), {"event": "missing", "count": 2}, page(7))
    assert numbers(look(follower, folder)) == [6, 7]


def test_a_line_is_news_when_it_is_whole(tmp_path: Path) -> None:
    folder, follower = made_crawl(tmp_path / "c", 2), Follower()
    look(follower, folder)
    text = line(page(3))
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write(text[:50])
        journal.flush()
        assert look(follower, folder) == News()
        journal.write(text[50:])
    assert numbers(look(follower, folder)) == [3]


def test_a_follower_of_a_long_journal_begins_near_its_end(tmp_path: Path) -> None:
    folder, follower = made_crawl(tmp_path / "c", 2_000), Follower()
    news = look(follower, folder)
    assert numbers(news)[-1] == 2000 and 50 < len(news.pages) < 300 and not news.anew
    assert news.points[0].recent == pytest.approx(1 / 3, abs=0.02)


def test_a_follower_goes_on_where_it_was(tmp_path: Path) -> None:
    folder, first = made_crawl(tmp_path / "c", 200), Follower()
    look(first, folder)
    append(folder, *events(201, 204))
    again = look(Follower(first.place), folder)
    assert numbers(again) == [201, 202, 203, 204] and not again.anew
    assert again.points == look(first, folder).points


def test_a_journal_that_was_cut_begins_anew(tmp_path: Path) -> None:
    folder, follower = made_crawl(tmp_path / "c", 50), Follower()
    look(follower, folder)
    (folder / "journal.jsonl").write_text("".join(map(line, events(1, 20))))
    news = look(follower, folder)
    assert news.anew and numbers(news) == list(range(1, 21))
    assert not look(follower, folder).anew


def test_a_journal_that_was_cut_and_has_grown_begins_anew(tmp_path: Path) -> None:
    folder, follower = made_crawl(tmp_path / "c", 50), Follower()
    look(follower, folder)
    (folder / "journal.jsonl").write_text("".join(map(line, events(1, 90))))
    news = look(follower, folder)
    assert news.anew and numbers(news)[-1] == 90


def test_one_look_reads_so_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "AT_ONCE", 3_000)
    folder, follower = made_crawl(tmp_path / "c", 0), Follower()
    look(follower, folder)
    append(folder, *(page(n) for n in range(1, 31)))
    seen: list[int] = []
    for _ in range(20):
        found = numbers(look(follower, folder))
        assert len(found) < 12
        seen += found
    assert seen == list(range(1, 31))


def test_who_is_far_behind_is_not_told_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "_BEHIND", 10_000)
    monkeypatch.setattr(following, "_BEGIN", 2_000)
    folder = made_crawl(tmp_path / "c", 99)
    news = look(Follower(0), folder)
    assert news.anew and 1 <= len(news.pages) < 6 and numbers(news)[-1] == 99


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_PAUSE", 0.01)


def watched(
    folder: Path, until: Callable[[list[Any]], bool], headers: dict[str, str] | None = None
) -> list[Any]:
    """The updates until one is enough."""
    answer = ask(
        open_app(folder), at(folder, "/events"), headers=headers,
        until=lambda body: until(updates(body)),
    )  # fmt: skip
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    return updates(answer.body)


def updates(body: bytes) -> list[Any]:
    """Each update, with its id; a line that is still coming is none."""
    found: list[Any] = []
    for event in body.decode().split("\n\n")[:-1]:
        fields = dict(each.split(": ", 1) for each in event.splitlines() if each[0] != ":")
        if fields.get("event") == "update":
            found.append({"place": int(fields["id"]), **json.loads(fields["data"])})
        elif fields:
            found.append(fields["event"])
    return found


@pytest.mark.usefixtures("quick")
def test_the_first_update_says_how_it_stands(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 80, stopped="budget spent")
    (first,) = watched(folder, bool)
    assert first["state"] == "finished" and first["name"] == "c"
    assert [row["n"] for row in first["pages"]] == list(range(80, 30, -1))
    assert [point[0] for point in first["points"]] == list(range(1, 81))
    assert first["place"] == (folder / "journal.jsonl").stat().st_size


@pytest.mark.usefixtures("quick")
def test_a_line_that_is_written_is_an_update(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)

    def seen(found: list[Any]) -> bool:
        if len(found) == 1 and not (folder / "told").exists():
            (folder / "told").touch()
            append(folder, page(4, title="<script>"))
        return len(found) == 2

    first, second = watched(folder, seen)
    assert [row["title"] for row in second["pages"]] == ["<script>"]
    assert second["summary"]["fetched"] == 4 and [point[0] for point in second["points"]] == [4]
    again = watched(folder, bool, {"last-event-id": str(first["place"])})
    assert [row["n"] for row in again[0]["pages"]] == [4]


@pytest.mark.usefixtures("quick")
def test_a_pause_is_an_update_without_a_line(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    with FolderLock(folder):

        def seen(found: list[Any]) -> bool:
            if found:
                Requests(folder).leave(PAUSE)
            return found[-1:] != [] and found[-1]["state"] == "paused"

        found = watched(folder, seen)
    assert [each["state"] for each in found] == ["running", "paused"]
    assert found[1]["pages"] == []


@pytest.mark.usefixtures("quick")
def test_a_folder_that_is_deleted_is_gone(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)

    def seen(found: list[Any]) -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return False

    assert watched(folder, seen)[-1] == "gone"


@pytest.mark.usefixtures("quick")
def test_a_crawl_that_has_not_begun_is_waited_for(tmp_path: Path) -> None:
    def seen(found: list[Any]) -> bool:
        if len(found) == 1:
            threading.Thread(target=made_crawl, args=(tmp_path / "c", 3)).start()
        return any(each["summary"] is not None for each in found)

    found = watched(tmp_path / "c", seen)
    assert found[0]["state"] == "not begun" and found[-1]["summary"]["fetched"] >= 1


@pytest.mark.usefixtures("quick")
def test_silence_is_broken_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_SIGN_OF_LIFE", 0.05)
    app = open_app(made_crawl(tmp_path / "c", 3))
    answer = ask(app, at(tmp_path / "c", "/events"), until=lambda body: b": still here" in body)
    assert len(updates(answer.body)) == 1


def test_a_place_is_taken_before_the_stream_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MOST_STREAMS", 2)
    reader = CrawlReader(made_crawl(tmp_path / "c", 3), Time(), Time())
    many = streams.Streams(lambda _: {}, lambda: True)
    first, _ = many.open(reader, None), many.open(reader, None)
    with pytest.raises(Refused, match="too many windows"):
        many.open(reader, None)
    asyncio.run(end(first))
    many.open(reader, None)


async def end(stream: Response) -> None:
    """As a server does for somebody who has gone before the answer began."""

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        await asyncio.sleep(0)

    await stream({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send)


def test_only_the_head_of_a_stream_ends_at_once(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    answer = ask(open_app(folder), at(folder, "/events"), "HEAD")
    assert answer.status == 200 and answer.body == b""
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"


@pytest.mark.usefixtures("quick")
def test_a_stream_survives_a_look_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder, looks = made_crawl(tmp_path / "c", 3), []

    def look(*_: object) -> News:
        looks.append(1)
        if len(looks) < 4:
            raise OverflowError
        return News()

    monkeypatch.setattr(Follower, "look", look)
    (first,) = watched(folder, bool)
    assert first["state"] == "interrupted" and len(looks) == 4
    assert [each.levelname for each in caplog.records if "failed" in each.message] == ["ERROR"]


def test_the_end_of_a_line_without_end_is_waited_for_once(tmp_path: Path) -> None:
    folder, follower = made_crawl(tmp_path / "c", 3), Follower()
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write("x" * 9 * 1024 * 1024)
    assert [look(follower, folder) for _ in range(3)] == [News()] * 3
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write("\n" + line(page(4)))
    assert numbers(look(follower, folder)) == [4]


def test_streams_are_not_without_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MOST_STREAMS", 0)
    app = open_app(made_crawl(tmp_path / "c", 3))
    assert ask(app, at(tmp_path / "c", "/events")).status == 503
    assert ask(app, "/api/crawls/c9/events").status == 404
