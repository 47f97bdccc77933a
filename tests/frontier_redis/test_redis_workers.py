"""``scenthound crawl --redis --workers``: folders that cannot be used, workers that die."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from pytest import CaptureFixture, MonkeyPatch
from redis import Redis

from cli.commands import Command
from cli.conftest import cli as scenthound
from frontier_redis.test_worker_command import proxy, share, topic
from scenthound.cli import shared_crawl
from scenthound.cli.options import ServerCrawl
from scenthound.cli.shared_crawl import (
    StartedWorker,
    ended_by_itself,
    overview_line,
    run_workers,
    with_dead_workers,
)
from scenthound.core.errors import ServerError
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.frontier.redis import workers as registry
from scenthound.frontier.redis.crawl_status import RUNNING, SharedCrawlStatus
from scenthound.frontier.redis.crawls import crawl_names
from scenthound.frontier.redis.workers import ENDED, LOST, LeaderLock, WorkerEntry, WorkerRegistry
from scenthound.storage.journal import read_journal

__all__ = ["proxy", "scenthound", "topic"]
DIES = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def mark(crawl: str, number: str) -> dict[str, object]:
    return {"worker": {"crawl": crawl, "id": number, "name": "w", "number": 1}}


def make_folder(out: Path, settings: Mapping[str, object]) -> None:
    (out / "worker-1").mkdir(parents=True)
    spec = {"format": "scenthound-crawl", "version": 1, "settings": settings}
    (out / "worker-1" / "crawl.json").write_text(json.dumps(spec))


def test_folders_of_others_and_files_are_refused_before_a_crawl_is_made(
    scenthound: Command, topic: Path, tmp_path: Path, server_url: str, server: Redis
) -> None:
    where = ("--redis", server_url, "--crawl", "kk")
    for out, settings, reported in (
        ("a", mark("kk", "1"), "belongs to an earlier crawl of that name; give another --out"),
        ("b", mark("other", "1"), "belongs to another crawl ('other'); give another --out"),
        ("c", {}, "worker-1 holds a crawl of its own"),
    ):
        make_folder(tmp_path / out, settings)
        answer = scenthound("crawl", "-t", topic, "--out", tmp_path / out, *where)
        assert answer.code == 2 and reported in answer.err, answer.err
    (tmp_path / "file").write_text("")
    for below in ("", "deeper/still"):
        answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "file" / below, *where)
        assert answer.code == 2 and f"{tmp_path / 'file'} is no folder" in answer.err
    answer = scenthound("crawl", "-t", topic, "--out", "/proc/c", *where)
    assert answer.code == 2 and "nothing can be written to /proc" in answer.err
    assert crawl_names(server) == []
    share(topic, server_url, "kk")  # where there is one, a folder of an earlier one is refused too
    answer = scenthound("crawl", "-t", topic, "--out", tmp_path / "a", *where)
    assert answer.code == 2 and "an earlier crawl of that name" in answer.err


def kill_at_once(monkeypatch: MonkeyPatch, name: str) -> None:
    """The worker of this name dies before it has begun."""
    start = shared_crawl._start

    def begin(shared: ServerCrawl, folder: Path, level: str | None) -> subprocess.Popen[bytes]:
        if folder.name == name:
            return subprocess.Popen([sys.executable, "-c", DIES])
        return start(shared, folder, level)

    monkeypatch.setattr(shared_crawl, "_start", begin)


def test_a_bounded_crawl_in_partitions_ends_well_although_a_worker_was_killed(
    scenthound: Command, proxy: str, topic: Path, tmp_path: Path, server_url: str, server: Redis,
    crawl: str, monkeypatch: MonkeyPatch,
) -> None:  # fmt: skip
    kill_at_once(monkeypatch, "worker-2")
    monkeypatch.setenv("SCENTHOUND_REDIS", server_url)
    out, figures = tmp_path / "c", tmp_path / "figures.json"
    answer = scenthound(
        "crawl", "-t", topic, "--out", out, "-s", "vsm", "--proxy", proxy, "--delay", "0",
        "--crawl", crawl, "--workers", "2", "--max-pages", "4", "--set", "crawl.min_disk=0",
        "--max-waiting", "5", "--partitions", "2", "--json", figures,
    )  # fmt: skip
    assert answer.code == 0, answer.err
    again = f"scenthound worker --crawl {crawl} --out {out / 'worker-2'} --redis URL"
    assert f"worker-2 was killed by signal 9; start it again with: {again}" in answer.err
    assert "worker-2 was killed by signal 9; the crawl ended all the same" in answer.err
    assert "4 of 4 pages" in answer.out
    last = json.loads(figures.read_text())
    assert (last["pages"], last["waiting"], last["state"]) == (4, 5, "ended")
    events = list(read_journal(out / "worker-1" / "journal.jsonl"))
    reasons = {event["reason"] for event in events if event["event"] == "dropped"}
    assert reasons == {"frontier full"}
    assert len(list(server.scan_iter(match=f"scenthound:{{{crawl}/*}}:rows"))) == 2
    reported = scenthound("status", out).out
    assert f"{crawl}: 4 of 4 pages, harvest 1.000, 1 worker here, finished" in reported
    assert "finished (budget spent): 4 pages, harvest" in reported


def test_a_crawl_whose_only_worker_was_killed_has_not_ended(
    scenthound: Command, topic: Path, tmp_path: Path, server_url: str, crawl: str,
    monkeypatch: MonkeyPatch,
) -> None:  # fmt: skip
    kill_at_once(monkeypatch, "worker-1")
    out, where = tmp_path / "c", ("--redis", server_url, "--crawl", crawl)
    answer = scenthound("crawl", "-t", topic, "--out", out, *where, "--json", tmp_path / "j")
    assert answer.code == 1
    assert "worker-1 was killed by signal 9; the crawl has not ended. Go on with" in answer.err
    assert json.loads((tmp_path / "j").read_text())["state"] == "not begun"


def stands(*workers: WorkerEntry, pages: int = 9, state: str = RUNNING) -> SharedCrawlStatus:
    return SharedCrawlStatus(
        "c", "1", "t", "vsm", "1.0", state, "", 9, pages, 0, 5, 0, 1, workers, 100.0
    )


def entry(
    name: str, heard: float = 99.0, state: str = registry.WORKING, reason: str = ""
) -> WorkerEntry:
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


def test_workers_that_died_here_are_lost_at_once_and_it_is_reported_how(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", DIES])
    process.wait()
    dead = StartedWorker(tmp_path / "b", process)
    there = WorkerEntry("b", 2, socket.gethostname(), str(tmp_path / "b"), "1.0", 99.0)
    seen = with_dead_workers(stands(there), [dead])
    assert (seen.state, seen.workers[0].state) == (LOST, LOST)
    seen = with_dead_workers(stands(there, ended("a", "budget spent")), [dead])
    assert (seen.state, seen.reason) == (ENDED, "budget spent")
    seen = with_dead_workers(stands(there, entry("a")), [dead])
    assert (seen.state, seen.workers[0].state, seen.workers[1].state) == (
        RUNNING,
        LOST,
        registry.WORKING,
    )
    assert ", workers at work: 1, running" in overview_line(seen)
    assert with_dead_workers(stands(entry("b")), [dead]).state == RUNNING  # in another folder
    for code, how in ((1, "ended with exit code 1"), (130, "interrupted")):
        process = subprocess.Popen([sys.executable, "-c", f"raise SystemExit({code})"])
        process.wait()
        worker = StartedWorker(Path("worker-3"), process)
        assert worker.failed and worker.how.startswith("worker-3 ") and worker.how.endswith(how)


def test_a_follower_says_who_goes_on_and_why_it_ends(
    topic: Path, server_url: str, server: Redis, crawl: str, monkeypatch: MonkeyPatch,
    capsys: CaptureFixture[str],
) -> None:  # fmt: skip
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.cli.shared_crawl.time.sleep", interrupt)
    share(topic, server_url, crawl)
    shared = ServerCrawl(server_url, crawl)
    with pytest.raises(SystemExit):
        run_workers(shared, [], True, None)
    assert "interrupted; others go on. Stop them: scenthound stop" in capsys.readouterr().err
    WorkerRegistry(server, crawl).update(WorkerEntry("w", 1, "m", "/w", "1.0", 1.0))
    assert run_workers(shared, [], True, None)[1] == 1
    assert "no worker is left" in capsys.readouterr().err

    def away(redis: str, name: str) -> SharedCrawlStatus:
        raise ServerError("the server is away.")

    monkeypatch.setattr(shared_crawls, "shared_overview", away)
    with pytest.raises(SystemExit) as stop:
        run_workers(shared, [], True, None)
    assert stop.value.code == 1 and "the server is away" in capsys.readouterr().err


def test_status_tells_of_silence_and_stop_of_errors(
    scenthound: Command, topic: Path, server_url: str, server: Redis, crawl: str,
    monkeypatch: MonkeyPatch,
) -> None:  # fmt: skip
    share(topic, server_url, crawl)
    where = ("--redis", server_url, "--crawl", crawl)
    roll, now = WorkerRegistry(server, crawl), float(server.time()[0])
    roll.update(WorkerEntry("w", 1, "m", "/w", "1.0", now - 40.0))
    assert "working, silent for 4" in scenthound("status", *where).out
    roll.update(WorkerEntry("w", 1, "m", "/w", "1.0", now - 2.0))
    assert "silent" not in scenthound("status", *where).out

    def leave(redis: str, name: str) -> None:
        roll.update(WorkerEntry("w", 1, "m", "/w", "1.0", now, ENDED, "stopped"))
        roll.update(WorkerEntry("v", 2, "m", "/v", "1.0", now, ENDED, "error: KeyError: 'a'"))

    monkeypatch.setattr(shared_crawls, "stop_workers", leave)
    answer = scenthound("stop", *where)
    assert answer.code == 0 and "have stopped" in answer.err
    assert "worker 'v' (/v) ended with an error: KeyError: 'a'" in answer.err
    assert "worker 'w'" not in answer.err


# Who has died is seen, not reckoned from clocks.


ONE = WorkerEntry("one", 1, "m", "/a", "1.0", heard=100.0)
TWO = WorkerEntry("two", 2, "m", "/b", "1.0", heard=100.0)


class Watch:
    """Someone who looks every ten seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.deaths = registry.DeadWorkerDetector(lambda: self.now)

    def looks(self, seconds: float, *entries: WorkerEntry) -> list[str]:
        """The dead, after so many seconds."""
        found: list[WorkerEntry] = []
        for _ in range(round(seconds / 10.0)):
            self.now += 10.0
            found = self.deaths.among(entries)
        return [entry.name for entry in found]


