"""The pages of a crawl that is over in the dashboard, and in a report as a browser lays it out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.dashboard_running import JOURNAL, copied, events, wait_for
from browser.dashboard_running import shown as dashboard_in

if TYPE_CHECKING:
    from playwright.sync_api import Page


from typing import TYPE_CHECKING

from dashboard.crawl_making import append, made_crawl, stop
from dashboard.crawl_making import page as page_event

if TYPE_CHECKING:
    from playwright.sync_api import Page


from typing import TYPE_CHECKING

import scenthound
from evaluation.outcomes_made import failed, ran
from scenthound.evaluation.results import Comparison, write_results

if TYPE_CHECKING:
    from playwright.sync_api import Page


# The dashboard: pages are found again, explained, with the way that led to them.


ROWS = "table.pages tbody tr"


@pytest.fixture
def shown(finished_address: str, page: Page) -> Page:
    page.goto(finished_address)
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
    reported = page.locator(".status-line")
    with dashboard_in(page, growing):
        wait_for(lambda: reported.inner_text() == "8 pages shown, these are all.", "its pages")
        lines = (finished / JOURNAL).read_bytes().splitlines(keepends=True)
        further = [line for line in lines if b'"event":"page"' in line][8:24]
        with (growing / JOURNAL).open("ab") as journal:
            journal.writelines(further)
        wait_for(lambda: page.inner_text(".fresh") == "Show 16 new pages", "word of new ones")
        assert reported.inner_text() == "8 pages shown; newer ones have come since."
        page.locator(".fresh").click()
        wait_for(lambda: reported.inner_text() == "24 pages shown, these are all.", "all of them")
        assert page.locator(ROWS).count() == 24


def test_the_way_from_the_seed_and_why(shown: Page, finished: Path, finished_address: str) -> None:
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
    # an address that names nothing that can be read
    shown.goto("about:blank")
    shown.goto(f"{finished_address}/#%E0%")
    shown.wait_for_selector(ROWS)
    assert shown.inner_text("[data-figure=fetched]") == "120"


# Pages that mean harm.


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
TURNED = "moc.elpmaxe \u202e storm"


@pytest.fixture
def hostile(page: Page, tmp_path: Path) -> Iterator[Page]:
    """A crawl of pages whose titles and anchors are markup."""
    out = made_crawl(tmp_path / "crawl", 1)
    named = page_event(2, title=SCRIPT, inlinks=[[1, 0.5, f"storm {SCRIPT}"]])
    append(
        out, named, page_event(3, url="javascript:alert(3)", title=TURNED), stop("budget spent", 3)
    )
    page.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error('CSP ' + e.blockedURI))"
    )
    with dashboard_in(page, out):
        page.wait_for_selector(f"{ROWS}:nth-child(3)")
        yield page


NAMELESS = """() => [...document.querySelectorAll("button, input, a, summary, [role=img]")]
  .filter(e => e.checkVisibility())
  .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.[0]?.textContent.trim()))
  .map(e => e.outerHTML)"""


def test_hostile_titles_stay_text_no_script_runs_and_every_control_has_a_name(
    hostile: Page, errors: list[str]
) -> None:
    text = hostile.inner_text("table.pages")
    assert SCRIPT in text and "\u202e" not in text
    assert TURNED.replace("\u202e", "\ufffd") in text
    assert hostile.evaluate(NAMELESS) == []
    hostile.get_by_role("button", name="<script>").first.click()
    hostile.wait_for_selector("[data-test=way] li")
    assert SCRIPT in hostile.inner_text("#panel-title")
    assert SCRIPT in hostile.inner_text("[data-test=way]")  # as the words of the link
    assert hostile.locator("script").count() == 1
    assert hostile.locator("img").count() == 1
    assert hostile.evaluate(NAMELESS) == []
    ids = hostile.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    assert hostile.evaluate("document.documentElement.lang") == "en"
    levels = hostile.evaluate("[...document.querySelectorAll('h1, h2')].map(e => e.tagName)")
    assert levels.count("H1") == 1
    # no script runs but ours
    hostile.evaluate("document.body.append(document.createElement('script'))")
    hostile.evaluate("document.body.lastChild.textContent = 'window.harm = 1'")
    assert hostile.evaluate("window.harm") is None
    assert any("Content Security Policy" in error for error in errors)
    errors.clear()


# Reports, wide and narrow, and on paper.


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
