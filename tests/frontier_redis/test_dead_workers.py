"""A worker that died for good: the others fetch what it had leased, and what it had claimed."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.distributed.simulation import simulated
from benchmarks.distributed.simulation_run import Setting
from benchmarks.distributed.simulation_web import Web
from pytest import MonkeyPatch
from redis import Redis

from frontier_redis.conftest import Serve
from scenthound import Topic
from scenthound.core.errors import SettingsError
from scenthound.core.model import Document, ScoredLink, TopicProfile
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.crawler.shared import worker as distributed_worker
from scenthound.frontier.redis import workers
from scenthound.frontier.redis.crawl_status import ServerControl, shared_crawl_status
from scenthound.frontier.redis.crawls import SharedCrawl, crawl_names, create_crawl, open_crawl
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import ServerClock, server_time
from scenthound.frontier.redis.workers import SharedBudget, WorkerEntry, WorkerRegistry
from scenthound.sample.responses import Response
from scenthound.storage.journal import read_journal

URLS = [f"http://h{n % 3}.test/{n}" for n in range(9)]


def page(url: str) -> Response:
    links = "".join(f'<a href="{each}">storm</a> ' for each in URLS)
    word = "abcdefghi"[int(url[-1])] * 8
    body = f"<title>Storm {word}</title><p>A storm called {word}.</p>{links}"
    return Response(url, 200, (("Content-Type", "text/html"),), body.encode())


def test_the_living_do_the_work_of_the_dead(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, monkeypatch: MonkeyPatch,
    serve: Serve,
) -> None:  # fmt: skip
    monkeypatch.setattr(workers, "DEAD_AFTER", 1.0)
    monkeypatch.setattr(distributed_worker, "HEARTBEAT_SECONDS", 0.1)
    topic = Topic("storms", ("storm",), (URLS[0],))
    options = CrawlOptions(delay=0.0, min_disk=0, max_pages=len(URLS))
    made = shared_crawls.share_crawl(
        topic, server_url, "breadth-first", crawl=crawl, options=options
    )
    now = made.at
    roll = WorkerRegistry(server, crawl)
    roll.enter("dead", "elsewhere", "/gone", open_crawl(server, crawl).version, now)
    claimed(server, crawl, "dead", len(URLS))
    theirs = RedisFrontier(
        server, crawl, politeness=options.politeness(), lease_seconds=1e6, now=now, worker="dead"
    )
    theirs.add([ScoredLink(URLS[5], 1)])
    assert [candidate.url for candidate in theirs.lease(1, now)] == [URLS[5]]
    serve(map(page, URLS))
    shared_crawls.join_crawl(server_url, crawl, tmp_path / "living")
    events = read_journal(tmp_path / "living" / "journal.jsonl")
    assert sorted(str(e["url"]) for e in events if e["event"] == "page") == sorted(URLS)
    assert {entry.name: entry.state for entry in roll.entries()}["dead"] == workers.LOST


# What workers share besides the frontier: the crawl spec, the registry, the budget, requests, time.


def crawl_spec(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "topic": {"name": "storms", "seeds": ["http://a.example/"]},
        "strategy": "vsm",
        "parameters": {},
        "settings": {"max_pages": 10, "max_time": None, "delay": 1.0},
        "versions": {"python": "3.12"},
    }
    return {**made, **changes}


def test_a_crawl_is_made_once_and_opened_by_all_of_one_version(server: Redis, crawl: str) -> None:
    with pytest.raises(SettingsError, match="it has none"):
        open_crawl(server, crawl)
    made = create_crawl(server, crawl, crawl_spec(), "1.0", partitions=3, most_waiting=50)
    again = create_crawl(server, crawl, crawl_spec(), "1.0", partitions=3, most_waiting=50)
    opened = open_crawl(server, crawl)
    assert made.id == again.id == opened.id
    assert (opened.partitions, opened.most_waiting, opened.version) == (3, 50, "1.0")
    assert "versions" not in opened.spec and opened.spec["strategy"] == "vsm"
    assert crawl_names(server) == [crawl]
    with pytest.raises(SettingsError, match=f"no crawl 'other' on the server; it has {crawl}"):
        open_crawl(server, "other")
    made.check_version("1.0")
    with pytest.raises(SettingsError, match=r"begun by Scenthound 1\.0, and this is 1\.1"):
        made.check_version("1.1")
    server.hset(made.key, "layout", "0")
    with pytest.raises(SettingsError, match="kept on the server by another version"):
        open_crawl(server, crawl)


def test_another_crawl_of_the_same_name_is_refused(server: Redis, crawl: str) -> None:
    create_crawl(server, crawl, crawl_spec(), "1.0")
    before = server.hgetall(f"scenthound:{{{crawl}}}:crawl")
    for changes, reported in (
        ({"topic": {"name": "cars", "seeds": []}}, r"about another topic \('storms'\)"),
        ({"strategy": "scent"}, "was begun with other values of: strategy;"),
        ({"settings": {"max_pages": 10, "delay": 2.0}}, "was begun with other values of: delay;"),
    ):
        with pytest.raises(SettingsError, match=reported):
            create_crawl(server, crawl, crawl_spec(**changes), "1.0")
    other = crawl_spec(settings={"max_pages": 99, "max_time": 5.0, "delay": 1.0})
    made = create_crawl(server, crawl, other, "1.0")  # limits may differ, and be changed
    assert server.hgetall(f"scenthound:{{{crawl}}}:crawl") == before
    assert made.limits() == (10, None)
    made.change_limit("max_pages", 20)
    assert open_crawl(server, crawl).limits().max_pages == 20


def test_the_first_word_on_the_topic_stays(server: Redis, crawl: str) -> None:
    made = create_crawl(
        server, crawl, crawl_spec(), "1.0", examples={"/a.html": Document("A", "text")}
    )
    assert made.topic() is None
    first = TopicProfile("storms", ("storm",), (Document("Storm", "wind"),))
    assert made.publish_topic(first) == first
    assert made.publish_topic(TopicProfile("storms", ("other",), ())) == first
    assert made.topic() == first
    assert made.examples == {"/a.html": Document("A", "text")}


def test_a_worker_keeps_its_number_and_its_folder(server: Redis, crawl: str) -> None:
    roll = WorkerRegistry(server, crawl)
    one = roll.enter("one", "m1", "/a", "1.0", 0.0)
    two = roll.enter("two", "m1", "/b", "1.0", 0.0)
    assert (one.number, two.number) == (1, 2)
    again = roll.enter("one", "m1", "/a", "1.0", 5.0, goes_on=True)
    assert again.number == 1
    with pytest.raises(
        workers.NameTakenError, match="worker 'one' of this crawl writes to /a on m1"
    ):
        roll.enter("one", "m2", "/a", "1.0", 5.0, goes_on=True)
    with pytest.raises(
        workers.NameTakenError
    ):  # another machine of the same name, or an emptied folder
        roll.enter("one", "m1", "/a", "1.0", 5.0)
    assert [entry.name for entry in roll.entries()] == ["one", "two"]


def claimed(server: Redis, crawl: str, worker: str, budget: int) -> SharedBudget:
    """Part of a budget: the worker has claimed four pages of it, if there are so many."""
    part = SharedBudget(server, crawl, worker, budget, 4, itertools.count(1).__next__)
    part.allows(0)
    return part


def test_no_more_pages_are_allowed_than_the_budget_has(server: Redis, crawl: str) -> None:
    one, two = claimed(server, crawl, "one", 10), claimed(server, crawl, "two", 10)
    assert one.allows(5) and not one.allows(6)  # two were left
    assert two.allows(3) and not two.allows(4)
    one.keep(6)
    two.close(1)  # it ends early
    assert one.allows(8) and not one.allows(9) and not one.is_exhausted(9)
    assert workers.pages_stored(server, crawl) == 7


def test_what_a_dead_worker_had_claimed_comes_back(server: Redis, crawl: str) -> None:
    roll = WorkerRegistry(server, crawl)
    before = roll.enter("one", "m", "/a", "1.0", 0.0)
    one = claimed(server, crawl, "one", 4)
    two = SharedBudget(server, crawl, "two", 4, 4, itertools.count(1).__next__)
    one.keep(3)
    roll.update(reported := replace(before, heard=9.0))
    assert not roll.mark_dead(before)  # it was heard of since
    assert not two.allows(0)
    assert roll.mark_dead(reported)
    assert [entry.state for entry in roll.entries()] == ["lost"]
    assert two.allows(0) and not two.allows(1)
    one.refresh()
    assert not one.allows(3)  # it was only slow: no more than it has
    assert roll.enter("one", "m", "/a", "1.0", 9.0, goes_on=True).state == "working"


def test_a_request_is_for_every_worker_until_it_is_taken_back(server: Redis, crawl: str) -> None:
    time = [0.0]
    one, two = (ServerControl(server, crawl, lambda: time[0]) for _ in range(2))
    one.leave("stop")
    assert one.is_left("stop") and two.is_left("stop") and not two.is_left("pause")
    assert one.withdraw("stop") and not one.withdraw("stop")
    assert two.is_left("stop")  # it looked within the last second
    time[0] = 1.5
    assert not two.is_left("stop")


def test_the_time_is_the_servers_and_never_goes_back(server: Redis, crawl: str) -> None:
    seconds, _ = server.time()
    local, passed = [1_000.0], [50.0]
    clock = ServerClock(server, crawl, lambda: local[0], lambda: passed[0])
    assert abs(clock() - seconds) < 60.0
    assert clock() - clock.of(997.0) == pytest.approx(3.0)
    before = clock()
    local[0] += 3_600.0  # somebody has set the clock of the machine
    passed[0] += 1.0
    assert clock() - before == pytest.approx(1.0)
    now = server_time(server, crawl)
    assert abs(now - server.time()[0]) < 2.0
    later = now + 3_600.0
    server.hset(f"scenthound:{{{crawl}}}:clock", "last", repr(later))  # set before it was put back
    assert server_time(server, crawl) == pytest.approx(later, abs=0.01)
    assert later < server_time(server, crawl) < later + 2.0


Told = tuple[tuple[str, str, float], ...]
"""Workers: name, state, and how many seconds ago they were heard of."""
SILENT = 2 * workers.DEAD_AFTER
STATES: list[tuple[Told, str]] = [
    ((), "not begun"),
    ((("one", "working", 0.0), ("two", "ended", 0.0)), "running"),
    ((("one", "ended", 0.0), ("two", "ended", 0.0)), "ended"),
    ((("one", "working", SILENT),), "lost"),
    ((("one", "working", SILENT), ("two", "ended", 0.0)), "ended"),
]


def test_how_a_crawl_stands(server: Redis, crawl: str) -> None:
    for number, (reported, state) in enumerate(STATES):
        made = crawl_of(server, f"{crawl}-{number}", reported)
        stands = shared_crawl_status(made)
        assert stands.state == state
        assert (stands.pages, stands.relevant, stands.budget) == (
            5 * len(reported),
            2 * len(reported),
            10,
        )
        assert stands.reason == ("budget spent" if state == "ended" else "")
    made = crawl_of(server, crawl, (("one", "working", 0.0),))
    for request, state in (("pause", "paused"), ("stop", "stopping")):
        ServerControl(server, crawl).leave(request)
        assert shared_crawl_status(made).state == state


def crawl_of(server: Redis, crawl: str, reported: Told) -> SharedCrawl:
    """A crawl with these workers, each of which has stored five pages."""
    made = create_crawl(server, crawl, crawl_spec(), "1.0")
    now, roll = ServerClock(server, crawl)(), WorkerRegistry(server, crawl)
    for number, (name, own, ago) in enumerate(reported, start=1):
        reason = "budget spent" if own == workers.ENDED else ""
        entry = WorkerEntry(name, number, "m", "/a", "1.0", now - ago, own, reason, 5, 2)
        roll.update(entry)
        claimed(server, crawl, name, 10).keep(5)
    return made


def test_workers_that_die_lose_nothing() -> None:
    web = Web(hosts=20, pages=100, seed=3)
    setting = Setting(3, web.pages, 0.5, 4, look_again=0.25, partitions=3, deaths=12, seed=5)
    outcome = simulated(web, setting, [0])
    assert outcome.complaints == []
    assert sorted(outcome.worths) == sorted(web.worths)
    assert outcome.witness.shortest_rest >= 0.5 - 1e-9
    assert outcome.fetched_again > 0 and outcome.load.cpu > 0
