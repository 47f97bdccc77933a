"""Workers that share a crawl, in a browser: one crawl, and each of them alone."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from browser.dashboard_running import shown, wait_for
from dashboard.crawl_making import append
from dashboard.team_making import FIRST, ID, SECOND, made_worker, told
from scenthound.core.model import global_page_number
from scenthound.storage.folder import PAUSE, ControlRequests, FolderLock

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTILE = "<img src=x onerror=alert(1)>"


def test_workers_are_shown_as_one_crawl_and_alone(page: Page, tmp_path: Path) -> None:
    mark = {"crawl": HOSTILE, "id": ID, "name": HOSTILE, "number": 1}
    links = {2: [global_page_number(2, 1)], 1: [global_page_number(9, 4)]}
    folders = [
        made_worker(tmp_path / "a", 1, FIRST[:2], mark=mark, links=links),
        made_worker(tmp_path / "b", 2, SECOND, links={1: [global_page_number(1, 1)]}),
    ]
    with ExitStack() as stack:
        for folder in folders:
            stack.enter_context(FolderLock(folder))
        stack.enter_context(shown(page, tmp_path))
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "4", "both workers")
        assert page.locator("#crawls .card").count() == 1
        assert page.inner_text("#crawls .name") == page.inner_text("h1") == HOSTILE
        assert page.locator("#workers tbody tr").count() == 2
        wait_for(lambda: page.locator("table.pages tbody tr").count() == 4, "the pages of both")
        chips = page.locator("table.pages .of-worker").all_inner_texts()
        assert chips == ["w2", HOSTILE, "w2", HOSTILE]
        append(folders[0], *told(FIRST, {}, since=2))
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "5", "a page that came")
        wait_for(lambda: "Show 1 new page" in page.inner_text("#search"), "the new page")
        assert page.inner_text("#workers tbody tr:first-child td:nth-child(3)") == "3"

        page.locator("table.pages .title").nth(1).click()
        steps = page.locator("[data-test=way] li")
        steps.first.wait_for()
        assert steps.first.inner_text().endswith("page 4 of worker 9")
        assert steps.count() == 4 and f"2 of {HOSTILE}" in page.inner_text(".facts")
        page.keyboard.press("Escape")

        page.click("button[data-action=pause]")
        wait_for(
            lambda: all(ControlRequests(each).is_left(PAUSE) for each in folders), "both requests"
        )
        page.wait_for_selector("[data-test=state][data-state=paused]")

        page.locator("#workers .title").last.click()
        wait_for(lambda: page.inner_text("h1") == "w2", "one worker")
        wait_for(lambda: page.locator("table.pages tbody tr").count() == 2, "its own pages")
        assert page.locator("#workers").is_hidden()
        assert page.locator("#crawls .card[aria-current=true]").count() == 1
        page.click("[data-team]")
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "5", "the crawl again")
