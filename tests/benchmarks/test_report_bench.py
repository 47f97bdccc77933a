"""The bench of reports measures a report."""

from __future__ import annotations

from pathlib import Path

from benchmarks.dashboard import write_crawl
from benchmarks.reporting import reported


def test_what_a_report_costs(tmp_path: Path) -> None:
    write_crawl(tmp_path / "c", 30)
    seconds, size, peak = reported(tmp_path / "c")
    report = tmp_path / "c" / "report.html"
    assert size == report.stat().st_size and "30 pages" in report.read_text(encoding="utf-8")
    assert seconds > 0 and peak > 10
