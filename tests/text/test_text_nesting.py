"""The guard against pages nested beyond what a parser can bear."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.text.extract import extract_html
from scenthound.text.nesting import MAX_DEPTH, bounded

_TAGS = st.sampled_from(["<div>", "</div>", "<p>", "<br>", "<B>", "</b >", "storm ", "<", "</"])


@settings(max_examples=100)
@given(st.lists(_TAGS, max_size=20).map("".join), st.integers(1, 2 * MAX_DEPTH))
def test_what_comes_back_is_a_beginning_of_the_page(piece: str, times: int) -> None:
    html = piece * times
    assert html.startswith(bounded(html))


def test_a_page_as_deep_as_allowed_is_unchanged_and_a_deeper_one_is_cut() -> None:
    deepest = "<div>" * MAX_DEPTH
    assert bounded(deepest) == deepest
    assert bounded(deepest + "<i>deep") == deepest


def test_a_long_flat_page_is_unchanged() -> None:
    html = "<div><p>storm<p>surge<br></div>" * MAX_DEPTH
    assert bounded(html) == html


def test_tags_that_close_each_other_do_not_nest() -> None:
    html = "<table>" + "<tr><td>storm<td>surge" * MAX_DEPTH
    assert bounded(html) == html


def test_too_many_ends_do_not_make_room_for_more_starts() -> None:
    html = "</div>" * 100 + "<div>" * (MAX_DEPTH + 1)
    assert bounded(html) == html[: -len("<div>")]


def test_the_text_before_the_cut_is_read_and_the_cut_is_told() -> None:
    html = "<p>storm" + "<div>" * (MAX_DEPTH + 1) + "too deep"
    found = extract_html(html, "http://a.test/")
    assert found.document.text == "storm" and found.cut
    assert not extract_html("<p>st\x00orm" + "<div>" * MAX_DEPTH, "http://a.test/").cut
