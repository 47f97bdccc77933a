"""However ``scenthound compare`` is ended, finished runs stay and no process does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from cli.commands import Command
from evaluation.grid_web import workers_of

PATIENCE_S = 60.0


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def comparison(sample: Path, out: Path, workers: int) -> list[str]:
    """Six runs."""
    return [
        "compare", f"{sample}/sample.warc.gz", f"{sample}/topics/storms.toml",
        "--labels", f"{sample}/labels.tsv", "-s", "vsm", "-s", "breadth-first", "--draws", "3",
        "--budget", "80", "--workers", f"{workers}", "--out", f"{out}",
    ]  # fmt: skip


def started(arguments: Sequence[str], cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "scenthound.cli.main", *arguments],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(out: Path) -> list[Path]:
    """A kill may leave a file behind that begins with a dot: that one was never whole."""
    return list(out.glob("runs/[!.]*.json"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_finished_runs_are_kept(
    number: signal.Signals, scenthound: Command, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = started(comparison(sample, out, workers=2), tmp_path / "cache")
    wait_until(lambda: bool(finished(out)) and len(workers_of(process.pid)) == 2)
    workers = workers_of(process.pid)
    process.send_signal(number)
    _, told = process.communicate(timeout=PATIENCE_S)
    wait_until(lambda: not any(map(alive, workers)))
    kept = {path: path.stat().st_mtime_ns for path in finished(out)}
    assert 1 <= len(kept) < 6
    if number == signal.SIGKILL:
        assert process.returncode == -number
    else:
        assert process.returncode == 130
        assert f"go on with: scenthound compare --out={out}" in told and "Traceback" not in told
        assert not json.loads((out / "comparison.json").read_text())["finished"]
    again = scenthound(*comparison(sample, out, workers=1))
    assert again.code == 0, again.err
    assert f"{len(kept)} of 6 runs are finished already" in again.err
    assert "breadth-first" in again.out
    assert len(finished(out)) == 6
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
