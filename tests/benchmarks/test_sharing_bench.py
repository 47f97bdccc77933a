"""The bench of shared reading: what it prints of a little web, and that no run differs."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.sharing import main, sharing

from sample.sample_once import few_labels, sample_web, write_files


@pytest.fixture
def schools(tmp_path: Path) -> Path:
    """The sample web in place of the schools, with one topic."""
    return write_files(few_labels(sample_web()), tmp_path / "webs" / "schools")


def test_what_it_prints(schools: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sharing(schools, ("vsm", "shark"))
    alone, cold, warm, kept = capsys.readouterr().out.splitlines()
    assert alone.startswith("2 runs, 48 pages fetched") and "s as commands" in alone
    assert "cold cache" in cold and "as commands (bar: 3)" in cold
    assert cold.endswith("times as one process; 0 runs differ")
    assert "warm cache" in warm and warm.endswith("0 runs differ")
    assert kept.startswith("kept: ") and kept.endswith("kB a page")
    assert main(["--webs", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("bench: ")
