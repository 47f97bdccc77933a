"""Plots inside a page: they follow its colours, and no two share an id."""

from __future__ import annotations

import re

import pytest

from output.report_making import Parsed
from scenthound.output.document import escape_invisible, shorten, web_url
from scenthound.output.figure import dash, to_svg
from scenthound.output.plots import Bar, Curve, bars_figure, curves_figure, spread_labels
from scenthound.output.report_file import inline_svg

HOSTILE = '</svg><script>alert(1)</script> $x$ --> 3.14159 id="q"'
CURVES = [
    Curve("vsm", ((0.0, 0.1), (100.0, 0.2)), 0),
    Curve(HOSTILE[:24], ((0.0, 0.1), (100.0, 0.21)), 1),
    Curve("behind", ((0.0, 0.4), (100.0, 0.3)), None),
    Curve("empty", (), 2),
]


def drawn(name: str = "harvest") -> str:
    return str(inline_svg(to_svg(curves_figure(CURVES, "harvest")), name, HOSTILE, HOSTILE))


def test_colours_are_those_of_the_page_and_ids_those_of_the_plot() -> None:
    svg = drawn()
    assert "var(--series-1)" in svg and "var(--ink)" not in svg.split("<desc")[0]
    assert "var(--others)" in svg and "var(--paper)" in svg
    left = {found.lower() for found in re.findall(r"(?<!&)#[0-9a-f]{6}\b", svg)}
    assert left == set()
    first, second = Parsed(drawn("a")), Parsed(drawn("b"))
    ids = [[tag["id"] for _, tag in each.tags if tag.get("id")] for each in (first, second)]
    assert len(set(ids[0])) == len(ids[0]) and not set(ids[0]) & set(ids[1])
    referred = re.findall(r"(?:href=\"#|url\(#)([^\")]+)", drawn("a"))
    assert referred and set(referred) <= set(ids[0])


def test_names_are_text_and_nothing_else() -> None:
    parsed = Parsed(drawn())
    assert [tag for tag, _ in parsed.tags if tag in ("script", "style", "metadata")] == []
    assert HOSTILE in parsed.text and "3.14159" in parsed.text
    assert {"title", "desc"} <= {tag for tag, _ in parsed.tags}
    svg = parsed.named("svg")[0]
    assert svg["role"] == "img" and svg["aria-labelledby"] == "harvest-title harvest-desc"


def test_curves_are_told_apart_without_colour_and_give_the_same_bytes() -> None:
    many = [Curve(f"s{n}", ((0.0, n), (9.0, n + 1.0)), n) for n in range(8)]
    axes = curves_figure(many, "x").axes[0]
    assert len({line.get_marker() for line in axes.lines}) == 8
    assert len({str(dash(n)) for n in range(8)}) == 4
    assert [text.get_text() for text in axes.texts] == [f"s{n}" for n in range(8)]
    assert to_svg(curves_figure(CURVES, "x")) == to_svg(curves_figure(CURVES, "x"))
    assert b"dc:date" not in to_svg(curves_figure(CURVES, "x"))
    assert curves_figure([], "x").axes[0].lines[:] == [], "nothing to draw is an empty picture"
    empty = inline_svg(to_svg(bars_figure([Bar("h", 0, 0)])), "b", "", "")
    assert "0 of 0" in Parsed(str(empty)).text


def test_labels_keep_their_distance_and_order() -> None:
    cases: list[tuple[list[float], list[float]]] = [
        ([], []),
        ([5.0], [5.0]),
        ([0.0, 20.0], [0.0, 20.0]),
        ([5.0, 5.0, 5.0], [-5.0, 5.0, 15.0]),
        ([12.0, 0.0, 2.0], [14.667, -5.333, 4.667]),
    ]
    for heights, places in cases:
        assert spread_labels(heights, 10.0) == pytest.approx(places, abs=1e-3)


# Text of strangers in a report: visible, short, and a link only where it leads to the web.


def test_nothing_is_invisible_and_long_texts_are_cut() -> None:
    cases: list[tuple[str, str]] = [
        ("plain", "plain"),
        ("Größe 東京 نص", "Größe 東京 نص"),
        ("a\x1b[31mb", "a[U+001B][31mb"),
        ("exe.\u202egnp", "exe.[U+202E]gnp"),
        ("zero\u200bwidth\ufeff", "zero[U+200B]width[U+FEFF]"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\ud800", "[U+D800]"),
        ("a" + "\u0301" * 50, "a" + "\u0301" * 4),
        ("", ""),
    ]
    for text, shown in cases:
        assert escape_invisible(text) == shown
    assert shorten("one\n two") == "one two"
    assert shorten("x" * 10_000_000, 5) == "xxxx…"
    assert shorten("     " * 1_000 + "x", 5) == "…"


def test_what_does_not_lead_to_the_web_is_no_link() -> None:
    cases: list[str] = [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", " javascript:alert(1)", "data:text/html,x",
        "http:///nohost", "//example.org/", "ftp://example.org/", "http://a b.test/",
        'http://a.test"onmouseover=', "http://user@a.test/", "http://a.test/\u202egpj.exe",
        "http://a.test/\nx", "http://a.test/" + "x" * 3_000, "",
    ]  # fmt: skip
    for url in cases:
        assert web_url(url) is None
    for url in ["http://a.test", "https://a.test:8080/x?y=1#z", "HTTP://A.test/"]:
        assert web_url(url) == url
