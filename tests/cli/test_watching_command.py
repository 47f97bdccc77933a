"""How a crawl is watched: the view of a live crawl, and ``scenthound dashboard``."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import urllib.request
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.live import Live

import scenthound
from cli.commands import Command, pipe, refused, terminal, written
from cli.live_making import page_event, status
from dashboard.crawl_making import made_crawl
from scenthound.cli.live_view import (
    FINDS_KEPT,
    RECENT_PAGES,
    Heading,
    LineWatcher,
    ScreenWatcher,
    ViewState,
    clock_time,
    draw,
    line,
    watching,
)
from scenthound.core import events
from scenthound.core.errors import SettingsError
from scenthound.output.dashboard import server as serving

HEADING = Heading("storms", "vsm", "crawls/storms", 100, max_time=60.0)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def state() -> ViewState:
    return ViewState(HEADING)


def drawn(state: ViewState, width: int = 100) -> str:
    console = pipe(width)
    console.print(draw(state))
    return written(console)


def test_finds_errors_and_drops(state: ViewState) -> None:
    for number in range(FINDS_KEPT + 2):
        state.saw(page_event(title=f"page {number}"))
    state.saw(page_event(title="again", copy_of=1))
    state.saw(page_event(title="other", relevant=False))
    titles = [find.title for find in state.finds]
    assert titles == [f"page {number}" for number in range(FINDS_KEPT + 1, 1, -1)]
    state.saw(events.FailedEvent(0.0, "http://a.test/", "timeout", 1, 9.0))
    state.saw(events.FailedEvent(0.0, "http://a.test/", "timeout", 2, None))
    state.saw(events.RejectedEvent(0.0, "http://a.test/x", "robots.txt"))
    state.saw(events.DroppedEvent(3, "host budget"))
    state.saw(events.RedirectEvent("http://a.test/", "http://b.test/", "followed"))
    state.saw(events.RedirectEvent("http://a.test/", "http://b.test/", "fetched before"))
    drops = events.DroppedLinks({"mailto": (2, ("mailto:a",)), "robots.txt": (1, ())})
    state.saw(page_event(problem="status 404", relevant=False, drops=drops))
    assert state.errors == {"timeout": 1, "status 404": 1}
    assert state.retries == {"timeout": 1}
    assert state.dropped == {
        "robots.txt": 2, "host budget": 3, "redirect: fetched before": 1, "mailto": 2,
    }  # fmt: skip


def test_harvest_speed_and_time_left_are_of_the_last_pages_and_seconds(state: ViewState) -> None:
    assert (state.recent_harvest, state.speed, state.seconds_left) == (None, None, None)
    for number in range(2 * RECENT_PAGES):
        state.saw(page_event(relevant=number < RECENT_PAGES + 25))
    assert state.recent_harvest == pytest.approx(25 / RECENT_PAGES)
    state.look(status(run_seconds=10.0, run_pages=20, seconds=10.0))
    assert state.seconds_left == pytest.approx(50.0)  # by time
    state.look(status(run_seconds=12.0, run_pages=40, seconds=12.0))
    assert state.seconds_left == pytest.approx(6.0)  # 60 pages at 10 a second
    slower = ViewState(HEADING)
    for second in range(31):
        pages = 10 * min(second, 15) + 2 * max(0, second - 15)
        slower.look(status(run_seconds=float(second), run_pages=pages))
    assert slower.speed == pytest.approx(2.0)


def test_nothing_is_known_at_first(state: ViewState) -> None:
    assert state.harvest is None and line(state) == ""
    shown = drawn(state)
    assert "storms, vsm, into crawls/storms" in shown and "reading the topic" in shown
    state.look(status())
    assert "relevant" in drawn(state)


def test_the_view_shows_all_figures(state: ViewState) -> None:
    state.saw(events.FailedEvent(0.0, "http://a.test/", "timeout", 1, 9.0))
    state.saw(events.FailedEvent(0.0, "http://b.test/", "host not found", 4, None))
    state.saw(events.RejectedEvent(0.0, "http://a.test/x", "robots.txt"))
    state.saw(page_event(title="How storms form"))
    state.look(status(run_seconds=10.0, run_pages=20))
    state.look(status(run_seconds=20.0, run_pages=40))
    shown = drawn(state)
    for words in (
        "40 of 100 pages", "0:00:20, 0:00:30 left", "10 pages, harvest now 1.000, overall 0.250",
        "2.0 pages/s, 3 under way", "1,200 waiting, 7 hosts seen", "timeout 1", "robots.txt 1",
        "errors     host not found 1",
        "0.500 How storms form", "http://a.test/",
    ):  # fmt: skip
        assert words in shown
    assert "PAUSED" not in shown
    assert line(state) == (
        "0:00:20  40 of 100 pages, 10 relevant (harvest now 1.000, overall 0.250), 2.0 pages/s, "
        "1,200 waiting, 7 hosts, 1 error (1 retry), 0:00:30 left"
    )


def test_many_reasons_are_summed_up_and_a_pause_is_plain_to_see(state: ViewState) -> None:
    for number, reason in enumerate(["a", "b", "c", "d", "e", "f" * 80], start=1):
        state.errors[reason] += number
    state.look(status())
    assert f"{'f' * 39}… 6, e 5, d 4, c 3, others 3" in drawn(state)
    state.look(status(paused=True))
    assert "PAUSED: scenthound resume goes on" in drawn(state)
    assert line(state).endswith("errors, paused")


def test_hostile_titles_do_no_harm() -> None:
    for width in [20, 40, 80, 200]:
        state = ViewState(HEADING)
        title = "[red]\x1b[2J\u202eevil[/nothing]" * 20
        state.saw(page_event(title=title, url="http://a.test/[b]"))
        state.saw(page_event(title=" "))
        state.look(status())
        shown = drawn(state, width)
        assert "\x1b" not in shown and "\u202e" not in shown
        assert all(len(row) <= width for row in shown.splitlines())
        if width == 200:
            assert "[red]" in shown and "(no title)" in shown


def test_times_of_more_than_a_day_stay_hours() -> None:
    times = (0.4, 65.0, 9_000.0, 200_000.0)
    assert [*map(clock_time, times)] == ["0:00:00", "0:01:05", "2:30:00", "55:33:20"]


def test_the_screen_is_redrawn_at_most_four_times_a_second() -> None:
    clock, console = Clock(), terminal()
    with Live(console=console, auto_refresh=False) as live:
        watcher = ScreenWatcher(HEADING, live, clock)
        watcher.look(status(summary=events.Summary(fetched=41)))
        watcher.look(status(summary=events.Summary(fetched=42)))
        clock.now += 0.25
        watcher.look(status(summary=events.Summary(fetched=43)))
    shown = written(console)
    assert "41 of 100" in shown and "43 of 100" in shown and "42 of 100" not in shown


def test_elsewhere_a_line_now_and_then() -> None:
    clock, console = Clock(), pipe()
    watcher = LineWatcher(HEADING, console, clock)
    for second in range(25):
        clock.now = 100.0 + second
        watcher.look(status(summary=events.Summary(fetched=second)))
    watcher.saw(events.ControlEvent(0.0, "paused", 100))
    clock.now += 100
    watcher.look(status(paused=True))
    watcher.saw(events.ControlEvent(0.0, "unpaused", 100))
    watcher.end()
    begun, first, second_line, paused, goes_on, last = written(console).splitlines()
    assert begun == "storms: vsm crawls into crawls/storms, up to 100 pages"
    assert "10 of 100" in first and "20 of 100" in second_line
    assert paused == "paused; go on with: scenthound resume crawls/storms"
    assert goes_on == "goes on"
    assert "40 of 100" in last


def test_who_watches_depends_on_where_it_is_shown() -> None:
    clock = Clock()
    console = pipe()
    with watching(HEADING, console, False, monotonic=clock) as lines:
        lines.look(status())
    assert len(written(console).splitlines()) == 2
    for shown_on, quiet, logging, kind in [
        (terminal(), True, False, ViewState),
        (pipe(), False, False, LineWatcher),
        (terminal(), False, False, ScreenWatcher),
        (terminal("dumb"), False, False, LineWatcher),
        (terminal(), False, True, LineWatcher),
    ]:
        with watching(HEADING, shown_on, quiet, monotonic=clock, logging=logging) as watcher:
            assert type(watcher) is kind


class Heard:
    """Stands in for the server: notes what it is asked for, and answers nothing."""

    address = "http://127.0.0.1:8200/"

    def __init__(self) -> None:
        self.given: list[tuple[Sequence[Path], str, int, str | None]] = []
        self.interrupted = False

    def __call__(
        self, folders: Sequence[Path], host: str, port: int, token: str | None,
        servers: Sequence[object],
    ) -> Heard:  # fmt: skip
        assert list(servers) == []
        self.given.append((folders, host, port, token))
        return self

    def __enter__(self) -> Heard:
        return self

    def __exit__(self, *error: object) -> None: ...

    def run(self) -> None:
        if self.interrupted:
            raise KeyboardInterrupt


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    server = Heard()
    monkeypatch.setattr(serving, "DashboardServer", server)
    return server


def test_the_address_goes_to_stdout(cli: Command, heard: Heard, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    answer = cli.ok("dashboard", tmp_path, tmp_path / "other")
    assert answer.out == "http://127.0.0.1:8200/\n"
    assert answer.err == "Ctrl-C ends it.\nThe dashboard is closed.\n"
    assert heard.given == [([tmp_path, tmp_path / "other"], "127.0.0.1", 8200, None)]
    heard.interrupted = True
    answer = cli.ok("dashboard", tmp_path / "later")
    assert f"there is no folder {tmp_path / 'later'} yet" in answer.err
    assert heard.given[1][0] == [tmp_path / "later"]
    assert answer.err.endswith("The dashboard is closed.\n")


def test_every_option_is_passed_on(cli: Command, heard: Heard, tmp_path: Path) -> None:
    opened: list[str] = []
    cli.monkeypatch.setattr(webbrowser, "open", opened.append)
    token = "a-token-that-nobody-guesses"
    cli("dashboard", tmp_path, "--host", "0.0.0.0", "--port", "9", "--token", token, "--open")
    assert heard.given == [([tmp_path], "0.0.0.0", 9, token)]
    assert opened == ["http://127.0.0.1:8200/"]
    cli.monkeypatch.setenv("SCENTHOUND_DASHBOARD_TOKEN", token)
    cli.monkeypatch.setenv("SCENTHOUND_REDIS", "redis://127.0.0.1:1")  # not asked about folders
    cli.ok("dashboard", tmp_path)
    assert heard.given[1] == ([tmp_path], "127.0.0.1", 8200, token) and len(opened) == 1


def test_what_cannot_be_served(cli: Command, tmp_path: Path) -> None:
    answer = cli("dashboard", tmp_path, "--host", "0.0.0.0")
    refused(answer, "needs a token")
    assert re.search(r"export SCENTHOUND_DASHBOARD_TOKEN=\S{16,}", answer.err)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = cli("dashboard", tmp_path, "--port", str(taken.getsockname()[1]))
    refused(answer, "--port 0 takes any that is free")
    (tmp_path / "file").touch()
    refused(cli("dashboard", tmp_path / "file"), "is a file; give the folder of a crawl")
    assert cli("dashboard").code == 2
    with socket.socket() as bound:  # which nobody listens at
        bound.bind(("127.0.0.1", 0))
        url = f"redis://user:s3cret@127.0.0.1:{bound.getsockname()[1]}"
        answer = cli("dashboard", "--redis", url, "--crawl", "storms", "--crawl", "floods")
        assert answer.code == 2 and "there is no Redis server at redis://127.0.0.1:" in answer.err
        assert "s3cret" not in answer.err
    cli.monkeypatch.delenv("SCENTHOUND_REDIS", raising=False)
    answer = cli("dashboard", "--crawl", "storms")
    assert answer.code == 2 and "give the address of the server" in answer.err


def test_from_python(heard: Heard, tmp_path: Path) -> None:
    reported: list[str] = []
    scenthound.serve_dashboard(str(tmp_path), port=0, ready=reported.append)
    assert reported == [heard.address] and heard.given[0][0] == [tmp_path]
    scenthound.serve_dashboard([tmp_path])
    cases: list[tuple[dict[str, Any], str]] = [
        ({"folders": []}, "needs something to show"),
        ({"folders": [3]}, "folders takes a path"),
        ({"port": "x"}, "port takes a whole number"),
        ({"host": 3}, "host takes a text"),
        ({"host": ""}, "host takes a text"),
    ]
    for given, message in cases:
        with pytest.raises(SettingsError, match=message):
            scenthound.serve_dashboard(**{"folders": tmp_path, **given})


def test_the_command_serves_and_ends_on_a_signal(tmp_path: Path) -> None:
    made_crawl(tmp_path / "c", 3)
    code = "from scenthound.cli.main import main; main()"
    typed = [sys.executable, "-c", code, "dashboard", str(tmp_path / "c"), "--port", "0"]
    with subprocess.Popen(typed, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        address = process.stdout.readline().decode().strip()
        with urllib.request.urlopen(f"{address}api/crawls", timeout=20) as answer:
            assert b'"interrupted"' in answer.read()
        process.terminate()
        assert process.stderr.read().decode() == "Ctrl-C ends it.\nThe dashboard is closed.\n"
        assert process.wait() == 0
