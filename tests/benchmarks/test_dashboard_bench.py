"""What the dashboard reads of a journal does not depend on how long it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.dashboard import asked, write_crawl

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
