"""A crawl that several workers share: as its server tells it, and as their folders show it."""

from __future__ import annotations

import logging
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.distributed.real_server import running_server
from redis import Redis
from starlette.types import ASGIApp

import scenthound
from dashboard.crawl_making import (
    FIRST,
    ID,
    SECOND,
    STORMS,
    TOKEN,
    Time,
    append,
    ask,
    at,
    crawls,
    get,
    made_crawl,
    made_worker,
    marked,
    open_app,
)
from scenthound.core.errors import SettingsError
from scenthound.core.model import global_page_number
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.options import CrawlOptions
from scenthound.frontier.redis.crawls import SharedCrawl, create_crawl
from scenthound.frontier.redis.scripts import crawl_prefix
from scenthound.frontier.redis.server import open_server
from scenthound.frontier.redis.workers import ENDED, PAUSED, WorkerEntry, WorkerRegistry
from scenthound.output.dashboard.app import build_app
from scenthound.output.dashboard.crawl_list import CrawlList
from scenthound.output.dashboard.security import make_access
from scenthound.output.dashboard.server_monitor import SharedCrawlMonitor
from scenthound.output.dashboard.values import crawl_id, distributed_id
from scenthound.storage.folder import PAUSE, STOP, CrawlSpec, FolderLock

SECRET = "a-password-for-nobody"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="v") as name:  # a socket's path must be short
        yield Path(name)


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Redis]:
    with running_server(folder) as url:
        client = open_server(url)
        client.acl_setuser(
            "onlooker", enabled=True, passwords=[f"+{SECRET}"], keys=["*"], commands=["+@all"]
        )
        yield client
        client.close()


@pytest.fixture
def crawl(client: Redis) -> SharedCrawl:
    """A crawl that no worker has joined yet."""
    client.flushall()
    settings = {**CrawlOptions().to_json(), "max_pages": 200}
    crawl_spec = CrawlSpec("crawl", STORMS, "vsm", {}, 200, 0, {"labels": None}, settings)
    return create_crawl(client, "storms", crawl_spec.to_json(), "1.0")


@pytest.fixture
def watch(crawl: SharedCrawl, folder: Path) -> SharedCrawlMonitor:
    return SharedCrawlMonitor(f"unix://onlooker:{SECRET}@{folder}/s", "storms", Time())


def joined(
    crawl: SharedCrawl, name: str, host: str = "elsewhere", folder: str = "/far"
) -> WorkerEntry:
    seconds, _ = crawl.client.time()
    return WorkerRegistry(crawl.client, crawl.name).enter(name, host, folder, "1.0", float(seconds))


def app_of(watch: SharedCrawlMonitor, *folders: Path, clock: Time | None = None) -> ASGIApp:
    clock = clock or Time()
    crawls = CrawlList(folders, clock, clock, [watch])
    return build_app(crawls, make_access("127.0.0.1", 8200, TOKEN))


def asked(app: ASGIApp, path: str, method: str = "GET") -> Any:
    answer = ask(app, path, method, {"x-scenthound-token": TOKEN})
    assert answer.status in (200, 202), answer.body
    assert SECRET.encode() not in answer.body
    return answer.json


def path_of(crawl: SharedCrawl, rest: str = "") -> str:
    return f"/api/crawls/{distributed_id(crawl.id)}{rest}"


