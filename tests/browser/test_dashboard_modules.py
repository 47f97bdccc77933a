"""The pure functions of the front end, called in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from browser.dashboard_running import dashboard

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def loaded(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One page for all tests: none leaves anything in it."""
    page = chromium.new_page()
    with dashboard(tmp_path_factory.mktemp("nothing")) as address:
        page.goto(address)
        yield page
        page.close()


@pytest.fixture
def call(loaded: Page) -> Call:
    """Calls a function of a module with plain values."""

    def called(module: str, function: str, *arguments: object) -> Any:
        given = json.dumps(arguments)
        return loaded.evaluate(
            f"import('/assets/{module}.js').then(made => made.{function}(...{given}))"
        )

    return called


CASES: list[tuple[str, str, Sequence[object], object]] = [
    # ticks are round and reach the top; those of pages stay inside
    ("scale", "ticks", (1, 5, False), [0, 0.2, 0.4, 0.6, 0.8, 1]),
    ("scale", "ticks", (0.13, 5, False), [0, 0.05, 0.1, 0.15]),
    ("scale", "ticks", (0, 5, True), [0, 1]),
    ("scale", "ticks", (3, 5, True), [0, 1, 2, 3]),
    ("scale", "ticks", (763, 5, True), [0, 200, 400, 600, 800]),
    ("scale", "inside", (120, 6), [0, 20, 40, 60, 80, 100, 120]),
    ("scale", "inside", (1, 6), [0, 1]),
    # labels stand apart in their order
    ("scale", "apart", ([50, 10, 52], 15, 0, 100), [50, 10, 65]),
    ("scale", "apart", ([99, 98], 15, 0, 100), [100, 85]),
    ("points", "nearest", ([[1, 10], [5, 50]], 4), [5, 50]),
    ("points", "nearest", ([], 4), None),
    ("points", "spread", (list(range(101)), 3), [0, 50, 100]),
    # only web addresses become links
    ("element", "webAddress", ("http://a.test/x",), "http://a.test/x"),
    ("element", "webAddress", ("javascript:alert(1)",), None),
    ("element", "webAddress", ("data:text/html,x",), None),
    ("element", "webAddress", (" java\nscript:alert(1)",), None),
    ("element", "webAddress", ("no address",), None),
    # what cannot be seen is made visible, text is cut, marks do not pile up over other lines
    *(
        ("element", "shown", (f"a{unseen}b",), "a\ufffdb")
        for unseen in "\u202e\x07\xad\u115f\u3164\u2066\u2028\U000e0041\ud800"
    ),
    ("element", "shown", ("abcdef", 3), "abc…"),
    ("element", "shown", ("\N{HOT PEPPER}" * 4, 3), "\N{HOT PEPPER}" * 3 + "…"),
    ("element", "shown", (None,), ""),
    ("element", "shown", ("a" + "\u0301" * 400 + "b", 900), "a" + "\u0301" * 4 + "b"),
    ("element", "shown", ("\N{HEAVY BLACK HEART}\ufe0f",), "\N{HEAVY BLACK HEART}\ufe0f"),
    # a command is ready for a shell
    ("crawl_words", "resumeCommand", ("/a/storms-1.2",), "scenthound resume /a/storms-1.2"),
    ("crawl_words", "resumeCommand", ("/a/my $(crawl)",), "scenthound resume '/a/my $(crawl)'"),
    ("crawl_words", "resumeCommand", ("/a/it's",), "scenthound resume '/a/it'\\''s'"),
    ("crawl_words", "resumeCommand", ("/a/\u202eb",), "scenthound resume, with its folder"),
    # names lose the words they begin with
    ("ordering", "distinctNames", (["a/storms-vsm-0", "a/storms-shark-0"],), ["vsm-0", "shark-0"]),
    ("ordering", "distinctNames", (["storms", "storms/vsm"],), ["storms", "storms/vsm"]),
    ("ordering", "distinctNames", (["run (/a/run)", "run (/b/run)"],), ["a/run)", "b/run)"]),
    ("ordering", "distinctNames", (["vsm", "vsm2"],), ["vsm", "vsm2"]),
    ("ordering", "distinctNames", (["a/b"],), ["a/b"]),
    ("ordering", "distinctNames", ([],), []),
    # figures as words
    ("format", "count", (12345,), "12,345"),
    ("format", "count", (None,), "–"),
    ("format", "share", (0.25,), "0.250"),
    ("format", "share", (None,), "–"),
    ("format", "share", (1e308,), "1.0e+308"),
    ("format", "count", (1e308,), "1.0e+308"),
    ("format", "brief", (99_000,), "99,000"),
    ("format", "brief", (250_000,), "250K"),
    ("format", "rate", (0.5,), "0.50"),
    ("format", "rate", (12.34,), "12.3"),
    ("format", "rate", (1234.5,), "1,235"),
    ("format", "moment", (None,), ""),
    ("format", "moment", (1e300,), ""),
]