def test_a_worker_that_is_silent_while_it_is_watched_has_died() -> None:
    watch = Watch()
    assert watch.looks(10.0, ONE, TWO) == []
    assert watch.looks(registry.DEAD_AFTER, ONE, replace(TWO, heard=105.0)) == []
    assert watch.looks(10.0, ONE, replace(TWO, heard=107.0)) == ["one"]
    assert (
        watch.looks(registry.DEAD_AFTER, replace(ONE, heard=300.0), replace(TWO, state=ENDED)) == []
    )
    watch = Watch()
    assert watch.looks(registry.DEAD_AFTER, ONE, TWO) == []
    watch.now += 3_600.0  # the server was away, or this machine slept
    assert watch.looks(registry.DEAD_AFTER, ONE, TWO) == []
    assert watch.looks(20.0, ONE, TWO) == ["one", "two"]
    watch = Watch()  # a clock that is put forward, or back, kills nobody
    assert watch.looks(60.0, ONE) == []
    assert watch.looks(60.0, replace(ONE, heard=100.0 + 7_200.0)) == []
    assert watch.looks(registry.DEAD_AFTER, replace(ONE, heard=200.0)) == []


def test_the_first_has_the_lock_and_keeps_it_until_it_expires(server: Redis, crawl: str) -> None:
    one, two = (LeaderLock(server, crawl, "learner", name, 30.0) for name in ("one", "two"))
    assert one.acquire() and not two.acquire()
    server.pexpire(one.key, 5_000)
    assert one.acquire()
    assert 25_000 < server.pttl(one.key) <= 30_000
    assert not two.acquire()
    server.delete(one.key)  # as if the time were over
    assert two.acquire() and not one.acquire()
    one.release()  # it has nothing to leave
    assert two.acquire() and not one.acquire()
    same_name = LeaderLock(server, crawl, "learner", "two", 30.0)
    assert not same_name.acquire()  # another process
    assert LeaderLock(server, crawl, "reader", "one", 30.0).acquire()
    assert LeaderLock(server, f"{crawl}-2", "learner", "one", 30.0).acquire()
