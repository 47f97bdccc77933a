"""The tutorial is run as it stands on the page, from the first command to the score."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tools.tutorial import ANOTHER_TERMINAL, INSTALL, PAGE, blocks, script

from scenthound.cli.demo import DEFAULT_PORT
from scenthound.cli.main import main

TEXT = PAGE.read_text(encoding="utf-8")


def with_free_port(text: str) -> str:
    """The page, with another port: the one it names may be taken on the machine of the tests."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert f":{DEFAULT_PORT}" in text
    return text.replace("--serve", f"--serve --port {port}").replace(str(DEFAULT_PORT), str(port))


@contextmanager
def another_terminal(commands: str, folder: Path) -> Iterator[None]:
    """Runs what the page says to leave running, until the end."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with subprocess.Popen(
        ["bash", "-c", f"exec {commands}"], cwd=folder, env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as serving:  # fmt: skip
        try:
            assert serving.stdout is not None
            assert any("Ctrl-C ends it" in line for line in serving.stdout)
            yield
        finally:
            serving.terminate()


def test_every_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """In this process, since each would import the whole package again."""
    for name in [name for name in os.environ if name.lower() in ("http_proxy", "no_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    shown = ""
    with ExitStack() as stack:
        for block in blocks(with_free_port(TEXT)):
            if block.title == ANOTHER_TERMINAL:
                stack.enter_context(another_terminal(block.commands.strip(), tmp_path))
            elif block.title != INSTALL:
                for line in filter(None, map(str.strip, block.commands.splitlines())):
                    code = run(line, monkeypatch)
                    out, err = capfd.readouterr()
                    assert code == 0, line + out + err
                    shown += out
    reported_by_the_page(tmp_path, shown)


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Its exit code."""
    if not line.startswith("scenthound "):
        return subprocess.run(["bash", "-c", line], check=False).returncode
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    try:
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def reported_by_the_page(tmp_path: Path, shown: str) -> None:
    rows = [json.loads(line) for line in (tmp_path / "storms.jsonl").read_text().splitlines()]
    assert len(rows) > 20 and all(row["relevant"] and row["text"] for row in rows)
    assert [row["url"] for row in rows if row["text_source"] != "main"] == []
    sampled, complete = re.findall(r"^called relevant +\d+ +\d+ +\d+ +(.*)$", shown, re.M)
    assert len(sampled.split()) == len(complete.split()) == 4
    precision, low, _, high = complete.split()
    assert precision == low == high and float(precision) > 0.5
    _, lowest, _, highest = sampled.split()
    assert float(lowest) <= float(precision) <= float(highest), "step 8 says it lies within"
    assert "Precision 0.9" in shown


def test_the_script_installs_waits_for_the_other_terminal_and_fails_with_a_command(
    tmp_path: Path,
) -> None:
    first, second, *others = blocks(TEXT)
    assert (first.title, second.title) == ("install", "another terminal")
    assert "pip install ." in first.commands and all(not block.title for block in others)
    assert "pip install" in script(TEXT, install=True)
    assert "pip install" not in script(TEXT, install=False)
    serving = f'```sh title="{ANOTHER_TERMINAL}"\necho "Ctrl-C ends it"; exec sleep 600\n```\n'
    text = f"{serving}```sh\ncat another-terminal.log; echo reached\n```\n"
    command = ["bash", "-c", script(text, False)]
    printed = subprocess.run(
        command, cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    assert printed.endswith("\nCtrl-C ends it\nreached\n")
    failing = script("```sh\ntrue\nfalse\necho reached\n```\n", False)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        subprocess.run(["bash", "-c", failing], check=True, capture_output=True)
    assert b"\nreached\n" not in failed.value.stdout
