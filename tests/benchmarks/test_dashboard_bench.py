"""What the dashboard reads of a journal does not depend on its length; a report is measured."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.dashboard import asked, write_crawl
from benchmarks.reporting import reported

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bytes are counted in /proc")


def test_a_longer_journal_costs_no_more(tmp_path: Path) -> None:
    sizes = (2_000, 6_000)
    short, long = (_kilobytes(tmp_path / str(pages), pages) for pages in sizes)
    assert list(short) == [
        "first view", "curve", "page table", "search in vain", "update of 5 pages",
        "one page by its number",
    ]  # fmt: skip
    for name in ("first view", "curve", "page table"):
        assert long[name] == pytest.approx(short[name], rel=0.1)
    assert long["update of 5 pages"] < 20 and long["one page by its number"] < 100


def _kilobytes(folder: Path, pages: int) -> dict[str, float]:
    write_crawl(folder, pages)
    costs, peak = asked(folder, pages)
    assert peak > 0
    return {cost.name: cost.kilobytes for cost in costs}


def test_what_a_report_costs(tmp_path: Path) -> None:
    write_crawl(tmp_path / "c", 30)
    seconds, size, peak = reported(tmp_path / "c")
    report = tmp_path / "c" / "report.html"
    assert size == report.stat().st_size and "30 pages" in report.read_text(encoding="utf-8")
    assert seconds > 0 and peak > 10
