"""Pages made to keep a parser busy: how much of them is parsed, and what is kept."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.text import nesting
from scenthound.text.extract import MAX_TEXT, extract, extract_html
from scenthound.text.links import ANCHOR_CHARACTERS
from scenthound.text.nesting import FEW_TAGS, MAX_DEPTH, MAX_STEPS, SMALL_PAGE, bounded
from scenthound.text.tags import attribute_names, tags
from scenthound.text.walk import ENOUGH_ALTERNATIVES, MAX_HREFS

URL = "http://a.test/"
LONG = "x" * SMALL_PAGE


def numbered(pattern: str, count: int) -> str:
    return "".join(pattern.format(n) for n in range(count))


def names(html: str) -> list[str]:
    return ["/" * tag.is_end + tag.name for tag in tags(html)]


ENDLESS = {
    "attributes": "<body " + numbered("a{}=1 ", 30_000) + ">",
    "attributes by slashes": "<p/" + numbered("a{}/", 30_000) + ">",
    "attributes by lines": "<p\n" + numbered("a{}\n", 30_000) + ">",
    "attributes around ends": "<p " + numbered("a{}='>' ", 30_000) + ">",
    "attributes, never closed": "<p " + numbered("a{}=1 ", 30_000),
    "attributes of an end": "</p " + numbered("a{}=1 ", 30_000) + ">",
    "bodies": numbered("<body a{}>", 30_000),
    "names": numbered("</x{}>", 60_000),
    "names of attributes": numbered("<p a{}=1>", 60_000),
    "options": "<select>" + "<option>x" * 20_000,
    "unclosed fonts": numbered("<font color={}><p>", 3_000),
    "formats in paragraphs": "<p>" + numbered("<b a={}>", 100) + "</p>" + "<p>x" * 20_000,
    "ends in the deep": "<div>" * MAX_DEPTH + "</p>" * 100_000,
}


@pytest.mark.parametrize("html", ENDLESS.values(), ids=ENDLESS.keys())
def test_what_would_take_too_long_is_cut_away(html: str) -> None:
    kept = bounded("<p>storm</p>" + html + LONG)
    assert kept.startswith("<p>storm</p>")
    assert len(kept) < 12 + len(html)


FINE = {
    "one long value": f"<img src='data:{LONG}'>" * 3,
    "a long script": f"<script>for(i=0;i<n;i++){{s='{numbered('a{} ', 40_000)}'}}</script>",
    "a long style": "<style>" + numbered(".a{} <b ", 40_000) + "</style>",
    "a long comment": "<!-- <b " + numbered("a{} ", 40_000) + "-->",
    "a long document type": "<!doctype " + numbered("a{} ", 40_000) + ">",
    "a long text": numbered("a{} < b, ", 40_000),
    "a drawing": "<svg><g>" + "<path d='M1 2'/>" * 2 * MAX_DEPTH + "</g></svg>",
    "rows with old fonts": "<tr><td><font size=2>storm" * MAX_DEPTH,
    "closed formats": numbered("<p><font color={}>x</font>", 10_000),
    "a long choice": "<option>x" * 8_000,
    "usual attributes": "<p class=a id='b' style='c'>x</p>" * 10_000,
}


@pytest.mark.parametrize("html", FINE.values(), ids=FINE.keys())
def test_what_is_only_long_is_unchanged(html: str) -> None:
    assert bounded(html + LONG) == html + LONG


def test_tags_without_number_are_cut_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nesting, "MAX_STEPS", MAX_STEPS // 100)
    assert 9_900 < bounded("<br>" * 11_000).count("<br>") <= 10_000


def test_few_tags_are_enough_for_endless_formatting() -> None:
    html = numbered("<font color={}><p>", 2_000)
    assert len(html) < SMALL_PAGE and FEW_TAGS < html.count("<") < MAX_DEPTH
    assert bounded(html) != html


def test_tags_are_told_from_what_only_looks_so() -> None:
    assert names("a <b <!-- <i> --> 1<2 <br/></B x><? <u> ?></ p><!doctype <s>") == [
        "b",
        "br",
        "/b",
    ]
    assert names("<!--><b><!---><i><!--x--!><u><!-- <s>") == ["b", "i", "u"]
    assert names("<a title='<b>' href=\"<i>\" c=<u>d") == ["a"]
    assert names("<p it's><b></p \"><i>") == ["p", "b", "/p", "i"]
    assert names("") == []


def test_raw_text_has_no_tags_outside_drawings() -> None:
    assert names("<script><b></scripty></Script ><i>") == ["script", "/script", "i"]
    assert names("<style><b>") == ["style"]
    assert names("<svg><title><b></title></svg><title><b>") == (
        ["svg", "title", "b", "/title", "/svg", "title"]
    )


def test_attributes_are_named_as_a_parser_does() -> None:
    assert attribute_names(' a = \'x y\' b/c=d/e =f=g "h" i="j k') == [
        "a",
        "b",
        "c",
        "=f",
        '"h"',
        "i",
    ]
    assert attribute_names(" / ") == []


@settings(max_examples=200)
@given(st.text("<>/!-='\" ab\n", max_size=60))
@example("<a b='<a b='<a")
def test_tags_come_in_order_and_lie_within_the_page(html: str) -> None:
    end = 0
    for tag in tags(html):
        assert tag.start >= end
        assert html[tag.start] == "<"
        end = tag.start + 1 + tag.is_end + len(tag.name) + len(tag.rest)
        assert html[:end].endswith(tag.rest)


def test_text_and_groups_are_kept_to_the_limit_at_whole_words() -> None:
    words = numbered("w{} ", 200_000)
    found = extract_html(f"<h1>{words}</h1>{words}<b>{words}</b><a href=last>end</a>", URL)
    document = found.document
    for text in (document.text, document.groups["title"], document.groups["body"]):
        assert MAX_TEXT - 10 < len(text) <= MAX_TEXT
        assert words.startswith(text + " ")
    assert [(link.url, link.anchor) for link in found.links] == [(URL + "last", "end")]


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_an_endless_word_is_cut_in_two(kind: str) -> None:
    document = extract(b"x" * (MAX_TEXT + 5), URL, kind).document
    assert document.text == document.groups["body"] == "x" * MAX_TEXT


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_a_text_that_just_fits_is_whole(kind: str) -> None:
    fitting = "storm" + " storm" * (MAX_TEXT // 6 - 1) + " sea"
    longer = fitting + "s" * (MAX_TEXT - len(fitting))
    assert extract(longer.encode(), URL, kind).document.text == longer
    assert extract((longer + " x").encode(), URL, kind).document.text == longer
    assert extract((longer + "x").encode(), URL, kind).document.text == longer.rpartition(" ")[0]


def test_declarations_are_bounded_too() -> None:
    words = "storm " * (MAX_TEXT // 5)
    html = f"<title>{words}</title><meta name=description content='{words}'>"
    document = extract_html(html, URL).document
    sizes = [len(document.title), len(document.description), len(document.groups["title"])]
    assert max(sizes) <= MAX_TEXT


def test_links_in_links_do_not_each_repeat_the_page() -> None:
    html = "<a href=x><table><td>" * 50 + "word " * 10_000
    links = extract_html(html, URL).links
    assert len(links) == 50
    assert max(len(link.anchor) for link in links) <= ANCHOR_CHARACTERS


def test_a_link_takes_the_words_of_some_images_only() -> None:
    link = extract_html("<a href=x>" + "<img alt=storm>" * 2_000 + "</a>", URL).links[0]
    assert set(link.anchor.split()) == {"storm"}
    assert ENOUGH_ALTERNATIVES - 1 <= len(link.anchor) < ENOUGH_ALTERNATIVES + len("storm")


def test_endless_addresses_are_not_all_read() -> None:
    href = "x" * 10_000
    count = MAX_HREFS // len(href)
    found = extract_html(f"<a href='{href}'>x</a>" * (count + 7) + "<a href=x>y</a>", URL)
    assert found.unusable["malformed"][0] == count
    assert found.unusable["too many links"][0] == 8


def test_rules_for_robots_are_read_among_any_number() -> None:
    rules = numbered("<meta name=robots content='a{}'>", 2_000)
    found = extract_html(rules + "<meta name=robots content='x, NoFollow'>" + rules, URL)
    assert (found.follow, found.index) == (False, True)
