"""The pure functions of the front end, called in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from browser.dashboard_running import dashboard

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    empty: Path = tmp_path_factory.mktemp("nothing")
    with dashboard(empty) as started:
        yield started


@pytest.fixture(scope="module")
def loaded(address: str, chromium: Browser) -> Iterator[Page]:
    """One page for all tests: none leaves anything in it."""
    page = chromium.new_page()
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


@pytest.mark.parametrize(
    ("high", "whole", "expected"),
    [
        (1, False, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0.13, False, [0, 0.05, 0.1, 0.15]),
        (0, True, [0, 1]),
        (3, True, [0, 1, 2, 3]),
        (763, True, [0, 200, 400, 600, 800]),
    ],
)
def test_ticks_are_round_and_reach_the_top(
    call: Call, high: float, whole: bool, expected: list[float]
) -> None:
    assert call("scale", "ticks", high, 5, whole) == expected


def test_ticks_of_pages_stay_inside(call: Call) -> None:
    assert call("scale", "inside", 120, 6) == [0, 20, 40, 60, 80, 100, 120]
    assert call("scale", "inside", 1, 6) == [0, 1]


def test_labels_stand_apart_in_their_order(call: Call) -> None:
    assert call("scale", "apart", [50, 10, 52], 15, 0, 100) == [50, 10, 65]
    assert call("scale", "apart", [99, 98], 15, 0, 100) == [100, 85]


def test_new_points_take_the_place_of_old_ones_and_old_ones_are_thinned(call: Call) -> None:
    points = [[n, n] for n in range(1, 8)]
    assert call("points", "merged", points, [[7, 70], [8, 80]], 20)[-2:] == [[7, 70], [8, 80]]
    assert [n for n, _ in call("points", "merged", points, [[8, 8]], 5)] == [1, 3, 5, 7, 8]
    assert call("points", "merged", [], []) == []


def test_nearest_and_spread(call: Call) -> None:
    assert call("points", "nearest", [[1, 10], [5, 50]], 4) == [5, 50]
    assert call("points", "nearest", [], 4) is None
    assert call("points", "spread", list(range(101)), 3) == [0, 50, 100]


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("http://a.test/x", "http://a.test/x"),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        (" java\nscript:alert(1)", None),
        ("no address", None),
    ],
)
def test_only_web_addresses_become_links(call: Call, url: str, target: str | None) -> None:
    assert call("element", "webAddress", url) == target


@pytest.mark.parametrize("unseen", "\u202e\x07\xad\u115f\u3164\u2066\u2028\U000e0041\ud800")
def test_what_cannot_be_seen_is_made_visible(call: Call, unseen: str) -> None:
    assert call("element", "shown", f"a{unseen}b") == "a\ufffdb"


def test_text_is_cut(call: Call) -> None:
    assert call("element", "shown", "abcdef", 3) == "abc…"
    assert call("element", "shown", "\N{HOT PEPPER}" * 4, 3) == "\N{HOT PEPPER}" * 3 + "…"
    assert call("element", "shown", None) == ""


def test_marks_do_not_pile_up_over_other_lines(call: Call) -> None:
    mark = "\u0301"
    assert call("element", "shown", f"a{mark * 400}b", 900) == f"a{mark * 4}b"
    assert call("element", "shown", "\N{HEAVY BLACK HEART}\ufe0f") == "\N{HEAVY BLACK HEART}\ufe0f"


@pytest.mark.parametrize(
    ("folder", "command"),
    [
        ("/a/storms-1.2", "scenthound resume /a/storms-1.2"),
        ("/a/my $(crawl)", "scenthound resume '/a/my $(crawl)'"),
        ("/a/it's", "scenthound resume '/a/it'\\''s'"),
        ("/a/\u202eb", "scenthound resume, with its folder"),
    ],
)
def test_a_command_is_ready_for_a_shell(call: Call, folder: str, command: str) -> None:
    assert call("crawl_words", "resumeCommand", folder) == command


WIDTHS = """parts => import("/assets/score_parts.js").then(({ scoreParts }) =>
  [...scoreParts({ parts }).querySelectorAll("rect")].map(piece => piece.getAttribute("width")))"""


def test_absurd_parts_of_a_score_are_still_drawn(loaded: Page) -> None:
    widths = loaded.evaluate(WIDTHS, [["a", 1e308, 1e308], ["b", 1e308, 1e308], ["c", 1, 1]])
    assert [round(float(width)) for width in widths] == [160, 78, 78, 0]


TOLD = """parts => import("/assets/score_parts.js").then(({ scoreParts }) =>
  [...scoreParts({ parts }).querySelectorAll(".part")].map(part => part.textContent))"""


def test_parts_that_speak_of_the_same_thing_are_told_together(loaded: Page) -> None:
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


@pytest.mark.parametrize("width", [300, 800])
@pytest.mark.parametrize("pages", [1, 20_000, 100_000, 40_000_000])
def test_no_number_of_an_axis_is_cut(loaded: Page, width: int, pages: int) -> None:
    assert loaded.evaluate(OUTSIDE, [width, pages, 99_000]) == []
    assert loaded.evaluate(OUTSIDE, [width, 10, pages]) == []


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["a/storms-vsm-0", "a/storms-shark-0"], ["vsm-0", "shark-0"]),
        (["storms", "storms/vsm"], ["storms", "storms/vsm"]),
        (["run (/a/run)", "run (/b/run)"], ["a/run)", "b/run)"]),
        (["vsm", "vsm2"], ["vsm", "vsm2"]),
        (["a/b"], ["a/b"]),
        ([], []),
    ],
)
def test_names_lose_the_words_they_begin_with(
    call: Call, names: list[str], short: list[str]
) -> None:
    assert call("ordering", "distinctNames", names) == short


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


def test_a_crawl_that_ends_keeps_its_place(loaded: Page) -> None:
    lists = [[crawl(name, "running" if name in running else "finished") for name in "abcd"]
             for running in ("c", "cd", "", "a")]  # fmt: skip
    assert loaded.evaluate(ORDERS, lists) == ["cabd", "cdab", "cdab", "acdb"]


STYLES = """lists => import("/assets/line_styles.js").then(({ LineStyles }) => {
  const styles = new LineStyles();
  return lists.map(ids => [...ids].map(id => styles.of([...ids]).get(id)));
})"""


def test_a_crawl_keeps_its_line_whatever_comes_and_goes(loaded: Page) -> None:
    styled = loaded.evaluate(STYLES, ["ab", "cba", "b", "abd", "abcdefghij", "ij"])
    assert styled == [
        [0, 1],
        [2, 1, 0],
        [1],
        [0, 1, 3],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 8],  # grey from the ninth on
        [0, 1],  # lines of crawls that are gone
    ]


@pytest.mark.parametrize(
    ("function", "value", "words"),
    [
        ("count", 12345, "12,345"),
        ("count", None, "–"),
        ("share", 0.25, "0.250"),
        ("share", None, "–"),
        ("share", 1e308, "1.0e+308"),
        ("count", 1e308, "1.0e+308"),
        ("brief", 99_000, "99,000"),
        ("brief", 250_000, "250K"),
        ("rate", 0.5, "0.50"),
        ("rate", 12.34, "12.3"),
        ("rate", 1234.5, "1,235"),
        ("moment", None, ""),
        ("moment", 1e300, ""),
    ],
)
def test_figures_as_words(call: Call, function: str, value: float | None, words: str) -> None:
    assert call("format", function, value) == words
