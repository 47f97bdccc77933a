"""Pages that mean harm and requests from elsewhere, in a real browser before the dashboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.dashboard_running import dashboard
from dashboard.crawl_making import append, made_crawl, stop
from dashboard.crawl_making import page as page_event

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
TURNED = "moc.elpmaxe \u202e storm"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of pages whose titles and anchors are markup."""
    out = made_crawl(tmp_path_factory.mktemp("hostile") / "crawl", 1)
    named = page_event(2, title=SCRIPT, inlinks=[[1, 0.5, f"storm {SCRIPT}"]])
    append(
        out, named, page_event(3, url="javascript:alert(3)", title=TURNED), stop("budget spent", 3)
    )
    return out


@pytest.fixture(scope="module")
def address(hostile: Path) -> Iterator[str]:
    with dashboard(hostile) as started:
        yield started


@pytest.fixture
def shown(address: str, page: Page) -> Page:
    page.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error('CSP ' + e.blockedURI))"
    )
    page.goto(address)
    page.wait_for_selector("table.pages tbody tr:nth-child(3)")
    return page


NAMELESS = """() => [...document.querySelectorAll("button, input, a, summary, [role=img]")]
  .filter(e => e.checkVisibility())
  .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.[0]?.textContent.trim()))
  .map(e => e.outerHTML)"""


def test_hostile_titles_stay_text_and_every_control_has_a_name(shown: Page) -> None:
    text = shown.inner_text("table.pages")
    assert SCRIPT in text and "\u202e" not in text
    assert TURNED.replace("\u202e", "\ufffd") in text
    assert shown.evaluate(NAMELESS) == []
    shown.get_by_role("button", name="<script>").first.click()
    shown.wait_for_selector("[data-test=way] li")
    assert SCRIPT in shown.inner_text("#panel-title")
    assert SCRIPT in shown.inner_text("[data-test=way]")  # as the words of the link
    assert shown.locator("script").count() == 1
    assert shown.locator("img").count() == 1
    assert shown.evaluate(NAMELESS) == []
    ids = shown.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    assert shown.evaluate("document.documentElement.lang") == "en"
    levels = shown.evaluate("[...document.querySelectorAll('h1, h2')].map(e => e.tagName)")
    assert levels.count("H1") == 1


def test_no_script_but_ours_runs(shown: Page, errors: list[str]) -> None:
    shown.evaluate("document.body.append(document.createElement('script'))")
    shown.evaluate("document.body.lastChild.textContent = 'window.harm = 1'")
    assert shown.evaluate("window.harm") is None
    assert any("Content Security Policy" in error for error in errors)
    errors.clear()
