"""Crawls of which there is little to show or nothing to be read, and folders of odd names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from browser.dashboard_running import JOURNAL, copied, finish, prepare_of, replaced, shown, wait_for
from crawler.live_running import KEYWORDS
from crawler.live_web import LiveWeb, ok
from scenthound.core.model import Topic

if TYPE_CHECKING:
    from playwright.sync_api import Page

STATE = "[data-test=state][data-state={}]"
EVERYWHERE = """[document.title, document.body.innerText,
  ...[...document.querySelectorAll("[title]")].map(e => e.title),
  ...[...document.querySelectorAll("[aria-label]")].map(e => e.ariaLabel)].join(" ")"""


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
        assert "replay" not in page.inner_text("#heading")


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
    errors.clear()  # the browser complains of answers that say that it cannot be read


def test_a_damaged_frontier_is_told(page: Page, finished: Path, tmp_path: Path) -> None:
    broken = copied(finished, tmp_path / "broken")
    replaced(broken / "frontier.sqlite", b"no database")
    with shown(page, broken):
        wait_for(lambda: "frontier" in page.inner_text("#notice"), "words about it")
        assert page.inner_text("[data-figure=fetched]") == "120"


def test_a_folder_whose_name_would_turn_the_text_around(
    page: Page, finished: Path, tmp_path: Path
) -> None:
    turned = copied(finished, tmp_path / "storm \u202e\xad\u3164", pages=40)
    with shown(page, turned):
        wait_for(lambda: turned.name[:5] in page.inner_text("#notice"), "that pages are missing")
        assert not set("\u202e\xad\u3164") & set(page.evaluate(EVERYWHERE))
        assert page.title() == "storm \ufffd\ufffd\ufffd · Scenthound"
