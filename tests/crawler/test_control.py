"""What ends or pauses a crawl: Ctrl-C, requests in its folder, its limits."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from crawler.scripted_downloads import HandClock, page_event
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
from scenthound.storage.folder import PAUSE, STOP
from scenthound.storage.journal import DISK_FULL, INTERRUPTED, LOW_HARVEST, OUT_OF_TIME, STOPPED

MEGABYTE = 1024 * 1024
GO_ON, WAIT, END = ControlSignal.GO_ON, ControlSignal.WAIT, ControlSignal.END


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
    assert (scene.check(TICK / 2), scene.ticks) == (GO_ON, 0)
    assert (scene.check(TICK / 2), scene.ticks) == (END, 1)
    assert scene.controller.reason == STOPPED
    assert not scene.requests.is_left(STOP)
    scene.interruption.requested = True
    assert scene.check() is END
    assert scene.controller.reason == STOPPED  # the first reason stays
    another = Scene(scene.folder)
    assert another.check() is GO_ON
    another.interruption.requested = True
    assert another.check(0.0) is END  # Ctrl-C is seen at once
    assert another.controller.reason == INTERRUPTED


def test_a_pause_is_told_when_it_begins_and_ends_and_can_be_stopped(scene: Scene) -> None:
    assert scene.check() is GO_ON
    scene.requests.leave(PAUSE)
    assert [scene.check() for _ in range(3)] == [WAIT] * 3
    assert scene.controller.paused
    scene.requests.withdraw(PAUSE)
    assert scene.check(0.0) is WAIT  # until the next look
    assert [scene.check() for _ in range(2)] == [GO_ON] * 2
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
    assert scene.check(50.0) is GO_ON
    assert (scene.controller.run_seconds, scene.controller.seconds) == (6.0, 106.0)
    assert [scene.check(after) for after in (3.0, 1.0)] == [GO_ON, END]
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
