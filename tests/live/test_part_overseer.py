"""Who may end or pause a crawl: Ctrl-C, requests in the folder, limits."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from live.part_building import HandClock, page_event
from scenthound.live.deciding import Heed
from scenthound.live.interruption import Interruption, interruptible
from scenthound.live.options import CrawlOptions
from scenthound.live.overseer import Overseer
from scenthound.live.stopping import (
    DISK_FULL,
    INTERRUPTED,
    LOW_HARVEST,
    OUT_OF_TIME,
    STOPPED,
    StopRules,
)
from scenthound.live.worker import TICK
from scenthound.store.requests import PAUSE, STOP, Requests

MEGABYTE = 1024 * 1024
GO_ON, WAIT, END = Heed.GO_ON, Heed.WAIT, Heed.END


class Scene:
    """An overseer with a clock that is moved by hand."""

    def __init__(self, folder: Path, seconds: float = 0.0, **options: float) -> None:
        self.folder = folder
        self.clock = HandClock()
        self.requests = Requests(folder)
        self.interruption = Interruption()
        self.pauses: list[bool] = []
        self.ticks = 0
        rules = StopRules(CrawlOptions(min_disk=0, **options), folder)  # type: ignore[arg-type]
        self.overseer = Overseer(folder, self.interruption, rules, seconds, self.clock)

    def heed(self, after: float = TICK) -> Heed:
        self.clock.forward(after)
        return self.overseer.heed(self.pauses.append, self.tick)

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
    assert scene.overseer.reason == STOPPED
    assert not scene.requests.is_left(STOP)
    assert scene.heed() is END
    assert Scene(scene.folder).heed() is GO_ON


def test_ctrl_c_is_heeded_at_once(scene: Scene) -> None:
    scene.interruption.asked = True
    assert scene.heed(0.0) is END
    assert scene.overseer.reason == INTERRUPTED


def test_the_first_reason_stays(scene: Scene) -> None:
    scene.requests.leave(STOP)
    scene.heed()
    scene.interruption.asked = True
    assert scene.heed() is END
    assert scene.overseer.reason == STOPPED


def test_a_pause_is_told_once_when_it_begins_and_once_when_it_ends(scene: Scene) -> None:
    assert scene.heed() is GO_ON
    scene.requests.leave(PAUSE)
    assert [scene.heed() for _ in range(3)] == [WAIT] * 3
    assert scene.overseer.paused
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
    assert (scene.overseer.run_seconds, scene.overseer.seconds) == (5.0, 105.0)
    scene.requests.leave(PAUSE)
    scene.heed(1.0)
    scene.heed(1_000.0)
    scene.requests.withdraw(PAUSE)
    scene.heed(50.0)
    assert scene.overseer.run_seconds == 6.0
    scene.heed(3.0)
    assert (scene.overseer.run_seconds, scene.overseer.seconds) == (9.0, 109.0)


def test_the_time_limit_is_over_all_runs_without_pauses(tmp_path: Path) -> None:
    scene = Scene(tmp_path, seconds=100.0, max_time=110.0)
    scene.requests.leave(PAUSE)
    assert scene.heed(1.0) is WAIT
    assert scene.heed(1_000.0) is WAIT
    scene.requests.withdraw(PAUSE)
    assert [scene.heed(each) for each in (1.0, 8.0, 1.0)] == [GO_ON, GO_ON, END]
    assert scene.overseer.reason == OUT_OF_TIME


# limits


def rules(free: int = 10**12, **options: float) -> StopRules:
    given = CrawlOptions(**options)  # type: ignore[arg-type]
    return StopRules(given, Path("somewhere"), lambda path: free)


def test_without_limits_a_crawl_goes_on() -> None:
    made = rules()
    assert made.recent_harvest is None
    assert made.reason(1e9) is None


@pytest.mark.parametrize(("seconds", "reason"), [(9.9, None), (10.0, OUT_OF_TIME)])
def test_time(seconds: float, reason: str | None) -> None:
    assert rules(max_time=10.0).reason(seconds) == reason


def test_the_harvest_counts_once_the_window_is_full_and_over_the_window_alone() -> None:
    made = rules(min_harvest=0.5, harvest_window=4)
    seen = []
    for relevant in (False, False, True, True, True, False, False, False):
        made.saw(page_event(relevant=relevant))
        seen.append((made.recent_harvest, made.reason(0.0)))
    assert seen == [
        (0.0, None), (0.0, None), (1 / 3, None),  # the window is not full
        (0.5, None), (0.75, None), (0.75, None), (0.5, None), (0.25, LOW_HARVEST),
    ]  # fmt: skip


def test_a_harvest_of_nothing_is_below_every_floor_but_none() -> None:
    low, without = rules(min_harvest=0.01, harvest_window=1), rules(harvest_window=1)
    for made in (low, without):
        made.saw(page_event())
    assert (low.reason(0.0), without.reason(0.0)) == (LOW_HARVEST, None)


@pytest.mark.parametrize(("free", "reason"), [(5 * MEGABYTE, None), (5 * MEGABYTE - 1, DISK_FULL)])
def test_disk(free: int, reason: str | None) -> None:
    assert rules(free, min_disk=5).reason(0.0) == reason


def test_the_disk_that_counts_is_the_one_of_the_folder(tmp_path: Path) -> None:
    assert StopRules(CrawlOptions(min_disk=10**12), tmp_path).reason(0.0) == DISK_FULL


# signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_asks_to_end_a_second_one_ends(number: int) -> None:
    before = signal.getsignal(number)
    with interruptible() as interruption:
        assert not interruption.asked
        os.kill(os.getpid(), number)
        assert interruption.asked
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
    assert signal.getsignal(number) is before


def test_in_another_thread_there_are_no_signals_to_hear() -> None:
    heard: list[bool] = []

    def work() -> None:
        before = signal.getsignal(signal.SIGINT)
        with interruptible() as interruption:
            heard.append(interruption.asked or signal.getsignal(signal.SIGINT) is not before)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert heard == [False]
