"""Several crawls in one dashboard, and crawls that come and go."""

from __future__ import annotations

import re
import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from browser.dashboard_running import (
    JOURNAL,
    copied,
    finish,
    prepare,
    replaced,
    shown,
    wait_for,
)
from crawler.live_running import AtPage
from dashboard.crawl_making import FIRST, ID, SECOND, append, made_crawl, made_worker, reported
from scenthound.core.model import global_page_number
from scenthound.crawler.control import ControlRequests
from scenthound.storage.folder import LOCK_NAME, PAUSE, FolderLock

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


# Workers that share a crawl: one crawl, and each of them alone.

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
        append(folders[0], *reported(FIRST, {}, since=2))
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


# Crawls of which there is little to show or nothing to be read, and folders of odd names.

STATE = "[data-test=state][data-state={}]"
EVERYWHERE = """[document.title, document.body.innerText,
  ...[...document.querySelectorAll("[title]")].map(e => e.title),
  ...[...document.querySelectorAll("[aria-label]")].map(e => e.ariaLabel)].join(" ")"""


def test_no_crawl_one_that_has_fetched_nothing_and_one_that_was_killed(
    page: Page, tmp_path: Path
) -> None:
    (tmp_path / "none").mkdir()
    with shown(page, tmp_path / "none"):
        wait_for(lambda: "begun" in page.inner_text("body"), "words about it")
        assert "replay" not in page.inner_text("#heading")
    with shown(page, made_crawl(tmp_path / "empty", 0, stopped="frontier empty")):
        page.wait_for_selector("[data-figure=fetched]")
        wait_for(lambda: "no page" in page.inner_text("#notice"), "words about it")
        assert page.inner_text("[data-figure=fetched]") == "0"
        assert "no page yet" in page.inner_text("[data-test=readout]")
    # its process was killed
    whole, folder = prepare(tmp_path / "whole", max_pages=20), tmp_path / "killed"
    finish(whole, AtPage(3, lambda: shutil.copytree(whole, folder)))
    lock = FolderLock(folder)
    with shown(page, folder):
        page.wait_for_selector(STATE.format("running"))
        lock.release()
        page.wait_for_selector(STATE.format("interrupted"))
        assert f"scenthound resume {folder}" in page.inner_text("#notice")


def test_a_crawl_that_cannot_be_read_leaves_the_others_alone(
    page: Page, finished: Path, tmp_path: Path, errors: list[str]
) -> None:
    broken = copied(finished, tmp_path / "broken")
    replaced(broken / "crawl.json", b"[]")
    (broken / JOURNAL).unlink()
    (broken / JOURNAL).mkdir()
    with shown(page, broken, finished):
        page.wait_for_selector(STATE.format("damaged"))
        assert page.inner_text("#notice")
        assert "live crawl" not in page.inner_text("#heading")
        page.locator("#crawls .card").first.click()
        wait_for(lambda: page.locator("#chart .line .end").count() == 1, "the other curve")
        page.locator("#crawls .card").last.click()
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "120", "the other crawl")
        assert page.inner_text("#connection") == "live"
        assert page.locator("#notice").is_hidden()
    broken = copied(finished, tmp_path / "frontier")
    replaced(broken / "frontier.sqlite", b"no database")
    with shown(page, broken):
        wait_for(lambda: "frontier" in page.inner_text("#notice"), "words about it")
        assert page.inner_text("[data-figure=fetched]") == "120"
    errors.clear()  # the browser complains of answers that say that it cannot be read


def test_a_folder_whose_name_would_turn_the_text_around(
    page: Page, finished: Path, tmp_path: Path
) -> None:
    turned = copied(finished, tmp_path / "storm \u202e\xad\u3164", pages=40)
    with shown(page, turned):
        wait_for(lambda: turned.name[:5] in page.inner_text("#notice"), "that pages are missing")
        assert not set("\u202e\xad\u3164") & set(page.evaluate(EVERYWHERE))
        assert page.title() == "storm \ufffd\ufffd\ufffd · Scenthound"
