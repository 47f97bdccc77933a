"""What begins, pauses and ends a crawl: example pages, Ctrl-C, requests in its folder, limits."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.live.crashes import asks_for_more, check_ended

from crawler.live_replies import moved, no, ok
from crawler.live_running import AtPage, Kept, again, check_kept, crawl, crawling, events, prepare
from crawler.live_web import LiveWeb, page
from crawler.scripted_downloads import HandClock, page_event
from scenthound.core.errors import FolderError, TopicError
from scenthound.crawler.control import (
    TICK,
    ControlRequests,
    ControlSignal,
    Interruption,
    RunController,
    Status,
    StopRules,
    interruptible,
)
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.folder import PAUSE, STOP, CrawlFolder
from scenthound.storage.journal import DISK_FULL, INTERRUPTED, LOW_HARVEST, OUT_OF_TIME, STOPPED
from scenthound.storage.state import read_topic_profile

MEGABYTE = 1024 * 1024
CONTINUE, WAIT, END = ControlSignal.CONTINUE, ControlSignal.WAIT, ControlSignal.END


class Scene:
    """A controller with a clock that is moved by hand."""

    def __init__(self, folder: Path, seconds: float = 0.0, **options: float) -> None:
        self.folder = folder
        self.clock = HandClock()
        self.requests = ControlRequests(folder)
        self.interruption = Interruption()
        self.pauses: list[bool] = []
        self.ticks = 0
        rules = StopRules(CrawlOptions(min_disk=0, **options), folder)  # type: ignore[arg-type]
        self.controller = RunController(
            folder, self.interruption, rules, seconds, monotonic=self.clock
        )

    def check(self, after: float = TICK) -> ControlSignal:
        self.clock.forward(after)
        return self.controller.check(self.pauses.append, self.tick)

    def tick(self) -> None:
        self.ticks += 1


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_a_stop_request_is_seen_a_few_times_a_second_and_taken_away(scene: Scene) -> None:
    scene.requests.leave(STOP)
    assert (scene.check(TICK / 2), scene.ticks) == (CONTINUE, 0)
    assert (scene.check(TICK / 2), scene.ticks) == (END, 1)
    assert scene.controller.reason == STOPPED
    assert not scene.requests.is_left(STOP)
    scene.interruption.requested = True
    assert scene.check() is END
    assert scene.controller.reason == STOPPED  # the first reason stays
    another = Scene(scene.folder)
    assert another.check() is CONTINUE
    another.interruption.requested = True
    assert another.check(0.0) is END  # Ctrl-C is seen at once
    assert another.controller.reason == INTERRUPTED


def test_a_pause_is_reported_when_it_begins_and_ends_and_can_be_stopped(scene: Scene) -> None:
    assert scene.check() is CONTINUE
    scene.requests.leave(PAUSE)
    assert [scene.check() for _ in range(3)] == [WAIT] * 3
    assert scene.controller.paused
    scene.requests.withdraw(PAUSE)
    assert scene.check(0.0) is WAIT  # until the next look
    assert [scene.check() for _ in range(2)] == [CONTINUE] * 2
    assert scene.pauses == [True, False]
    scene.requests.leave(PAUSE)
    assert scene.check() is WAIT
    scene.requests.leave(STOP)
    assert scene.check() is END
    assert scene.requests.is_left(PAUSE)


def test_time_counts_over_all_runs_without_pauses(tmp_path: Path) -> None:
    scene = Scene(tmp_path, seconds=100.0, max_time=110.0)
    scene.check(5.0)
    assert (scene.controller.run_seconds, scene.controller.seconds) == (5.0, 105.0)
    scene.requests.leave(PAUSE)
    assert [scene.check(after) for after in (1.0, 1_000.0)] == [WAIT, WAIT]
    scene.requests.withdraw(PAUSE)
    assert scene.check(50.0) is CONTINUE
    assert (scene.controller.run_seconds, scene.controller.seconds) == (6.0, 106.0)
    assert [scene.check(after) for after in (3.0, 1.0)] == [CONTINUE, END]
    assert scene.controller.reason == OUT_OF_TIME


def rules(free: int = 10**12, **options: float) -> StopRules:
    given = CrawlOptions(**options)  # type: ignore[arg-type]
    return StopRules(given, Path("somewhere"), lambda path: free)


def test_limits_of_time_disk_and_harvest(tmp_path: Path) -> None:
    assert rules().recent_harvest is None and rules().reason(1e9) is None
    limited = rules(max_time=10.0)
    assert [limited.reason(seconds) for seconds in (9.9, 10.0)] == [None, OUT_OF_TIME]
    free = (5 * MEGABYTE, 5 * MEGABYTE - 1)
    assert [rules(each, min_disk=5).reason(0.0) for each in free] == [None, DISK_FULL]
    assert StopRules(CrawlOptions(min_disk=10**12), tmp_path).reason(0.0) == DISK_FULL
    made, without = rules(min_harvest=0.5, harvest_window=4), rules(harvest_window=4)
    seen = []
    for relevant in (False, False, True, True, True, False, False, False, False):
        for each in (made, without):
            each.saw(page_event(relevant=relevant))
        seen.append((made.recent_harvest, made.reason(0.0)))
    assert seen == [
        (0.0, None), (0.0, None), (1 / 3, None),  # the window is not full
        (0.5, None), (0.75, None), (0.75, None), (0.5, None), (0.25, LOW_HARVEST),
        (0.0, LOW_HARVEST)
    ]  # fmt: skip
    assert (without.recent_harvest, without.reason(0.0)) == (0.0, None)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_asks_to_end_a_second_one_ends(number: int) -> None:
    before = signal.getsignal(number)
    with interruptible() as interruption:
        assert not interruption.requested
        os.kill(os.getpid(), number)
        assert interruption.requested
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert signal.getsignal(number) is before


def test_in_another_thread_no_signals_are_handled() -> None:
    handlers = []

    def work() -> None:
        with interruptible():
            handlers.append(signal.getsignal(signal.SIGINT))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [before]


# Whole crawls: each stops for a reason on record, and goes on from there with all its options.


SLOW: dict[str, Any] = {"delay": 0.04, "concurrency": 4}
"""A crawl of one host that takes its time, so that there is some to act in."""


@pytest.fixture
def loopback() -> Iterator[LiveWeb]:
    """For crawls in processes of their own."""
    with LiveWeb(hosts=1) as web:
        yield web


def pages_asked(web: LiveWeb) -> Counter[str]:
    return Counter(web.requested_pages())


def results(kept: Kept) -> str:
    reason: str = json.loads(CrawlFolder(kept.folder).results_path.read_text())["stopped"]
    assert reason == kept.stopped
    return reason


def test_a_request_to_stop_ends_the_crawl(web: LiveWeb, tmp_path: Path) -> None:
    urls = web.add_linked(pages=30, hosts=1)
    requests = ControlRequests(tmp_path / "out")
    watcher = AtPage(3, lambda: requests.leave(STOP))
    first = crawl(tmp_path / "out", urls[:1], watcher=watcher, **SLOW)
    assert results(first) == "stopped"
    assert 3 <= first.run.fetched < 30
    assert not requests.is_left(STOP)
    assert check_kept(first.folder) == first.urls
    second = again(tmp_path / "out")
    assert results(second) == "frontier empty"
    assert sorted(check_kept(second.folder)) == sorted(urls)
    assert pages_asked(web).total() <= len(urls) + 1  # one may have been under way
    over = again(tmp_path / "out")
    assert results(over) == "frontier empty"  # and stays so
    assert over.urls == second.urls and pages_asked(web).total() <= len(urls) + 1
    assert [e["event"] for e in over.events if e["event"] in ("stopped", "resumed")] == [
        "stopped", "resumed", "stopped", "resumed", "stopped"
    ]  # fmt: skip


def test_a_signal_ends_a_crawl_cleanly(loopback: LiveWeb, tmp_path: Path) -> None:
    urls = loopback.add_linked(pages=30, hosts=1)
    prepare(tmp_path / "out", urls[:1], **SLOW)
    with crawling(tmp_path / "out") as process:
        assert asks_for_more(process, loopback, 6)
        process.send_signal(signal.SIGINT)
        process.wait()
        check_ended(process)
    assert events(tmp_path / "out")[-1]["reason"] == "interrupted"
    before = check_kept(tmp_path / "out")
    assert len(before) >= 3
    kept = again(tmp_path / "out")
    assert kept.urls[: len(before)] == before
    assert sorted(check_kept(tmp_path / "out")) == sorted(urls)


def test_more_pages_may_be_asked_for(web: LiveWeb, tmp_path: Path) -> None:
    urls = web.add_linked(pages=40, hosts=2)
    first = crawl(tmp_path / "out", urls[:1], max_pages=10, contact="me@example.org")
    assert results(first) == "budget spent"
    before = first.urls
    unchanged = again(tmp_path / "out")
    assert results(unchanged) == "budget spent" and unchanged.run.fetched == 10
    more = again(tmp_path / "out", max_pages=25)
    assert more.run.fetched == 25 and more.urls[:10] == before
    assert len(check_kept(tmp_path / "out")) == 25
    assert max(pages_asked(web).values()) == 1
    assert CrawlFolder(tmp_path / "out").crawl_spec()["budget"] == 25
    (agent,) = {request.headers["user-agent"] for request in web.log}
    assert agent.endswith("(+me@example.org)")


def test_two_processes_never_crawl_in_one_folder(loopback: LiveWeb, tmp_path: Path) -> None:
    urls = loopback.add_linked(pages=30, hosts=1)
    prepare(tmp_path / "out", urls[:1], **SLOW)
    crawl_spec = CrawlFolder(tmp_path / "out").crawl_spec()
    with crawling(tmp_path / "out") as process:
        assert asks_for_more(process, loopback, 3)
        with pytest.raises(FolderError, match=f"is being crawled by process {process.pid}"):
            again(tmp_path / "out", max_pages=7)
        assert process.poll() is None
    assert CrawlFolder(tmp_path / "out").crawl_spec() == crawl_spec


def test_a_folder_is_not_used_for_another_crawl(web: LiveWeb, tmp_path: Path) -> None:
    prepare(tmp_path / "out", [web.url(1)])
    with pytest.raises(FolderError, match="holds a crawl already"):
        crawl(tmp_path / "out", [web.url(1)])
    assert web.requested() == []


class Pause:
    """Asks for a pause at the third page, and withdraws that after some looks."""

    def __init__(self, web: LiveWeb, requests: ControlRequests) -> None:
        self._web = web
        self._requests = requests
        self._begin = AtPage(3, lambda: requests.leave(PAUSE))
        self.saw = self._begin.saw
        self.asked: list[int] = []

    def look(self, status: Status) -> None:
        if status.paused:
            self.asked.append(len(self._web.log))
        if len(self.asked) == 4:
            self._requests.withdraw(PAUSE)


def test_a_pause_holds_until_it_is_withdrawn(web: LiveWeb, tmp_path: Path) -> None:
    urls = web.add_linked(pages=20, hosts=1)
    pause = Pause(web, ControlRequests(tmp_path / "out"))
    kept = crawl(tmp_path / "out", urls[:1], watcher=pause, **SLOW)
    assert pause.asked[1] == pause.asked[3]  # what was under way has come by the second look
    assert results(kept) == "frontier empty" and kept.run.fetched == 20
    assert [len(kept.of(what)) for what in ("paused", "unpaused")] == [1, 1]


def test_time_is_up(web: LiveWeb, tmp_path: Path) -> None:
    urls = web.add_linked(pages=60, hosts=1)
    kept = crawl(tmp_path / "out", urls[:1], max_time=0.4, **SLOW)
    assert results(kept) == "time is up" and 0 < kept.run.fetched < 60
    assert kept.run.seconds >= 0.4
    at_once = again(tmp_path / "out")
    assert results(at_once) == "time is up"
    more = again(tmp_path / "out", max_time=None, max_pages=at_once.run.fetched + 5)
    assert results(more) == "budget spent"


# Example pages given as addresses come first, say what the topic is, and are pages as any.


def examples(web: LiveWeb, count: int = 3) -> tuple[str, ...]:
    """Each with a link of its own."""
    for n in range(count):
        web.add(2, f"/on/{n}", page(f"On {n}", f"After hurricane {n}."))
    return tuple(
        web.add(
            1, f"/{n}", page(f"Example {n}", f"Hurricane number {n}.", [web.url(2, f"/on/{n}")])
        )
        for n in range(count)
    )


def test_examples_are_fetched_first_and_once(web: LiveWeb, tmp_path: Path) -> None:
    given = examples(web)
    seed = web.add(3, "/", page("Seed", "A storm.", given))
    seeds = [given[1], seed]  # an example may be a seed too
    kept = crawl(tmp_path / "out", seeds, examples=given, keywords=(), concurrency=1)
    asked = web.requested_pages()
    assert sorted(kept.urls[:3]) == sorted(given)
    assert asked[:3] == list(given) and max(Counter(asked).values()) == 1
    linked = [web.url(2, f"/on/{n}") for n in range(3)]
    assert sorted(check_kept(kept.folder)) == sorted([*given, seed, *linked])
    assert kept.warned == []
    profile = read_topic_profile(kept.folder)
    assert profile is not None and len(profile.examples) == 3
    assert all(event["relevant"] for event in kept.pages[:3])


def test_examples_count_as_pages(web: LiveWeb, tmp_path: Path) -> None:
    given = examples(web)
    kept = crawl(tmp_path / "out", [], examples=given, max_pages=4)
    assert kept.stopped == "budget spent" and kept.run.fetched == 4
    before = kept.urls
    more = again(tmp_path / "out", max_pages=10)
    assert more.run.fetched == 6 and more.urls[:4] == before
    assert len([url for url in web.requested() if url in given]) == 3
    check_kept(tmp_path / "out")


def test_an_example_that_cannot_be_read_is_reported(web: LiveWeb, tmp_path: Path) -> None:
    gone = web.add(1, "/gone", no(404))
    hidden = web.add(2, "/hidden", page("Hidden", "A storm."))
    web.add(
        2, "/robots.txt", ok("User-agent: *\nDisallow: /hidden", {"Content-Type": "text/plain"})
    )
    fine = web.add(1, "/fine", page("Fine", "A hurricane."))
    other = web.add(3, "/moved", moved("/here"))
    here = web.add(3, "/here", page("Here", "A cyclone."))
    kept = crawl(tmp_path / "out", [], examples=(gone, hidden, fine, other), keywords=())
    assert sorted(check_kept(kept.folder)) == sorted([fine, here])
    reported = "\n".join(kept.warned)
    assert f"{gone} cannot be read (status 404)" in reported
    assert f"{hidden} cannot be read (robots.txt)" in reported
    assert hidden not in web.requested()
    profile = read_topic_profile(kept.folder)
    assert profile is not None and len(profile.examples) == 2


def test_a_topic_of_nothing_readable_is_refused(web: LiveWeb, tmp_path: Path) -> None:
    """The folder is free for another try."""
    gone = (web.add(1, "/1", no(404)), web.add(1, "/2", no(410)))
    with pytest.raises(TopicError, match="storms"):
        crawl(tmp_path / "out", [web.url(1, "/3")], examples=gone, keywords=())
    seed = web.add(1, "/3", page("Seed", "A storm."))
    assert crawl(tmp_path / "out", [seed]).urls == [seed]
