"""Reports as a browser lays them out: wide and narrow, and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import scenthound
from evaluation.outcomes_made import failed, ran
from scenthound.evaluation.results import Comparison, write_results

if TYPE_CHECKING:
    from playwright.sync_api import Page

CLIPPED = """[...document.querySelectorAll('.table')]
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.getAttribute('aria-label'))"""


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One with all columns: verdicts, both p, deviations over seeds, failed runs."""
    outcomes = [
        ran(strategy, f"topic {topic}", harvest + topic / 200 + seed / 100, random_seed=seed)
        for strategy, harvest in (("breadth-first", 0.1), ("soft-sdvsm-mcoa", 0.4), ("vsm", 0.3))
        for topic in range(7)
        for seed in range(2)
    ]
    outcomes.append(failed("vsm", "topic 0", draw=1))
    folder = tmp_path_factory.mktemp("compared")
    write_results(folder, Comparison({"baseline": "breadth-first"}, tuple(outcomes), True),
                  tables=False)  # fmt: skip
    return scenthound.report(folder, files=False).as_uri()


def test_wide_and_narrow(comparison: str, page: Page) -> None:
    page.goto(comparison)
    for width in (390, 1100):  # the page itself never scrolls sideways
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("th", has_text="p (Holm)").count() == 1
    assert page.locator("th", has_text="seeds apart").count() == 1
    assert page.evaluate(CLIPPED) == []


def test_paper_shows_what_is_folded_two_pages_a_sheet(
    finished: Path, page: Page, tmp_path: Path
) -> None:
    page.goto(scenthound.report(finished, tmp_path / "r.html", files=False, top=6).as_uri())
    sheets = page.pdf(format="A4").count(b"/Type /Page\n")
    page.emulate_media(media="print")
    folded = page.locator("article.page .why").first
    assert folded.is_visible()
    a_sheet = 1_000  # pixels of A4 between its margins, about
    for article in page.locator("article.page").all():
        box = article.bounding_box()
        assert box is not None and box["height"] < a_sheet / 2
    assert sheets < 12
