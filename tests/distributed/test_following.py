"""``scenthound crawl --redis --workers``: folders that cannot be used, workers that die."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from redis import Redis

from cli.commands import Command
from cli.conftest import scenthound
from distributed.test_worker_command import PAGES, page, share
from scenthound import api
from scenthound.cli import started_workers
from scenthound.cli.shared_crawl import run_workers
from scenthound.cli.shared_ending import ended_by_itself
from scenthound.cli.shared_options import OnServer
from scenthound.cli.shared_view import overview_line
from scenthound.cli.started_workers import StartedWorker, as_seen_here
from scenthound.core.errors import ServerError
from scenthound.distributed.crawls import crawl_names
from scenthound.distributed.overview import RUNNING, Overview
from scenthound.distributed.roll import ENDED, LOST, WORKING, Roll, WorkerEntry
from scenthound.sample.server import WebServer

__all__ = ["scenthound"]

DIES = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    with WebServer({each.url: each for each in map(page, range(PAGES))}) as web:
        yield web.proxy


@pytest.fixture
def topic(tmp_path: Path) -> Path:
    path = tmp_path / "t.toml"
    path.write_text('name = "storms"\nkeywords = ["storm"]\nseeds = ["http://h0.test/0"]\n')
    return path


def order(settings: Mapping[str, object]) -> str:
    return json.dumps({"format": "scenthound-crawl", "version": 1, "settings": settings})


def mark(crawl: str, number: str) -> dict[str, object]:
    return {"worker": {"crawl": crawl, "id": number, "name": "w", "number": 1}}


def make_folder(out: Path, settings: Mapping[str, object]) -> None:
    (out / "worker-1").mkdir(parents=True)
    (out / "worker-1" / "crawl.json").write_text(order(settings))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (mark("kk", "1"), "worker-1 belongs to an earlier crawl of that name; give another --out"),
        (mark("other", "1"), "worker-1 belongs to another crawl ('other'); give another --out"),
        ({}, "worker-1 holds a crawl of its own"),
    ],
)
def test_folders_of_others_are_refused_before_a_crawl_is_made(
    scenthound: Command, topic: Path, tmp_path: Path, server_url: str, server: Redis,
    settings: dict[str, object], told: str,
) -> None:  # fmt: skip
    make_folder(tmp_path / "c", settings)
    where = ("--redis", server_url, "--crawl", "kk")
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *where)
    assert answer.code == 2 and told in answer.err, answer.err
    assert crawl_names(server) == []


@pytest.mark.parametrize("below", ["", "deeper", "deeper/still"])
def test_a_file_in_the_way(
    scenthound: Command, topic: Path, tmp_path: Path, server_url: str, server: Redis, below: str
) -> None:
    (tmp_path / "c").write_text("")
    where = ("--redis", server_url, "--crawl", "kk")
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c" / below, *where)
    assert answer.code == 2 and f"{tmp_path / 'c'} is no folder" in answer.err
    answer = scenthound("crawl", "-t", topic, "--out", "/proc/c", *where)
    assert answer.code == 2 and "nothing can be written to /proc" in answer.err
    assert crawl_names(server) == []


def test_a_folder_of_an_earlier_crawl_where_there_is_a_new_one(
    scenthound: Command, topic: Path, tmp_path: Path, server_url: str, server: Redis, crawl: str
) -> None:
    share(topic, server_url, crawl)
    make_folder(tmp_path / "c", mark(crawl, "1"))
    where = ("--redis", server_url, "--crawl", crawl)
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "c", *where)
    assert answer.code == 2 and "an earlier crawl of that name" in answer.err


def kill_at_once(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The worker of this name dies before it has begun."""
    start = started_workers._start

    def begin(shared: OnServer, folder: Path, level: str | None) -> subprocess.Popen[bytes]:
        if folder.name == name:
            return subprocess.Popen([sys.executable, "-c", DIES])
        return start(shared, folder, level)

    monkeypatch.setattr(started_workers, "_start", begin)


