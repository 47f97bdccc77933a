"""Several crawls in one dashboard, and crawls of which there is little to show."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from browser.dashboard_running import finish, prepare, prepare_of, sample, shown, wait_for
from live.live_running import KEYWORDS
from live.live_web import LiveWeb, ok
from scenthound.core.model import Topic
from scenthound.sample.server import serve

if TYPE_CHECKING:
    from playwright.sync_api import Page

CARDS = "#crawls .card .name"


def test_two_crawls_side_by_side(page: Page, finished: Path, tmp_path: Path) -> None:
    with serve(sample()) as server:
        other = prepare(tmp_path / "other", server.proxy, max_pages=40, strategy="breadth-first")
        finish(other)
    with shown(page, finished, other):
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
    again = tmp_path / "elsewhere" / finished.name
    shutil.copytree(finished, again)
    with shown(page, finished, again):
        page.wait_for_selector("#crawls .card:nth-child(3)")
        names = page.locator(CARDS).all_inner_texts()[1:]
    assert len(set(names)) == 2
    assert all(finished.name in name for name in names)


def test_a_crawl_that_has_fetched_nothing(page: Page, tmp_path: Path) -> None:
    with LiveWeb(1) as web:
        web.add(1, "/robots.txt", ok("User-agent: *\nDisallow: /", {"Content-Type": "text/plain"}))
        topic = Topic(name="storms", keywords=KEYWORDS, seeds=(web.url(1, "/"),))
        out = finish(prepare_of(tmp_path / "empty", topic))
    with shown(page, out):
        page.wait_for_selector("[data-figure=fetched]")
        wait_for(lambda: "no page" in page.inner_text("#notice"), "words about it")
        assert page.inner_text("[data-figure=fetched]") == "0"
        assert "no page yet" in page.inner_text("[data-test=readout]")


def test_a_folder_without_a_crawl(page: Page, tmp_path: Path) -> None:
    with shown(page, tmp_path):
        wait_for(lambda: "begun" in page.inner_text("body"), "words about it")


def test_a_crawl_whose_journal_is_damaged_says_so(
    page: Page, finished: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(finished, broken)
    (broken / "journal.jsonl").write_bytes(b"\x00not a journal\n" * 50)
    with shown(page, broken):
        page.wait_for_selector("#crawls .card")
        wait_for(lambda: page.inner_text("#notice"), "a sentence")


def test_a_folder_that_is_taken_away_and_put_back(
    page: Page, finished: Path, tmp_path: Path
) -> None:
    there, away = tmp_path / "crawl", tmp_path / "away"
    shutil.copytree(finished, there)
    with shown(page, there):
        wait_for(lambda: page.inner_text("[data-figure=fetched]") == "120", "the crawl")
        there.rename(away)
        page.wait_for_selector("[data-test=state][data-state='not begun']")
        assert page.locator("#chart .line .end").count() == 0
        away.rename(there)
        wait_for(lambda: page.locator("table.pages tbody tr").count() == 50, "its pages")
        assert page.inner_text("[data-figure=fetched]") == "120"


def test_many_crawls_keep_to_their_room(page: Page, finished: Path, tmp_path: Path) -> None:
    folders = [tmp_path / f"crawl-{number:02}" for number in range(12)]
    for folder in folders:
        shutil.copytree(finished, folder)
    with shown(page, *folders):
        page.locator("#crawls .card").first.click()
        wait_for(lambda: page.locator("#chart .line .end").count() == 12, "all curves")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        assert page.locator("#chart .line-8 .stroke").count() >= 4  # grey from the ninth on