def test_workers_on_other_machines(
    crawl: SharedCrawl, watch: SharedCrawlMonitor, folder: Path
) -> None:
    app = app_of(watch)
    (begun,) = asked(app, "/api/crawls")["crawls"]
    assert begun["state"] == "not begun" and begun["workers"] == [] and begun["budget"] == 200
    first, second = joined(crawl, "one"), joined(crawl, "two", folder="/far/2")
    roll = WorkerRegistry(crawl.client, "storms")
    roll.update(replace(first, pages=30, relevant=6, failed=1, state=PAUSED))
    roll.update(replace(second, pages=10, relevant=4, state=ENDED, reason="frontier empty"))
    watch.look()
    (reported,) = asked(app, "/api/crawls")["crawls"]
    assert reported["server"] == watch.address == f"unix://{folder}/s"
    assert (reported["topic"], reported["strategy"], reported["folder"]) == ("storms", "vsm", "")
    assert [(row["name"], row["state"], row["fetched"]) for row in reported["workers"]] == [
        ("one", "paused", 30), ("two", "finished", 10),
    ]  # fmt: skip
    assert reported["workers"][0]["id"] is None and reported["workers"][0]["host"] == "elsewhere"
    assert reported["summary"]["relevant"] == 10 and reported["summary"]["failed"] == 1
    detail = asked(app, path_of(crawl))
    assert detail["recent"] == [] and detail["frontier"]["under_way"] == 0
    assert asked(app, path_of(crawl, "/pages"))["pages"] == []


def test_the_curve_is_what_the_server_reported(
    crawl: SharedCrawl, watch: SharedCrawlMonitor
) -> None:
    entry, roll = joined(crawl, "one"), WorkerRegistry(crawl.client, "storms")
    for pages, relevant in ((10, 5), (10, 5), (40, 10)):
        roll.update(replace(entry, pages=pages, relevant=relevant, state=ENDED, reason="stopped"))
        watch.look()
    points = asked(app_of(watch), path_of(crawl, "/curve"))["points"]
    assert [point[:3] for point in points] == [[10, 5, 0.5], [40, 10, 0.25]]


def test_a_folder_on_this_machine_is_shown_with_its_pages(
    crawl: SharedCrawl, watch: SharedCrawlMonitor, tmp_path: Path
) -> None:
    here = made_worker(tmp_path / "w", 1, FIRST, id_=crawl.id)
    joined(crawl, "w1", socket.gethostname(), str(here))
    joined(crawl, "far")
    watch.look()
    app = app_of(watch)
    team, worker = asked(app, "/api/crawls")["crawls"]
    assert [row["id"] for row in team["workers"]] == [worker["id"], None]
    assert worker["team"]["id"] == team["id"] and team["workers"][0]["fetched"] == 3
    assert len(asked(app, path_of(crawl, "/pages"))["pages"]) == 3


def test_a_folder_of_another_crawl_is_not_taken_for_a_workers(
    crawl: SharedCrawl, watch: SharedCrawlMonitor, tmp_path: Path
) -> None:
    other = made_worker(tmp_path / "w", 1, FIRST, id_="another")
    joined(crawl, "w1", socket.gethostname(), str(other))
    watch.look()
    (team,) = asked(app_of(watch), "/api/crawls")["crawls"]
    assert team["workers"][0]["id"] is None


def test_buttons_ask_the_server(crawl: SharedCrawl, watch: SharedCrawlMonitor) -> None:
    joined(crawl, "one")
    watch.look()
    app, key = app_of(watch), f"{crawl_prefix('storms')}:requests"
    assert asked(app, path_of(crawl, "/pause"), "POST")["state"] == "paused"
    assert crawl.client.smembers(key) == {b"pause"}
    assert asked(app, path_of(crawl, "/resume"), "POST")["state"] == "running"
    assert crawl.client.smembers(key) == set()
    assert asked(app, path_of(crawl, "/stop"), "POST")["state"] == "stopping"
    assert crawl.client.smembers(key) == {b"stop"}


