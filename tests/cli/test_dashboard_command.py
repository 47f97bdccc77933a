"""``scenthound dashboard``."""

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

import scenthound
from cli.commands import Command, refused
from dashboard.crawl_making import made_crawl
from scenthound.core.errors import SettingsError
from scenthound.output.dashboard import server as serving


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


def test_the_address_goes_to_stdout_and_ctrl_c_is_a_good_end(
    cli: Command, heard: Heard, tmp_path: Path
) -> None:
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


def test_every_option_is_passed_on(
    cli: Command, heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    token = "a-token-that-nobody-guesses"
    cli("dashboard", tmp_path, "--host", "0.0.0.0", "--port", "9", "--token", token, "--open")
    assert heard.given == [([tmp_path], "0.0.0.0", 9, token)]
    assert opened == ["http://127.0.0.1:8200/"]
    monkeypatch.setenv("SCENTHOUND_DASHBOARD_TOKEN", token)
    monkeypatch.setenv("SCENTHOUND_REDIS", "redis://127.0.0.1:1")  # not asked about folders
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


def test_a_crawl_on_a_server_that_is_not_there(
    cli: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as bound:  # which nobody listens at
        bound.bind(("127.0.0.1", 0))
        url = f"redis://user:s3cret@127.0.0.1:{bound.getsockname()[1]}"
        answer = cli("dashboard", "--redis", url, "--crawl", "storms", "--crawl", "floods")
        assert answer.code == 2 and "there is no Redis server at redis://127.0.0.1:" in answer.err
        assert "s3cret" not in answer.err
    monkeypatch.delenv("SCENTHOUND_REDIS", raising=False)
    answer = cli("dashboard", "--crawl", "storms")
    assert answer.code == 2 and "give the address of the server" in answer.err


def test_from_python(heard: Heard, tmp_path: Path) -> None:
    told: list[str] = []
    scenthound.serve_dashboard(str(tmp_path), port=0, ready=told.append)
    assert told == [heard.address] and heard.given[0][0] == [tmp_path]
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


def test_the_web_server_is_loaded_by_those_who_serve() -> None:
    code = "import sys, scenthound; print({'starlette', 'uvicorn', 'jinja2'} & set(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout == "set()\n"
