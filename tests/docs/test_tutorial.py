"""The tutorial is run as it stands on the page, from the first command to the score."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tools.tutorial import PAGE, blocks, script

from scenthound.cli.demo import DEFAULT_PORT

TEXT = PAGE.read_text(encoding="utf-8")


def with_free_port(text: str) -> str:
    """The page, with another port: the one it names may be taken on the machine of the tests."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert f":{DEFAULT_PORT}" in text
    return text.replace("--serve", f"--serve --port {port}").replace(str(DEFAULT_PORT), str(port))


def test_every_command_of_the_page_runs(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    proxies = {name for name in os.environ if name.lower() in ("http_proxy", "no_proxy")}
    environment = {k: v for k, v in os.environ.items() if k not in proxies}
    done = subprocess.run(
        ["bash", "-c", script(with_free_port(TEXT), install=False)],
        cwd=tmp_path,
        env={**environment, "PATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in (tmp_path / "storms.jsonl").read_text().splitlines()]
    assert len(rows) > 20 and all(row["relevant"] and row["text"] for row in rows)
    assert [row["url"] for row in rows if row["text_source"] != "main"] == []
    sampled, complete = re.findall(r"^called relevant +\d+ +\d+ +\d+ +(.*)$", done.stdout, re.M)
    assert len(sampled.split()) == len(complete.split()) == 4
    precision, low, _, high = complete.split()
    assert precision == low == high and float(precision) > 0.5
    _, lowest, _, highest = sampled.split()
    assert float(lowest) <= float(precision) <= float(highest), "step 8 says it lies within"
    assert "Precision 0.9" in done.stdout


def test_the_page_begins_with_the_installation() -> None:
    first, second, *others = blocks(TEXT)
    assert (first.title, second.title) == ("install", "another terminal")
    assert "pip install ." in first.commands and all(not block.title for block in others)
    assert "pip install" in script(TEXT, install=True)
    assert "pip install" not in script(TEXT, install=False)


def test_a_failing_command_fails_the_script() -> None:
    text = "```sh\ntrue\nfalse\necho reached\n```\n"
    with pytest.raises(subprocess.CalledProcessError) as failed:
        subprocess.run(["bash", "-c", script(text, False)], check=True, capture_output=True)
    assert b"\nreached\n" not in failed.value.stdout
