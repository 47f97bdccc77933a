"""A replay that writes a folder can be paused and stopped, and others can tell that it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from crawler.web_building import Field, Plant, page
from scenthound.core.events import PageEvent
from scenthound.crawler import replay_loop
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.replay import run_job
from scenthound.storage.folder import LOCK_NAME, PAUSE, STOP, CrawlFolder, lock_holder
from scenthound.storage.journal import read_journal


@pytest.fixture(autouse=True)
def look_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_loop, "_POLL_INTERVAL_S", 0.0)


@pytest.fixture
def web(plant: Plant) -> Field:
    names = [f"/{n}" for n in range(6)]
    return plant(page("/", *names), *(page(name) for name in names))


def replayed(web: Field, out: Path, at_page: dict[int, list[str]]) -> list[dict[str, object]]:
    """The events of a replay; requests are left as the pages come."""
    folder = out / "storms" / "breadth-first"
    requests, seen = ControlRequests(folder), []

    def on_page(event: PageEvent) -> None:
        seen.append(lock_holder(folder))
        for name in at_page.get(event.n, ()):
            requests.leave(name)

    result = run_job(web.archive, web.job("breadth-first", budget="7", out=out), on_page)
    events = list(read_journal(CrawlFolder(folder).journal_path))
    assert None not in seen and lock_holder(folder) is None
    assert not (folder / LOCK_NAME).exists()
    assert result.stopped == events[-1]["reason"]
    return events


def kinds(events: list[dict[str, object]]) -> list[object]:
    return [event["event"] for event in events]


def test_a_replay_is_stopped_between_two_pages(web: Field, tmp_path: Path) -> None:
    events = replayed(web, tmp_path / "out", {3: [STOP]})
    assert kinds(events) == ["started", "page", "page", "page", "stopped"]
    assert events[-1]["reason"] == "stopped"
    assert not ControlRequests(tmp_path / "out" / "storms" / "breadth-first").is_left(STOP)


def test_a_replay_waits_while_it_is_paused(
    web: Field, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = []
    requests = ControlRequests(tmp_path / "out" / "storms" / "breadth-first")

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            requests.withdraw(PAUSE)

    monkeypatch.setattr(replay_loop.ReplayController.__init__, "__defaults__", (lambda: 0.0, sleep))
    events = replayed(web, tmp_path / "out", {2: [PAUSE]})
    assert kinds(events)[:5] == ["started", "page", "page", "paused", "unpaused"]
    assert len(waited) == 3 and kinds(events).count("page") == 7


def test_a_replay_that_is_paused_can_be_stopped(web: Field, tmp_path: Path) -> None:
    events = replayed(web, tmp_path / "out", {2: [PAUSE, STOP]})
    assert kinds(events) == ["started", "page", "page", "stopped"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (KeyboardInterrupt, "interrupted"),
        (ZeroDivisionError, "error: ZeroDivisionError: ZeroDivisionError"),
    ],
)
def test_a_replay_that_breaks_off_leaves_its_journal_and_lets_go_of_its_folder(
    web: Field, tmp_path: Path, error: type[BaseException], reason: str
) -> None:
    def fail(event: PageEvent) -> None:
        raise error

    out = tmp_path / "out"
    with pytest.raises(error):
        run_job(web.archive, web.job("breadth-first", budget="7", out=out), fail)
    folder = out / "storms" / "breadth-first"
    events = list(read_journal(folder / "journal.jsonl"))
    assert kinds(events) == ["started", "page", "stopped"]
    assert events[-1]["reason"] == reason
    assert lock_holder(folder) is None and not (folder / LOCK_NAME).exists()