def test_a_crawl_that_ended_well_although_a_worker_was_killed(
    scenthound: Command, proxy: str, topic: Path, tmp_path: Path, server_url: str, server: Redis,
    crawl: str, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    kill_at_once(monkeypatch, "worker-2")
    out, where = tmp_path / "c", ("--redis", server_url, "--crawl", crawl)
    answer = scenthound(
        "crawl", "-t", topic, "--out", out, "-s", "vsm", "--proxy", proxy, "--delay", "0", *where,
        "--workers", "2", "--max-pages", "4", "--set", "crawl.min_disk=0",
    )  # fmt: skip
    assert answer.code == 0, answer.err
    again = f"scenthound worker --crawl {crawl} --out {out / 'worker-2'} --redis URL"
    assert f"worker-2 was killed by signal 9; start it again with: {again}" in answer.err
    assert "worker-2 was killed by signal 9; the crawl ended all the same" in answer.err
    assert "4 of 4 pages" in answer.out
    told = scenthound("status", out).out
    assert f"{crawl}: 4 of 4 pages, harvest 1.000, 1 worker here, finished" in told
    assert "finished (budget spent): 4 pages, harvest" in told


def test_a_crawl_whose_only_worker_was_killed_has_not_ended(
    scenthound: Command, topic: Path, tmp_path: Path, server_url: str, server: Redis, crawl: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    kill_at_once(monkeypatch, "worker-1")
    out, where = tmp_path / "c", ("--redis", server_url, "--crawl", crawl)
    answer = scenthound("crawl", "-t", topic, "--out", out, *where, "--json", tmp_path / "j")
    assert answer.code == 1
    assert "worker-1 was killed by signal 9; the crawl has not ended. Go on with" in answer.err
    assert json.loads((tmp_path / "j").read_text())["state"] == "not begun"


def stands(*workers: WorkerEntry, pages: int = 9, state: str = RUNNING) -> Overview:
    return Overview("c", "1", "t", "vsm", "1.0", state, "", 9, pages, 0, 5, 0, 1, workers, 100.0)


def entry(name: str, heard: float = 99.0, state: str = WORKING, reason: str = "") -> WorkerEntry:
    return WorkerEntry(name, 1, socket.gethostname(), f"/{name}", "1.0", heard, state, reason)


def ended(name: str, reason: str, heard: float = 99.0) -> WorkerEntry:
    return entry(name, heard, ENDED, reason)


def test_when_a_crawl_has_ended_by_itself() -> None:
    spent, killed = ended("a", "budget spent"), entry("b", state=LOST)
    assert ended_by_itself(stands(spent, killed))
    assert not ended_by_itself(stands(killed))
    assert not ended_by_itself(stands(spent, killed, pages=8))
    assert not ended_by_itself(stands(pages=0))
    for reason in ("frontier empty", "time is up"):
        assert ended_by_itself(stands(ended("a", reason), entry("b", 50.0, LOST), pages=8))
        late = entry("b", 99.5, LOST)  # it went on after the other had ended
        assert not ended_by_itself(stands(ended("a", reason), late, pages=8))
    assert not ended_by_itself(stands(ended("a", "stopped"), killed, pages=8))


def test_workers_that_died_here_are_lost_at_once(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", DIES])
    process.wait()
    dead = StartedWorker(tmp_path / "b", process)
    there = WorkerEntry("b", 2, socket.gethostname(), str(tmp_path / "b"), "1.0", 99.0)
    seen = as_seen_here(stands(there), [dead])
    assert (seen.state, seen.workers[0].state) == (LOST, LOST)
    seen = as_seen_here(stands(there, ended("a", "budget spent")), [dead])
    assert (seen.state, seen.reason) == (ENDED, "budget spent")
    seen = as_seen_here(stands(there, entry("a")), [dead])
    assert (seen.state, seen.workers[0].state, seen.workers[1].state) == (RUNNING, LOST, WORKING)
    assert ", workers at work: 1, running" in overview_line(seen)
    assert as_seen_here(stands(entry("b")), [dead]).state == RUNNING  # in another folder


@pytest.mark.parametrize(
    ("code", "how"),
    [("raise SystemExit(1)", "ended with exit code 1"), ("raise SystemExit(130)", "interrupted")],
)
def test_how_a_worker_failed(code: str, how: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", code])
    process.wait()
    worker = StartedWorker(Path("worker-3"), process)
    assert worker.failed and worker.how.startswith("worker-3 ") and worker.how.endswith(how)


def test_an_interrupted_follower_says_who_goes_on(
    topic: Path, server_url: str, server: Redis, crawl: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.cli.shared_crawl.time.sleep", interrupt)
    share(topic, server_url, crawl)
    shared = OnServer(server_url, crawl)
    with pytest.raises(SystemExit):
        run_workers(shared, [], True, None)
    assert (
        "interrupted; no worker is at work. Start one: scenthound worker" in capsys.readouterr().err
    )
    now = float(server.time()[0])
    Roll(server, crawl).tell(WorkerEntry("w", 1, "m", "/w", "1.0", now))
    with pytest.raises(SystemExit):
        run_workers(shared, [], True, None)
    assert "interrupted; the workers go on. Stop all of them" in capsys.readouterr().err


def test_a_follower_whose_workers_are_lost_or_whose_server_is_away(
    topic: Path, server_url: str, server: Redis, crawl: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    share(topic, server_url, crawl)
    Roll(server, crawl).tell(WorkerEntry("w", 1, "m", "/w", "1.0", 1.0))
    assert run_workers(OnServer(server_url, crawl), [], True, None)[1] == 1
    assert "nobody works for the crawl any more" in capsys.readouterr().err

    def away(redis: str, name: str) -> Overview:
        raise ServerError("the server is away.")

    monkeypatch.setattr(api, "shared_overview", away)
    with pytest.raises(SystemExit) as stop:
        run_workers(OnServer(server_url, crawl), [], True, None)
    assert stop.value.code == 1 and "the server is away" in capsys.readouterr().err


def test_status_tells_of_silence_and_stop_of_errors(
    scenthound: Command, topic: Path, server_url: str, server: Redis, crawl: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    share(topic, server_url, crawl)
    where = ("--redis", server_url, "--crawl", crawl)
    roll, now = Roll(server, crawl), float(server.time()[0])
    roll.tell(WorkerEntry("w", 1, "m", "/w", "1.0", now - 40.0))
    assert "working, silent for 4" in scenthound("status", *where).out
    roll.tell(WorkerEntry("w", 1, "m", "/w", "1.0", now - 2.0))
    assert "silent" not in scenthound("status", *where).out

    def leave(redis: str, name: str) -> None:
        roll.tell(WorkerEntry("w", 1, "m", "/w", "1.0", now, ENDED, "stopped"))
        roll.tell(WorkerEntry("v", 2, "m", "/v", "1.0", now, ENDED, "error: KeyError: 'a'"))

    monkeypatch.setattr(api, "stop_workers", leave)
    answer = scenthound("stop", *where)
    assert answer.code == 0 and "have stopped" in answer.err
    assert "worker 'v' (/v) ended with an error: KeyError: 'a'" in answer.err
    assert "worker 'w'" not in answer.err
