"""A dashboard that listens: its connections, its streams of news, and crawls that really ran."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response
from starlette.types import Message

from crawler.live_running import AtPage, crawl
from crawler.live_web import LiveWeb
from crawler.live_web import page as live_page
from dashboard.crawl_making import (
    TOKEN,
    Time,
    append,
    ask,
    at,
    events,
    line,
    made_crawl,
    open_app,
    page,
)
from output.corpus_making import Crawled, crawled
from scenthound.core.errors import SettingsError
from scenthound.crawler.control import ControlRequests
from scenthound.output.dashboard import app as streams
from scenthound.output.dashboard import crawl_updates as following
from scenthound.output.dashboard import server as connections
from scenthound.output.dashboard.crawl_list import CrawlList
from scenthound.output.dashboard.crawl_updates import JournalFollower, JournalNews
from scenthound.output.dashboard.security import HEADERS
from scenthound.output.dashboard.server import DashboardServer
from scenthound.output.dashboard.values import ApiError, crawl_id
from scenthound.storage.folder import PAUSE, CrawlFolder, FolderLock
from scenthound.storage.journal import open_journal

SECONDS = 20.0
Where = tuple[str, int]


@contextmanager
def served(folder: Path, token: str | None = None) -> Iterator[DashboardServer]:
    with DashboardServer([folder], "127.0.0.1", 0, token) as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()


@pytest.fixture
def where(tmp_path: Path) -> Iterator[Where]:
    with served(made_crawl(tmp_path / "c", 300), TOKEN) as server:
        yield "127.0.0.1", int(server.address.split(":")[2].split("/")[0])


def connected(where: Where, sent: bytes = b"") -> socket.socket:
    made = socket.create_connection(where, SECONDS)
    made.sendall(sent)
    return made


def request(where: Where, path: str = "/api/crawls", *more: str) -> bytes:
    host, token = f"Host: 127.0.0.1:{where[1]}", f"X-Scenthound-Token: {TOKEN}"
    return "\r\n".join([f"GET {path} HTTP/1.1", host, token, *more, "", ""]).encode()


def answer(where: Where, sent: bytes) -> bytes:
    with connected(where, sent) as asking:
        return b"".join(iter(lambda: asking.recv(65536), b""))


def is_let_go(asking: socket.socket) -> bool:
    """Ends, without an answer, before this test does."""
    try:
        return asking.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_who_sends_no_whole_request_is_let_go(
    where: Where, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    with connected(where, sent) as asking:
        assert is_let_go(asking)


def test_a_second_request_has_a_deadline_too(where: Where, monkeypatch: pytest.MonkeyPatch) -> None:
    with connected(where, request(where)) as asking:
        assert asking.recv(20).startswith(b"HTTP/1.1 200")
        monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
        asking.sendall(b"GET / HT")
        rest = b"".join(iter(lambda: asking.recv(65536), b""))
    assert rest.count(b"HTTP/1.1") == 0


def test_idle_connections_keep_nobody_out_and_a_stream_is_not_idle(
    where: Where, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 5)
    with ExitStack() as open_:
        idle = [open_.enter_context(connected(where)) for _ in range(12)]
        for _ in range(3):
            assert answer(where, request(where, "/api/crawls", "Connection: close"))[9:12] == b"200"
        assert is_let_go(idle[0])
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 2)
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    with ExitStack() as open_:
        stream = open_.enter_context(
            connected(where, request(where, at(tmp_path / "c", "/events")))
        )
        assert stream.recv(12) == b"HTTP/1.1 200"
        idle = [open_.enter_context(connected(where)) for _ in range(4)]
        assert all(map(is_let_go, idle))
        monkeypatch.setattr(connections, "HEAD_SECONDS", 10.0)
        assert answer(where, request(where, "/api/crawls", "Connection: close"))[9:12] == b"200"
        assert stream.recv(1) != b""


def test_who_takes_nothing_is_let_go(where: Where, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WRITE_SECONDS", 0.1)
    many = request(where, "/assets/dashboard.js") * 200
    with connected(where) as asking, pytest.raises((ConnectionResetError, BrokenPipeError)):
        while True:  # a server that kept the connection would let it time out
            asking.sendall(many)


def test_what_is_no_request(where: Where, caplog: pytest.LogCaptureFixture) -> None:
    told = answer(where, b"\x16\x03\x01 what?\r\n\r\n").decode()
    assert told.startswith("HTTP/1.1 400 ") and told.endswith("\r\n\r\n")
    for name, value in HEADERS.items():
        assert f"\r\n{name}: {value}\r\n" in told
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


# What is written to a journal reaches whoever watches, once, and only when there is something.


def look(follower: JournalFollower, folder: Path) -> JournalNews:
    with open_journal(CrawlFolder(folder).journal_path) as journal:
        return follower.look(journal)


def numbers(news: JournalNews) -> list[int]:
    return [each.number for each in news.pages]


def test_a_follower_sees_every_page_once_when_its_line_is_whole(tmp_path: Path) -> None:
    folder, follower = made_crawl(tmp_path / "c", 5), JournalFollower()
    assert numbers(look(follower, folder)) == [1, 2, 3, 4, 5]
    assert look(follower, folder) == JournalNews()
    append(folder, page(6), {"event": "missing", "count": 2}, page(7))
    assert numbers(look(follower, folder)) == [6, 7]
    text = line(page(8))
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write(text[:50])
        journal.flush()
        assert look(follower, folder) == JournalNews()
        journal.write(text[50:])
    assert numbers(look(follower, folder)) == [8]
    follower = JournalFollower()
    with (folder / "journal.jsonl").open("a") as journal:
        journal.write("x" * 9 * 1024 * 1024)  # a line without end
        journal.flush()
        assert [look(follower, folder) for _ in range(3)] == [JournalNews()] * 3
        journal.write("\n" + line(page(9)))
    assert numbers(look(follower, folder)) == [9]


def test_a_follower_of_a_long_journal_or_far_behind_begins_near_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, follower = made_crawl(tmp_path / "c", 2_000), JournalFollower()
    news = look(follower, folder)
    assert numbers(news)[-1] == 2000 and 50 < len(news.pages) < 300 and not news.anew
    assert news.points[0].recent == pytest.approx(1 / 3, abs=0.02)
    monkeypatch.setattr(following, "_MAX_LAG", 10_000)
    monkeypatch.setattr(following, "_BEGIN", 2_000)
    append(folder, *(page(n) for n in range(2_001, 2_010)))
    news = look(JournalFollower(0), folder)
    assert news.anew and 1 <= len(news.pages) < 6 and numbers(news)[-1] == 2009


def test_a_follower_goes_on_where_it_was_but_begins_anew_in_a_journal_that_was_cut(
    tmp_path: Path,
) -> None:
    folder, first = made_crawl(tmp_path / "c", 200), JournalFollower()
    look(first, folder)
    append(folder, *events(201, 204))
    again = look(JournalFollower(first.place), folder)
    assert numbers(again) == [201, 202, 203, 204] and not again.anew
    assert again.points == look(first, folder).points
    for pages in (20, 90):
        folder, follower = made_crawl(tmp_path / str(pages), 50), JournalFollower()
        look(follower, folder)
        (folder / "journal.jsonl").write_text("".join(map(line, events(1, pages))))
        news = look(follower, folder)
        assert news.anew and numbers(news)[-1] == pages
        assert not look(follower, folder).anew


def test_one_look_reads_so_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MAX_BYTES_PER_LOOK", 3_000)
    folder, follower = made_crawl(tmp_path / "c", 0), JournalFollower()
    look(follower, folder)
    append(folder, *(page(n) for n in range(1, 31)))
    seen: list[int] = []
    for _ in range(20):
        found = numbers(look(follower, folder))
        assert len(found) < 12
        seen += found
    assert seen == list(range(1, 31))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_POLL_SECONDS", 0.01)


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
def test_the_first_update_says_how_it_stands_and_silence_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_crawl(tmp_path / "c", 80, stopped="budget spent")
    (first,) = watched(folder, bool)
    assert first["state"] == "finished" and first["name"] == "c"
    assert [row["n"] for row in first["pages"]] == list(range(80, 30, -1))
    assert [point[0] for point in first["points"]] == list(range(1, 81))
    assert first["place"] == (folder / "journal.jsonl").stat().st_size
    monkeypatch.setattr(streams, "_KEEPALIVE_SECONDS", 0.05)
    app = open_app(folder)
    answer = ask(app, at(folder, "/events"), until=lambda body: b": still here" in body)
    assert len(updates(answer.body)) == 1


@pytest.mark.usefixtures("quick")
def test_a_line_that_is_written_is_an_update_and_a_folder_that_is_deleted_gone(
    tmp_path: Path,
) -> None:
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

    def delete(found: list[Any]) -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return False

    assert watched(folder, delete)[-1] == "gone"


@pytest.mark.usefixtures("quick")
def test_a_pause_is_an_update_and_a_crawl_that_has_not_begun_is_waited_for(tmp_path: Path) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    with FolderLock(folder):

        def seen(found: list[Any]) -> bool:
            if found:
                ControlRequests(folder).leave(PAUSE)
            return found[-1:] != [] and found[-1]["state"] == "paused"

        found = watched(folder, seen)
    assert [each["state"] for each in found] == ["running", "paused"]
    assert found[1]["pages"] == []

    def begun(found: list[Any]) -> bool:
        if len(found) == 1:
            threading.Thread(target=made_crawl, args=(tmp_path / "later", 3)).start()
        return any(each["summary"] is not None for each in found)

    found = watched(tmp_path / "later", begun)
    assert found[0]["state"] == "not begun" and found[-1]["summary"]["fetched"] >= 1


def test_streams_are_not_without_number_and_each_counts_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = made_crawl(tmp_path / "c", 3)
    head = ask(open_app(folder), at(folder, "/events"), "HEAD")
    assert head.status == 200 and head.body == b""
    assert head.headers["content-type"] == "text/event-stream; charset=utf-8"
    monkeypatch.setattr(streams, "MOST_STREAMS", 0)
    assert ask(open_app(folder), at(folder, "/events")).status == 503
    assert ask(open_app(folder), "/api/crawls/c9/events").status == 404
    monkeypatch.setattr(streams, "MOST_STREAMS", 2)
    crawl = CrawlList([folder], Time(), Time()).find(crawl_id(folder))
    many = streams.Streams(lambda: True)
    first, _ = many.open(crawl, None), many.open(crawl, None)
    with pytest.raises(ApiError, match="too many windows"):
        many.open(crawl, None)
    asyncio.run(end(first))
    many.open(crawl, None)


async def end(stream: Response) -> None:
    """As a server does for somebody who has gone before the answer began."""

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        await asyncio.sleep(0)

    await stream({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send)


@pytest.mark.usefixtures("quick")
def test_a_stream_survives_a_look_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder, looks = made_crawl(tmp_path / "c", 3), []

    def look(*_: object) -> JournalNews:
        looks.append(1)
        if len(looks) < 4:
            raise OverflowError
        return JournalNews()

    monkeypatch.setattr(JournalFollower, "look", look)
    (first,) = watched(folder, bool)
    assert first["state"] == "interrupted" and len(looks) == 4
    assert [each.levelname for each in caplog.records if "failed" in each.message] == ["ERROR"]


# A dashboard that really listens, over crawls that really ran.


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawled(tmp_path_factory.mktemp("watched") / "live")


class Visitor:
    """Asks a server over the network."""

    def __init__(self, server: DashboardServer, folder: Path) -> None:
        self._host = server.address.split("/")[2]
        self._token = server.token
        self.at = f"/api/crawls/{crawl_id(folder)}"

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(self._host, timeout=20)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        kind = answer.getheader("content-type") or ""
        return answer.status, json.loads(body) if "json" in kind else body

    def steer(self, action: str) -> tuple[int, Any]:
        headers = {"X-Scenthound-Token": self._token}
        return self.ask(f"{self.at}/{action}", "POST", **headers)

    def watch(self) -> Iterator[Any]:
        """The updates of a crawl as they come."""
        connection = http.client.HTTPConnection(self._host, timeout=20)
        try:
            connection.request("GET", f"{self.at}/events")
            answer = connection.getresponse()
            while raw := answer.readline():
                if raw.startswith(b"data: "):
                    yield json.loads(raw[6:])
        finally:
            connection.close()


@pytest.fixture
def visitor(live: Crawled) -> Iterator[Visitor]:
    with served(live.folder) as server:
        yield Visitor(server, live.folder)


def test_a_live_crawl_with_hosts_and_frontier_and_a_page_of_it(
    visitor: Visitor, live: Crawled
) -> None:
    status, told = visitor.ask(visitor.at)
    assert status == 200 and told["kind"] == "live" and told["state"] == "finished"
    assert told["problem"] == "" and told["hosts_whole"]
    (host,) = told["hosts"]
    assert host["pages"] == 6 and host["relevant"] == told["summary"]["relevant"]
    assert host["host"] in live.root
    waiting = told["summary"]["waiting"]
    assert told["frontier"] == {
        "waiting": waiting, "retrying": 0, "under_way": 0, "set_aside": 0,
    }  # fmt: skip
    assert told["started_at"] == pytest.approx(told["recent"][-1]["at"], abs=60)
    status, told = visitor.ask(f"{visitor.at}/pages/2")
    assert status == 200 and told["unexplained"] == ""
    assert [step["n"] for step in told["path"]] == [1, 2]
    assert told["explanation"]["priority"]["parts"][0]["name"] == "anchor"
    assert "the text of the link (" in told["explanation"]["priority"]["gist"]
    assert told["explanation"]["relevance"]["terms"]


def test_a_stream_ends_with_the_server(live: Crawled) -> None:
    with served(live.folder) as server:
        updates = Visitor(server, live.folder).watch()
        assert next(updates)["state"] == "finished"
    assert list(updates) == []


def test_a_running_crawl_is_watched_and_stopped(tmp_path: Path) -> None:
    with LiveWeb(hosts=1) as web, served(tmp_path / "crawl") as server:
        for n in range(40):
            web.add(1, f"/{n}", live_page(f"Page {n}", "storm", [f"/{n + 1}"]))
        visitor = Visitor(server, tmp_path / "crawl")
        assert visitor.ask("/api/crawls")[1]["crawls"][0]["state"] == "not begun"
        steered: list[int] = []
        watcher = AtPage(3, lambda: steered.append(visitor.steer("stop")[0]))
        kept = crawl(tmp_path / "crawl", [web.url(1, "/0")], watcher=watcher, delay=0.2)
        (told,) = visitor.ask("/api/crawls")[1]["crawls"]
    assert steered == [202] and kept.run.stopped == "stopped"
    assert (told["state"], told["reason"]) == ("stopped", "on request")
    assert 3 <= told["summary"]["fetched"] < 40


def test_where_it_can_and_cannot_listen(tmp_path: Path) -> None:
    for host, port, given, sentence in [
        ("192.0.2.7", 0, None, "needs a token"),
        ("no.such.host.invalid", 0, None, "is no address of this"),
        ("127.0.0.1", 70_000, None, "is no port"),
        ("127.0.0.1", -1, None, "is no port"),
        ("192.0.2.7", 0, TOKEN, "give another one"),
    ]:
        with pytest.raises(SettingsError, match=sentence):
            DashboardServer([tmp_path], host, port, given)
    for reached in ("0.0.0.0", "127.0.0.1"):
        with DashboardServer([tmp_path], reached, 0, TOKEN) as server:
            name, _, opened = server.address.split("/")[2].rpartition(":")
            assert name != "0.0.0.0"
            with socket.create_connection((name.strip("[]"), int(opened)), 20):
                pass
