"""Several crawls in one dashboard, and crawls that come and go."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from browser.dashboard_running import copied, shown, wait_for
from scenthound.storage.folder import LOCK_NAME, FolderLock

if TYPE_CHECKING:
    from playwright.sync_api import Page

CARDS = "#crawls .card .name"
LEFT_OUT = "[data-test=left-out]"
LABELS_APART = """() => {
  const paper = document.querySelector("#chart .drawing svg").getBoundingClientRect();
  const boxes = [...document.querySelectorAll("#chart .label")].map(
    label => label.getBoundingClientRect());
  boxes.sort((a, b) => a.top - b.top);
  return boxes.length === 8
    && boxes.every(box => box.right <= paper.right && box.bottom <= paper.bottom)
    && boxes.slice(1).every((box, place) => box.top - boxes[place].top >= 14);
}"""


def card(page: Page, name: str) -> None:
    """Look at the crawl of this name."""
    page.locator("#crawls .card", has_text=name).click()
    page.wait_for_selector(f"h1:has-text('{name}')")


def test_two_crawls_side_by_side(page: Page, finished: Path, tmp_path: Path) -> None:
    with shown(page, finished, copied(finished, tmp_path / "other", pages=40)):
        page.wait_for_selector("#crawls .card:nth-child(3)")
        assert page.locator(CARDS).all_inner_texts()[0] == "All crawls"
        page.locator("#crawls .card").first.click()
        wait_for(lambda: page.locator("#chart .line .end").count() == 2, "two curves")
        assert page.locator("table.all tbody tr").count() == 2
        assert page.locator("#heading").is_hidden()
        page.locator("table.all .title").last.click()
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "40", "the other crawl")
        assert page.locator(".card[aria-current=true]").count() == 1
        page.go_back()
        page.wait_for_selector("table.all")


def test_two_crawls_of_one_name_are_told_apart(page: Page, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    again = copied(finished, tmp_path / "elsewhere" / finished.name)
    with shown(page, finished, again):
        page.wait_for_selector("#crawls .card:nth-child(3)")
        names = page.locator(CARDS).all_inner_texts()[1:]
    assert len(set(names)) == 2
    assert all(finished.name in name for name in names)


def test_a_folder_that_is_taken_away_and_put_back(
    page: Page, finished: Path, tmp_path: Path
) -> None:
    there, away = copied(finished, tmp_path / "crawl"), tmp_path / "away"
    with shown(page, there):
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "120", "the crawl")
        there.rename(away)
        page.wait_for_selector("[data-test=state][data-state='not begun']")
        assert page.locator("#chart .line .end").count() == 0
        away.rename(there)
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "120", "the crawl again")
        wait_for(lambda: page.locator("table.pages tbody tr").count() == 50, "its pages")


def test_a_crawl_that_vanishes_is_not_taken_for_another(
    page: Page, finished: Path, tmp_path: Path, errors: list[str]
) -> None:
    crawls = tmp_path / "crawls"
    crawls.mkdir()
    copied(finished, crawls / "first", pages=40)
    second = copied(finished, crawls / "second")
    with shown(page, crawls):
        card(page, "second")
        page.locator("table.pages .title").first.click()
        page.wait_for_selector("[data-test=way]")
        second.rename(tmp_path / "away")
        wait_for(lambda: "not there any more" in page.inner_text("#notice"), "words about it")
        assert page.locator("#panel").is_visible()
        page.keyboard.press("Escape")
        assert page.locator("#heading").is_hidden()
        card(page, "first")
        page.go_back()
        wait_for(lambda: "not there any more" in page.inner_text("#notice"), "the same words")
        (tmp_path / "away").rename(second)
        page.wait_for_selector("h1:has-text('second')")
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "120", "the crawl")
    # A request that was under way when the folder vanished is answered with 404, which is logged.
    vanished = re.compile(r"404 .*/api/crawls/")
    errors[:] = [error for error in errors if not vanished.search(error)]


def test_many_crawls_keep_to_their_room(page: Page, finished: Path, tmp_path: Path) -> None:
    folders = [copied(finished, tmp_path / f"crawl-{number:02}") for number in range(12)]
    with shown(page, *folders):
        page.locator("#crawls .card").first.click()
        wait_for(lambda: page.locator("#chart .line .end").count() == 8, "as many as can be read")
        assert page.inner_text(LEFT_OUT).startswith("8 of 12 crawls drawn")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        assert page.locator("#chart .line-8").count() == 0  # each has a colour and a dash
        assert page.locator("table.all .swatch .stroke").count() == 8
        assert page.evaluate(LABELS_APART)
        page.locator("table.all .title").last.click()
        page.wait_for_selector("h1:has-text('crawl-11')")
        assert page.locator(LEFT_OUT).is_hidden()


def test_the_crawl_that_runs_comes_first_among_many(
    page: Page, finished: Path, tmp_path: Path
) -> None:
    crawls = tmp_path / "crawls"
    crawls.mkdir()
    folders = [copied(finished, crawls / f"run-{number:02}") for number in range(30)]
    (folders[-1] / LOCK_NAME).unlink(missing_ok=True)  # which the copies share
    lock = FolderLock(folders[-1])
    with shown(page, crawls):
        page.wait_for_selector("h1:has-text('run-29')")
        page.wait_for_selector("[data-test=state][data-state=running]")
        assert page.locator(CARDS).all_inner_texts()[:3] == ["All crawls", "run-29", "run-00"]
        page.locator("#crawls .card").first.click()
        wait_for(lambda: page.locator("#chart .line .end").count() == 8, "curves")
        assert page.inner_text(LEFT_OUT).startswith("8 of 30 crawls drawn")
        assert page.locator("#chart .label").first.text_content() == "29"
        assert page.locator("table.all .title").first.inner_text() == "run-29"
        lock.release()
        page.wait_for_selector("#crawls .card[data-id]:nth-child(2) .state[data-state=finished]")
        assert page.locator(CARDS).all_inner_texts()[1] == "run-29", "no card moves at its end"