@pytest.mark.parametrize(("module", "function", "arguments", "expected"), CASES)
def test_a_pure_function(
    call: Call, module: str, function: str, arguments: Sequence[object], expected: object
) -> None:
    assert call(module, function, *arguments) == expected


WIDTHS = """parts => import("/assets/score_parts.js").then(({ scoreParts }) =>
  [...scoreParts({ parts }).querySelectorAll("rect")].map(piece => piece.getAttribute("width")))"""

TOLD = """parts => import("/assets/score_parts.js").then(({ scoreParts }) =>
  [...scoreParts({ parts }).querySelectorAll(".part")].map(part => part.textContent))"""


def test_parts_of_a_score(loaded: Page) -> None:
    """Absurd ones are still drawn; those of one thing are described together."""
    widths = loaded.evaluate(WIDTHS, [["a", 1e308, 1e308], ["b", 1e308, 1e308], ["c", 1, 1]])
    assert [round(float(width)) for width in widths] == [160, 78, 78, 0]
    apart = [["full", 0.5, 0.5, "full"], ["anchor", 0.25, 0.5, "anchor"]]
    assert loaded.evaluate(TOLD, apart) == ["full 0.50 × 0.50", "anchor 0.25 × 0.50"]
    ways = [
        ["page words", 0.5, 0.2, "page"], ["page meaning", 0.25, 0.4, "page"],
        ["anchor words", 0.5, 0.1, "anchor"], ["inlinks", 0.5, 0.08, "inlinks"],
    ]  # fmt: skip
    assert loaded.evaluate(TOLD, ways) == ["page 0.20", "anchor 0.05", "inlinks 0.04"]
    assert len(loaded.evaluate(WIDTHS, ways)) == 1 + 3


OUTSIDE = """([width, pages, value]) => import("/assets/plot.js").then(({ plot }) => {
  const lines = [{ name: "waiting", style: 0, pairs: [[1, 1], [pages, value]] }];
  const { svg } = plot(lines, { name: "", axis: "", share: false }, width, "", true);
  document.body.append(svg);
  const ticks = [...svg.querySelectorAll(".tick")];
  const boxes = ticks.map(tick => [tick.textContent, tick.getBBox()]);
  svg.remove();
  return boxes.filter(([, box]) => box.x < 0 || box.x + box.width > width).map(([text]) => text);
})"""


def test_no_number_of_an_axis_is_cut(loaded: Page) -> None:
    for width in (300, 800):
        for large in (1, 20_000, 100_000, 40_000_000):
            assert loaded.evaluate(OUTSIDE, [width, large, 99_000]) == []
            assert loaded.evaluate(OUTSIDE, [width, 10, large]) == []


def crawl(name: str, state: str = "finished", begun: int = 0, fetched: int = 1) -> dict[str, Any]:
    return {"id": name, "state": state, "started_at": begun, "summary": {"fetched": fetched}}


def test_crawls_that_go_on_are_drawn_then_the_newest(call: Call) -> None:
    crawls = [crawl("a", begun=1), crawl("b", begun=3), crawl("c", "paused"), crawl("d", begun=2),
              crawl("e", "not begun", 9, 0), {"id": "f", "state": "running"}]  # fmt: skip
    assert call("ordering", "drawnTogether", crawls, 4) == {"ids": ["c", "f", "b", "d"], "of": 5}
    assert call("ordering", "drawnTogether", []) == {"ids": [], "of": 0}


ORDERS = """lists => import("/assets/ordering.js").then(({ Ordering }) => {
  const ordering = new Ordering();
  return lists.map(crawls => ordering.sorted(crawls).map(({ id }) => id).join(""));
})"""
STYLES = """lists => import("/assets/line_styles.js").then(({ LineStyles }) => {
  const styles = new LineStyles();
  return lists.map(ids => [...ids].map(id => styles.of([...ids]).get(id)));
})"""


def test_a_crawl_keeps_its_place_and_its_line(loaded: Page) -> None:
    lists = [[crawl(name, "running" if name in running else "finished") for name in "abcd"]
             for running in ("c", "cd", "", "a")]  # fmt: skip
    assert loaded.evaluate(ORDERS, lists) == ["cabd", "cdab", "cdab", "acdb"]
    styled = loaded.evaluate(STYLES, ["ab", "cba", "b", "abd", "abcdefghij", "ij"])
    # grey from the ninth on; last, lines of crawls that are gone
    many = [0, 1, 2, 3, 4, 5, 6, 7, 8, 8]
    assert styled == [[0, 1], [2, 1, 0], [1], [0, 1, 3], many, [0, 1]]
