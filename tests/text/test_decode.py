"""Bytes to text: which encoding wins, and what is no text at all."""

from __future__ import annotations

import codecs
import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenthound.text.extract import (
    ANCHOR_CHARACTERS,
    MAX_BYTES,
    MAX_HREFS,
    MAX_TEXT,
    SMALL_PAGE,
    decode,
    extract,
    extract_html,
    is_text,
    limit_nesting,
    media_type,
)
from scenthound.text.nesting import MAX_DEPTH, tags

HTML = "text/html"


def test_encodings() -> None:
    by_case = {
        "utf-8 by header": ("café".encode(), "text/html; charset=utf-8", "café"),
        "utf-8 undeclared": ("café – “q”".encode(), HTML, "café – “q”"),
        "utf-8 with a mark": (codecs.BOM_UTF8 + "café".encode(), HTML, "café"),
        "utf-16 little": (codecs.BOM_UTF16_LE + "café".encode("utf-16-le"), HTML, "café"),
        "mark against header": (
            codecs.BOM_UTF8 + "café".encode(), "text/html; charset=latin-1", "café",
        ),
        "latin-1 by header": (b"caf\xe9", "text/html; charset=ISO-8859-1", "café"),
        "latin-1 is cp1252": (b"\x93caf\xe9\x94", "text/html; charset=iso-8859-1", "“café”"),
        "unknown charset": ("café".encode(), "text/html; charset=klingon", "café"),
        "a codec that is no encoding": ("café".encode(), "text/html; charset=zlib", "café"),
        "a codec of Python only": (
            "\\u0041 café".encode(), "text/html; charset=unicode_escape", "\\u0041 café",
        ),
        "shift_jis by header": ("台風".encode("shift_jis"), "text/html; charset=Shift_JIS", "台風"),
        "iso-2022-jp is all ASCII bytes": (
            "台風".encode("iso-2022-jp"), "text/html; charset=iso-2022-jp", "台風",
        ),
        "plain ASCII": (b"cafe", "text/html; charset=utf-16", "cafe"),
        "empty": (b"", "", ""),
    }  # fmt: skip
    for body, content_type, expected in by_case.values():
        assert decode(body, content_type) == expected
    for charset, text in [("shift_jis", "台風"), ("gb2312", "台风"), ("iso-8859-2", "bouře")]:
        html = f'<meta charset="{charset}"><p>{text}'
        assert decode(html.encode(charset), HTML) == html
    assert decode(b"caf\xe9 bar", "text/html; charset=utf-8") == "caf\ufffd bar"
    body = "é".encode() * (MAX_BYTES // 2) + "é".encode()
    text = decode(b"x" + body)
    assert text.startswith("xéé") and text.endswith("é\ufffd")
    assert len(text) == 1 + (MAX_BYTES - 2) // 2 + 1


def test_header_and_bytes_tell_pages_from_media() -> None:
    for header, expected in [
        ("text/html", "text/html"),
        ("text/html, text/html", "text/html"),
        (";;;", ""),
        ("", ""),
    ]:
        assert media_type(header) == expected
    for header in (
        "",
        "garbage",
        "text/html",
        "application/xhtml+xml; x",
        "text/plain",
        "text/xml",
    ):
        assert is_text(b"<p>storm", header)
    for header in ("image/png", "application/pdf", "application/octet-stream"):
        assert not is_text(b"<p>storm", header)
    for body in [
        b"\x89PNG\r\n\x1a\n",
        b"%PDF-1.4\n%text so far",
        b"PK\x03\x04",
        b"<p>some\x00thing",
    ]:
        assert not is_text(body, "text/html") and not is_text(body, "")
    dirty = b"<html><title>St\x00orm</title><p>" + b"Wind and rain, \xff\xfe and hail.\x00 " * 40
    assert is_text(dirty, "text/html; charset=utf-8") and is_text(dirty, "application/xhtml+xml")
    assert not is_text(dirty, "") and not is_text(dirty, "text/plain")
    pictures = {
        "a bitmap, white": b"BM" + bytes(52) + b"\xff" * 970,
        "a film": b"\x00\x00\x00\x20ftypisom" + random.Random(1).randbytes(1_000),
        "a picture with markup in it": b"RIFF<p>WEBP" + random.Random(2).randbytes(1_000) + b"\x00",
        "tags in zeros": b"<p>" + bytes(1_000),
    }
    for picture in pictures.values():
        assert not is_text(picture, HTML)


_CHARSETS = st.sampled_from(
    "utf-8 utf-16 utf-32 utf-7 punycode idna unicode-escape hex big5 undefined shift_jis gb18030 "
    "euc-kr iso-2022-kr cp037 mbcs ,".split()
)


@settings(max_examples=50)
@given(st.binary(max_size=200), _CHARSETS)
@example(b"\\\x80", "raw_unicode_escape")
def test_no_body_and_no_charset_make_it_raise(body: bytes, charset: str) -> None:
    assert len(decode(body, f"text/html; charset={charset}")) <= len(body)


# Pages made to keep a parser busy: how much of them is parsed, and what is kept.

URL = "http://a.test/"
LONG = "x" * SMALL_PAGE


def numbered(pattern: str, count: int) -> str:
    return "".join(pattern.format(n) for n in range(count))


def names(html: str) -> list[str]:
    return ["/" * tag.is_end + tag.name for tag in tags(html)]


def test_what_would_take_too_long_is_cut_away_and_what_is_only_long_is_unchanged() -> None:
    endless = {
        "attributes": "<body " + numbered("a{}=1 ", 30_000) + ">",
        "attributes around ends": "<p " + numbered("a{}='>' ", 30_000) + ">",
        "attributes, never closed": "<p " + numbered("a{}=1 ", 30_000),
        "bodies": numbered("<body a{}>", 30_000),
        "names of attributes": numbered("<p a{}=1>", 60_000),
        "options": "<select>" + "<option>x" * 20_000,
        "unclosed fonts": numbered("<font color={}><p>", 3_000),
        "formats in paragraphs": "<p>" + numbered("<b a={}>", 100) + "</p>" + "<p>x" * 20_000,
        "ends in the deep": "<div>" * MAX_DEPTH + "</p>" * 100_000,
    }
    for html in endless.values():
        kept = limit_nesting("<p>storm</p>" + html + LONG)
        assert kept.startswith("<p>storm</p>")
        assert len(kept) < 12 + len(html)
    only_long = {
        "one long value": f"<img src='data:{LONG}'>" * 3,
        "a long script": f"<script>for(i=0;i<n;i++){{s='{numbered('a{} ', 40_000)}'}}</script>",
        "a long comment": "<!-- <b " + numbered("a{} ", 40_000) + "-->",
        "a long text": numbered("a{} < b, ", 40_000),
        "a drawing": "<svg><g>" + "<path d='M1 2'/>" * 2 * MAX_DEPTH + "</g></svg>",
        "rows with old fonts": "<tr><td><font size=2>storm" * MAX_DEPTH,
        "usual attributes": "<p class=a id='b' style='c'>x</p>" * 10_000,
    }
    for html in only_long.values():
        assert limit_nesting(html + LONG) == html + LONG


def test_tags_are_reported_from_what_only_looks_so() -> None:
    assert names("a <b <!-- <i> --> 1<2 <br/></B x><? <u> ?></ p><!doctype <s>") == [
        "b",
        "br",
        "/b",
    ]
    assert names("<!--><b><!---><i><!--x--!><u><!-- <s>") == ["b", "i", "u"]
    assert names("<a title='<b>' href=\"<i>\" c=<u>d") == ["a"]
    assert names("<p it's><b></p \"><i>") == ["p", "b", "/p", "i"]
    assert names("") == []
    assert names("<script><b></scripty></Script ><i>") == ["script", "/script", "i"]
    assert names("<style><b>") == ["style"]
    assert names("<svg><title><b></title></svg><title><b>") == (
        ["svg", "title", "b", "/title", "/svg", "title"]
    )


@settings(max_examples=50)
@given(st.text("<>/!-='\" ab\n", max_size=60))
@example("<a b='<a b='<a")
def test_tags_come_in_order_and_lie_within_the_page(html: str) -> None:
    end = 0
    for tag in tags(html):
        assert tag.start >= end
        assert html[tag.start] == "<"
        end = tag.start + 1 + tag.is_end + len(tag.name) + len(tag.rest)
        assert html[:end].endswith(tag.rest)


def test_texts_are_kept_to_the_limit_at_whole_words() -> None:
    words = numbered("w{} ", 200_000)
    found = extract_html(f"<h1>{words}</h1>{words}<b>{words}</b><a href=last>end</a>", URL)
    document = found.document
    for text in (document.text, document.groups["title"], document.groups["body"]):
        assert MAX_TEXT - 10 < len(text) <= MAX_TEXT
        assert words.startswith(text + " ")
    assert [(link.url, link.anchor) for link in found.links] == [(URL + "last", "end")]
    for kind in ["text/html", "text/plain"]:
        fitting = "storm" + " storm" * (MAX_TEXT // 6 - 1) + " sea"
        longer = fitting + "s" * (MAX_TEXT - len(fitting))
        assert extract(longer.encode(), URL, kind).document.text == longer
        assert extract((longer + " x").encode(), URL, kind).document.text == longer
        assert (
            extract((longer + "x").encode(), URL, kind).document.text == longer.rpartition(" ")[0]
        )


def test_links_without_end_are_not_all_read() -> None:
    html = "<a href=x><table><td>" * 50 + "word " * 10_000
    links = extract_html(html, URL).links
    assert len(links) == 50
    assert max(len(link.anchor) for link in links) <= ANCHOR_CHARACTERS
    href = "x" * 10_000
    count = MAX_HREFS // len(href)
    found = extract_html(f"<a href='{href}'>x</a>" * (count + 7) + "<a href=x>y</a>", URL)
    assert found.unusable["malformed"][0] == count
    assert found.unusable["too many links"][0] == 8


# The guard against pages nested beyond what a parser can bear.

_TAGS = st.sampled_from(["<div>", "</div>", "<p>", "<br>", "<B>", "</b >", "storm ", "<", "</"])


@settings(max_examples=15)
@given(st.lists(_TAGS, max_size=20).map("".join), st.integers(1, 2 * MAX_DEPTH))
def test_what_comes_back_is_a_beginning_of_the_page(piece: str, times: int) -> None:
    html = piece * times
    assert html.startswith(limit_nesting(html))


def test_a_page_is_cut_where_it_is_too_deep() -> None:
    deepest = "<div>" * MAX_DEPTH
    assert limit_nesting(deepest) == deepest
    assert limit_nesting(deepest + "<i>deep") == deepest
    html = "</div>" * 100 + "<div>" * (MAX_DEPTH + 1)
    assert limit_nesting(html) == html[: -len("<div>")]
    html = "<p>storm" + "<div>" * (MAX_DEPTH + 1) + "too deep"
    found = extract_html(html, "http://a.test/")
    assert found.document.text == "storm" and found.cut
    assert not extract_html("<p>st\x00orm" + "<div>" * MAX_DEPTH, "http://a.test/").cut
