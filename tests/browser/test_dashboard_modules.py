"""The pure functions of the front end, called in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from browser.dashboard_running import dashboard

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    empty: Path = tmp_path_factory.mktemp("nothing")
    with dashboard(empty) as started:
        yield started


@pytest.fixture
def call(address: str, page: Page) -> Call:
    """Calls a function of a module with plain values."""
    page.goto(address)

    def called(module: str, function: str, *arguments: object) -> Any:
        given = json.dumps(arguments)
        return page.evaluate(
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


def test_text_is_cut_and_made_visible(call: Call) -> None:
    assert call("element", "shown", "a\u202eb\x07", 10) == "a\ufffdb\ufffd"
    assert call("element", "shown", "abcdef", 3) == "abc…"
    assert call("element", "shown", None) == ""


@pytest.mark.parametrize(
    ("function", "value", "words"),
    [
        ("count", 12345, "12,345"),
        ("count", None, "–"),
        ("share", 0.25, "0.250"),
        ("share", None, "–"),
        ("rate", 0.5, "0.50"),
        ("rate", 12.34, "12.3"),
        ("rate", 1234.5, "1,235"),
        ("moment", None, ""),
        ("moment", 1e300, ""),
    ],
)
def test_figures_as_words(call: Call, function: str, value: float | None, words: str) -> None:
    assert call("format", function, value) == words
