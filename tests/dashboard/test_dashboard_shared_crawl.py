"""A crawl as its server tells it: all workers, also those on other machines."""

from __future__ import annotations

import logging
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.distributed.real_server import running_server
from redis import Redis
from starlette.types import ASGIApp

import scenthound
from dashboard.app_asking import TOKEN, Time, ask
from dashboard.crawl_making import FIRST, STORMS, made_worker
from scenthound.core.errors import SettingsError
from scenthound.crawler.options import CrawlOptions
from scenthound.frontier.redis.crawls import SharedCrawl, create_crawl
from scenthound.frontier.redis.scripts import crawl_prefix
from scenthound.frontier.redis.server import open_server
from scenthound.frontier.redis.workers import ENDED, PAUSED, WorkerEntry, WorkerRegistry
from scenthound.output.dashboard.app import build_app
from scenthound.output.dashboard.crawl_list import CrawlList
from scenthound.output.dashboard.security import make_access
from scenthound.output.dashboard.server_monitor import SharedCrawlMonitor
from scenthound.output.dashboard.values import distributed_id
from scenthound.storage.folder import CrawlSpec

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


def at(crawl: SharedCrawl, rest: str = "") -> str:
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
    (told,) = asked(app, "/api/crawls")["crawls"]
    assert told["server"] == watch.address == f"unix://{folder}/s"
    assert (told["topic"], told["strategy"], told["folder"]) == ("storms", "vsm", "")
    assert [(row["name"], row["state"], row["fetched"]) for row in told["workers"]] == [
        ("one", "paused", 30), ("two", "finished", 10),
    ]  # fmt: skip
    assert told["workers"][0]["id"] is None and told["workers"][0]["host"] == "elsewhere"
    assert told["summary"]["relevant"] == 10 and told["summary"]["failed"] == 1
    detail = asked(app, at(crawl))
    assert detail["recent"] == [] and detail["frontier"]["under_way"] == 0
    assert asked(app, at(crawl, "/pages"))["pages"] == []


def test_the_curve_is_what_the_server_told(crawl: SharedCrawl, watch: SharedCrawlMonitor) -> None:
    entry, roll = joined(crawl, "one"), WorkerRegistry(crawl.client, "storms")
    for pages, relevant in ((10, 5), (10, 5), (40, 10)):
        roll.update(replace(entry, pages=pages, relevant=relevant, state=ENDED, reason="stopped"))
        watch.look()
    points = asked(app_of(watch), at(crawl, "/curve"))["points"]
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
    assert len(asked(app, at(crawl, "/pages"))["pages"]) == 3


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
    assert asked(app, at(crawl, "/pause"), "POST")["state"] == "paused"
    assert crawl.client.smembers(key) == {b"pause"}
    assert asked(app, at(crawl, "/resume"), "POST")["state"] == "running"
    assert crawl.client.smembers(key) == set()
    assert asked(app, at(crawl, "/stop"), "POST")["state"] == "stopping"
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
    (told,) = asked(app, "/api/crawls")["crawls"]
    assert told["state"] == "server away" and f"server at {watch.address}" in told["problem"]
    assert len(told["workers"]) == 1 and not any(
        told["controls"][each] for each in ("pause", "resume", "stop")
    )
    assert ask(app, at(crawl, "/stop"), "POST", {"x-scenthound-token": TOKEN}).status == 409
    (folder / "away").rename(folder / "s")
    watch.look()
    (told,) = asked(app, "/api/crawls")["crawls"]
    assert told["state"] == "running" and told["problem"] == ""
    assert SECRET not in caplog.text and SECRET not in repr(watch)


def test_nonsense_on_the_server_is_told(crawl: SharedCrawl, watch: SharedCrawlMonitor) -> None:
    key = f"{crawl_prefix('storms')}:workers"
    for nonsense in (b"{", b'{"x":1}', b'{"name":1,"number":1,"host":"","folder":"","version":"",'
                     b'"heard":1}'):  # fmt: skip
        crawl.client.hset(key, "x", nonsense)
        watch.look()
        assert "makes no sense" in watch.problem
    crawl.client.delete(key)
    watch.look()
    assert watch.problem == ""


def test_a_later_crawl_of_the_name_begins_anew(
    crawl: SharedCrawl, watch: SharedCrawlMonitor, client: Redis
) -> None:
    entry = joined(crawl, "one")
    WorkerRegistry(client, "storms").update(replace(entry, pages=9, state=ENDED))
    watch.look()
    assert len(watch.points()) == 1
    client.flushall()
    watch.look()
    assert "no crawl 'storms' on the server" in watch.problem
    create_crawl(client, "storms", crawl.spec, "1.0")
    watch.look()
    assert watch.problem == "" and watch.points() == [] and watch.status.id != crawl.id


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
