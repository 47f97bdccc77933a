"""A live crawl of the sample web in the dashboard: it moves, and the buttons do what they say.

One crawl goes on beside all of these tests; the first one sees it begin, the last one stops it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from browser.dashboard_running import (
    dashboard,
    dashboard_command,
    events,
    prepare,
    slow_sample,
    turn,
    wait_for,
)
from crawler.live_running import crawling

if TYPE_CHECKING:
    from playwright.sync_api import Page

WAITING = """() => ["[data-figure=waiting]", "#side-frontier dd"].map(
  each => document.querySelector(each).textContent)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with slow_sample() as web:
        yield prepare(tmp_path_factory.mktemp("live") / "storms", web.proxy)


@pytest.fixture(scope="module")
def process(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with crawling(folder) as started:
        wait_for(lambda: events(folder, "page"), "the first page")
        yield started


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with dashboard(folder) as started:
        yield started


@pytest.fixture
def shown(process: subprocess.Popen[bytes], address: str, page: Page) -> Page:
    """The dashboard, open, with the crawl running."""
    page.goto(address)
    state(page, "running")
    return page


def state(page: Page, wanted: str) -> None:
    page.wait_for_selector(f"[data-test=state][data-state={wanted}]")


def fetched(page: Page) -> int:
    return int(page.inner_text("[data-figure=fetched]").replace(",", ""))


def drawn_points(page: Page) -> int:
    curve = page.locator("#chart .line-0 .stroke").last.get_attribute("d")
    return (curve or "").count("L")


def test_a_crawl_that_begins_later_is_shown_when_it_does(
    address: str, page: Page, request: pytest.FixtureRequest
) -> None:
    page.goto(address)
    state(page, "'not begun'")
    assert "has not begun" in page.inner_text("#notice")
    assert page.locator("[data-action=stop]").is_disabled()
    request.getfixturevalue("process")
    state(page, "running")
    wait_for(lambda: fetched(page) > 3, "its pages")


def test_the_curve_and_the_lists_move_while_the_crawl_goes_on(shown: Page) -> None:
    shown.wait_for_selector("#side-frontier dd >> nth=1")
    first = fetched(shown)

    def moved() -> bool:
        tile, panel = shown.evaluate(WAITING)  # what waits is one number
        assert tile == panel
        return fetched(shown) >= first + 10

    wait_for(moved, "further pages")
    wait_for(lambda: drawn_points(shown) >= first + 9, "more of the curve")
    assert "page" in shown.inner_text("[data-test=readout]")
    assert float(shown.inner_text("[data-figure=harvest]")) > 0
    assert shown.inner_text("#connection") == "live"
    # what arrives is in the lists
    shown.wait_for_selector("#latest-pages li[data-page]")
    newest = shown.locator("#latest-pages li").first
    before = newest.get_attribute("data-page")
    wait_for(lambda: newest.get_attribute("data-page") != before, "a further relevant page")
    shown.locator(".fresh").click()
    shown.wait_for_selector("table.pages tbody tr")
    assert shown.locator("#side-hosts tbody tr").count() > 1


def test_pages_that_are_not_looked_for_and_a_stop_on_second_thought(
    shown: Page, folder: Path
) -> None:
    """Only pages that are looked for are announced; without a second click it keeps running."""
    shown.fill("[name=query]", "no page has these words")
    wait_for(lambda: "no such page" in shown.inner_text(".status-line"), "the search")
    before = fetched(shown)
    wait_for(lambda: fetched(shown) > before + 5, "further pages")
    assert shown.locator(".fresh").is_hidden()
    stop = shown.locator("[data-action=stop]")
    stop.click()
    shown.locator("[name=query]").focus()
    assert stop.inner_text() == "Stop"
    before = fetched(shown)
    wait_for(lambda: fetched(shown) > before, "further pages")
    assert not (folder / "stop.request").exists()


def test_pause_and_resume(shown: Page, folder: Path) -> None:
    shown.locator("[data-action=pause]").press("Enter")
    state(shown, "paused")
    wait_for(lambda: events(folder, "paused"), "the pause in the journal")
    assert shown.evaluate("document.activeElement.dataset.action") == "resume"
    shown.keyboard.press("Enter")
    state(shown, "running")
    wait_for(lambda: events(folder, "unpaused"), "the end of the pause")
    before = fetched(shown)
    wait_for(lambda: fetched(shown) > before, "pages after the pause")


def test_a_window_out_of_sight_catches_up_when_it_is_back(shown: Page, folder: Path) -> None:
    turn(shown, away=True)
    before = fetched(shown)
    wait_for(lambda: len(events(folder, "page")) > before + 15, "further pages")
    assert fetched(shown) <= before + 10  # what was under way when it was turned away
    turn(shown, away=False)
    wait_for(lambda: fetched(shown) > before + 15, "what came meanwhile")
    wait_for(lambda: drawn_points(shown) > before + 10, "more of the curve")


def test_a_dashboard_that_ends_and_is_started_again(
    folder: Path, process: subprocess.Popen[bytes], page: Page, errors: list[str]
) -> None:
    with dashboard_command(folder) as address:
        page.goto(address)
        state(page, "running")
    page.wait_for_selector("#connection[data-state=lost]")
    assert "trying again" in page.inner_text("#connection")
    with dashboard(folder, port=int(urlsplit(address).port or 0)):
        page.wait_for_selector("#connection[data-state=live]")
        page.locator("[data-action=stop]").click()
        page.locator("[data-action=stop]").click()
        wait_for(lambda: "reload this page" in page.inner_text("#status"), "what to do")
        assert process.poll() is None
        page.goto("about:blank")
    errors.clear()  # the browser complains of a server that is gone, and of what is refused


def test_stop_asks_once_and_stops(
    shown: Page, process: subprocess.Popen[bytes], folder: Path
) -> None:
    stop = shown.locator("[data-action=stop]")
    stop.press("Enter")
    assert stop.inner_text() == "Really stop?"
    assert process.poll() is None
    stop.press("Enter")
    assert process.wait(30) == 0
    state(shown, "stopped")
    assert [event["reason"] for event in events(folder, "stopped")] == ["stopped"]
    wait_for(stop.is_disabled, "a button that is off")
    assert shown.evaluate("document.activeElement.className") == "controls"
    assert shown.inner_text("#controls-why")
    assert shown.inner_text("[data-test=state]") == "stopped: on request"
    assert f"scenthound resume {folder}" in shown.inner_text("#notice")
