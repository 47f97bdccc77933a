"""The pages of a crawl that is over: found again, explained, with the way that led to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.dashboard_running import JOURNAL, copied, dashboard, events, wait_for
from browser.dashboard_running import shown as dashboard_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROWS = "table.pages tbody tr"


@pytest.fixture(scope="module")
def address(finished: Path) -> Iterator[str]:
    with dashboard(finished) as started:
        yield started


@pytest.fixture
def shown(address: str, page: Page) -> Page:
    page.goto(address)
    page.wait_for_selector(ROWS)
    return page


def linked(finished: Path) -> dict[str, object]:
    """The page that is farthest from a seed."""
    return max(events(finished, "page"), key=lambda event: int(str(event["depth"])))


def test_a_crawl_that_is_over(shown: Page) -> None:
    assert shown.inner_text("[data-figure=fetched]") == "120"
    assert shown.inner_text("[data-test=state]").startswith("finished")
    assert shown.locator("[data-action=stop]").is_disabled()
    assert shown.locator(".fresh").is_hidden()
    assert shown.inner_text("#controls-why")
    # Links lead out without a trace.
    for link in shown.locator("a.url").all()[:5]:
        assert (link.get_attribute("href") or "").startswith("http")
        assert link.get_attribute("target") == "_blank"
        assert link.get_attribute("rel") == "noopener noreferrer nofollow"
    # The parts of a score are bars and numbers.
    row = shown.locator("#latest-pages li:has(.part-bar)").first
    assert row.locator("rect").count() == row.locator(".part").count() + 1
    assert "×" in row.locator(".part").first.inner_text()
    # The link that skips does not leave the crawl.
    shown.locator("#skip").press("Enter")
    assert shown.evaluate("document.activeElement.id") == "main"
    assert "#main" not in shown.url
    # Nothing stands over the edge of a telephone.
    shown.set_viewport_size({"width": 380, "height": 800})
    assert shown.evaluate("document.documentElement.scrollWidth") <= 380
    # What is chosen differs without our colours.
    shown.emulate_media(forced_colors="active")
    grounds = shown.locator(".choice span").evaluate_all(
        "spans => spans.map(span => getComputedStyle(span).backgroundColor)"
    )
    assert grounds[0] not in grounds[1:]
    # The curve is read with the keys and as a table.
    shown.set_viewport_size({"width": 1280, "height": 900})
    slider = shown.get_by_label("Read the curve at page")
    slider.focus()
    slider.press("Home")
    assert shown.inner_text("[data-test=readout] .at") == "page 1"
    assert "page 1" in (slider.get_attribute("aria-valuetext") or "")
    shown.get_by_text("The numbers of the curve").click()
    wait_for(lambda: shown.locator(".numbers tbody tr").count() == 21, "the numbers")
    shown.get_by_label("Relevant pages", exact=True).check()
    relevant = shown.inner_text("[data-figure=relevant]")
    assert shown.locator(".numbers tbody tr").last.inner_text().split() == ["120", relevant]


def test_search_by_words_and_by_relevance_and_more_pages(shown: Page, finished: Path) -> None:
    wanted = linked(finished)
    shown.fill("[name=query]", str(wanted["title"]).upper())
    wait_for(lambda: shown.locator(ROWS).count() < 50, "fewer rows")
    assert str(wanted["url"]) in shown.inner_text("table.pages")
    shown.fill("[name=query]", "no page has these words")
    wait_for(lambda: shown.locator(ROWS).count() == 0, "no row")
    assert "no such page" in shown.inner_text(".status-line")
    shown.fill("[name=query]", "")
    wait_for(lambda: shown.locator(ROWS).count() == 50, "the newest again")
    shown.locator(".more").click()
    wait_for(lambda: shown.locator(ROWS).count() == 100, "more rows")
    shown.locator(".more").click()
    wait_for(lambda: shown.locator(ROWS).count() == 120, "all rows")
    assert shown.locator(".more").is_hidden()
    shown.check("[name=relevant]")
    relevant = [event["n"] for event in events(finished, "page") if event["relevant"]]
    wait_for(lambda: shown.locator(ROWS).count() == min(50, len(relevant)), "relevant rows")
    rows = shown.locator(ROWS).evaluate_all("rows => rows.map(row => Number(row.dataset.page))")
    assert rows == relevant[::-1][:50]


def test_what_is_shown_is_not_all_once_more_has_come(
    page: Page, finished: Path, tmp_path: Path
) -> None:
    growing = copied(finished, tmp_path / "growing", pages=8)
    told = page.locator(".status-line")
    with dashboard_in(page, growing):
        wait_for(lambda: told.inner_text() == "8 pages shown, these are all.", "its pages")
        lines = (finished / JOURNAL).read_bytes().splitlines(keepends=True)
        further = [line for line in lines if b'"event":"page"' in line][8:24]
        with (growing / JOURNAL).open("ab") as journal:
            journal.writelines(further)
        wait_for(lambda: page.inner_text(".fresh") == "Show 16 new pages", "word of new ones")
        assert told.inner_text() == "8 pages shown; newer ones have come since."
        page.locator(".fresh").click()
        wait_for(lambda: told.inner_text() == "24 pages shown, these are all.", "all of them")
        assert page.locator(ROWS).count() == 24


def test_the_way_from_the_seed_and_why(shown: Page, finished: Path) -> None:
    wanted = linked(finished)
    shown.fill("[name=query]", str(wanted["url"]))
    wait_for(lambda: shown.locator(ROWS).count() == 1, "the page")
    shown.locator(f"{ROWS} .title").click()
    way = shown.locator("[data-test=way] li")
    way.first.wait_for()
    assert way.count() == int(str(wanted["depth"])) + 1
    assert "seed" in way.first.inner_text()
    assert str(wanted["url"]) in way.last.inner_text()
    panel = shown.inner_text("#panel")
    assert "Why it came when it came" in panel
    assert "Why it is" in panel
    assert "[object" not in panel
    assert shown.locator("#panel .part-bar").count() == 1
    assert "priority" in shown.locator("#panel table").first.inner_text()
    shown.keyboard.press("Escape")
    assert shown.locator("#panel").is_hidden()
    assert shown.evaluate("document.activeElement.className") == "title"


def test_an_address_that_names_nothing_that_can_be_read(shown: Page, address: str) -> None:
    shown.goto("about:blank")
    shown.goto(f"{address}/#%E0%")
    shown.wait_for_selector(ROWS)
    assert shown.inner_text("[data-figure=fetched]") == "120"