def test_a_server_that_is_away_comes_back(
    crawl: SharedCrawl, watch: SharedCrawlMonitor, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    joined(crawl, "one")
    watch.look()
    app = app_of(watch)
    (folder / "s").rename(folder / "away")
    crawl.client.client_kill_filter(_type="normal", skipme=True)
    watch.look()
    (reported,) = asked(app, "/api/crawls")["crawls"]
    assert (
        reported["state"] == "server away" and f"server at {watch.address}" in reported["problem"]
    )
    assert len(reported["workers"]) == 1 and not any(
        reported["controls"][each] for each in ("pause", "resume", "stop")
    )
    assert ask(app, path_of(crawl, "/stop"), "POST", {"x-scenthound-token": TOKEN}).status == 409
    (folder / "away").rename(folder / "s")
    watch.look()
    (reported,) = asked(app, "/api/crawls")["crawls"]
    assert reported["state"] == "running" and reported["problem"] == ""
    assert SECRET not in caplog.text and SECRET not in repr(watch)


def test_nonsense_on_the_server_is_reported_and_a_later_crawl_of_the_name_begins_again(
    crawl: SharedCrawl, watch: SharedCrawlMonitor, client: Redis
) -> None:
    key = f"{crawl_prefix('storms')}:workers"
    for nonsense in (b"{", b'{"x":1}'):
        crawl.client.hset(key, "x", nonsense)
        watch.look()
        assert "makes no sense" in watch.problem
    crawl.client.delete(key)
    watch.look()
    assert watch.problem == ""
    entry = joined(crawl, "one")
    WorkerRegistry(client, "storms").update(replace(entry, pages=9, state=ENDED))
    watch.look()
    assert len(watch.points) == 1
    client.flushall()
    watch.look()
    assert "no crawl 'storms' on the server" in watch.problem
    create_crawl(client, "storms", crawl.spec, "1.0")
    watch.look()
    assert watch.problem == "" and watch.points == [] and watch.status.id != crawl.id


def test_a_crawl_that_there_is_not(crawl: SharedCrawl, folder: Path) -> None:
    url = f"unix://onlooker:{SECRET}@{folder}/s"
    with pytest.raises(SettingsError, match="no crawl 'other' on the server; it has storms"):
        scenthound.serve_dashboard(redis=url, crawl=["other"], port=0)
    with pytest.raises(SettingsError, match="does not let us in") as refused:
        scenthound.serve_dashboard(redis=url.replace(SECRET, f"{SECRET}-wrong"), crawl="storms")
    assert SECRET not in str(refused.value)
    with pytest.raises(SettingsError, match="give the address of the server"):
        scenthound.serve_dashboard(crawl="storms")
    with pytest.raises(SettingsError, match="crawl takes a text"):
        scenthound.serve_dashboard(redis=url, crawl=[3])


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
    reported = get(both, TEAM)
    assert [row["at"] for row in reported["recent"]] == [5.0, 4.0, 3.0, 2.0, 1.0]
    assert [row["at"] for row in reported["latest"]] == [5.0, 2.0, 1.0]
    assert sum(host["pages"] for host in reported["hosts"]) == 5
    assert reported["counted"] == {"pages": 5, "whole": True} and reported["hosts_whole"]
    assert reported["threshold"] == 0.2 and reported["frontier"]["waiting"] == 105
    assert not [row for row in reported["settings"] if row[0] == "worker"]
    alone = get(both, at(both / "worker-2"))
    assert alone["summary"]["fetched"] == 2 and alone["problem"] == ""
    assert [row["n"] for row in alone["recent"]] == [2, 1] and "worker" not in alone["recent"][0]


def test_pages_and_curve_of_all_by_time_also_if_one_journal_is_damaged(both: Path) -> None:
    reported = get(both, f"{TEAM}/pages")
    assert [(row["worker"]["name"], row["n"]) for row in reported["pages"]] == [
        ("w1", 3), ("w2", 2), ("w1", 2), ("w2", 1), ("w1", 1),
    ]  # fmt: skip
    assert reported["pages"][1]["key"] == global_page_number(2, 2)
    assert reported["complete"] and reported["next"] is None and reported["searched"] == 5
    seen, cursor = [], ""
    while cursor is not None:
        reported = get(both, f"{TEAM}/pages?limit=2&before={cursor}")
        seen += [row["at"] for row in reported["pages"]]
        cursor = reported["next"]
    assert seen == [5.0, 4.0, 3.0, 2.0, 1.0], "in portions too"
    for before in ["1", "1.x", "1.2-", "-", "99999.1", "1.2.3"]:
        assert "takes" in get(both, f"{TEAM}/pages?before={before}", 400)["error"]
    points = get(both, f"{TEAM}/curve")["points"]
    assert [point[0] for point in points] == [1, 2, 3, 4, 5]
    assert [point[1] for point in points] == [1, 2, 2, 2, 3]
    assert [point[2] for point in points] == [1.0, 1.0, 0.66667, 0.5, 0.6]
    assert [point[4] for point in points] == [0.25] * 5
    assert [point[5] for point in points] == [101, 102, 103, 104, 105]
    reported = get(both, f"{TEAM}/pages/{global_page_number(2, 9)}", 404)
    assert reported["error"] == "this crawl has no page 9 of worker 2."
    assert get(both, f"{TEAM}/pages/{global_page_number(7, 1)}", 404)
    assert get(both, f"{TEAM}/pages/3", 404)
    (both / "worker-1" / "journal.jsonl").write_bytes(b"\0nonsense\n")
    reported = get(both, TEAM)
    assert reported["summary"]["fetched"] == 2 and reported["problem"].startswith("w1: ")
    assert [row["at"] for row in reported["recent"]] == [4.0, 2.0]
    assert [point[0] for point in get(both, f"{TEAM}/curve")["points"]] == [1, 2]


def test_the_way_to_a_page_leads_through_the_folders_of_others(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    made_worker(shown / "a", 1, FIRST, links={3: [global_page_number(2, 2)]})
    made_worker(shown / "b", 2, SECOND, links={2: [1], 1: [global_page_number(1, 1)]})
    address = f"{TEAM}/pages/{global_page_number(1, 3)}"
    for each in (address, at(shown / "a", "/pages/3")):
        path = get(shown, each)["path"]
        assert [(step["worker"], step["n"]) for step in path] == [(1, 1), (2, 1), (2, 2), (1, 3)]
    assert get(shown, address)["page"]["worker"]["name"] == "w1"
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


def test_a_crawl_ends_as_its_last_worker_did_and_one_is_paused(tmp_path: Path) -> None:
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
    folder = made_worker(tmp_path / "paused" / "a", 1, FIRST)
    append(folder, {"event": "paused", "at": 9.0, "budget": 10})
    with FolderLock(folder):
        team, worker = crawls(tmp_path / "paused")
    assert team["state"] == worker["state"] == "paused"
    assert not team["controls"]["resume"] and "on its server" in team["controls"]["why"]


def test_two_crawls_of_one_name_and_two_folders_of_one_worker(tmp_path: Path) -> None:
    made_worker(tmp_path / "old" / "a", 1, FIRST)
    made_worker(tmp_path / "new" / "a", 1, SECOND, id_="another")
    reported = crawls(tmp_path)
    names = {crawl["name"] for crawl in reported if "team" not in crawl}
    assert len(reported) == 4 and names == {
        f"storms ({tmp_path / each / 'a'})" for each in ("old", "new")
    }
    made_worker(tmp_path / "one" / "a", 1, FIRST)
    made_worker(tmp_path / "one" / "copy", 1, FIRST)
    team, first, copy = crawls(tmp_path / "one")
    assert team["summary"]["fetched"] == 3 and len(team["workers"]) == 1
    assert "team" in first and "team" not in copy and copy["name"] == "copy"


def test_a_mark_that_nobody_wrote(tmp_path: Path) -> None:
    cases: list[object] = [
        7, [], {}, {"crawl": "s", "id": "i", "name": "w", "number": "x"},
        {"crawl": "s", "id": None, "name": "w", "number": 1},
    ]  # fmt: skip
    for number, mark in enumerate(cases):
        here = tmp_path / str(number)
        folder = made_crawl(here / "c", 3, kind="crawl")
        marked(folder, mark)
        (only,) = crawls(here)
        assert only["id"] == crawl_id(folder) and "workers" not in only
        assert only["state"] == "damaged" and "not what Scenthound writes" in only["problem"]
    hostile = '"/../<script>'  # which becomes no part of an address
    made_worker(tmp_path / "a" / "a", 1, FIRST, id_=hostile)
    team, _ = crawls(tmp_path / "a")
    assert team["id"] == distributed_id(hostile) and team["id"].isalnum()
