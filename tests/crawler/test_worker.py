"""Why there is no answer: each error of Twisted and Scrapy has its reason."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from OpenSSL import SSL
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from twisted.internet.error import ConnectError, ConnectionLost, NoRouteError
from twisted.python.failure import Failure
from twisted.web._newclient import ConnectionAborted
from twisted.web.client import ResponseFailed, ResponseNeverReceived

from crawler.scripted_downloads import (
    NEVER,
    NOW,
    HandClock,
    NoJitter,
    Reply,
    candidate,
    page_event,
    robots_txt,
)
from crawler.worker_bench import Bench, bench
from fetch.unrendered_pages import read
from scenthound.crawler.control import (
    TICK,
    ControlRequests,
    ControlSignal,
    Interruption,
    RunController,
    StopRules,
    interruptible,
)
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.worker import BROWSER_LOST, Outage, Retries
from scenthound.fetch.downloader import explain
from scenthound.fetch.messages import NEEDS_BROWSER, NO_BROWSER, FetchRequest
from scenthound.storage.folder import PAUSE, STOP
from scenthound.storage.journal import DISK_FULL, INTERRUPTED, LOW_HARVEST, OUT_OF_TIME, STOPPED


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


def wrapped(kind: Callable[..., BaseException], *errors: BaseException) -> BaseException:
    """As Twisted wraps what went wrong with an answer."""
    failure: Callable[..., object] = Failure
    return kind([failure(error) for error in errors])


no_way: Callable[..., BaseException] = ConnectError
no_route: Callable[..., BaseException] = NoRouteError
NO_WAY, NO_ROUTE = no_way("no way"), no_route("no route")
TLS = SSL.Error([("SSL routines", "", "certificate verify failed")])
CASES: list[tuple[BaseException, str, bool]] = [
    (DownloadTimeoutError("took longer than 5 s"), "timeout", True),
    (CannotResolveHostError("x.test"), "host not found", True),
    (DownloadConnectionRefusedError("111"), "connection refused", True),
    (DownloadCancelledError("larger than 9"), "too large", False),
    (NO_WAY, "no connection", True),
    (caused(DownloadFailedError("x"), NO_ROUTE), "no connection", True),
    (
        caused(DownloadFailedError("x"), wrapped(ResponseFailed, ConnectionAborted())),
        "headers too large",
        False,
    ),
    (wrapped(ResponseNeverReceived, TLS), "TLS error: certificate verify failed", False),
    (SSL.Error(), "TLS error: Error", False),
    (TunnelError("[{'status': 502}]"), "the proxy opens no tunnel for https", True),
    (wrapped(ResponseFailed, ConnectionLost("cut")), "broken answer:", True),
    (DownloadFailedError("half  an\nanswer"), "broken answer: half an answer", True),
    (DownloadFailedError(), "broken answer: DownloadFailedError", True),
    (ValueError("of another kind"), "ValueError: of another kind", True),
    (RuntimeError("x" * 500), f"RuntimeError: {'x' * 120}", True),
]


def test_reasons() -> None:
    for error, reason, again in CASES:
        told, worth = explain(error)
        assert told.startswith(reason)
        assert worth is again
        assert len(told) <= 160 and told.isprintable()


def test_errors_that_cause_each_other_end() -> None:
    other = DownloadFailedError("other")
    one = wrapped(ResponseFailed, other)
    other.__cause__ = one
    assert explain(one) == ("broken answer: other", True)


# again, later


def retries(most: int) -> Retries:
    return Retries(most, 30.0, NoJitter())


def test_waits_double_up_to_an_hour_and_chance_shortens_them_by_half_at_most() -> None:
    tried = [candidate("a/1", attempts=done) for done in (0, 1, 2, 3, 4, 5, 6, 7, 10**9)]
    longest = [Retries(9, 60.0, NoJitter()).pause(each) for each in tried]
    assert longest == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    by_chance = Retries(9, 60.0, random.Random(0))
    pauses = [by_chance.pause(each) for each in tried * 20]
    assert all(a / 2 <= b <= a for a, b in zip(longest * 20, pauses, strict=True))


def test_a_url_is_tried_again_later_and_later() -> None:
    tries = [retries(3).at(candidate("a/1", attempts=done), 100.0, True) for done in range(5)]
    assert tries == [130.0, 160.0, 220.0, None, None]
    assert retries(3).at(candidate("a/1"), 100.0, False) is None  # it will not go better
    assert retries(0).at(candidate("a/1"), 100.0, True) is None
    asked = [retries(3).at(candidate("a/1"), 100.0, True, least) for least in (10.0, 500.0)]
    assert asked == [130.0, 600.0]  # a server may ask for more time


# One host that fails is its own trouble; all of them are the network's.


def test_failures_on_many_hosts_in_a_row_are_an_outage() -> None:
    outage = Outage(failures=4, hosts=2)
    assert [outage.failed(host) for host in "aaab"] == [False, False, False, True]
    assert outage.on
    assert not outage.failed("c")  # it has begun already


def test_one_host_alone_is_none() -> None:
    outage = Outage(failures=4, hosts=2)
    assert not any(outage.failed("a") for _ in range(100))
    assert not outage.on


def test_one_answer_ends_it_and_the_count_begins_again() -> None:
    outage = Outage(failures=2, hosts=2)
    outage.failed("a")
    assert not outage.responded()
    assert not outage.failed("b")
    assert outage.failed("a")
    assert outage.responded()
    assert not outage.on and not outage.responded()


# Who may end or pause a crawl: Ctrl-C, requests in the folder, limits.


MEGABYTE = 1024 * 1024
GO_ON, WAIT, END = ControlSignal.GO_ON, ControlSignal.WAIT, ControlSignal.END


class Scene:
    """An overseer with a clock that is moved by hand."""

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

    def heed(self, after: float = TICK) -> ControlSignal:
        self.clock.forward(after)
        return self.controller.check(self.pauses.append, self.tick)

    def tick(self) -> None:
        self.ticks += 1


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_the_folder_is_looked_at_a_few_times_a_second(scene: Scene) -> None:
    scene.requests.leave(STOP)
    assert scene.heed(TICK / 2) is GO_ON
    assert scene.ticks == 0
    assert scene.heed(TICK / 2) is END
    assert scene.ticks == 1


def test_a_stop_request_is_heeded_once_and_taken_away(scene: Scene) -> None:
    scene.requests.leave(STOP)
    assert scene.heed() is END
    assert scene.controller.reason == STOPPED
    assert not scene.requests.is_left(STOP)
    scene.interruption.requested = True
    assert scene.heed() is END
    assert scene.controller.reason == STOPPED  # the first reason stays
    assert Scene(scene.folder).heed() is GO_ON


def test_ctrl_c_is_heeded_at_once(scene: Scene) -> None:
    scene.interruption.requested = True
    assert scene.heed(0.0) is END
    assert scene.controller.reason == INTERRUPTED


def test_a_pause_is_told_once_when_it_begins_and_once_when_it_ends(scene: Scene) -> None:
    assert scene.heed() is GO_ON
    scene.requests.leave(PAUSE)
    assert [scene.heed() for _ in range(3)] == [WAIT] * 3
    assert scene.controller.paused
    scene.requests.withdraw(PAUSE)
    assert scene.heed(0.0) is WAIT  # until the next look
    assert [scene.heed() for _ in range(2)] == [GO_ON] * 2
    assert scene.pauses == [True, False]


def test_a_paused_crawl_can_be_stopped(scene: Scene) -> None:
    scene.requests.leave(PAUSE)
    assert scene.heed() is WAIT
    scene.requests.leave(STOP)
    assert scene.heed() is END
    assert scene.requests.is_left(PAUSE)


def test_time_counts_over_all_runs_without_pauses(tmp_path: Path) -> None:
    scene = Scene(tmp_path, seconds=100.0)
    scene.heed(5.0)
    assert (scene.controller.run_seconds, scene.controller.seconds) == (5.0, 105.0)
    scene.requests.leave(PAUSE)
    scene.heed(1.0)
    scene.heed(1_000.0)
    scene.requests.withdraw(PAUSE)
    scene.heed(50.0)
    assert scene.controller.run_seconds == 6.0
    scene.heed(3.0)
    assert (scene.controller.run_seconds, scene.controller.seconds) == (9.0, 109.0)


def test_the_time_limit_is_over_all_runs_without_pauses(tmp_path: Path) -> None:
    scene = Scene(tmp_path, seconds=100.0, max_time=110.0)
    scene.requests.leave(PAUSE)
    assert scene.heed(1.0) is WAIT
    assert scene.heed(1_000.0) is WAIT
    scene.requests.withdraw(PAUSE)
    assert [scene.heed(each) for each in (1.0, 8.0, 1.0)] == [GO_ON, GO_ON, END]
    assert scene.controller.reason == OUT_OF_TIME


# limits


def rules(free: int = 10**12, **options: float) -> StopRules:
    given = CrawlOptions(**options)  # type: ignore[arg-type]
    return StopRules(given, Path("somewhere"), lambda path: free)


def test_time_and_disk(tmp_path: Path) -> None:
    assert rules().recent_harvest is None and rules().reason(1e9) is None
    limited = rules(max_time=10.0)
    assert [limited.reason(seconds) for seconds in (9.9, 10.0)] == [None, OUT_OF_TIME]
    free = (5 * MEGABYTE, 5 * MEGABYTE - 1)
    assert [rules(each, min_disk=5).reason(0.0) for each in free] == [None, DISK_FULL]
    assert StopRules(CrawlOptions(min_disk=10**12), tmp_path).reason(0.0) == DISK_FULL


def test_the_harvest_counts_once_the_window_is_full_and_over_the_window_alone() -> None:
    made = rules(min_harvest=0.5, harvest_window=4)
    seen = []
    for relevant in (False, False, True, True, True, False, False, False):
        made.saw(page_event(relevant=relevant))
        seen.append((made.recent_harvest, made.reason(0.0)))
    assert seen == [
        (0.0, None), (0.0, None), (1 / 3, None),  # the window is not full
        (0.5, None), (0.75, None), (0.75, None), (0.5, None), (0.25, LOW_HARVEST)
    ]  # fmt: skip


def test_a_harvest_of_nothing_is_below_every_floor_but_none() -> None:
    low, without = rules(min_harvest=0.01, harvest_window=1), rules(harvest_window=1)
    for made in (low, without):
        made.saw(page_event())
    assert (low.reason(0.0), without.reason(0.0)) == (LOW_HARVEST, None)


# signals


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


def test_in_another_thread_there_are_no_signals_to_hear() -> None:
    heard: list[bool] = []

    def work() -> None:
        before = signal.getsignal(signal.SIGINT)
        with interruptible() as interruption:
            heard.append(interruption.requested or signal.getsignal(signal.SIGINT) is not before)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert heard == [False]


# A page that needs a browser is asked for again once its host has rested, and counts once.


HALF_READ = Reply(no=NEEDS_BROWSER)


def asked_with_a_browser(made: Bench) -> list[bool]:
    asks = (ask for _, ask in made.downloads.asked if not ask.url.endswith("robots.txt"))
    return [ask.render for ask in asks]


def test_the_host_rests_in_between_and_afterwards() -> None:
    with bench("a/1", "a/2", script={"a/1": [HALF_READ, Reply(after=3.0)]}) as made:
        made.run()
    assert made.asked() == [
        (0.0, "a/robots.txt"), (3.0, "a/1"), (6.0, "a/1"), (11.0, "a/2")
    ]  # fmt: skip
    assert asked_with_a_browser(made) == [False, True, False]
    assert made.told("read", "failed") == ["read a/1", "read a/2"]


def test_a_longer_delay_of_its_robots_txt_is_kept() -> None:
    script = {"a/robots.txt": [robots_txt("Crawl-delay: 10")], "a/1": [HALF_READ, Reply()]}
    with bench("a/1", script=script) as made:
        made.run()
    assert [at for at, _ in made.asked()] == [0.0, 11.0, 22.0]


def test_it_counts_as_under_way_meanwhile() -> None:
    with bench("a/1", "b/1", script={"a/1": [HALF_READ, Reply()]}, concurrency=1) as made:
        made.run()
    assert made.told("asked", "read") == ["asked a/1", "asked a/1", "read a/1", "asked b/1",
                                          "read b/1"]  # fmt: skip


def test_pages_wait_for_a_place_at_the_browser_and_are_not_lost_meanwhile() -> None:
    names = [f"{host}/1" for host in "abcdefgh"]
    script = {name: [HALF_READ, Reply(after=60.0)] for name in names}
    with bench(*names, script=script, concurrency=8, lost_after=100.0) as made:
        made.run()
    assert made.told("failed") == []
    assert sorted(made.told("read")) == [f"read {name}" for name in names]
    times = [at for at, ask in made.downloads.asked if ask.render]
    assert len(times) == 8
    assert [at - times[0] for at in times] == [0, 0, 60, 60, 120, 120, 180, 180]


def test_other_pages_do_not_wait_for_the_browser() -> None:
    script = {f"{host}/1": [HALF_READ, Reply(after=60.0)] for host in "abc"}
    with bench(*script, "d/1", script=script, concurrency=4) as made:
        made.run()
    assert made.told("read")[0] == "read d/1"


def test_a_crawl_that_ends_lets_those_wait_again_that_have_no_place() -> None:
    script = {f"{host}/1": [HALF_READ, NEVER] for host in "abc"}
    with bench(*script, script=script, concurrency=3) as made:
        made.until(lambda: made.clock.now > NOW + 50)
        made.settle()
        assert made.told("forgot") == ["forgot c/1", "forgot a/1", "forgot b/1"]
        assert len(made.frontier) == 3


def test_that_there_is_no_browser_any_more_is_told_once(warned: list[str]) -> None:
    with bench("a/1") as made:
        for name in ("a/1", "b/1"):
            plain = read(name)
            assert plain.page is not None
            ask = FetchRequest(plain.request.url, render=True)
            page = replace(plain.page, problem=NO_BROWSER)
            made.worker._in_flight[ask] = made.clock()
            made.worker._take(replace(plain, request=ask, page=page), made.clock())
    assert warned == [BROWSER_LOST]


def test_a_crawl_that_ends_meanwhile_lets_it_wait_again() -> None:
    with bench("a/1", script={"a/1": [HALF_READ, Reply()]}) as made:
        made.until(lambda: len(made.downloads.asked) == 2 and made.worker.under_way == 0)
        made.settle()
        assert made.told("forgot") == ["forgot a/1"]
        assert len(made.frontier) == 1
