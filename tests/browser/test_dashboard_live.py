"""A live crawl of the sample web in the dashboard: it moves, and the buttons do what they say."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.dashboard_running import dashboard, events, prepare, slow_sample, wait_for
from browser.dashboard_running import shown as dashboard_in
from live.live_running import crawling

if TYPE_CHECKING:
    from playwright.sync_api import Page

WAIT = 30


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with slow_sample() as server:
        yield prepare(tmp_path / "storms", server.proxy)


@pytest.fixture
def process(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    with crawling(folder) as started:
        wait_for(lambda: events(folder, "page"), "the first page")
        yield started


@pytest.fixture
def shown(process: subprocess.Popen[bytes], folder: Path, page: Page) -> Iterator[Page]:
    """The dashboard, open, with the crawl running."""
    with dashboard_in(page, folder):
        state(page, "running")
        yield page


def state(page: Page, wanted: str) -> None:
    page.wait_for_selector(f"[data-test=state][data-state={wanted}]")


def fetched(page: Page) -> int:
    return int(page.inner_text("[data-figure=fetched]").replace(",", ""))


def drawn_points(page: Page) -> int:
    curve = page.locator("#chart .line-0 .stroke").last.get_attribute("d")
    return (curve or "").count("L")


def newest(page: Page) -> int:
    return int(page.locator("#latest-pages li").first.get_attribute("data-page") or 0)


def test_the_curve_moves_while_the_crawl_goes_on(shown: Page) -> None:
    first = fetched(shown)
    wait_for(lambda: fetched(shown) >= first + 10, "more pages")
    wait_for(lambda: drawn_points(shown) >= first + 9, "more of the curve")
    assert "page" in shown.inner_text("[data-test=readout]")
    assert float(shown.inner_text("[data-figure=harvest]")) > 0
    assert shown.inner_text("#connection") == "live"


def test_what_arrives_is_in_the_lists(shown: Page) -> None:
    shown.wait_for_selector("#latest-pages li[data-page]")
    before = newest(shown)
    wait_for(lambda: newest(shown) > before, "a further relevant page")
    shown.locator(".fresh").click()
    shown.wait_for_selector("table.pages tbody tr")
    assert shown.locator("#side-hosts tbody tr").count() > 1


def test_stop_asks_once_and_stops(
    shown: Page, process: subprocess.Popen[bytes], folder: Path
) -> None:
    stop = shown.locator("[data-action=stop]")
    stop.click()
    assert stop.inner_text() == "Really stop?"
    assert process.poll() is None
    stop.click()
    assert process.wait(WAIT) == 0
    state(shown, "stopped")
    assert [event["reason"] for event in events(folder, "stopped")] == ["stopped"]
    wait_for(stop.is_disabled, "a button that is off")
    assert shown.inner_text("#controls-why")


def test_a_second_thought_leaves_it_running(shown: Page, folder: Path) -> None:
    stop = shown.locator("[data-action=stop]")
    stop.click()
    shown.locator("[name=query]").focus()
    assert stop.inner_text() == "Stop"
    before = fetched(shown)
    wait_for(lambda: fetched(shown) > before, "further pages")
    assert not (folder / "stop.request").exists()


def test_pause_and_resume(shown: Page, folder: Path) -> None:
    shown.locator("[data-action=pause]").click()
    state(shown, "paused")
    wait_for(lambda: events(folder, "paused"), "the pause in the journal")
    shown.locator("[data-action=resume]").click()
    state(shown, "running")
    wait_for(lambda: events(folder, "unpaused"), "the end of the pause")
    before = fetched(shown)
    wait_for(lambda: fetched(shown) > before, "pages after the pause")


def test_a_crawl_that_begins_later_is_shown_when_it_does(folder: Path, page: Page) -> None:
    with dashboard_in(page, folder):
        state(page, "'not begun'")
        assert "has not begun" in page.inner_text("#notice")
        assert page.locator("[data-action=stop]").is_disabled()
        with crawling(folder):
            state(page, "running")
            wait_for(lambda: fetched(page) > 3, "its pages")
        state(page, "interrupted")  # the process was killed
        assert "resume" in page.inner_text("#notice")


def test_a_dashboard_that_ends_is_told(
    folder: Path, process: subprocess.Popen[bytes], page: Page, errors: list[str]
) -> None:
    with dashboard(folder) as address:
        page.goto(address)
        state(page, "running")
    page.wait_for_selector("#connection[data-state=lost]")
    assert "trying again" in page.inner_text("#connection")
    errors.clear()  # the browser complains of a server that is gone
