"""Who has died is seen, not reckoned from clocks."""

from __future__ import annotations

from dataclasses import replace

from scenthound.distributed.deaths import Deaths
from scenthound.distributed.roll import DEAD_AFTER, ENDED, WorkerEntry

ONE = WorkerEntry("one", 1, "m", "/a", "1.0", heard=100.0)
TWO = WorkerEntry("two", 2, "m", "/b", "1.0", heard=100.0)


class Watch:
    """Someone who looks every ten seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.deaths = Deaths(lambda: self.now)

    def looks(self, seconds: float, *entries: WorkerEntry) -> list[str]:
        """The dead, after so many seconds."""
        found: list[WorkerEntry] = []
        for _ in range(round(seconds / 10.0)):
            self.now += 10.0
            found = self.deaths.among(entries)
        return [entry.name for entry in found]


def test_a_worker_that_is_silent_has_died() -> None:
    watch = Watch()
    assert watch.looks(10.0, ONE, TWO) == []
    assert watch.looks(DEAD_AFTER, ONE, replace(TWO, heard=105.0)) == []
    assert watch.looks(10.0, ONE, replace(TWO, heard=107.0)) == ["one"]
    assert watch.looks(DEAD_AFTER, replace(ONE, heard=300.0), replace(TWO, state=ENDED)) == []


def test_however_long_ago_they_were_heard_of_nobody_died_whom_one_did_not_watch() -> None:
    watch = Watch()
    assert watch.looks(DEAD_AFTER, ONE, TWO) == []
    watch.now += 3_600.0  # the server was away, or this machine slept
    assert watch.looks(DEAD_AFTER, ONE, TWO) == []
    assert watch.looks(20.0, ONE, TWO) == ["one", "two"]


def test_a_clock_that_is_put_forward_kills_nobody() -> None:
    watch = Watch()
    assert watch.looks(60.0, ONE) == []
    assert watch.looks(60.0, replace(ONE, heard=100.0 + 7_200.0)) == []
    assert watch.looks(DEAD_AFTER, replace(ONE, heard=200.0)) == []  # and back
